"""The clients, pending logins, codes and redirects of the authorization server."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Self

from fakes.http.unpicklable import Unpicklable
from fakes.persistence import FieldValue, Instant, Names, Saved, key_by

__all__ = [
    "FIRST_APPLICATION",
    "NONCE",
    "PARAMETER_NAMES",
    "REDIRECT_URI",
    "AuthorizationData",
    "AuthorizationParameters",
    "Grant",
    "RegisteredClient",
]

FIRST_APPLICATION = "client-1"
"""The client ID of the first application, if it was given none."""
REDIRECT_URI = "http://127.0.0.1:8731/callback"
"""The redirect URL of an application that was given none."""


@dataclass(frozen=True, slots=True)
class RegisteredClient(Unpicklable):
    """A registered client of the service."""

    client_id: str
    client_secret: str = field(repr=False)
    redirect_uri: FieldValue = ""
    public_key: str = field(default="", repr=False)
    """The key that checks its assertions, as PEM; empty if none is registered."""
    redirect_uris: tuple[FieldValue, ...] = field(default=(), repr=False)
    """Its further redirect URLs."""


@dataclass(frozen=True, slots=True)
class AuthorizationParameters:
    """The parameters of an authorization request as sent; empty if missing."""

    client_id: str
    redirect_uri: str
    scope: str
    response_type: str
    state: str = field(repr=False)
    domain: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""
    nonce: str = field(default="", repr=False, kw_only=True)
    """What an OpenID Connect client wants to find in the ``id_token``."""
    begun_at: Instant | None = field(default=None, kw_only=True)
    failed: bool = field(default=False, kw_only=True)
    """Whether a login with its screen has failed."""

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Self:
        """Return the parameters of a query.

        Examples:
            >>> AuthorizationParameters.of({"client_id": "client-1", "x": "ignored"}).client_id
            'client-1'
        """
        return cls(*(given.get(name, "") for name in PARAMETER_NAMES), nonce=given.get(NONCE, ""))


NONCE = "nonce"
PARAMETER_NAMES = tuple(field.name for field in fields(AuthorizationParameters) if not field.kw_only)


@dataclass(frozen=True, slots=True)
class Grant:
    """The grant behind a code: the user who signed in, the client, and the scope."""

    user_id: str
    client_id: str
    scope: str
    redirect_uri: str
    issued_at: Instant
    code_challenge: str = ""
    code_challenge_method: str = ""
    nonce: str = field(default="", repr=False)


class AuthorizationData(Saved):
    """The pending logins and the codes in a snapshot."""

    application: RegisteredClient
    further: Annotated[dict[str, RegisteredClient], key_by("client_id")]
    logins: dict[str, AuthorizationParameters]
    codes: dict[str, Grant]
    used_codes: Names

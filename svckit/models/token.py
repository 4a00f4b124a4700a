"""The token set that the token endpoint responds with."""

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field
from pydantic_core import from_json

from svckit.models.base import OrAbsent, WireModel, absent
from svckit.models.secret import Secret

__all__ = ["TokenSet", "check_bearer"]


_BEARER = re.compile(r"[!-~](?:[ -~]*[!-~])?")
DESCRIBED_LIFETIME = "86400"
"""Seconds (the service's description, section "Limits"), if a response shows no lifetime."""
_COUNTED_DIGITS = 13  # of seconds, which a timedelta can hold


def check_bearer(token: Secret) -> Secret:
    """Check that a header can carry an access token, so that no later error shows the token.

    Raises:
        ValueError: a header cannot carry it.
    """
    if not _BEARER.fullmatch(token.reveal()):
        raise ValueError(
            "cannot be sent in a header: it is empty or contains a character other than visible ASCII"
        )
    return token


class TokenSet(WireModel):
    """The credentials of a signed-in user (the service's description, section "Token set").

    In a response, `from_response` accepts what OAuth 2.0 allows and other services send: a lifetime as a number, or
    none, which then is the described one; a token type in any case, or none; and a scope as a list, or none if it is
    the one that was asked for, which then is empty here.

    Examples:
        >>> tokens = TokenSet(
        ...     access_token=Secret("eyJhbGciOi"), scope="user", expires_in="86400", token_type="Bearer"
        ... )
        >>> tokens
        TokenSet(access_token=Secret('***'), scope='user', expires_in='86400', token_type='Bearer')
        >>> tokens.lifetime
        datetime.timedelta(days=1)
        >>> TokenSet.from_response({"access_token": "a", "expires_in": 60, "token_type": "bearer"}).lifetime
        datetime.timedelta(seconds=60)
    """

    # Unlike the rest of the service, the token endpoint names its fields in snake_case.
    model_config: ClassVar[ConfigDict] = ConfigDict(alias_generator=None, hide_input_in_errors=True)

    access_token: Annotated[Secret, AfterValidator(check_bearer)] = Field(
        description="Opens the resource API when sent as a bearer token."
    )
    refresh_token: OrAbsent[Secret] = absent(
        "Renews the access token; given only in exchange for an authorization code."
    )
    scope: str = Field(description="What the access token may be used for.")
    expires_in: Annotated[str, Field(pattern="^[0-9]+$")] = Field(
        description="Lifetime of the access token in seconds, as text."
    )
    token_type: Literal["Bearer"] = Field(description="The kind of token; always Bearer.")

    @classmethod
    def _read_leniently(cls, body: str | bytes | bytearray | Mapping[str, Any]) -> Self:
        try:
            given = body if isinstance(body, Mapping) else from_json(body)
        except ValueError:
            given = None
        return cls.from_wire(_complete(given) if isinstance(given, Mapping) else body)

    @property
    def lifetime(self) -> timedelta:
        """The lifetime of the access token, counted from its issue; at most ``timedelta.max``."""
        digits = self.expires_in.lstrip("0") or "0"
        return timedelta(seconds=int(digits)) if len(digits) <= _COUNTED_DIGITS else timedelta.max


def _complete(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a token set as the description shows it, if it differs only in what may differ."""
    shown = {"scope": "", "expires_in": DESCRIBED_LIFETIME, "token_type": "Bearer"}
    known = shown | {name: value for name, value in given.items() if value is not None}
    lifetime, kind, scope = (known[name] for name in ("expires_in", "token_type", "scope"))
    with suppress(ValueError, TypeError, OverflowError):
        if not isinstance(lifetime, bool) and float(lifetime) >= 0:
            known["expires_in"] = str(int(lifetime if isinstance(lifetime, int) else float(lifetime)))
    if isinstance(kind, str) and kind.lower() == "bearer":
        known |= {"token_type": "Bearer"}
    if isinstance(scope, list) and all(isinstance(word, str) for word in scope):
        known["scope"] = " ".join(scope)
    return known

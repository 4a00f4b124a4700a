"""What opens a service: the application's secret, a login, notification URLs, and the tokens they lead to."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from svckit.models.secret import Secret
from svckit.models.token import TokenSet

__all__ = ["Credentials", "TokenStore", "Tokens"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The secrets that go with a profile.

    Attributes:
        client_secret: secret of the application.
        login_id: login ID of the user who signs in, an e-mail address.
        password: the user's password.
        webhooks: notification URLs; the last part of each is a secret. The first is the one used by default.
    """

    client_secret: Secret
    login_id: str
    password: Secret
    webhooks: tuple[Secret, ...] = ()

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self:
        """The credentials of a fake, from its facts (or from the ready line of a served one)."""
        return cls(
            client_secret=Secret(facts["client_secret"]),
            login_id=facts["login_id"],
            password=Secret(facts["password"]),
            webhooks=tuple(Secret(url) for url in facts["webhooks"]),
        )


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a signed-in user.

    Attributes:
        access: the bearer token of resource calls.
        refresh: the token that renews it.
        ends: when the access token ends.
    """

    access: Secret
    refresh: Secret | None
    ends: datetime


class TokenStore:
    """Keeps the tokens of one session in memory, and nowhere else."""

    __slots__ = ("current",)

    def __init__(self) -> None:
        self.current: Tokens | None = None

    def keep(self, issued: TokenSet, at: datetime) -> Tokens:
        """Keep tokens issued at an instant; a renewal brings no refresh token, so the one there is stays."""
        refresh = issued.refresh_token or (self.current.refresh if self.current else None)
        self.current = Tokens(issued.access_token, refresh, at + issued.lifetime)
        return self.current

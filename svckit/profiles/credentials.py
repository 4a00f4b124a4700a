"""What opens a service: the application's secret, a login, notification URLs, and the tokens they lead to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, Self

from svckit.models.secret import Secret
from svckit.models.token import TokenSet

__all__ = ["Credentials", "SessionTokens", "TokenCache", "Tokens"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The secrets that go with a profile.

    Attributes:
        client_secret: secret of the application.
        login_id: login ID of the user whom a program signs in, an e-mail address; for a fake.
        password: that user's password.
        bot_secret: what the service signs the events of the application's bot with.
        webhooks: notification URLs by name; the last part of each is a secret. The first is the one used by default.
    """

    client_secret: Secret
    login_id: str | None = None
    password: Secret | None = None
    bot_secret: Secret | None = None
    webhooks: Mapping[str, Secret] = field(default_factory=dict)

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self:
        """The credentials of a fake, from its facts (or from the ready line of a served one)."""
        return cls(
            client_secret=Secret(facts["client_secret"]),
            login_id=facts["login_id"],
            password=Secret(facts["password"]),
            bot_secret=Secret(facts["bot_secret"]),
            webhooks={f"webhook-{number}": Secret(url) for number, url in enumerate(facts["webhooks"], 1)},
        )


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a signed-in user.

    Attributes:
        access: the bearer token of resource calls.
        refresh: the token that renews it.
        ends: when the access token ends; the last of all dates where that is later.
    """

    access: Secret
    refresh: Secret | None
    ends: datetime


class TokenCache(Protocol):
    """Where tokens outlive the session."""

    def load(self) -> Tokens | None:
        """The tokens that are there, if any."""

    def save(self, tokens: Tokens) -> None:
        """Replace what is there."""

    def forget(self) -> object:
        """Have none any more."""


class SessionTokens:
    """Holds the tokens of one session in memory, and wherever else it is told to keep them.

    Args:
        kept: where tokens are taken from to begin with, and kept when they are new; left out, nowhere.
    """

    __slots__ = ("_kept", "current")

    def __init__(self, kept: TokenCache | None = None) -> None:
        self._kept = kept
        self.current: Tokens | None = kept.load() if kept else None

    def keep(self, issued: TokenSet, at: datetime) -> Tokens:
        """Keep tokens issued at an instant; a renewal brings no refresh token, so the one there is stays."""
        refresh = issued.refresh_token or (self.current.refresh if self.current else None)
        try:
            ends = at + issued.lifetime
        except OverflowError:  # later than there are dates
            ends = datetime.max.replace(tzinfo=at.tzinfo)
        self.current = Tokens(issued.access_token, refresh, ends)
        if self._kept:
            self._kept.save(self.current)
        return self.current

    def load_newer(self) -> Tokens | None:
        """Take up what another session or process has kept since, if it has; return that."""
        kept = self._kept.load() if self._kept else None
        if kept is None or kept == self.current:
            return None
        self.current = kept
        return kept

    def forget(self) -> None:
        """Keep no tokens for sessions to come; this session's stay what they are."""
        if self._kept:
            self._kept.forget()

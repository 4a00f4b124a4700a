"""Credentials and tokens: the application's secret, a login, webhook URLs, and the tokens of a user."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from svckit.models.limits import REFRESH_TOKEN_LIFETIME
from svckit.models.secret import Secret
from svckit.models.token import TokenSet

if TYPE_CHECKING:
    from svckit.profiles.file_store import ProcessLock
    from svckit.profiles.token_cache import StoredTokens

__all__ = ["Credentials", "SessionTokens", "Tokens"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The secrets that go with a profile.

    Attributes:
        client_secret: the application's secret; ``None`` if it is looked for when it is needed, or never is.
        login_id: the login ID, an e-mail address, of the user whom a program signs in to a fake.
        password: that user's password.
        bot_secret: the secret that the service signs the events of the application's bot with.
        webhooks: the webhook URLs by name; the last part of each is a secret. The first is the default.
        admin_key: the key of the admin calls of a fake, for ``svc.fake``.
    """

    client_secret: Secret | None = None
    login_id: str | None = None
    password: Secret | None = None
    bot_secret: Secret | None = None
    webhooks: Mapping[str, Secret] = field(default_factory=dict)
    admin_key: Secret | None = None

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self:
        """Return the credentials of a fake from its facts (or from the ready line of a served one).

        Args:
            facts: ``fake.facts``, or the parsed ready line of ``svckit serve``.

        Raises:
            KeyError: a fact is missing.

        Examples:
            >>> from fakes import FakeService
            >>> credentials = Credentials.from_facts(FakeService.sample().facts)
            >>> credentials.client_secret, list(credentials.webhooks)
            (Secret('***'), ['webhook-1'])
        """
        return cls(
            client_secret=Secret(facts["client_secret"]),
            login_id=facts["login_id"],
            password=Secret(facts["password"]),
            bot_secret=Secret(facts["bot_secret"]),
            webhooks={f"webhook-{number}": Secret(url) for number, url in enumerate(facts["webhooks"], 1)},
            admin_key=Secret(facts["admin_key"]) if "admin_key" in facts else None,
        )


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a signed-in user.

    Attributes:
        access: the bearer token of resource calls.
        refresh: the token that renews it.
        expires: when the access token expires, at most the latest date that Python has.
    """

    access: Secret
    refresh: Secret | None
    expires: datetime


class SessionTokens:
    """The tokens of one session, in memory and in a token cache if there is one.

    Args:
        cache: where the first tokens are loaded from and new ones are saved; if omitted, nowhere.
        refresh: a refresh token to start with; the first access token comes from renewing it.

    Attributes:
        current: the tokens in use.
        refresh_expires: when the refresh token expires; ``None`` if this session did not receive it.
    """

    __slots__ = ("_cache", "current", "refresh_expires")

    def __init__(self, cache: "StoredTokens | None" = None, *, refresh: Secret | None = None) -> None:
        self._cache = cache
        self.current: Tokens | None = cache.load() if cache else None
        if refresh is not None:
            self.current = Tokens(Secret(""), refresh, datetime.fromtimestamp(0, UTC))
        self.refresh_expires: datetime | None = None

    def keep(self, issued: TokenSet, at: datetime) -> Tokens:
        """Keep tokens issued at an instant; a renewal issues no refresh token, so the current one stays."""
        refresh = issued.refresh_token or (self.current.refresh if self.current else None)
        expires = _add(at, issued.lifetime)
        if issued.refresh_token:
            self.refresh_expires = _add(at, REFRESH_TOKEN_LIFETIME)
        self.current = Tokens(issued.access_token, refresh, expires)
        if self._cache:
            self._cache.save(self.current)
        return self.current

    def load_newer(self) -> Tokens | None:
        """Load tokens that another session or process has saved since; return them if there are any."""
        saved = self._cache.load() if self._cache else None
        if saved is None or saved == self.current:
            return None
        self.current, self.refresh_expires = saved, None
        return saved

    def make_lock(self) -> "ProcessLock | None":
        """Return the lock between processes to hold while the tokens are renewed, if there is one."""
        return self._cache.make_lock() if self._cache else None

    def forget(self) -> None:
        """Delete the tokens saved for later sessions; this session keeps its own."""
        if self._cache:
            self._cache.forget()


def _add(at: datetime, lifetime: timedelta) -> datetime:
    """Return the end of a lifetime, at most the latest date that Python has."""
    try:
        return at + lifetime
    except OverflowError:
        return datetime.max.replace(tzinfo=at.tzinfo)

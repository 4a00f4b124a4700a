"""What a session with a profile is made of: its secrets, the tokens that were kept, and the way to sign in."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self, get_args

from svckit.errors import ServiceError, SignInStopped
from svckit.operations.authorization import Visitor
from svckit.profiles.credentials import Credentials, SessionTokens
from svckit.profiles.environment import Environment
from svckit.profiles.keyring_store import KeyringStore
from svckit.profiles.profiles import Profile
from svckit.profiles.resolution import Configuration
from svckit.profiles.secret_sources import NotificationURLs, SecretSources
from svckit.profiles.token_cache import KeyringTokenCache
from svckit.sign_in import Way, ask, choose, say, visitor

__all__ = ["Account"]

NO_LOGIN = "there is no login ID and password to fill in the login form of the fake with"


@dataclass(frozen=True, slots=True)
class Account:
    """A profile and all that signs in to it.

    Attributes:
        profile: whom a session talks to.
        credentials: what it signs in with.
        visitor: who has a person sign in; ``None`` where a program fills in the login form of a fake.
        sources: where the secrets come from.
    """

    profile: Profile
    credentials: Credentials
    visitor: Visitor | None
    sources: SecretSources

    @classmethod
    def find(
        cls,
        target: str | Profile,
        credentials: Credentials | None = None,
        way: Way | None = None,
        *,
        configuration: Configuration | None = None,
        timeout: float | None = None,
    ) -> Self:
        """The account of a profile.

        Args:
            target: the profile, or the name of one that is described in ``svckit.toml`` or the environment.
            credentials: what to sign in with; left out, they come from the environment, the keyring or a prompt.
            way: how to sign in; left out, by form in a fake whose login ID and password are known, else as
                `svckit.sign_in.choose` finds.
            configuration: where profiles are described; left out, as it is for this process.
            timeout: seconds to wait for the browser.

        Raises:
            UnusableProfile: there is none, it is not whole, or a secret is nowhere.
            SignInStopped: the person who was asked for a secret gave none; or a form is asked for, and login ID and
                password are not known.
            ValueError: there is no such way, or a form is asked for and the service is no fake.
        """
        if configuration is None:
            is_named = isinstance(target, str)
            configuration = Configuration.load() if is_named else Configuration([], Environment.of_process())
        profile = configuration.profile(target) if isinstance(target, str) else target
        _check_way(way, profile)
        environment = configuration.environment_of(profile.name)
        sources = SecretSources(profile, environment, KeyringStore(), ask)
        credentials = credentials or _load_credentials(sources, configuration)
        missing = _list_missing(credentials, environment, profile.name) if profile.is_fake else ""
        if way == "form" and missing:
            raise SignInStopped("credentials", NO_LOGIN, advice=f"Set {missing}.")
        if way is None:
            way = "form" if profile.is_fake and not missing else choose(profile)
        return cls(profile, credentials, visitor(way, timeout=timeout), sources)

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Say where a client secret that is refused comes from, and what a sign-in to a fake lacks."""
        try:
            yield
        except ServiceError as refused:
            if isinstance(refused, SignInStopped) and refused.reason == "nobody" and self.profile.is_fake:
                missing = _list_missing(self.credentials, self.sources.environment, self.profile.name)
                advice = f"Set {missing}, and a program signs in to this fake."
                raise SignInStopped(
                    "nobody", f"{NO_LOGIN}, and there is nobody to ask", advice=advice
                ) from None
            if (refused.code or "").lower() == "invalid_client":
                correction = self.sources.explain_refusal(self.credentials.client_secret)
                if correction:
                    refused.add_note(correction)
            raise

    def token_cache(self) -> KeyringTokenCache:
        """Where the tokens of a person are kept."""
        return KeyringTokenCache(self.profile, self.sources.store)

    def tokens(self) -> SessionTokens:
        """What holds the tokens of a session: kept where a person signs in, in memory where a form does."""
        if self.visitor is None:
            return SessionTokens()
        if self.sources.store.is_unsafe:
            say(f"Tokens are not kept: {self.sources.store.absence}.")
        return SessionTokens(self.token_cache())


def _list_missing(credentials: Credentials, environment: Environment, name: str) -> str:
    """Name the variables that a program needs to sign in to a fake, of those that are not set."""
    known = {"login_id": credentials.login_id, "password": credentials.password}
    names = [environment.variable(name, key) for key, value in known.items() if value is None]
    return f"the environment variable{'s' if len(names) > 1 else ''} {' and '.join(names)}" if names else ""


def _check_way(way: Way | None, profile: Profile) -> None:
    if way is not None and way not in get_args(Way):
        raise ValueError(f"sign_in is one of {', '.join(get_args(Way))}; given {way!r}")
    if way == "form" and not profile.is_fake:
        raise ValueError(
            f"a program may fill in the login form of a fake only, and the profile {profile.name!r} is none; "
            'sign in with sign_in="browser" or "paste"'
        )


def _load_credentials(sources: SecretSources, configuration: Configuration) -> Credentials:
    """What is needed to sign in, asking for it if need be; login ID and password count for a fake only."""
    is_fake = sources.profile.is_fake
    return Credentials(
        client_secret=sources.client_secret(),
        login_id=configuration.login_id(sources.profile.name) if is_fake else None,
        password=sources.password() if is_fake else None,
        bot_secret=sources.bot_secret(),
        webhooks=NotificationURLs(sources),
    )

"""The parts of a session with a profile: its secrets, the saved tokens and the way to sign in."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal, Self, TypeAlias, get_args

from svckit.errors import ServiceError, SignInStopped
from svckit.models.secret import Secret
from svckit.operations.auth import rejects_client
from svckit.operations.authorization import Visitor
from svckit.profiles.credentials import Credentials, SessionTokens
from svckit.profiles.environment import Environment
from svckit.profiles.keyring_store import KeyringStore
from svckit.profiles.profiles import Profile
from svckit.profiles.resolution import Configuration
from svckit.profiles.secret_sources import SecretSources, WebhookURLs
from svckit.profiles.token_cache import StoredTokens, choose_store
from svckit.sign_in.browser import BrowserVisitor
from svckit.sign_in.listener import Endpoint
from svckit.sign_in.paste import PasteVisitor
from svckit.sign_in.prompt import ask, is_somebody_there, say

__all__ = ["Account", "Way", "choose", "make_visitor"]

Way: TypeAlias = Literal["browser", "paste", "form"]
"""This machine's browser, any browser and pasting, or a program that fills in a fake's login form."""

HUBS = ("JUPYTERHUB_SERVICE_PREFIX", "JUPYTERHUB_USER", "BINDER_SERVICE_HOST", "BINDER_LAUNCH_HOST")
SSH = ("SSH_CONNECTION", "SSH_TTY")
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")
NO_LOGIN = "there is no login ID and password to fill in the login form of the fake with"


@dataclass(frozen=True, slots=True)
class Account:
    """A profile and everything needed to sign in to it.

    Attributes:
        profile: the profile.
        credentials: the credentials to sign in with.
        visitor: guides a person through the sign-in; ``None`` if a program fills in the login form of a fake.
        sources: the sources of the secrets.
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
        """Find the account of a profile.

        Args:
            target: the profile, or the name of one that is described in ``svckit.toml`` or the environment.
            credentials: the credentials; if omitted, they come from the environment, the keyring or a prompt.
            way: the way to sign in; if omitted, by form in a fake whose login ID and password are known, else as
                `choose` decides.
            configuration: the described profiles; if omitted, those of this process.
            timeout: seconds to wait for the browser.

        Raises:
            UnusableProfile: there is no such profile, or it cannot be used.
            SignInStopped: the way is ``form``, and login ID and password are not known.
            ValueError: there is no such way, or the way is ``form`` and the service is not a fake.
        """
        if configuration is None:
            # A profile given as an object is in no file, but its secrets may be in the environment.
            is_named = isinstance(target, str)
            configuration = Configuration.load() if is_named else Configuration([], Environment())
        profile = configuration.profile(target) if isinstance(target, str) else target
        _check_way(way, profile)
        environment = configuration.environment_of(profile.name)
        sources = SecretSources(profile, environment, KeyringStore(), ask)
        credentials = credentials or _load_credentials(sources, configuration)
        missing = _list_missing(credentials, environment, profile.name) if profile.is_fake else ""
        if way == "form" and missing:
            raise SignInStopped("credentials", NO_LOGIN, advice=f"Set {missing}.")
        if way is None:
            way = "form" if profile.is_fake and not missing else _choose_way_of_person(profile)
        return cls(profile, credentials, make_visitor(way, timeout=timeout), sources)

    @contextmanager
    def signing_in(self) -> Iterator[Credentials]:
        """Provide the credentials for the block, asking for a missing client secret; keep it once it has worked.

        Errors in the block say where a rejected client secret comes from, or what a fake lacks.
        """
        try:
            secret = self.credentials.client_secret or self.sources.client_secret()
            yield replace(self.credentials, client_secret=secret)
        except ServiceError as error:
            if isinstance(error, SignInStopped) and error.reason == "nobody" and self.profile.is_fake:
                missing = _list_missing(self.credentials, self.sources.environment, self.profile.name)
                advice = f"Set {missing}, and a program signs in to this fake."
                why = f"{NO_LOGIN}, and there is nobody to ask"
                raise SignInStopped("nobody", why, advice=advice) from None
            if rejects_client(error):
                correction = self.sources.explain_refusal(self.credentials.client_secret)
                if correction:
                    error.add_note(correction)
            raise
        self.sources.save_typed_secret()

    @property
    def given_token(self) -> tuple[Secret, str] | None:
        """The refresh token in the environment, and the variable that holds it."""
        return self.sources.environment.secret(self.profile.name, "refresh_token")

    def tokens(self) -> SessionTokens:
        """Return the tokens of a session: given or saved ones, unless a program signs in to a fake."""
        if self.visitor is None:
            return SessionTokens()
        if self.given_token is not None:
            return SessionTokens(refresh=self.given_token[0])
        store = choose_store(self.profile.tokens, self.sources.store)
        if store.is_unsafe:
            say(f"Tokens are not saved: {store.absence}.")
        return SessionTokens(StoredTokens(self.profile, store))


def _list_missing(credentials: Credentials, environment: Environment, name: str) -> str:
    """Name the unset variables that a program needs to sign in to a fake."""
    values = {"login_id": credentials.login_id, "password": credentials.password}
    names = [environment.variable(name, key) for key, value in values.items() if value is None]
    return f"the environment variable{'s' if len(names) > 1 else ''} {' and '.join(names)}" if names else ""


def _check_way(way: Way | None, profile: Profile) -> None:
    if way is not None and way not in get_args(Way):
        raise ValueError(f"sign_in is one of {', '.join(get_args(Way))}; given {way!r}")
    if way == "form" and not profile.is_fake:
        raise ValueError(
            f"a program may fill in the login form of a fake only, and the profile {profile.name!r} is not a fake; "
            'sign in with sign_in="browser" or "paste"'
        )


def _choose_way_of_person(profile: Profile) -> Way:
    """Choose how a person signs in; where nobody is, pasting fails at once, but a browser would wait."""
    return choose(profile) if is_somebody_there() else "paste"


def _load_credentials(sources: SecretSources, configuration: Configuration) -> Credentials:
    """Load the credentials, asking nobody; login ID and password are for a fake only."""
    is_fake = sources.profile.is_fake
    login_id = configuration.entries(sources.profile.name).get("login_id") if is_fake else None
    key = sources.environment.secret(sources.profile.name, "admin_key") if is_fake else None
    return Credentials(
        client_secret=sources.find("client_secret"),
        login_id=None if login_id is None else str(login_id.value),
        password=sources.find("password") if is_fake else None,
        bot_secret=sources.find("bot_secret"),
        webhooks=WebhookURLs(sources),
        admin_key=None if key is None else key[0],
    )


def choose(profile: Profile, variables: Mapping[str, str] | None = None, platform: str = sys.platform) -> Way:
    """Choose the way that works here: ``browser`` if its redirect can reach this machine, else ``paste``.

    The redirect cannot reach this machine on Binder or a JupyterHub, over SSH, without a screen, or if the redirect URL
    is not a loopback address. A browser named by ``BROWSER`` counts as a screen, also over SSH.

    Args:
        profile: the profile with the redirect URL.
        variables: environment variables; if omitted, those of this process.
        platform: the platform, as in ``sys.platform``.

    Examples:
        >>> profile = Profile(name="work", base_url="https://api.example.com", auth_url="https://auth.example.com",
        ...     upload_url="https://files.example.com", webhook_url="https://hooks.example.com",
        ...     client_id="client-1", redirect_uri="http://127.0.0.1:8731/callback", scopes=("user",))
        >>> choose(profile, {"DISPLAY": ":0"}, "linux"), choose(profile, {}, "linux"), choose(profile, {}, "darwin")
        ('browser', 'paste', 'browser')
    """
    environment = os.environ if variables is None else variables
    if Endpoint.of(profile.redirect_uri) is None or any(environment.get(name) for name in HUBS):
        return "paste"
    if environment.get("BROWSER"):
        return "browser"
    if any(environment.get(name) for name in SSH):
        return "paste"
    has_screen = platform in ("darwin", "win32") or any(environment.get(name) for name in SCREENS)
    return "browser" if has_screen else "paste"


def make_visitor(way: Way, *, timeout: float | None = None) -> Visitor | None:
    """Return the visitor for a way to sign in; ``None`` for the form."""
    match way:
        case "browser":
            return BrowserVisitor() if timeout is None else BrowserVisitor(timeout=timeout)
        case "paste":
            return PasteVisitor()
        case "form":
            return None

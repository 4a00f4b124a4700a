"""Where the secrets of a profile come from: the environment, the keyring, a prompt; in that order, and never a file."""

from collections.abc import Callable, Iterator, Mapping

from svckit.addresses import locate
from svckit.errors import SignInStopped, UnusableProfile
from svckit.models.secret import Secret
from svckit.profiles.environment import Environment
from svckit.profiles.keyring_store import SERVICE, KeyringStore
from svckit.profiles.profiles import Profile
from svckit.profiles.token_cache import application

__all__ = ["Ask", "NotificationURLs", "SecretSources"]

Ask = Callable[[str], Secret]
"""Asks a person for a secret, and shows nothing of the answer; raises `SignInStopped` where there is no answer."""


class SecretSources:
    """The secrets of one profile, found when they are needed.

    Args:
        profile: whose secrets.
        environment: where they are looked for first.
        store: where they are looked for next.
        ask: how a person is asked when they are in neither.
    """

    def __init__(self, profile: Profile, environment: Environment, store: KeyringStore, ask: Ask) -> None:
        self.profile = profile
        self.environment = environment
        self.store = store
        self._ask = ask
        self._typed: dict[str, Secret] = {}

    def client_secret(self) -> Secret:
        """The application's secret.

        Raises:
            UnusableProfile: it is nowhere, and there is nobody to ask.
            SignInStopped: the person who was asked gave none.
        """
        kept_as, goes_to = self.kept_as("client_secret"), self.profile.auth_url
        return self._needed("client_secret", kept_as, "the client secret", goes_to)

    def password(self) -> Secret | None:
        """Of a fake, the password of the user whom a program signs in; nobody is asked for it."""
        found = self._found("password", self.kept_as("password"))
        return found[0] if found else None

    def bot_secret(self) -> Secret | None:
        """What the events of the application's bot are signed with; nobody is asked for it."""
        found = self._found("bot_secret", self.kept_as("bot_secret"))
        return found[0] if found else None

    def webhook(self, name: str) -> Secret:
        """A notification URL by name. What is typed stays in memory: until it works, nothing says it is right.

        Raises:
            UnusableProfile: it is nowhere, and there is nobody to ask; or it is none of this profile's.
        """
        variable, kept_as, what = (
            f"webhook_{name}",
            self.webhook_kept_as(name),
            f"the notification URL {name!r}",
        )
        url = self._needed(variable, kept_as, what, self.profile.webhook_url)
        wrong = _misfit(url, self.profile.webhook_url)
        if wrong:
            origin = self._origin(variable, kept_as)
            self._typed.pop(variable, None)
            problem = f"{what} of the profile {self.profile.name!r} {wrong}"
            raise UnusableProfile(f"{problem}. It comes from {origin}", [problem])
        return url

    def misfit(self, name: str) -> str:
        """Say what is wrong with a notification URL that is there, and where it comes from; empty where nothing is."""
        variable, kept_as = f"webhook_{name}", self.webhook_kept_as(name)
        found = self._found(variable, kept_as)
        wrong = "" if found is None else _misfit(found[0], self.profile.webhook_url)
        return (
            wrong
            and f"the notification URL {name!r} {wrong}; it comes from {self._origin(variable, kept_as)}"
        )

    def correction(self, refused: Secret) -> str:
        """How to correct the client secret that the service has refused; empty where it does not come from here."""
        kept_as = self.kept_as("client_secret")
        found = self._found("client_secret", kept_as)
        if (found[0] if found else self._typed.get("client_secret")) != refused:
            return ""
        return f"The client secret comes from {self._origin('client_secret', kept_as)}"

    def where(self, name: str, kept_as: str) -> str:
        """Where a secret would come from; never the secret itself."""
        found = self._found(name, kept_as)
        return found[1] if found else ""

    def unused(self, name: str) -> str:
        """Say that a variable for all profiles holds a secret, and why it is not sent; empty where none does."""
        variable = self.environment.unused(self.profile.name, name)
        return "" if variable is None else f"{variable} is not used: a project's file says where it would go"

    def kept_as(self, name: str) -> str:
        """The name in the keyring of a secret of the application."""
        return f"{application(self.profile)}/{name}"

    def webhook_kept_as(self, name: str) -> str:
        """The name in the keyring of a notification URL."""
        return f"{self.profile.name}/webhook/{name}"

    def keep_what_worked(self) -> bool:
        """Keep the client secret that was typed, now that a sign-in has shown it to be right."""
        typed = self._typed.pop("client_secret", None)
        return typed is not None and self.store.write(self.kept_as("client_secret"), typed)

    def _found(self, name: str, kept_as: str) -> tuple[Secret, str] | None:
        given = self.environment.secret(self.profile.name, name)
        if given is not None:
            return given[0], f"environment variable {given[1]}"
        kept = self.store.read(kept_as)
        return None if kept is None else (kept, f"{self.store.title}, as {kept_as}")

    def _origin(self, name: str, kept_as: str) -> str:
        """Where a secret that is there comes from, and how to correct it."""
        if self.environment.secret(self.profile.name, name) is not None:
            return f"the {self.where(name, kept_as)}: correct it there"
        if self.store.read(kept_as) is not None:
            return (
                f"{self.where(name, kept_as)}: put the right one there with `keyring set {SERVICE} {kept_as}`"
            )
        return "the prompt: it is asked for again next time"

    def _needed(self, name: str, kept_as: str, what: str, goes_to: str) -> Secret:
        found = self._found(name, kept_as)
        if found is not None:
            return found[0]
        if name not in self._typed:
            try:
                self._typed[name] = self._ask(f"{what} of {self.profile.name!r}, for {goes_to} (not shown): ")
            except SignInStopped as stopped:
                if stopped.reason != "nobody":
                    raise
                raise self._nowhere(name, kept_as, what) from None
        return self._typed[name]

    def _nowhere(self, name: str, kept_as: str, what: str) -> UnusableProfile:
        variable = self.environment.variable(self.profile.name, name)
        problem = f"{what} of the profile {self.profile.name!r} is nowhere"
        unused = self.unused(name)
        return UnusableProfile(
            f"{problem}, and there is nobody to ask: set the environment variable {variable}, or keep it in the "
            f"keyring with `keyring set svckit {kept_as}`{f'. {unused}' if unused else ''}",
            [problem],
        )


def _misfit(url: Secret, base: str) -> str:
    """What is wrong with a notification URL, without showing it; empty where nothing is."""
    try:
        origin = locate(url.reveal())[0]
    except ValueError:
        return "is no http(s) address"
    own = locate(base)[0]
    return "" if origin == own else f"is at {origin}, and the profile's webhook_url at {own}"


class NotificationURLs(Mapping[str, Secret]):
    """The notification URLs of a profile by name; each is looked for when it is first used."""

    def __init__(self, sources: SecretSources) -> None:
        self._sources = sources

    def __getitem__(self, name: str) -> Secret:
        if name not in self._sources.profile.webhooks:
            raise KeyError(name)
        return self._sources.webhook(name)

    def __contains__(self, name: object) -> bool:
        return name in self._sources.profile.webhooks

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources.profile.webhooks)

    def __len__(self) -> int:
        return len(self._sources.profile.webhooks)

    def __repr__(self) -> str:
        return f"<Webhooks: {', '.join(self) or 'none'}>"

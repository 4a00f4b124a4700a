"""The sources of a profile's secrets: the environment, the keyring, then a prompt; never a file."""

from collections.abc import Callable, Iterator, Mapping

from svckit.addresses import locate
from svckit.errors import SignInStopped, UnusableProfile
from svckit.models.secret import Secret
from svckit.profiles.environment import Environment
from svckit.profiles.keyring_store import SERVICE
from svckit.profiles.profiles import Profile
from svckit.profiles.token_cache import SecretStore, keyring_prefix

__all__ = ["Ask", "SecretSources", "WebhookURLs"]

Ask = Callable[[str], Secret]
"""Asks a person for a secret without showing what they type; raises `SignInStopped` if they type nothing."""

WEBHOOK = "webhook_"  # begins the name of a webhook URL among the secrets


class SecretSources:
    """The secrets of one profile, looked for when they are needed.

    Args:
        profile: the profile.
        environment: the environment, where secrets are looked for first.
        store: the keyring, where they are looked for next.
        ask: asks a person for secrets that are in neither.
    """

    def __init__(self, profile: Profile, environment: Environment, store: SecretStore, ask: Ask) -> None:
        self.profile = profile
        self.environment = environment
        self.store = store
        self._ask = ask
        self._typed: dict[str, Secret] = {}

    def client_secret(self) -> Secret:
        """Return the application's secret.

        Raises:
            UnusableProfile: it was not found, and there is nobody to ask.
            SignInStopped: the person who was asked typed nothing.
        """
        return self._require("client_secret", "the client secret", goes_to=self.profile.auth_url)

    def find(self, name: str) -> Secret | None:
        """Return one of the application's secrets if it is set; nobody is asked for it."""
        found = self._find(name)
        return found[0] if found else None

    def webhook(self, name: str) -> Secret:
        """Return a webhook URL by name. A typed URL stays in memory, since nothing shows that it is right.

        Raises:
            UnusableProfile: it was not found, and there is nobody to ask; or it does not belong to this profile.
        """
        secret, what = f"{WEBHOOK}{name}", f"the webhook URL {name!r}"
        url = self._require(secret, what, goes_to=self.profile.webhook_url)
        wrong = _check_url(url, self.profile.webhook_url)
        if wrong:
            origin = self._describe_origin(secret)
            self._typed.pop(secret, None)
            problem = f"{what} of the profile {self.profile.name!r} {wrong}"
            raise UnusableProfile(f"{problem}. It comes from {origin}", [problem])
        return url

    def check_webhook(self, name: str) -> str:
        """Say what is wrong with a webhook URL and where it comes from; empty if nothing is."""
        secret = f"{WEBHOOK}{name}"
        found = self._find(secret)
        problem = "" if found is None else _check_url(found[0], self.profile.webhook_url)
        if not problem:
            return ""
        origin = self._describe_origin(secret)
        return f"the webhook URL {name!r} {problem}; it comes from {origin}"

    def explain_refusal(self, given: Secret | None) -> str:
        """Say how to correct a client secret that the service has rejected, and forget it if it was typed.

        Args:
            given: the secret of the session's credentials; the message is empty if that is not from here.
        """
        typed = self._typed.pop("client_secret", None)
        if given is not None and (self.find("client_secret") or typed) != given:
            return ""
        return f"The client secret comes from {self._describe_origin('client_secret')}."

    def find_origin(self, name: str) -> str:
        """Return the source of a secret, never the secret itself; empty if it was not found."""
        found = self._find(name)
        return found[1] if found else ""

    def explain_unused(self, name: str) -> str:
        """Say why a secret that is set for all profiles is not used; empty if none is set."""
        variable = self.environment.find_unused(self.profile.name, name)
        if variable is None:
            return ""
        return f"{variable} is not used, because a project's file sets the URLs it would be sent to"

    def describe_places(self, name: str) -> str:
        """Say where to put a secret: into a variable, or the keyring if there is one."""
        command = "" if self.store.absence else f", or run `keyring set {SERVICE} {self.keyring_name(name)}`"
        return f"{self.environment.variable(self.profile.name, name)}{command}"

    def keyring_name(self, name: str) -> str:
        """Return the keyring name of one of the application's secrets, or of a webhook URL, ``webhook_<name>``."""
        if name.startswith(WEBHOOK):
            return f"{self.profile.name}/webhook/{name.removeprefix(WEBHOOK)}"
        return f"{keyring_prefix(self.profile)}/{name}"

    def save_typed_secret(self) -> bool:
        """Save the typed client secret in the keyring, once a sign-in has shown that it is right."""
        typed = self._typed.pop("client_secret", None)
        return typed is not None and self.store.write(self.keyring_name("client_secret"), typed)

    def _find(self, name: str) -> tuple[Secret, str] | None:
        variable = self.environment.secret(self.profile.name, name)
        if variable is not None:
            return variable[0], f"environment variable {variable[1]}"
        keyring_name = self.keyring_name(name)
        saved = self.store.read(keyring_name)
        return None if saved is None else (saved, f"{self.store.title}, as {keyring_name}")

    def _describe_origin(self, name: str) -> str:
        """Say where a secret comes from and how to correct it."""
        origin = self.find_origin(name)
        if not origin:
            return "the prompt: svckit asks for it again next time"
        if self.environment.secret(self.profile.name, name) is not None:
            return f"the {origin}: correct it there"
        return f"{origin}: put the right one there with `keyring set {SERVICE} {self.keyring_name(name)}`"

    def _require(self, name: str, what: str, goes_to: str) -> Secret:
        found = self._find(name)
        if found is not None:
            return found[0]
        if name not in self._typed:
            try:
                self._typed[name] = self._ask(f"{what} of {self.profile.name!r}, for {goes_to} (not shown): ")
            except SignInStopped as stopped:
                if stopped.reason != "nobody":
                    raise
                raise self._make_missing_error(name, what) from None
        return self._typed[name]

    def _make_missing_error(self, name: str, what: str) -> UnusableProfile:
        problem = f"{what} of the profile {self.profile.name!r} was not found"
        unused = self.explain_unused(name)
        return UnusableProfile(
            f"{problem}, and there is nobody to ask: set the environment variable {self.describe_places(name)}"
            f"{f'. {unused}' if unused else ''}",
            [problem],
        )


def _check_url(url: Secret, base: str) -> str:
    """Say what is wrong with a webhook URL, without showing it; empty if nothing is."""
    try:
        origin = locate(url.reveal())[0]
    except ValueError:
        return "is not an http(s) URL"
    own = locate(base)[0]
    return "" if origin == own else f"is at {origin}, but the profile's webhook_url is at {own}"


class WebhookURLs(Mapping[str, Secret]):
    """The webhook URLs of a profile by name, each looked for on first use."""

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

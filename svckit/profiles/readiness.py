"""The steps that make a profile ready for the real service: which are done, and what to do about the others."""

from collections.abc import Iterator
from dataclasses import dataclass

from svckit.addresses import locate
from svckit.errors import SignInStopped, UnusableProfile
from svckit.models.secret import Secret
from svckit.models.signature import HEADER_WORD
from svckit.profiles.keyring_store import KeyringStore
from svckit.profiles.keys import KEYS, URLS
from svckit.profiles.profiles import Profile
from svckit.profiles.resolution import FAKE, Configuration
from svckit.profiles.secret_sources import SecretSources
from svckit.profiles.token_cache import SecretStore, StoredTokens, choose_store

__all__ = ["ReadinessStep", "check_readiness"]

SIGN_IN_SETTINGS = {
    "client_id": '"…"',
    "redirect_uri": '"http://127.0.0.1:8731/callback"',
    "scopes": '["…"]',
}
NO_STORE = 'set tokens = "file" in svckit.toml under [{name}]; then run `svckit login {name}`'


@dataclass(frozen=True, slots=True)
class ReadinessStep:
    """One step towards the real service. It never holds a secret.

    Attributes:
        name: the name of the step.
        done: whether it is done.
        detail: what was found, and where.
        remedy: the command or the line that does it; empty if it is done.
    """

    name: str
    done: bool
    detail: str
    remedy: str = ""

    def __str__(self) -> str:
        return ": ".join(filter(None, [self.name, self.detail, self.remedy]))


def check_readiness(
    name: str, configuration: Configuration | None = None, keyring: SecretStore | None = None
) -> list[ReadinessStep]:
    """Check what a profile still needs for the real service, step by step.

    Args:
        name: the name of the profile.
        configuration: the described profiles; if omitted, those of this process.
        keyring: where secrets are looked for after the environment; if omitted, the system's keyring.

    Returns:
        The steps in the order in which to do them; one for the in-process fake, which needs nothing.

    Raises:
        UnusableProfile: no such profile.

    Examples:
        >>> from svckit.profiles.environment import Environment
        >>> work = Environment({"SVCKIT_PROFILE": "work", "SVCKIT_BASE_URL": "https://api.example.com"})
        >>> step = check_readiness("work", Configuration([], work))[0]
        >>> step.name, step.done, step.detail
        ('URLs', False, 'auth_url, upload_url, webhook_url missing')
        >>> step.remedy.partition(";")[0]
        'set them in svckit.toml under [work], such as auth_url = "https://…"'
        >>> [step.name for step in check_readiness("fake")]  # as configured here
        ['service']
    """
    configuration = configuration or Configuration.load()
    if name == FAKE:
        return [ReadinessStep("service", True, "in process; it needs nothing")]
    configuration.check_known(name)
    return [*_check_settings(name, configuration), *_check_profile(name, configuration, keyring)]


def _check_settings(name: str, configuration: Configuration) -> Iterator[ReadinessStep]:
    entries = configuration.entries(name)
    missing = [key for key in URLS if key not in entries]
    if missing:
        remedy = f'set them in svckit.toml under [{name}], such as {missing[0]} = "https://…"'
        remedy += "; to post notifications, webhook_url is enough"
        yield ReadinessStep("URLs", False, f"{', '.join(missing)} missing", remedy)
    else:
        yield ReadinessStep("URLs", True, entries[URLS[0]].source)
    for key, example in SIGN_IN_SETTINGS.items():
        if key in entries:
            yield ReadinessStep(key, True, entries[key].source)
        else:
            variable = configuration.environment.variable(name, key)
            remedy = f"set {key} = {example} in svckit.toml under [{name}], or {variable}"
            yield ReadinessStep(key, False, f"missing ({KEYS[key].about})", remedy)
    for wrong in configuration.problems(name, missing=False):
        problem, question, meant = wrong.partition("; did you mean")
        yield ReadinessStep("settings", False, problem, f"{question[2:]}{meant}" or "correct it there")
    # The word in the names of a callback's headers has a default.
    word = f"{HEADER_WORD}, the default; to receive events, set it to the word in your service's header names"
    yield ReadinessStep(
        "header_word", True, entries["header_word"].source if "header_word" in entries else word
    )


def _check_profile(
    name: str, configuration: Configuration, keyring: SecretStore | None
) -> Iterator[ReadinessStep]:
    """Check what depends on the URLs: secrets are bound to them."""
    if configuration.problems(name, missing="webhook_url" not in configuration.entries(name)):
        return
    profile = configuration.profile(name)
    sources = SecretSources(
        profile, configuration.environment_of(name), keyring or KeyringStore(), _ask_nobody
    )
    yield from _check_webhooks(profile, sources)
    if not profile.missing:
        yield _check_secret("client_secret", sources)
        yield _check_tokens(profile, sources)


def _check_secret(key: str, sources: SecretSources) -> ReadinessStep:
    if origin := sources.find_origin(key):
        return ReadinessStep(key, True, origin)
    remedy = f"set {sources.describe_places(key)}"
    return ReadinessStep(key, False, sources.explain_unused(key) or "not found", remedy)


def _check_webhooks(profile: Profile, sources: SecretSources) -> Iterator[ReadinessStep]:
    if not profile.webhooks:
        remedy = f'set webhooks = ["alerts"] in svckit.toml under [{profile.name}]'
        yield ReadinessStep("webhooks", False, "none is named", remedy)
    remedy = f"give it a URL at {locate(profile.webhook_url)[0]}"
    for name in profile.webhooks:
        wrong = sources.check_webhook(name)
        secret = f"webhook_{name}"
        yield ReadinessStep(secret, False, wrong, remedy) if wrong else _check_secret(secret, sources)


def _check_tokens(profile: Profile, sources: SecretSources) -> ReadinessStep:
    if profile.is_fake and sources.find("password") is not None:
        return ReadinessStep("tokens", True, "a program signs in to this fake")
    given = sources.environment.secret(profile.name, "refresh_token")
    if given is not None:
        return ReadinessStep(
            "tokens", True, f"environment variable {given[1]}; not tried; renewed for each session"
        )
    store = choose_store(profile.tokens, sources.store)
    stored = StoredTokens(profile, store)
    try:
        tokens = stored.load()
    except UnusableProfile as unsafe:
        problem, _, remedy = str(unsafe).partition(". ")
        return ReadinessStep("tokens", False, problem, remedy)
    if tokens is not None:
        until = tokens.expires.isoformat(timespec="seconds")
        renewal = "then renewed" if tokens.refresh else "then sign in again"
        return ReadinessStep("tokens", True, f"{store.title}; access until {until}, {renewal}")
    if store.absence:
        problem, _, remedy = store.absence.partition(": ")
        remedies = filter(None, [remedy, NO_STORE.format(name=profile.name)])
        return ReadinessStep("tokens", False, problem, ", or ".join(remedies))
    found = (
        f"those in {store.title} are damaged, or for other URLs" if stored.exist else f"none in {store.title}"
    )
    return ReadinessStep("tokens", False, found, f"run `svckit login {profile.name}`")


def _ask_nobody(question: str) -> Secret:
    raise SignInStopped("nobody", question)

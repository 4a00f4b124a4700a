"""Where secrets and tokens are looked for and kept: environment, keyring, prompt."""

import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import keyring
import pytest
from keyring.backends import fail, null
from keyring.backends.chainer import ChainerBackend
from keyring.compat.properties import classproperty

from svckit.errors import SignInStopped, UnusableProfile
from svckit.models.secret import Secret
from svckit.profiles.credentials import Credentials, Tokens
from svckit.profiles.environment import Environment
from svckit.profiles.keyring_store import KeyringStore
from svckit.profiles.profiles import Profile
from svckit.profiles.secret_sources import SecretSources, WebhookURLs
from svckit.profiles.token_cache import StoredTokens
from svckit.sign_in.account import Account

from ..bare_machine import MemoryKeyring

TOKENS = Tokens(Secret("canary-access"), Secret("canary-refresh"), datetime(2026, 6, 2, tzinfo=UTC))
SECRET_NAME = "work/client-1@https://auth.work.test/client_secret"


class Prompt:
    """Answers once, or is nobody."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def __call__(self, question: str) -> Secret:
        self.asked.append(question)
        if not self.answers:
            raise SignInStopped("nobody", "there is nobody to ask")
        return Secret(self.answers.pop(0))


def sources(profile: Profile, prompt: Prompt | None = None, **variables: str) -> SecretSources:
    return SecretSources(profile, Environment(variables), KeyringStore(), prompt or Prompt())


def test_the_environment_comes_before_the_keyring_before_the_prompt(
    profile: Profile, memory_keyring: MemoryKeyring
) -> None:
    prompt = Prompt("typed")
    assert sources(profile, prompt).client_secret() == Secret("typed")
    memory_keyring.entries["svckit", SECRET_NAME] = "kept"
    assert sources(profile, prompt).client_secret() == Secret("kept")
    assert sources(profile, SVCKIT_CLIENT_SECRET="for-all").client_secret() == Secret("for-all")
    both = {"SVCKIT_CLIENT_SECRET": "for-all", "SVCKIT_WORK_CLIENT_SECRET": "for-work"}
    assert sources(profile, **both).client_secret() == Secret("for-work")
    assert prompt.asked == ["the client secret of 'work', for https://auth.work.test (not shown): "]


@pytest.mark.parametrize("blank", [" ", "\n", "\t", "\r\n"])
def test_blanks_around_a_secret_in_the_environment_are_not_part_of_it(profile: Profile, blank: str) -> None:
    """A shell keeps the end of the line of a file that it reads."""
    found = sources(profile, SVCKIT_WORK_CLIENT_SECRET=f"{blank}a b{blank}")
    assert found.client_secret() == Secret("a b")


def test_a_secret_that_is_nowhere_says_where_to_put_it(profile: Profile) -> None:
    with pytest.raises(UnusableProfile) as caught:
        sources(profile).client_secret()
    assert "SVCKIT_WORK_CLIENT_SECRET" in str(caught.value)
    assert f"keyring set svckit {SECRET_NAME}" in str(caught.value)


def test_what_was_typed_is_kept_only_when_it_has_worked(
    profile: Profile, memory_keyring: MemoryKeyring
) -> None:
    found = sources(profile, Prompt("typed"))
    assert found.client_secret() == Secret("typed")
    assert memory_keyring.entries == {}
    assert found.save_typed_secret()
    assert memory_keyring.entries == {("svckit", SECRET_NAME): "typed"}
    assert not found.save_typed_secret()


def test_the_secret_is_not_for_another_server_that_a_file_names(
    profile: Profile, memory_keyring: MemoryKeyring
) -> None:
    memory_keyring.entries["svckit", SECRET_NAME] = "kept"
    elsewhere = replace(profile, auth_url="https://evil.test")
    with pytest.raises(UnusableProfile):
        sources(elsewhere).client_secret()


def test_webhook_urls_are_looked_for_when_they_are_used(
    profile: Profile, memory_keyring: MemoryKeyring
) -> None:
    named = replace(profile, webhooks=("alerts", "builds", "news"))
    memory_keyring.entries["svckit", "work/webhook/builds"] = "https://hooks.work.test/message/2"
    prompt = Prompt("https://hooks.work.test/message/3")
    webhooks = WebhookURLs(
        sources(named, prompt, SVCKIT_WORK_WEBHOOK_ALERTS="https://hooks.work.test/message/1")
    )
    assert list(webhooks) == ["alerts", "builds", "news"]
    assert "news" in webhooks
    assert "other" not in webhooks
    assert repr(webhooks) == "<Webhooks: alerts, builds, news>"
    assert prompt.asked == []
    assert [webhooks[name].reveal()[-1] for name in ("alerts", "builds", "news", "news")] == [
        "1",
        "2",
        "3",
        "3",
    ]
    assert prompt.asked == ["the webhook URL 'news' of 'work', for https://hooks.work.test (not shown): "]


def test_tokens_are_kept_and_found_again(profile: Profile, memory_keyring: MemoryKeyring) -> None:
    StoredTokens(profile, KeyringStore()).save(TOKENS)
    assert [*memory_keyring.entries] == [("svckit", "work/client-1@https://auth.work.test/tokens")]
    kept = StoredTokens(profile, KeyringStore())
    assert kept.load() == TOKENS
    assert kept.forget()
    assert not kept.forget()
    assert kept.load() is None


@pytest.mark.parametrize("other", [{"name": "school"}, {"client_id": "client-2"}])
def test_tokens_are_of_a_profile_and_a_client(other: dict[str, str], profile: Profile) -> None:
    StoredTokens(profile, KeyringStore()).save(TOKENS)
    assert StoredTokens(replace(profile, **other), KeyringStore()).load() is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "canary",
        "[]",
        "{}",
        '{"access": 1, "refresh": null, "ends": "2026-06-02T00:00:00+00:00", "addresses": []}',
        (
            '{"access": "canary\\nsecret", "refresh": null, "ends": "2026-06-02T00:00:00+00:00", "addresses": '
            '["https://api.work.test", "https://auth.work.test", "https://storage.work.test"]}'
        ),
    ],
)
def test_invalid_stored_tokens_are_ignored(
    text: str, profile: Profile, memory_keyring: MemoryKeyring
) -> None:
    memory_keyring.entries["svckit", "work/client-1@https://auth.work.test/tokens"] = text
    assert StoredTokens(profile, KeyringStore()).load() is None


@pytest.mark.parametrize(
    ("backend", "why"),
    [(fail.Keyring(), "this system has no keyring"), (null.Keyring(), "the keyring is turned off")],
)
def test_a_system_without_a_keyring(backend: object, why: str) -> None:
    keyring.set_keyring(backend)  # type: ignore[arg-type]  # both are backends
    holds_nothing(why)


class PlaintextKeyring(MemoryKeyring):
    """As `keyrings.alt` has one."""

    priority = 0.5  # type: ignore[assignment]  # as keyring's own backends do
    name = "file PlaintextKeyring"


class WeakKeyring(MemoryKeyring):
    priority = 0.5  # type: ignore[assignment]
    name = "weak"


class SaidToBePlain(MemoryKeyring):
    priority = 9  # type: ignore[assignment]
    name = "plain-text file"


class NotViableKeyring(MemoryKeyring):
    name = "elsewhere"

    @classproperty
    def priority(self) -> float:
        raise RuntimeError("not here")


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (PlaintextKeyring, "keeps secrets as plain text"),
        (SaidToBePlain, "keeps secrets as plain text"),
        (WeakKeyring, "is not recommended"),
        (NotViableKeyring, "is not recommended"),
    ],
)
def test_a_keyring_that_protects_nothing_is_refused_by_name(
    kind: type[MemoryKeyring], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = kind()
    keyring.set_keyring(own)
    path = f"{kind.__module__}.{kind.__qualname__}"
    holds_nothing(f"the keyring {path} {why}")
    assert KeyringStore().is_unsafe
    assert f"set PYTHON_KEYRING_BACKEND={path}" in KeyringStore().absence
    assert own.entries == {}
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", path)
    store = KeyringStore()
    assert (store.absence, store.is_unsafe) == ("", False)
    assert store.write("name", Secret("canary"))
    assert store.read("name") == Secret("canary")
    assert store.forget("name")


def test_of_several_keyrings_those_that_protect_are_used(
    memory_keyring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Others(MemoryKeyring):
        """Keeps no secrets but its own kind."""

        def set_password(self, service: str, username: str, password: str) -> None:
            raise NotImplementedError

    plain, others = PlaintextKeyring(), Others()
    monkeypatch.setattr(ChainerBackend, "backends", [others, plain, memory_keyring])
    keyring.set_keyring(ChainerBackend())
    store = KeyringStore()
    assert store.write("name", Secret("canary"))
    assert (plain.entries, memory_keyring.entries) == ({}, {("svckit", "name"): "canary"})
    assert store.read("name") == Secret("canary")
    assert store.forget("name")
    assert memory_keyring.entries == {}
    monkeypatch.setattr(ChainerBackend, "backends", [plain])
    assert KeyringStore().is_unsafe


def test_a_session_says_that_its_tokens_are_not_kept(
    profile: Profile, capsys: pytest.CaptureFixture[str], memory_keyring: MemoryKeyring
) -> None:
    credentials = Credentials(client_secret=Secret("x"))
    Account.find(profile, credentials, "paste").tokens()
    assert capsys.readouterr().err == ""
    keyring.set_keyring(PlaintextKeyring())
    Account.find(profile, credentials, "paste").tokens()
    assert "Tokens are not saved: the keyring" in capsys.readouterr().err


@pytest.mark.parametrize(
    "use", [lambda store: store.write("name", Secret("CANARY")), lambda store: store.read("name")]
)
def test_ctrl_c_at_a_keyring_that_asks_to_be_unlocked_shows_no_secret(
    use: Callable[[KeyringStore], object], memory_keyring: MemoryKeyring
) -> None:
    class Asking(MemoryKeyring):
        def _check(self) -> None:
            raise KeyboardInterrupt

        def get_password(self, service: str, username: str) -> str | None:
            found = "CANARY"
            raise KeyboardInterrupt(len(found))

    keyring.set_keyring(Asking())
    with pytest.raises(KeyboardInterrupt) as caught:
        use(KeyringStore())
    shown = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    assert "test_secret_sources.py" in shown.stack[-1].filename
    assert "CANARY" not in str([frame.locals for frame in shown.stack][1:])


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    holds_nothing("pip install 'path/to/clone[keyring]'")


def holds_nothing(why: str) -> None:
    store = KeyringStore()
    assert why in store.absence
    assert not store.write("name", Secret("canary"))
    assert store.read("name") is None
    assert not store.forget("name")
    assert store.title == "no keyring"


def test_locked_keyring_counts_as_absent(profile: Profile, memory_keyring: MemoryKeyring) -> None:
    memory_keyring.refuses = True
    store = KeyringStore()
    assert store.absence == ""
    assert store.read("name") is None
    assert store.absence == "the system's keyring refuses access (KeyringLocked)"
    assert not store.write("name", Secret("canary"))
    with pytest.raises(UnusableProfile) as caught:
        sources(profile).client_secret()
    assert str(caught.value).endswith("nobody to ask: set the environment variable SVCKIT_WORK_CLIENT_SECRET")


@pytest.mark.parametrize(
    ("url", "wrong"),
    [
        ("canary", "is not an http(s) URL"),
        ("/message/canary", "is not an http(s) URL"),  # it would go wherever a file says that webhook_url is
        ("https://canary.test/message/1", "is at https://canary.test, but the profile's webhook_url is at"),
    ],
)
def test_a_wrong_webhook_url_is_told_with_where_it_comes_from(
    profile: Profile, memory_keyring: MemoryKeyring, url: str, wrong: str
) -> None:
    own = replace(profile, webhooks=("alerts",))
    for variables, prompt, origin in (
        (
            {"SVCKIT_WORK_WEBHOOK_ALERTS": url},
            None,
            "environment variable SVCKIT_WORK_WEBHOOK_ALERTS: correct it",
        ),
        ({}, Prompt(url), "the prompt: svckit asks for it again next time"),
    ):
        with pytest.raises(UnusableProfile) as caught:
            sources(own, prompt, **variables).webhook("alerts")
        assert "the webhook URL 'alerts' of the profile 'work' " + wrong in str(caught.value)
        assert origin in str(caught.value)
    memory_keyring.entries["svckit", "work/webhook/alerts"] = url
    with pytest.raises(UnusableProfile, match="`keyring set svckit work/webhook/alerts`"):
        sources(own).webhook("alerts")


def test_a_refused_client_secret_is_told_with_where_it_comes_from(
    profile: Profile, memory_keyring: MemoryKeyring
) -> None:
    refused = Secret("canary")
    found = sources(profile, Prompt("canary"))
    assert found.explain_refusal(refused) == ""
    found.client_secret()
    assert "the prompt: svckit asks for it again" in found.explain_refusal(refused)
    memory_keyring.entries["svckit", SECRET_NAME] = "canary"
    assert f"keyring set svckit {SECRET_NAME}" in sources(profile).explain_refusal(refused)
    of_environment = sources(profile, SVCKIT_CLIENT_SECRET="canary").explain_refusal(refused)
    assert (
        of_environment
        == "The client secret comes from the environment variable SVCKIT_CLIENT_SECRET: correct it there."
    )

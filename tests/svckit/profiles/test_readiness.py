"""What a profile still needs for the real service, step by step."""

import sys
from datetime import UTC, datetime

import keyring
import pytest
from keyring.backends import fail

from svckit.errors import UnusableProfile
from svckit.models.secret import Secret
from svckit.profiles.credentials import Tokens
from svckit.profiles.file_store import FileStore, find_path
from svckit.profiles.readiness import ReadinessStep, check_readiness
from svckit.profiles.token_cache import StoredTokens

from ..bare_machine import MemoryKeyring
from .settings import WORK, load, write

WEBHOOK = "https://hooks.example.com/message/canary"


class PlaintextKeyring(MemoryKeyring):
    """It would keep secrets in plain text."""


def check(**variables: str) -> dict[str, ReadinessStep]:
    return {step.name: step for step in check_readiness("work", load(**variables))}


def test_each_step_is_missing_with_what_does_it() -> None:
    write('[work]\nwebhook_url = "https://hooks.example.com"\n')
    steps = check()
    assert [step.name for step in steps.values() if step.done] == ["header_word"]
    assert list(steps) == ["URLs", "client_id", "redirect_uri", "scopes", "header_word", "webhooks"]
    assert steps["URLs"].detail == "base_url, auth_url, upload_url missing"
    assert steps["URLs"].remedy.endswith("; to post notifications, webhook_url is enough")
    assert steps["header_word"].detail.startswith("SERVICE, the default; to receive events, set ")
    assert (
        steps["client_id"].remedy
        == 'set client_id = "…" in svckit.toml under [work], or SVCKIT_WORK_CLIENT_ID'
    )


def test_secrets_are_looked_for_once_the_urls_are_known() -> None:
    write(WORK)
    steps = check()
    missing = {name: step.remedy for name, step in steps.items() if not step.done}
    assert list(missing) == ["webhook_alerts", "client_secret", "tokens"]
    assert missing["client_secret"] == (
        "set SVCKIT_WORK_CLIENT_SECRET, or run `keyring set svckit work/client-1@https://auth.example.com/client_secret`"
    )
    assert missing["tokens"] == "run `svckit login work`"


def test_all_is_done_and_no_secret_is_shown() -> None:
    write(f'{WORK}header_word = "ACME"\ntokens = "file"\n')
    configuration = load()
    tokens = Tokens(Secret("canary-1"), Secret("canary-2"), datetime(2026, 6, 2, tzinfo=UTC))
    StoredTokens(configuration.profile("work"), FileStore()).save(tokens)
    steps = check(SVCKIT_WORK_CLIENT_SECRET="canary-3", SVCKIT_WORK_WEBHOOK_ALERTS=WEBHOOK)
    assert [step for step in steps.values() if not step.done or step.remedy] == []
    assert steps["tokens"].detail.endswith("; access until 2026-06-02T00:00:00+00:00, then renewed")
    assert "canary" not in str(list(steps.values()))


def test_a_token_in_the_environment_counts(memory_keyring: MemoryKeyring) -> None:
    write(WORK)
    memory_keyring.refuses = True
    assert 'set tokens = "file"' in check()["tokens"].remedy
    given = check(SVCKIT_WORK_REFRESH_TOKEN="canary")["tokens"]
    assert (given.done, given.detail) == (
        True,
        "environment variable SVCKIT_WORK_REFRESH_TOKEN; not tried; renewed for each session",
    )


def test_without_a_keyring_either_remedy_is_named(
    memory_keyring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(WORK)
    file = 'set tokens = "file" in svckit.toml under [work]; then run `svckit login work`'
    memory_keyring.refuses = True
    assert str(check()["tokens"]) == f"tokens: the system's keyring refuses access (KeyringLocked): {file}"
    keyring.set_keyring(fail.Keyring())
    assert str(check()["tokens"]) == (
        "tokens: this system has no keyring that the package keyring supports: on Linux without a desktop, start one "
        f"with `dbus-run-session -- bash` and, in that shell, `gnome-keyring-daemon --unlock`, or {file}"
    )
    keyring.set_keyring(PlaintextKeyring())
    assert str(check()["tokens"]).endswith(
        f"set PYTHON_KEYRING_BACKEND={__name__}.PlaintextKeyring, or {file}"
    )
    monkeypatch.setitem(sys.modules, "keyring", None)
    steps = check()
    assert str(steps["tokens"]) == (
        f"tokens: the package keyring is not installed: pip install 'path/to/clone[keyring]', or {file}"
    )
    assert steps["client_secret"].remedy == "set SVCKIT_WORK_CLIENT_SECRET"


def test_what_is_wrong_with_settings_is_a_step_each_in_one_sentence() -> None:
    path = write(f'{WORK}clientid = "x"\nrenew_on = 403\n')
    steps = check_readiness("work", load(SVCKIT_WORK_SCOPE="x"))
    number = "takes a list of numbers such as [401, 403]; given a whole number: correct it there"
    assert [str(step) for step in steps if step.name == "settings"] == [
        f"settings: {path}: [work] clientid: no such key: did you mean client_id?",
        f"settings: {path}: [work] renew_on: {number}",
        "settings: environment variable SVCKIT_WORK_SCOPE: no such key: did you mean SVCKIT_WORK_SCOPES?",
    ]


def test_tokens_that_cannot_be_used_are_told_from_none() -> None:
    write(f'{WORK}tokens = "file"\n')
    configuration = load()
    assert check()["tokens"].detail.startswith("none in ")
    tokens = Tokens(Secret("canary-1"), Secret("canary-2"), datetime(2026, 6, 2, tzinfo=UTC))
    stored = StoredTokens(configuration.profile("work"), FileStore())
    stored.save(tokens)
    write(f'{WORK}tokens = "file"\n'.replace("https://api.example.com", "https://api2.example.com"))
    step = check()["tokens"]
    assert (step.done, step.remedy) == (False, "run `svckit login work`")
    assert step.detail.endswith(" are damaged, or for other URLs")
    find_path(stored._name).write_bytes(b"\xff")
    assert check()["tokens"].detail == step.detail
    find_path(stored._name).unlink()
    find_path(stored._name).mkdir()
    step = check()["tokens"]
    assert step.detail.endswith(" is not a file, so the tokens in it were not read")
    assert step.remedy == "Delete it, and sign in again"


def test_a_webhook_of_another_service_is_not_done() -> None:
    write(WORK)
    step = check(SVCKIT_WORK_WEBHOOK_ALERTS="https://other.test/message/canary")["webhook_alerts"]
    assert (step.done, step.remedy) == (False, "give it a URL at https://hooks.example.com")


def test_wrong_settings_are_a_step() -> None:
    write(f'{WORK}client_secret = "canary"\n')
    steps = check()
    assert "do not put secrets in a file" in steps["settings"].detail
    assert "canary" not in str(list(steps.values()))
    assert [step.done for step in check_readiness("fake", load())] == [True]
    with pytest.raises(UnusableProfile, match="no profile 'wrok'"):
        check_readiness("wrok", load())

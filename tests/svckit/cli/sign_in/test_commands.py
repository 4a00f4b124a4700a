"""`svckit profiles`, `svckit login` and `svckit logout`."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import keyring
import pytest
from keyring.backends import fail

import svckit
from svckit.cli.profile_report import ProfileReport, ReportRow
from svckit.cli.reporting import complete_profile
from svckit.errors import SignInStopped, Unauthorized
from svckit.models.secret import Secret
from svckit.profiles.keyring_store import KeyringStore
from svckit.profiles.token_cache import choose_store

from ...bare_machine import MemoryKeyring
from ...command import run_command as run
from ...sign_in.file_keyring import FileKeyring

Facts = Mapping[str, Any]
HERE = Path(__file__).parents[2] / "sign_in"


def at_a_browser(served: Facts, keyring_backend: str) -> dict[str, str]:
    """Return the variables for a process at which a program is the browser, and the person at it."""
    return {
        "PYTHONPATH": os.pathsep.join([*sys.path, str(HERE), str(HERE.parents[2])]),
        "PYTHON_KEYRING_BACKEND": keyring_backend,
        "SVCKIT_WORK_CLIENT_SECRET": served["client_secret"],
        "BROWSER": f"{sys.executable} {HERE / 'browser.py'} %s",
        "LOGIN_ID": served["login_id"],
        "PASSWORD": served["password"],
    }


def test_profiles_are_listed_with_where_each_key_comes_from(
    served: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SVCKIT_PROFILE", "work")
    monkeypatch.setenv("SVCKIT_WORK_DOMAIN", "example")
    monkeypatch.setenv("SVCKIT_WORK_CLIENT_SECRET", served["client_secret"])
    monkeypatch.setenv("SVCKIT_BOT_SECRET", served["bot_secret"])
    done = run("profiles")
    assert done.exit_code == 0, done.output
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    file, command = f"{Path('svckit.toml').resolve()}: [work]", "keyring set svckit work/webhook/alerts"
    assert lines[0] == "fake [FAKE]"
    for expected in [
        "work [REAL, chosen]",
        f"base_url {served['base_url']} {file}",
        f"scopes user, file {file}",
        "domain example environment variable SVCKIT_WORK_DOMAIN",
        "client_secret *** environment variable SVCKIT_WORK_CLIENT_SECRET",
        f"webhook alerts none SVCKIT_WORK_WEBHOOK_ALERTS, or run `{command}`; or svckit asks for it",
        f"done URLs: {file}",
        "to do tokens: none in the keyring (memory): run `svckit login work`",
        "sign-in paste what works here",
    ]:
        assert expected in lines
    unused = "/bot_secret`; SVCKIT_BOT_SECRET is not used, because a project's file sets the URLs it would be sent to"
    assert unused in " ".join(done.stdout.split())
    assert served["client_secret"] not in done.output
    assert served["bot_secret"] not in done.output


def test_a_bad_profile_is_told_and_counts(served: Facts) -> None:
    with Path("svckit.toml").open("a") as file:
        file.write('\n[school]\nbase_ulr = "x"\nclient_secret = "canary"\n')
    done = run("profiles")
    assert done.exit_code == 1
    assert "school [REAL] cannot be used" in done.stdout
    assert "did you mean base_url?" in done.stdout
    assert "canary" not in done.output
    assert run("profiles", "work").exit_code == 0
    assert run("profiles", "work", "school").exit_code == 1


@pytest.mark.parametrize("url", ["canary", "https://canary.test/message/1"])
def test_a_webhook_url_that_cannot_be_used_is_a_problem(
    url: str, served: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SVCKIT_WORK_WEBHOOK_ALERTS", url)
    done = run("profiles", "work")
    assert done.exit_code == 1
    [problem] = [line for line in done.stdout.splitlines() if line.startswith("  problem: ")]
    assert problem.startswith("  problem: the webhook URL 'alerts' is ")
    assert problem.endswith(
        "it comes from the environment variable SVCKIT_WORK_WEBHOOK_ALERTS: correct it there"
    )
    [found] = json.loads(run("profiles", "work", "--json").stdout)["profiles"]
    assert (found["usable"], len(found["webhookProblems"])) == (True, 1)
    monkeypatch.setenv("SVCKIT_WORK_WEBHOOK_ALERTS", served["webhooks"][0])
    assert run("profiles", "work").exit_code == 0


def test_urls_of_several_sources_are_listed(served: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVCKIT_WORK_AUTH_URL", "https://auth.evil.test")
    done = run("profiles", "work")
    assert done.exit_code == 1
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[0] == "work [REAL] cannot be used"
    assert "auth_url https://auth.evil.test environment variable SVCKIT_WORK_AUTH_URL" in lines
    [problem] = [line for line in lines if line.startswith("problem: ")]
    assert "auth_url from environment variable SVCKIT_WORK_AUTH_URL" in problem
    assert f"base_url, upload_url, webhook_url from {Path('svckit.toml').resolve()}: [work]" in problem
    for command in ("login", "logout"):
        assert "come from more than one source" in run(command, "work").stderr


def test_a_file_of_somebody_elses_does_not_command_the_terminal(served: Facts) -> None:
    evil = r"\u001b]0;x\u0007\u009b2J\u202e\b"
    with Path("svckit.toml").open("a") as file:
        file.write(
            f'\nlogin_id = "{evil}"\ndomain = "a\\nproblem: b"\n"{evil}" = 1\n["{evil}"]\nclient_id = "x"\n'
        )
    for arguments in (["profiles"], ["profiles", "--json"], ["login", "work"], ["login", "wrok"]):
        output = run(*arguments).output
        assert not {"\x1b", "\x07", "\x9b", "\u202e", "\b"}.intersection(output)
    assert "login_id: contains a line break or another control character" in run("profiles", "work").output
    assert "\nproblem: b" not in run("profiles", "work").output
    assert "x1b]0;x" in run("profiles").output


def test_problems_stand_one_a_line(served: Facts) -> None:
    Path("svckit.toml").write_text("[work]\nupload_url = 3\nfake = true\n")
    done = run("login", "work")
    assert done.exit_code == 1
    heading, *problems = done.stderr.splitlines()
    assert heading == "the profile 'work' cannot be used:"
    assert problems[0].endswith("upload_url: takes a quoted string; given a whole number")
    assert len(problems) == 7
    assert all("is missing" in each for each in problems[1:])


def test_a_section_of_the_fake_is_told(served: Facts) -> None:
    with Path("svckit.toml").open("a") as file:
        file.write('\n[fake]\nclient_id = "x"\n')
    done = run("profiles")
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    assert lines[0] == "fake [FAKE, chosen]"
    assert lines[2].startswith(
        f"  problem: {Path('svckit.toml').resolve()}: [fake]: fake is the name of the in-process fake"
    )
    (fake,) = json.loads(run("profiles", "fake", "--json").stdout)["profiles"]
    assert fake["usable"]
    assert len(fake["problems"]) == 1


def test_profiles_as_data(served: Facts) -> None:
    Path("svckit.toml").write_text(Path("svckit.toml").read_text() + "\n[school]\nfake = true\n")
    done = run("profiles", "--json")
    assert done.exit_code == 1
    found = {each["name"]: each for each in json.loads(done.stdout)["profiles"]}
    assert {name: each["usable"] for name, each in found.items()} == {
        "fake": True,
        "school": False,
        "work": True,
    }
    assert found["school"]["isFake"]
    assert found["work"]["rows"][0]["key"] == "base_url"
    assert "base_url is missing" in found["school"]["problems"][0]


def test_a_file_that_cannot_be_read_is_told() -> None:
    Path("svckit.toml").write_text("[work")
    for command in ("profiles", "login", "logout"):
        done = run(command)
        assert done.exit_code == 1
        assert "svckit.toml cannot be read" in done.output


@pytest.mark.parametrize("command", ["profiles", "login", "logout"])
def test_a_profile_that_is_not_there(command: str, served: Facts) -> None:
    done = run(command, "wrok")
    assert done.exit_code == 2
    assert "did you mean work?" in done.output


@pytest.mark.parametrize("command", ["login", "logout"])
def test_the_fake_needs_no_sign_in(command: str) -> None:
    done = run(command)
    assert done.exit_code == 1
    assert "needs no sign-in" in done.output


def test_without_a_keyring_login_says_so_before_anybody_is_troubled(
    served: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    done = run("login", "work")
    assert done.exit_code == 1
    assert done.output.strip() == (
        "Not signed in: the tokens could not be saved, because the package keyring is not installed: "
        "pip install 'path/to/clone[keyring]'. For a file instead, set tokens = \"file\" in svckit.toml under [work]. "
        "A session in a terminal or a notebook asks you when it needs to; one in pytest, with `pytest -s`."
    )
    monkeypatch.setenv("SVCKIT_FAKE", "true")
    assert "SVCKIT_WORK_LOGIN_ID and SVCKIT_WORK_PASSWORD are set" in run("login", "work").output


def test_a_system_without_a_keyring_is_told_of_a_file_once(served: Facts) -> None:
    keyring.set_keyring(fail.Keyring())
    said = run("login", "work").output
    assert "this system has no keyring that the package keyring supports: on Linux" in said
    assert said.count('tokens = "file"') == 1
    listed = run("profiles", "work").output
    assert "keyring set" not in listed
    assert "dbus-run-session" in listed  # in one line, to copy
    assert "gnome-keyring-daemon" in listed


def test_login_asks_for_one_way_at_most(served: Facts) -> None:
    assert run("login", "work", "--browser", "--paste").exit_code == 2


def test_login_where_nobody_is(served: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run("login", "work")
    assert done.exit_code == 1
    assert "SVCKIT_WORK_CLIENT_SECRET" in done.output
    monkeypatch.setenv("SVCKIT_CLIENT_SECRET", "canary")
    assert "SVCKIT_CLIENT_SECRET is not used, because a project's file sets" in run("login", "work").output
    monkeypatch.setenv("SVCKIT_WORK_CLIENT_SECRET", served["client_secret"])
    done = run("login", "work", "--paste")
    assert done.exit_code == 1
    assert "there is nobody to ask" in done.output


def test_login_to_a_fake_that_a_program_signs_in_to(served: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLIENT_SECRET", "LOGIN_ID", "PASSWORD"):
        monkeypatch.setenv(f"SVCKIT_WORK_{name}", served[name.lower()])
    monkeypatch.setenv("SVCKIT_FAKE", "true")
    done = run("login", "work")
    assert done.exit_code == 0
    assert "Nothing to save" in done.output


def test_logout_without_a_keyring_has_nothing_to_forget(
    served: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    done = run("logout", "work")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(
        "Nothing is saved, so there is nothing to delete: the package keyring is not"
    )


@pytest.mark.parametrize("saved_by", ["keyring", "file"])
@pytest.mark.parametrize("tokens", ["keyring", "file"])
def test_logout_finds_what_login_saved_elsewhere(
    served: Facts,
    memory_keyring: MemoryKeyring,
    monkeypatch: pytest.MonkeyPatch,
    saved_by: str,
    tokens: str,
) -> None:
    monkeypatch.setenv("SVCKIT_WORK_TOKENS", tokens)
    store = choose_store(saved_by, KeyringStore())
    assert store.write(f"work/client-1@{served['auth_url']}/tokens", Secret("{}"))
    assert run("logout", "work").stdout == f"Deleted the tokens of 'work' from {store.title}.\n"
    assert "There was nothing to delete" in run("logout", "work").stdout


def test_logout_says_what_it_did(served: Facts, memory_keyring: MemoryKeyring) -> None:
    name = f"work/client-1@{served['auth_url']}"
    kept = (f"{name}/tokens", f"{name}/client_secret", f"{name}/bot_secret", "work/webhook/alerts", "other")
    entries = dict.fromkeys(kept, "x") | {f"{name}/tokens": "{}"}
    memory_keyring.entries = {("svckit", key): value for key, value in entries.items()}
    assert run("logout", "work").stdout == "Deleted the tokens of 'work' from the keyring (memory).\n"
    assert run("logout", "work", "--secrets").stdout.splitlines() == [
        "There was nothing to delete: no tokens of 'work' in the keyring (memory).",
        "Deleted the client secret of 'work' from the keyring (memory).",
        "Deleted the bot secret of 'work' from the keyring (memory).",
        "Deleted the webhook URL 'alerts' of 'work' from the keyring (memory).",
    ]
    assert memory_keyring.entries == {("svckit", "other"): "x"}


def test_login_in_one_process_serves_another(
    served: Facts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it for real: the command, a browser that is a program, TCP, and a session in a third process."""
    variables = {"FILE_KEYRING": str(tmp_path / "keyring.json"), "SVCKIT_PROFILE": "work"}
    for name, value in (variables | at_a_browser(served, "file_keyring.FileKeyring")).items():
        monkeypatch.setenv(name, value)

    def python(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    signed_in = python("-m", "svckit", "login")
    assert signed_in.returncode == 0, signed_in.stderr
    assert signed_in.stdout.splitlines() == [
        f"Signed in to 'work' (REAL, {served['base_url']}).",
        "The tokens are saved in the keyring (a file).",
    ]
    monkeypatch.setenv("BROWSER", "no-such-browser")
    use = "import svckit; print(svckit.connect().users.update('u-003', nick_name='Mina').nick_name)"
    used = python("-c", use)
    assert (used.returncode, used.stdout) == (0, "Mina\n"), used.stderr
    keyring.set_keyring(FileKeyring())
    listed = run("profiles", "work")
    assert "done   tokens: the keyring (a file); access until" in listed.stdout
    ended = run("logout")
    assert ended.stdout == "Deleted the tokens of 'work' from the keyring (a file).\n"
    kept = (tmp_path / "keyring.json").read_text()
    assert kept == "{}"
    for done in (signed_in, used, listed, ended):
        shown = done.stdout + done.stderr
        assert served["client_secret"] not in shown
        assert served["password"] not in shown


def test_profiles_says_where_they_are_described_where_there_is_none() -> None:
    done = run("profiles")
    assert done.exit_code == 0
    assert str(Path("svckit.toml").resolve()) in done.stdout
    assert "[work]" in done.stdout


def test_the_variables_of_a_fakes_login_form_are_listed_and_named(
    served: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SVCKIT_WORK_FAKE", "true")
    monkeypatch.setenv("SVCKIT_WORK_CLIENT_SECRET", served["client_secret"])
    lines = [" ".join(line.split()) for line in run("profiles").stdout.splitlines()]
    assert "login_id none SVCKIT_WORK_LOGIN_ID" in lines
    with pytest.raises(SignInStopped, match="SVCKIT_WORK_LOGIN_ID and SVCKIT_WORK_PASSWORD"):
        svckit.connect("work", sign_in="form")


@pytest.mark.parametrize("missing", [("LOGIN_ID",), ("PASSWORD",), ("LOGIN_ID", "PASSWORD")])
def test_missing_variables_of_a_fake_are_named(
    missing: tuple[str, ...], served: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Path("svckit.toml").open("a") as file:
        file.write("\nfake = true\n")
    for name in {"CLIENT_SECRET", "LOGIN_ID", "PASSWORD"}.difference(missing):
        monkeypatch.setenv(f"SVCKIT_WORK_{name}", served[name.lower()])
    names = " and ".join(f"SVCKIT_WORK_{name}" for name in missing)
    plural = "s" if len(missing) > 1 else ""
    with pytest.raises(
        SignInStopped, match=f"nobody to ask. Set the environment variable{plural} {names}, and"
    ) as caught:
        svckit.connect("work").users.read("u-001")
    assert "svckit login" not in str(caught.value)


def test_a_wrong_client_secret_is_told_with_where_it_comes_from(
    served: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (
        *(("FAKE", "true"), ("CLIENT_SECRET", "canary")),
        *(("LOGIN_ID", served["login_id"]), ("PASSWORD", served["password"])),
    ):
        monkeypatch.setenv(f"SVCKIT_WORK_{name}", value)
    with pytest.raises(Unauthorized) as caught:
        svckit.connect("work")
    assert "environment variable SVCKIT_WORK_CLIENT_SECRET: correct it there" in caught.value.__notes__[0]


def test_unattended_connect_says_to_log_in_first(served: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVCKIT_WORK_CLIENT_SECRET", served["client_secret"])
    for tokens, file in (("keyring", ", and"), ("file", r" in .*work-[0-9a-f]{16}\.json, and")):
        monkeypatch.setenv("SVCKIT_WORK_TOKENS", tokens)
        with pytest.raises(
            SignInStopped, match=f"no usable tokens for 'work'{file}.*`svckit login work`"
        ) as caught:
            svckit.connect("work", sign_in="paste")
        assert "leave empty to cancel" not in str(caught.value)


def test_a_long_sentence_is_told_in_lines_that_fit() -> None:
    row = ReportRow("tokens", "none", "there is no keyring here, " * 10)
    assert max(map(len, str(ProfileReport("work", True, False, (row,))).splitlines())) <= 80


def test_the_shell_completes_profiles(served: Facts) -> None:
    assert complete_profile("w") == ["work"]
    assert complete_profile("x") == []
    Path("svckit.toml").write_text("[work")
    assert complete_profile("w") == []

"""`svckit login --store`, tokens in a file or printed; and profiles that need no sign-in."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import svckit

from ...command import run_command as run
from .test_commands import at_a_browser

Facts = Mapping[str, Any]


def log_in_with(served: Facts, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `svckit login work` without a terminal and a keyring, with a program as the browser."""
    environment = os.environ | at_a_browser(served, "keyring.backends.null.Keyring")
    command = [sys.executable, "-m", "svckit", "login", "work", *arguments]
    return subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_login_saves_tokens_in_a_file(served: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    done = log_in_with(served, "--store", "file")
    assert done.returncode == 0, done.stderr
    saved, hint = done.stdout.splitlines()[1:]
    assert saved.startswith(f"The tokens are saved in a file in {os.environ['HOME']}{os.sep}")
    assert "SVCKIT_WORK_TOKENS=file" in hint
    monkeypatch.setenv("SVCKIT_WORK_TOKENS", "file")
    with svckit.connect("work") as svc:
        assert svc.users.read("u-003").user_id == "u-003"
    assert run("logout", "work").stdout.startswith("Deleted the tokens of 'work' from a file in ")
    assert run("logout", "work").stdout.startswith("There was nothing to delete")


def test_login_prints_a_token_for_a_program(served: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = run("login", "work", "--store", "print")
    assert (refused.exit_code, "add --yes" in refused.output) == (2, True)
    done = log_in_with(served, "--store", "print", "--yes")
    assert done.returncode == 0, done.stderr
    name, _, token = done.stdout.strip().partition("=")
    assert (name, "\n" in token, token in done.stderr) == ("SVCKIT_WORK_REFRESH_TOKEN", False, False)
    monkeypatch.setenv(name, token)
    monkeypatch.setenv("SVCKIT_WORK_CLIENT_SECRET", served["client_secret"])
    with svckit.connect("work") as svc:
        assert svc.users.read("u-003").user_id == "u-003"


def test_profile_with_only_a_webhook_cannot_log_in(served: Facts) -> None:
    Path("svckit.toml").write_text(f'[alarm]\nwebhook_url = "{served["webhook_url"]}"\n')
    listed = run("profiles", "alarm")
    assert (listed.exit_code, "it can post notifications only" in listed.stdout) == (0, True)
    refused = run("login", "alarm")
    assert (refused.exit_code, "base_url, auth_url, upload_url, client_id" in refused.stderr) == (1, True)

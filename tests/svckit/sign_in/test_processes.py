"""Processes that share tokens renew them once."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeService
from svckit.profiles.credentials import Credentials
from svckit.profiles.file_store import FileStore
from svckit.profiles.profiles import Profile
from svckit.profiles.resolution import Configuration
from svckit.profiles.token_cache import SecretStore, StoredTokens
from svckit.session.connect import connect

from .file_keyring import FileKeyring

Facts = Mapping[str, Any]
HERE = Path(__file__).parent
READ = """
import svckit
svc = svckit.connect("work")
print(svc.users.read("u-003").user_id)
"""


class KeyringInAFile(FileStore):
    """The keyring of the processes, as this one sees it."""

    def read(self, name):
        raise NotImplementedError

    def write(self, name, secret):
        FileKeyring().set_password("svckit", name, secret.reveal())
        return True


@pytest.mark.parametrize("kept", ["file", "keyring"])
def test_tokens_are_renewed_once(
    kept: str, served: Facts, fake: FakeService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "PYTHONPATH": os.pathsep.join([*sys.path, str(HERE)]),
        "PYTHON_KEYRING_BACKEND": "file_keyring.FileKeyring",
        "FILE_KEYRING": str(tmp_path / "keyring.json"),
        "SVCKIT_WORK_CLIENT_SECRET": served["client_secret"],
        "SVCKIT_WORK_TOKENS": kept,
    }.items():
        monkeypatch.setenv(name, value)
    with connect(Profile.from_facts(served), credentials=Credentials.from_facts(served)) as svc:
        tokens = svc._driver.tokens.current
    store: SecretStore = FileStore() if kept == "file" else KeyringInAFile()
    expired = replace(tokens, expires=datetime(2026, 1, 1, tzinfo=UTC))
    StoredTokens(Configuration.load().profile("work"), store).save(expired)
    fake.journal.clear()
    command = [sys.executable, "-c", READ]
    fake.faults.delay("auth.token", seconds=1)  # so that the others come while the first renews
    started = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    printed = [process.communicate(timeout=60) for process in started]
    assert [out for out, _ in printed] == ["u-003\n"] * 3, printed
    assert [entry.operation for entry in fake.journal].count("auth.token") == 1

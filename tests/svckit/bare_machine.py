"""A machine without variables, files and a keyring of its own, for tests of profiles and of signing in."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from svckit.profiles.profiles import Profile

from ..loopback import free_port
from .work_profile import PROFILE


class MemoryKeyring(KeyringBackend):
    """A keyring that forgets everything with the test; ``refuses`` makes it one that is locked."""

    priority = 1  # type: ignore[assignment]  # as keyring's own backends do
    name = "memory"

    def __init__(self) -> None:
        super().__init__()
        self.entries: dict[tuple[str, str], str] = {}
        self.refuses = False

    def get_password(self, service: str, username: str) -> str | None:
        self._check()
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._check()
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._check()
        del self.entries[service, username]

    def _check(self) -> None:
        if self.refuses:
            raise KeyringLocked("canary-from-the-backend")


@pytest.fixture(autouse=True)
def memory_keyring() -> Iterator[MemoryKeyring]:
    """No test comes near the keyring of the machine that runs it."""
    before, own = keyring.get_keyring(), MemoryKeyring()
    keyring.set_keyring(own)
    yield own
    keyring.set_keyring(before)


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variables, files and folders of the machine that runs the tests."""
    for name in os.environ:
        if name.startswith(("SVCKIT_", "SSH_", "JUPYTERHUB_", "BINDER_")) or name in ("BROWSER", "DISPLAY"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home" / "state"))
    monkeypatch.setenv("WIN_PD_OVERRIDE_LOCAL_APPDATA", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")


@pytest.fixture
def profile() -> Profile:
    """A profile whose redirect address is a free port here."""
    return replace(PROFILE, redirect_uri=f"http://127.0.0.1:{free_port()}/callback")

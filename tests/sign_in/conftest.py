"""An application whose redirect address is a free port here, and a person at a browser."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from fakes import FakeService
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest
from svckit.profiles.profiles import Profile

from ..loopback import PATIENCE, free_port


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
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")


@pytest.fixture
def profile() -> Profile:
    return Profile(
        name="work",
        base_url="https://api.work.test",
        auth_url="https://auth.work.test",
        upload_url="https://storage.work.test",
        webhook_url="https://hooks.work.test",
        client_id="client-1",
        redirect_uri=f"http://127.0.0.1:{free_port()}/callback",
        scopes=("user", "file"),
    )


@pytest.fixture
def sign_in_request(profile: Profile) -> SignInRequest:
    return SignInRequest(profile, Secret("state-1"))


def get(address: str) -> httpx.Response:
    """What a browser is shown at an address of this machine."""
    return httpx.get(address, timeout=PATIENCE, trust_env=False)


def state_of(address: str) -> str:
    return dict(parse_qsl(urlsplit(address).query))["state"]


Told = list[str]


@pytest.fixture
def told() -> Told:
    """What the person was told."""
    return []


Redirecting = Callable[[str], object]


def led_back(redirect_uri: str, query: str, shown: SimpleQueue[httpx.Response] | None = None) -> Redirecting:
    """A browser that comes straight back with a query, in which ``{state}`` is that of the request."""

    def open_browser(address: str) -> None:
        answer = get(f"{redirect_uri}?{query.format(state=state_of(address))}")
        if shown is not None:
            shown.put(answer)

    return open_browser


@pytest.fixture
def fake() -> FakeService:
    """A fake whose application is registered with a redirect address of this machine."""
    fake = FakeService.sample()
    redirect_uri = f"http://127.0.0.1:{free_port()}/callback"
    fake.state.auth.application = replace(fake.state.auth.application, redirect_uri=redirect_uri)
    return fake


@pytest.fixture
def served(fake: FakeService) -> Iterator[Mapping[str, Any]]:
    """The facts of the fake over TCP; its profile is `work` of the project's file."""
    with fake.serve() as running:
        names = ("base_url", "auth_url", "upload_url", "webhook_url", "client_id", "redirect_uri")
        lines = [f'{name} = "{running.facts[name]}"' for name in names]
        lines += ['scopes = ["user", "file"]', 'webhooks = ["alerts"]']
        Path("svckit.toml").write_text("\n".join(["[work]", *lines]), encoding="utf-8")
        yield running.facts

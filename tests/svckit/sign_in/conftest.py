"""An application whose redirect address is a free port here, and a person at a browser."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from fakes import FakeService
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest
from svckit.profiles.profiles import Profile
from svckit.sign_in import browser, paste

from ...loopback import free_port, local_client
from ..bare_machine import bare_machine, memory_keyring, profile

__all__ = ["bare_machine", "memory_keyring", "profile"]


@pytest.fixture
def sign_in_request(profile: Profile) -> SignInRequest:
    return SignInRequest(profile, Secret("state-1"))


def get(address: str) -> httpx.Response:
    """What a browser is shown at an address of this machine."""
    with local_client() as http:
        return http.get(address)


def visit(visitor: Any, request: SignInRequest, way: str) -> Secret:
    """The code that a visitor brings, with and without ``await``."""
    return visitor.visit(request) if way == "sync" else asyncio.run(visitor.visit_async(request))


def state_of(address: str) -> str:
    return dict(parse_qsl(urlsplit(address).query))["state"]


Told = list[str]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """What the person was told."""
    said: Told = []
    monkeypatch.setattr(browser, "say", said.append)
    monkeypatch.setattr(paste, "say", said.append)
    return said


def led_back(redirect_uri: str, query: str) -> Callable[[str], object]:
    """A browser that comes straight back with a query, in which ``{state}`` is that of the request."""
    return lambda address: get(f"{redirect_uri}?{query.format(state=state_of(address))}")


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

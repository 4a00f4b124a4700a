"""A fake, a scripted service, and one face for sessions with and without ``await``."""

import asyncio
import json
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
import trustme

from fakes import FakeService
from fakes.clock import Clock
from svckit.models import TokenSet
from svckit.models.secret import Secret
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.aio import AsyncSession
from svckit.session.connect import connect
from svckit.session.session import Session

from .work_profile import PROFILE

EVERYWHERE = ("in-process", "tcp", "tls")
IN_PROCESS = pytest.mark.parametrize("where", ["in-process"], indirect=True)
"""For tests that show addresses, or in which a client waits for a response in vain or for a connection."""

START = datetime(2026, 6, 1, tzinfo=UTC)
UPLOAD_URL = "https://storage.work.test/uploads/1"
USER = {"domainId": 1, "userId": "u-001", "email": "mina@example.com", "userName": {"lastName": "Sato"}}


@pytest.fixture
def fake() -> FakeService:
    return FakeService.sample(now="2026-06-01T09:00:00+09:00")


@pytest.fixture
def svc(fake: FakeService) -> Iterator[Session]:
    """A session on that fake."""
    with connect(fake) as svc:
        yield svc


@pytest.fixture
def profile() -> Profile:
    return replace(PROFILE, base_url="https://api.work.test/v1")


@pytest.fixture
def credentials() -> Credentials:
    return Credentials(
        client_secret=Secret("canary-client-secret"),
        login_id="mina@example.com",
        password=Secret("canary-password"),
        webhooks={"alerts": Secret("https://hooks.work.test/message/canary-webhook")},
    )


class Scripted:
    """A service that responds as a test tells it to, keeps the requests, and renews tokens."""

    def __init__(self) -> None:
        self.asked: list[httpx.Request] = []
        self.answers: dict[tuple[str, str], Callable[[httpx.Request], httpx.Response]] = {}
        self.renewals = 0
        self.valid = "canary-token-0"
        self.refusal = 401  # the status for another token
        self.clock = Clock(START)

    def on(self, method: str, url: str, answer: httpx.Response | Callable[..., httpx.Response]) -> None:
        self.answers[method, url] = answer if callable(answer) else lambda _: answer

    def on_upload(
        self, answer: httpx.Response | Callable[..., httpx.Response], url: str = UPLOAD_URL
    ) -> None:
        """Issue a URL for uploads to the drive of `u-001`, and respond to what is sent there."""
        drive = "https://api.work.test/v1/users/u-001/drive/files"
        self.on("POST", drive, httpx.Response(200, json={"uploadUrl": url}))
        self.on("POST", url, answer)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.asked.append(
            httpx.Request(request.method, request.url, headers=request.headers, content=request.content)
        )
        if str(request.url) == "https://auth.work.test/oauth2/v2.0/token":
            return self.renew()
        if "authorization" in request.headers and request.headers["authorization"] != f"Bearer {self.valid}":
            return httpx.Response(
                self.refusal, json={"code": "UNAUTHORIZED", "description": "the token has expired"}
            )
        answer = self.answers.get((request.method, str(request.url)))
        return answer(request) if answer else httpx.Response(200, json=USER)

    def renew(self) -> httpx.Response:
        self.renewals += 1
        self.valid = f"canary-token-{self.renewals}"
        return httpx.Response(200, json=token_set(self.valid))

    @property
    def lines(self) -> list[str]:
        return [f"{request.method} {request.url}" for request in self.asked]


def token_set(access: str, **more: str) -> dict[str, str]:
    return {
        "access_token": access,
        "scope": "user,file",
        "expires_in": "86400",
        "token_type": "Bearer",
    } | more


class Face:
    """A session, sync or async, that is called in the same way."""

    def __init__(self, session: Any, runner: asyncio.Runner) -> None:
        self.session = session
        self._runner = runner

    @classmethod
    @contextmanager
    def opened(
        cls, way: str, facts: Mapping[str, Any], runner: asyncio.Runner, **wiring: Any
    ) -> Iterator["Face"]:
        """Sign in to a fake with these facts; the session is closed at the end."""
        kind = Session if way == "sync" else AsyncSession
        face = cls(kind(Profile.from_facts(facts), Credentials.from_facts(facts), **wiring), runner)
        face(lambda svc: svc.sign_in())
        yield face
        face(lambda svc: svc.close())

    def __call__(self, use: Callable[[Any], Any]) -> Any:
        result = use(self.session)
        if not isinstance(result, Awaitable):
            return result

        async def awaited() -> Any:
            return await result

        return self._runner.run(awaited())


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no thread be started, as in a browser."""

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)


@contextmanager
def connect_over_tcp(fake: FakeService) -> Iterator[Session]:
    """A session on a fake that is served, as on one of another process."""
    with fake.serve() as served:
        profile, credentials = Profile.from_facts(served.facts), Credentials.from_facts(served.facts)
        with connect(profile, credentials=credentials) as svc:
            yield svc


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(params=["sync", "async"])
def way(request: pytest.FixtureRequest) -> str:
    way: str = request.param
    return way


@pytest.fixture
def scripted() -> Scripted:
    return Scripted()


@pytest.fixture
def signed_in(scripted: Scripted, profile: Profile, credentials: Credentials) -> Callable[..., Any]:
    """Make a session against a service, such as the scripted one, that is signed in for 24 hours."""

    def make(kind: type[Session | AsyncSession], service: Any = scripted) -> Any:
        session = kind(profile, credentials, transport=httpx.MockTransport(service), clock=scripted.clock)
        issued = TokenSet.from_wire(json.dumps(token_set("canary-token-0", refresh_token="canary-refresh")))
        session._driver.tokens.keep(issued, START)
        return session

    return make


@pytest.fixture
def on_script(way: str, signed_in: Callable[..., Any], runner: asyncio.Runner) -> Iterator[Face]:
    """A session, both ways, against the scripted service."""
    face = Face(signed_in(Session if way == "sync" else AsyncSession), runner)
    yield face
    face(lambda svc: svc.close())


@pytest.fixture(scope="session")
def certified(tmp_path_factory: pytest.TempPathFactory) -> tuple[tuple[Path, Path], ssl.SSLContext]:
    """A certificate for loopback with its key, and what trusts its authority."""
    authority, trust = trustme.CA(), ssl.create_default_context()
    authority.configure_trust(trust)
    issued, folder = authority.issue_cert("127.0.0.1"), tmp_path_factory.mktemp("tls")
    files = (folder / "certificate.pem", folder / "key.pem")
    issued.cert_chain_pems[0].write_to_path(str(files[0]))
    issued.private_key_pem.write_to_path(str(files[1]))
    return files, trust


# What is sent over TLS is what is sent over TCP.
@pytest.fixture(params=["in-process", "tcp", pytest.param("tls", marks=pytest.mark.wide)])
def where(request: pytest.FixtureRequest, fake: FakeService) -> Iterator[tuple[Any, dict[str, Any]]]:
    """A fake's addresses, in process, over TCP or over TLS on loopback, and what a session reaches them with."""
    if request.param == "in-process":
        yield fake.facts, {"transport": fake.transport()}
        return
    files, trust = request.getfixturevalue("certified") if request.param == "tls" else (None, None)
    with fake.serve(tls=files) as served:
        yield served.facts, {"trust": trust}


@pytest.fixture
def on_fake(
    way: str, fake: FakeService, where: tuple[Any, dict[str, Any]], runner: asyncio.Runner
) -> Iterator[Face]:
    """A session, both ways, signed in to a fake, in process and over the network."""
    facts, wiring = where
    with Face.opened(way, facts, runner, fake=fake, clock=fake.clock, **wiring) as face:
        yield face

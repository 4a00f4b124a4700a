"""A service that echoes what it was sent: no error shows the bearer, nor does what led to it."""

import contextlib
import re
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from svckit.errors import ServiceError
from svckit.models import TokenSet
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.aio import AsyncSession
from svckit.session.session import Session

from ..conftest import Face, token_set
from .test_echoed_requests import everything

Echo = Callable[[bytes], bytes]
ECHOES: dict[str, Echo] = {
    "an invalid header": lambda token: b"HTTP/1.1 200 OK\r\nX-Echo " + token + b"\r\n\r\n",
    "an invalid status line": lambda token: b"HTTP/1.1 " + token + b"\r\n\r\n",
    "a reason": lambda token: b"HTTP/1.1 403 No " + token + b"\r\nContent-Length: 0\r\n\r\n",
    "a length": lambda token: b"HTTP/1.1 200 OK\r\nContent-Length: " + token + b"\r\n\r\n",
    "an unknown framing": lambda token: b"HTTP/1.1 200 OK\r\nTransfer-Encoding: " + token + b"\r\n\r\n",
    "a chunk": lambda token: b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + token + b"\r\n",
    "a coding": lambda token: b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n" + token,
    "a redirect": lambda token: b"HTTP/1.1 302 Found\r\nLocation: http://[" + token + b"\r\n\r\n",
    "the body of an error": lambda token: (
        b'HTTP/1.1 400 No\r\nContent-Length: 200\r\n\r\n{"description": "' + (token + b'"}').ljust(183)
    ),
    "the page of an error": lambda token: b"HTTP/1.1 500 No\r\nX-Fake-Reason: " + token + b"\r\n\r\n" + token,
    "what makes no sense": lambda token: b'HTTP/1.1 200 OK\r\n\r\n{"email": "' + token,
    "a field of another type": lambda token: (
        b'HTTP/1.1 200 OK\r\n\r\n{"domainId": 1, "userName": {}, "email": ["' + token + b'"]}'
    ),
    "the beginning of a body": lambda token: b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n" + token,
}


class Service:
    """Real sockets that response each request with an echo of its bearer."""

    def __init__(self, echo: Echo) -> None:
        self._echo = echo
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.tokens: list[bytes] = []
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):  # it is closed
            while True:
                connection, _ = self._listener.accept()
                with connection:
                    head = connection.recv(65536)
                    if found := re.search(rb"Bearer (\S+)", head):
                        self.tokens.append(found[1])
                        connection.sendall(self._echo(found[1]))

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()


@pytest.fixture(params=ECHOES)
def service(request: pytest.FixtureRequest) -> Iterator[Service]:
    made = Service(ECHOES[request.param])
    yield made
    made.close()


@pytest.fixture
def face(
    service: Service, way: str, runner: Any, profile: Profile, credentials: Credentials
) -> Iterator[Face]:
    here = replace(profile, base_url=f"{service.url}/v1")
    session: Any = (Session if way == "sync" else AsyncSession)(here, credentials, retries=0)
    tokens = TokenSet.from_wire(token_set(secrets.token_urlsafe(30)))
    session._driver.tokens.keep(tokens, datetime.now(UTC))
    made = Face(session, runner)
    yield made
    made(lambda svc: svc.close())


def read_later(svc: Any) -> Any:
    """Read a body that is streamed."""

    def read() -> None:
        with svc.http.stream("GET", "/users/u-001") as response:
            response.read()

    async def read_async() -> None:
        async with svc.http.stream("GET", "/users/u-001") as response:
            await response.aread()

    return read() if isinstance(svc, Session) else read_async()


CALLS: dict[str, Callable[[Any], Any]] = {
    "session": lambda svc: svc.users.read("u-001"),
    "httpx": lambda svc: svc.http.get("/users/u-001"),
    "read later": read_later,
}


@pytest.mark.parametrize("call", CALLS)
def test_no_error_shows_the_bearer(call: str, service: Service, face: Face) -> None:
    shown = ""
    with face.session.trace() as trace:
        try:
            response = face(CALLS[call])
            if call == "httpx" and response.is_error:
                response.raise_for_status()
        except ServiceError as error:
            shown = "".join(everything(error))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            shown = (
                f"{error!r} {error.__cause__!r} {error.__context__!r}"  # httpx's frames hold what was read
            )
    assert shown or call != "session", "it succeeded"
    (token,) = service.tokens
    assert token.decode() not in shown
    assert token.decode() not in f"{trace} {trace!r} {trace.records()}"

"""The adapter of requests that ends in a fake, streaming both ways.

Requests for the fake go through it and a connection of `urllib3` that ends in the fake, so retries, timeouts and errors
are those of the libraries.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from http import HTTPStatus
from io import BufferedReader, RawIOBase
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPHeaderDict, HTTPResponse
from urllib3.connection import HTTPConnection
from urllib3.exceptions import NewConnectionError
from urllib3.util.request import body_to_chunks

from fakes.engine.engine import Engine
from fakes.faults.kinds import BrokenConnection
from fakes.http.addresses import UnknownURL
from fakes.http.messages import FakeResponse, RequestHead

__all__ = ["FakeAdapter"]

BROKEN: dict[str, type[OSError]] = {"read_timeout": TimeoutError, "reset": ConnectionResetError}
KNOWN = {status.value: status.phrase for status in HTTPStatus}


class FakeAdapter(HTTPAdapter):
    """A `requests` adapter that sends to the fake, with the retries of the adapter it replaces."""

    def __init__(self, engine: Engine, replaced: HTTPAdapter) -> None:
        super().__init__(max_retries=replaced.max_retries)
        self._engine = engine

    def get_connection_with_tls_context(
        self, request: requests.PreparedRequest, *_tls: Any, **_options: Any
    ) -> "FakePool":
        """Return a pool of connections to the origin of a request; proxies are ignored."""
        url = urlsplit(str(request.url))
        return FakePool(str(url.hostname), engine=self._engine, origin=f"{url.scheme}://{url.netloc}")

    def cert_verify(self, *_tls: Any) -> None:
        """Do nothing, as there is no certificate."""

    def request_url(self, request: requests.PreparedRequest, _proxies: Any) -> str:
        """Return the path of a request, as without a proxy."""
        return str(request.path_url)


class ResponseBody(RawIOBase):
    """The body of a response, as a connection delivers it."""

    def __init__(self, chunks: Iterable[bytes], pace: float, wait: Callable[[float], None]) -> None:
        self._chunks = iter(chunks)
        self._pace = pace
        self._wait = wait
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        """Return true: the body is readable."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Read into the buffer; return 0 at the end, also if a fault truncates the body."""
        while not self._rest:
            try:
                chunk = next(self._chunks, None)
            except BrokenConnection:  # urllib3 notices by the Content-Length
                return 0
            if chunk is None:
                return 0
            if self._pace:
                self._wait(self._pace)
            self._rest = memoryview(chunk)
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count


class FakeConnection(HTTPConnection):
    """A connection to a fake, which breaks with the same operating system errors as a real one."""

    def __init__(self, host: str, *, engine: Engine, origin: str, **options: Any) -> None:
        super().__init__(host, **options)
        self._engine = engine
        self._origin = origin
        self._request_method = ""
        self._outcome: FakeResponse | BrokenConnection | None = None

    @property
    def is_closed(self) -> bool:
        """True if the connection is closed; it never is."""
        return False

    def request(  # type: ignore[override]  # the response decides how its body is read
        self,
        method: str,
        url: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        **_options: Any,
    ) -> None:
        """Send a request.

        Raises:
            NewConnectionError: a fault refuses the connection.
        """
        chunks = body_to_chunks(body, method, self.blocksize).chunks or ()
        head = RequestHead(method, self._origin + url, tuple(encode_headers(headers or {})))
        self._request_method, self._outcome = method, None
        try:
            self._outcome = self._engine.respond(head, map(encode_chunk, chunks))
        except UnknownURL:
            self._outcome = self._engine.turn_away(head)
        except BrokenConnection as broken:
            if broken.how == "connect_error":
                time.sleep(broken.wait)
                raise NewConnectionError(self, str(broken)) from None
            self._outcome = broken

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]  # urllib3 narrows http.client's the same way
        """Return the response.

        Raises:
            OSError: it does not arrive, or not in time.
        """
        outcome = self._outcome
        if isinstance(outcome, BrokenConnection):
            self._wait(outcome.wait)
            raise BROKEN[outcome.how](str(outcome))
        if outcome is None:
            raise RuntimeError("no request was sent on this connection")
        self._wait(outcome.wait)
        return self._build_response(outcome)

    def _wait(self, seconds: float) -> None:
        """Wait, up to the timeout of the client."""
        limit = seconds if self.timeout is None else min(seconds, self.timeout)
        if seconds:
            time.sleep(limit)
        if seconds > limit:
            raise TimeoutError("the response came too late (an injected fault)")

    def _build_response(self, response: FakeResponse) -> HTTPResponse:
        headers, body = HTTPHeaderDict(response.headers), response.body
        if isinstance(body, bytes):
            headers["Content-Length"] = str(len(body))
            body = (body,)
        return HTTPResponse(
            body=BufferedReader(ResponseBody(body, response.pace, self._wait)),
            headers=headers,
            status=response.status,
            version=11,
            version_string="HTTP/1.1",
            reason=KNOWN.get(response.status),
            preload_content=False,
            decode_content=False,
            request_method=self._request_method,
        )


class FakePool(HTTPConnectionPool):
    """A pool of connections to a fake."""

    ConnectionCls = FakeConnection


def encode_chunk(chunk: bytes | str) -> bytes:
    """Encode a chunk of a body; `requests` accepts text or bytes."""
    return chunk.encode() if isinstance(chunk, str) else bytes(chunk)


def encode_headers(headers: Mapping[str, str | bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Encode headers; `requests` accepts names and values as text or bytes."""
    for name, value in headers.items():
        yield encode_text(name), encode_text(value)


def encode_text(text: str | bytes) -> bytes:
    """Encode the text of a header as Latin-1, unless it is bytes."""
    return text if isinstance(text, bytes) else text.encode("latin-1")

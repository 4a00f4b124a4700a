"""The door for requests: while it is open, every `requests` session reaches the fake, streaming both ways.

The library `responses` replaces the sending of requests. Those for the fake go through an adapter of `requests` and a
connection of `urllib3` that ends in the fake, so retries, timeouts and errors are those of the libraries.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from io import BufferedReader, RawIOBase
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from responses import RequestsMock
from urllib3 import HTTPConnectionPool, HTTPHeaderDict, HTTPResponse
from urllib3.connection import HTTPConnection
from urllib3.exceptions import NewConnectionError
from urllib3.util.request import body_to_chunks

from fakes.engine.engine import Engine
from fakes.engine.request_cycle import EnoughSent, RequestCycle
from fakes.faults.kinds import BrokenConnection
from fakes.http.addresses import UnknownURL, normalize_url
from fakes.http.messages import FakeResponse, RequestHead

__all__ = ["FakeResponses"]

Send = Callable[..., requests.Response]

EVERYWHERE = ("http://", "https://")
BROKEN = {"read_timeout": TimeoutError, "reset": ConnectionResetError}
KNOWN = {status.value: status.phrase for status in HTTPStatus}


class FakeResponses(RequestsMock):
    """A `responses` mock that serves a fake, and reaches other hosts only with ``pass_through``.

    Use it as a context manager. Redirects are left to `requests`, which follows them by default and drops the bearer
    on the way to another host. Mock other hosts as usual with `responses`:
    ``with fake.responses() as mock: mock.get("https://example.com", …)``. A mock for a URL of the fake takes
    precedence; such calls never reach the fake. Calls to the fake are recorded in ``fake.journal``, not in
    ``mock.calls``, which would keep their bodies. A door entered several times stays open until it is left as often.

    Args:
        engine: the fake.
        pass_through: whether other hosts are really called; otherwise they cannot be reached.

    Raises:
        requests.ConnectionError: on a call to another host; it names the base URLs of the fake.

    Examples:
        >>> import requests
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> with fake.responses():
        ...     requests.post(fake.facts["webhooks"][0], json={"body": {"text": "hello"}}).json()
        {'code': 200, 'description': 'success'}
        >>> with fake.responses():
        ...     requests.get("https://example.com")
        Traceback (most recent call last):
        ...
        requests.exceptions.ConnectionError: https://example.com is not served by this fake, ...
    """

    def __init__(self, engine: Engine, pass_through: bool = False) -> None:
        if not isinstance(pass_through, bool):
            raise ValueError(f"pass_through must be True or False; given {pass_through!r}")
        self._engine = engine
        self._opened = 0
        self._own_prefixes = tuple(f"{base}/" for base in engine.base_urls)
        self._passed_prefixes = (*self._own_prefixes, *EVERYWHERE) if pass_through else self._own_prefixes
        super().__init__(assert_all_requests_are_fired=False, passthru_prefixes=self._passed_prefixes)
        self._send_really, self._real_send = self._real_send, self._send_routed

    def start(self) -> None:
        """Open the door, or count one more entry if it is open."""
        self._opened += 1
        super().start()

    def stop(self, allow_assert: bool = True) -> None:
        """Close the door if this call matches the first opening."""
        self._opened = max(0, self._opened - 1)
        if not self._opened:
            super().stop(allow_assert)

    def __exit__(self, *failure: object) -> None:
        """Close the door, and remove the registered mocks once it is closed."""
        self.stop()
        if not self._opened:
            self.reset()

    def reset(self) -> None:
        """Remove the registered mocks."""
        super().reset()
        self.passthru_prefixes = self._passed_prefixes

    def __repr__(self) -> str:
        return f"<FakeResponses for {self._engine!r}>"

    def unbound_on_send(self) -> Send:
        """Return the replacement of `requests.adapters.HTTPAdapter.send`."""
        registered: Send = super().unbound_on_send()

        def send(
            adapter: HTTPAdapter, request: requests.PreparedRequest, *args: Any, **options: Any
        ) -> requests.Response:
            url = str(request.url)
            try:
                self._engine.base_urls.locate(url)
            except UnknownURL as unknown:
                if self.registered() or self.passthru_prefixes != self._own_prefixes:
                    return registered(adapter, request, *args, **options)
                raise requests.ConnectionError(str(unknown), request=request) from None
            if any(matches(mock.url, url) for mock in self.registered()):
                return registered(adapter, request, *args, **options)
            return self._send_routed(adapter, request, *args, **options)

        return send

    def _send_routed(
        self, adapter: HTTPAdapter, request: requests.PreparedRequest, *args: Any, **options: Any
    ) -> requests.Response:
        """Send a request to the fake or to a real host; `responses` calls this too."""
        try:
            self._engine.base_urls.locate(str(request.url))
        except UnknownURL:
            target = adapter
        else:
            target = FakeAdapter(self._engine, adapter)
        response: requests.Response = self._send_really(target, request, *args, **options)
        return response


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
            with self._engine.open(head) as cycle:
                self._outcome = feed_and_finish(cycle, chunks)
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


def matches(registered: str | re.Pattern[str], url: str) -> bool:
    """Return whether a mock for a URL or a pattern may match a call; the query is ignored.

    Examples:
        >>> matches("https://api.fake.test:443/users", "https://api.fake.test/users?x=1")
        True
    """
    if isinstance(registered, re.Pattern):
        return registered.match(url) is not None
    return normalize_url(registered.partition("?")[0]) == normalize_url(url.partition("?")[0])


def feed_and_finish(cycle: RequestCycle, chunks: Iterable[bytes | str]) -> FakeResponse:
    """Feed the body of a request to its cycle, and return the response."""
    with suppress(EnoughSent):
        for chunk in chunks:
            cycle.feed(chunk.encode() if isinstance(chunk, str) else bytes(chunk))
    return cycle.finish()


def encode_headers(headers: Mapping[str, str | bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Encode headers; `requests` accepts names and values as text or bytes."""
    for name, value in headers.items():
        yield encode_text(name), encode_text(value)


def encode_text(text: str | bytes) -> bytes:
    """Encode the text of a header as Latin-1, unless it is bytes."""
    return text if isinstance(text, bytes) else text.encode("latin-1")

"""The door for requests: while it is open, every session of `requests` reaches the fake, streaming both ways.

The library `responses` stands in for what sends; the fake's addresses are answered by an adapter of `requests` over
a connection of `urllib3` that ends in the fake. So retries, time limits and errors are those libraries' own.
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
    """A mock of the library `responses` that answers from a fake and reaches nothing else, unless told to.

    Use it as a context manager. Redirects are left to `requests`, which follows them unless told otherwise, and
    drops the bearer on the way to another host. Other hosts can be answered as ever with `responses`:
    ``with fake.responses() as mock: mock.get("https://example.com", …)``; what is registered so at an address of the
    fake's wins over the fake, which then does not know of the call. Calls to the fake are not in ``mock.calls``, which
    would keep their bodies, but in ``fake.journal``. A door that is entered again while it is open stays open until it
    was left as often.

    Args:
        engine: the fake.
        pass_through: whether hosts that are none of the fake's are really called; without it they cannot be reached.

    Raises:
        requests.ConnectionError: on a call to another host; it names the fake's addresses.

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
        requests.exceptions.ConnectionError: https://example.com is none of this fake's addresses: ...
    """

    def __init__(self, engine: Engine, pass_through: bool = False) -> None:
        self._engine = engine
        self._opened = 0
        self._ours = tuple(f"{address}/" for address in engine.addresses)
        self._passed = (*self._ours, *EVERYWHERE) if pass_through else self._ours
        super().__init__(assert_all_requests_are_fired=False, passthru_prefixes=self._passed)
        self._really, self._real_send = self._real_send, self._send_routed

    def start(self) -> None:
        """Open the door, once more if it is open."""
        self._opened += 1
        super().start()

    def stop(self, allow_assert: bool = True) -> None:
        """Close the door, if it was opened no oftener than it has been closed with this."""
        self._opened = max(0, self._opened - 1)
        if not self._opened:
            super().stop(allow_assert)

    def __exit__(self, *failure: object) -> None:
        """Close the door; then also forget what was registered."""
        self.stop()
        if not self._opened:
            self.reset()

    def reset(self) -> None:
        """Forget what was registered for other hosts."""
        super().reset()
        self.passthru_prefixes = self._passed

    def __repr__(self) -> str:
        return f"<FakeResponses for {self._engine!r}>"

    def unbound_on_send(self) -> Send:
        """What stands in for `requests.adapters.HTTPAdapter.send`."""
        registered: Send = super().unbound_on_send()

        def send(
            adapter: HTTPAdapter, request: requests.PreparedRequest, *args: Any, **options: Any
        ) -> requests.Response:
            url = str(request.url)
            try:
                self._engine.addresses.locate(url)
            except UnknownURL as unknown:
                if self.registered() or self.passthru_prefixes != self._ours:
                    return registered(adapter, request, *args, **options)
                raise requests.ConnectionError(str(unknown), request=request) from None
            if any(matches(mock.url, url) for mock in self.registered()):
                return registered(adapter, request, *args, **options)
            return self._send_routed(adapter, request, *args, **options)

        return send

    def _send_routed(
        self, adapter: HTTPAdapter, request: requests.PreparedRequest, *args: Any, **options: Any
    ) -> requests.Response:
        """The answer of the fake, or of a host that is really called; `responses` asks for it too."""
        try:
            self._engine.addresses.locate(str(request.url))
        except UnknownURL:
            answering = adapter
        else:
            answering = FakeAdapter(self._engine, adapter)
        answered: requests.Response = self._really(answering, request, *args, **options)
        return answered


class FakeAdapter(HTTPAdapter):
    """An adapter of `requests` that sends to the fake, with the retries of the adapter it stands in for."""

    def __init__(self, engine: Engine, replaced: HTTPAdapter) -> None:
        super().__init__(max_retries=replaced.max_retries)
        self._engine = engine

    def get_connection_with_tls_context(
        self, request: requests.PreparedRequest, *_tls: Any, **_options: Any
    ) -> "FakePool":
        """The pool of connections to the origin of a request, to which no proxy leads."""
        address = urlsplit(str(request.url))
        return FakePool(
            str(address.hostname), engine=self._engine, origin=f"{address.scheme}://{address.netloc}"
        )

    def cert_verify(self, *_tls: Any) -> None:
        """There is no certificate."""

    def request_url(self, request: requests.PreparedRequest, _proxies: Any) -> str:
        """The path of a request, as for an origin that is reached without a proxy."""
        return str(request.path_url)


class ResponseBody(RawIOBase):
    """The body of an answer, as a connection brings it."""

    def __init__(self, chunks: Iterable[bytes], pace: float, patience: Callable[[float], None]) -> None:
        self._chunks = iter(chunks)
        self._pace = pace
        self._patience = patience
        self._left = memoryview(b"")

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill the buffer, or less; 0 at the end, also where a fault has made that come too early."""
        while not self._left:
            try:
                chunk = next(self._chunks, None)
            except BrokenConnection:  # urllib3 misses the rest by the announced length
                return 0
            if chunk is None:
                return 0
            if self._pace:
                self._patience(self._pace)
            self._left = memoryview(chunk)
        count = min(len(buffer), len(self._left))
        buffer[:count] = self._left[:count]
        self._left = self._left[count:]
        return count


class FakeConnection(HTTPConnection):
    """A connection that ends in a fake; as any other, it breaks with the errors of the operating system."""

    def __init__(self, host: str, *, engine: Engine, origin: str, **options: Any) -> None:
        super().__init__(host, **options)
        self._engine = engine
        self._origin = origin
        self._request_method = ""
        self._outcome: FakeResponse | BrokenConnection | None = None

    @property
    def is_closed(self) -> bool:
        """It is there as soon as it is needed."""
        return False

    def request(  # type: ignore[override]  # how the body is read is up to the response
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
            with self._engine.open(head) as exchange:
                self._outcome = feed_and_finish(exchange, chunks)
        except BrokenConnection as broken:
            if broken.how == "connect_error":
                time.sleep(broken.wait)
                raise NewConnectionError(self, str(broken)) from None
            self._outcome = broken

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]  # urllib3 narrows http.client's the same way
        """The answer.

        Raises:
            OSError: it does not come, or not in time.
        """
        outcome = self._outcome
        if isinstance(outcome, BrokenConnection):
            self._wait(outcome.wait)
            raise BROKEN[outcome.how](str(outcome))
        if outcome is None:
            raise RuntimeError("nothing was asked for on this connection")
        self._wait(outcome.wait)
        return self._build_response(outcome)

    def _wait(self, seconds: float) -> None:
        """Let time pass, for as long as the client is ready to wait."""
        limit = seconds if self.timeout is None else min(seconds, self.timeout)
        if seconds:
            time.sleep(limit)
        if seconds > limit:
            raise TimeoutError("the answer came too late (an injected fault)")

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
    """A pool of such connections."""

    ConnectionCls = FakeConnection


def matches(registered: str | re.Pattern[str], url: str) -> bool:
    """Whether what was registered at an address, or a pattern, may be about a call; the query is not held to.

    Examples:
        >>> matches("https://api.fake.test:443/users", "https://api.fake.test/users?x=1")
        True
    """
    if isinstance(registered, re.Pattern):
        return registered.match(url) is not None
    return normalize_url(registered.partition("?")[0]) == normalize_url(url.partition("?")[0])


def feed_and_finish(exchange: RequestCycle, chunks: Iterable[bytes | str]) -> FakeResponse:
    """The answer to a request, fed with its body in pieces."""
    with suppress(EnoughSent):
        for chunk in chunks:
            exchange.feed(chunk.encode() if isinstance(chunk, str) else bytes(chunk))
    return exchange.finish()


def encode_headers(headers: Mapping[str, str | bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Headers as they go over a wire; `requests` lets names and values be text or bytes."""
    for name, value in headers.items():
        yield encode_text(name), encode_text(value)


def encode_text(text: str | bytes) -> bytes:
    """Text of a header as bytes."""
    return text if isinstance(text, bytes) else text.encode("latin-1")

"""The door for httpx, sync and async in one object, streaming both ways."""

import time
from collections.abc import AsyncIterator, Iterable, Iterator
from math import inf

import httpx

from fakes.addresses import UnknownAddress
from fakes.engine import Engine, Exchange
from fakes.exchange import RequestHead, Response
from fakes.faults import Break, BrokenConnection

__all__ = ["FakeTransport", "Transport"]

Transport = httpx.BaseTransport | httpx.AsyncBaseTransport

BROKEN: dict[Break, type[httpx.TransportError]] = {
    "connect_error": httpx.ConnectError,
    "read_timeout": httpx.ReadTimeout,
    "reset": httpx.ReadError,
    "truncated": httpx.RemoteProtocolError,
}


class FakeTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """An httpx transport that answers from a fake and reaches nothing else, unless told where to pass other hosts on.

    Args:
        engine: the fake.
        pass_through: the transport for hosts that are none of the fake's; without one they cannot be reached.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> httpx.Client(transport=fake.transport()).get("https://example.com")
        Traceback (most recent call last):
        ...
        httpx.ConnectError: https://example.com is none of this fake's addresses: ...
    """

    def __init__(self, engine: Engine, pass_through: Transport | None = None) -> None:
        self._engine = engine
        self._pass_through = pass_through

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request of a `httpx.Client`."""
        try:
            with self._open(request) as exchange:
                for chunk in request.stream:  # type: ignore[union-attr]  # a sync client sends sync streams
                    exchange.feed(chunk)
                response = exchange.finish()
        except UnknownAddress as unknown:
            if isinstance(self._pass_through, httpx.BaseTransport):
                return self._pass_through.handle_request(request)
            raise httpx.ConnectError(str(unknown), request=request) from None
        except BrokenConnection as broken:
            Patience(request).sleep(broken.wait)
            raise BROKEN[broken.how](str(broken), request=request) from None
        if response.wait:
            Patience(request).sleep(response.wait)
        return answer(response, request)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request of a `httpx.AsyncClient`."""
        try:
            with self._open(request) as exchange:
                async for chunk in request.stream:  # type: ignore[union-attr]  # an async client sends async ones
                    exchange.feed(chunk)
                response = await finished(exchange)
        except UnknownAddress as unknown:
            if isinstance(self._pass_through, httpx.AsyncBaseTransport):
                return await self._pass_through.handle_async_request(request)
            raise httpx.ConnectError(str(unknown), request=request) from None
        except BrokenConnection as broken:
            await Patience(request).sleep_async(broken.wait)
            raise BROKEN[broken.how](str(broken), request=request) from None
        if response.wait:
            await Patience(request).sleep_async(response.wait)
        return answer(response, request)

    def _open(self, request: httpx.Request) -> Exchange:
        return self._engine.open(RequestHead(request.method, str(request.url), request.headers.raw))


class Patience:
    """Lets time pass for a client, for as long as it is ready to wait to read something."""

    def __init__(self, request: httpx.Request) -> None:
        self._request = request
        limit = request.extensions.get("timeout", {}).get("read")
        self._limit: float = inf if limit is None else limit

    def sleep(self, seconds: float) -> None:
        """Wait, blocking the thread."""
        time.sleep(min(seconds, self._limit))
        self._end(seconds)

    async def sleep_async(self, seconds: float) -> None:
        """Wait, leaving the event loop to others."""
        from anyio import sleep  # the event loop may be trio's; takes a while to load

        await sleep(min(seconds, self._limit))
        self._end(seconds)

    def _end(self, seconds: float) -> None:
        if seconds > self._limit:
            raise httpx.ReadTimeout("the answer came too late (an injected fault)", request=self._request)


class Chunks(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body in pieces, for either kind of client."""

    def __init__(self, chunks: Iterable[bytes], pace: float, request: httpx.Request) -> None:
        self._chunks = chunks
        self._pace = pace
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._unbroken():
            if self._pace:
                Patience(self._request).sleep(self._pace)
            yield chunk

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._unbroken():
            if self._pace:
                await Patience(self._request).sleep_async(self._pace)
            yield chunk

    def _unbroken(self) -> Iterator[bytes]:
        try:
            yield from self._chunks
        except BrokenConnection as broken:
            raise BROKEN[broken.how](str(broken), request=self._request) from None


async def finished(exchange: Exchange) -> Response:
    """The answer to an exchange; the event loop goes on meanwhile where that may take long."""
    if not exchange.may_wait:
        return exchange.finish()
    from anyio import to_thread  # see `Patience`

    return await to_thread.run_sync(exchange.finish)


def answer(response: Response, request: httpx.Request) -> httpx.Response:
    """The engine's response as httpx has it: a stream always, so that httpx's own clock of the call works."""
    body = response.body
    if not isinstance(body, bytes):
        stream = Chunks(body, response.pace, request)
        return httpx.Response(response.status, headers=response.headers, stream=stream)
    headers = [*response.headers, ("Content-Length", str(len(body)))]
    return httpx.Response(response.status, headers=headers, stream=httpx.ByteStream(body))

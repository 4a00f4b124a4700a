"""The door for httpx, sync and async in one object, streaming both ways."""

from collections.abc import AsyncIterator, Iterable, Iterator

import httpx

from fakes.addresses import UnknownAddress
from fakes.engine import Engine, Exchange
from fakes.exchange import RequestHead, Response

__all__ = ["FakeTransport", "Transport"]

Transport = httpx.BaseTransport | httpx.AsyncBaseTransport


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
            exchange = self._open(request)
        except UnknownAddress as unknown:
            if isinstance(self._pass_through, httpx.BaseTransport):
                return self._pass_through.handle_request(request)
            raise httpx.ConnectError(str(unknown), request=request) from None
        with exchange:
            for chunk in request.stream:  # type: ignore[union-attr]  # a sync client sends sync streams
                exchange.feed(chunk)
            return answer(exchange.finish())

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request of a `httpx.AsyncClient`."""
        try:
            exchange = self._open(request)
        except UnknownAddress as unknown:
            if isinstance(self._pass_through, httpx.AsyncBaseTransport):
                return await self._pass_through.handle_async_request(request)
            raise httpx.ConnectError(str(unknown), request=request) from None
        with exchange:
            async for chunk in request.stream:  # type: ignore[union-attr]  # an async client sends async streams
                exchange.feed(chunk)
            return answer(exchange.finish())

    def _open(self, request: httpx.Request) -> Exchange:
        return self._engine.open(RequestHead(request.method, str(request.url), request.headers.raw))


class Chunks(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body in pieces, for either kind of client."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        yield from self._chunks

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._chunks:
            yield chunk


def answer(response: Response) -> httpx.Response:
    """The engine's response as httpx has it: a stream always, so that httpx's own clock of the call works."""
    body = response.body
    if not isinstance(body, bytes):
        return httpx.Response(response.status, headers=response.headers, stream=Chunks(body))
    headers = [*response.headers, ("Content-Length", str(len(body)))]
    return httpx.Response(response.status, headers=headers, stream=httpx.ByteStream(body))

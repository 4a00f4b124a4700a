"""The door for httpx and its fork httpx2: sync and async in one object, streaming both ways.

The libraries have the same interfaces, so this is written once; `fakes.doors.httpx` and `fakes.doors.httpx2` bind it.
"""

import time
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterable, Iterator
from functools import lru_cache
from math import inf
from types import ModuleType
from typing import Any, ClassVar

from fakes.engine.engine import Engine
from fakes.engine.request_cycle import EnoughSent, RequestCycle
from fakes.faults.kinds import Break, BrokenConnection
from fakes.http.addresses import UnknownURL
from fakes.http.messages import FakeResponse, RequestHead

__all__ = ["StreamedBody", "StreamingTransport"]

BROKEN: dict[Break, str] = {
    "connect_error": "ConnectError",
    "read_timeout": "ReadTimeout",
    "reset": "ReadError",
    "truncated": "RemoteProtocolError",
}
"""The libraries' exception for each way to break a connection."""
PIECE = 256 * 1024
"""The bytes of an upload after which other tasks of the event loop may run."""


class StreamingTransport:
    """The base of the transports for all libraries.

    Args:
        engine: the fake.
        pass_through: the transport for other hosts; without one they cannot be reached. An origin of the fake is never
            passed through: below it, what is not below a base URL gets a 404 with an explanation.

    Raises:
        TypeError: ``pass_through`` is not a transport of the library or, on a call, not for that kind of client.
    """

    library: ClassVar[ModuleType]
    """The module of the client library."""
    body: ClassVar[type["StreamedBody"]]
    """The class of its streamed bodies."""

    def __init__(self, engine: Engine, pass_through: Any = None) -> None:
        kinds = (self.library.BaseTransport, self.library.AsyncBaseTransport)
        if pass_through is not None and not isinstance(pass_through, kinds):
            name = self.library.__name__
            raise TypeError(
                f"pass_through must be a transport of {name}, such as {name}.HTTPTransport(); given {pass_through!r}"
            )
        self._engine = engine
        self._pass_through = pass_through

    def handle_request(self, request: Any) -> Any:
        """Handle a request of a `Client`."""
        try:
            with self._open(request) as cycle:
                try:
                    for chunk in request.stream:
                        cycle.feed(chunk)
                except EnoughSent:
                    pass
                response = cycle.finish()
        except UnknownURL as unknown:
            if unknown.is_own_origin:
                return self._turn_away(request)
            return self._get_pass_through("BaseTransport", unknown, request).handle_request(request)
        except BrokenConnection as broken:
            ReadLimit(request, self.library).sleep(broken.wait)
            raise translate_error(broken, request, self.library) from None
        if response.wait:
            ReadLimit(request, self.library).sleep(response.wait)
        return self._build_response(response, request)

    async def handle_async_request(self, request: Any) -> Any:
        """Handle a request of an `AsyncClient`."""
        try:
            with self._open(request) as cycle:
                await feed(cycle, request.stream)
                response = await finish(cycle)
        except UnknownURL as unknown:
            if unknown.is_own_origin:
                return self._turn_away(request)
            transport = self._get_pass_through("AsyncBaseTransport", unknown, request)
            return await transport.handle_async_request(request)
        except BrokenConnection as broken:
            await ReadLimit(request, self.library).sleep_async(broken.wait)
            raise translate_error(broken, request, self.library) from None
        if response.wait:
            await ReadLimit(request, self.library).sleep_async(response.wait)
        return self._build_response(response, request)

    def close(self) -> None:
        """Close the transport for other hosts, with its `Client`."""
        if isinstance(self._pass_through, self.library.BaseTransport):
            self._pass_through.close()

    async def aclose(self) -> None:
        """Close the transport for other hosts, with its `AsyncClient`."""
        if isinstance(self._pass_through, self.library.AsyncBaseTransport):
            await self._pass_through.aclose()

    def _get_pass_through(self, kind: str, unknown: UnknownURL, request: Any) -> Any:
        """Return the transport for a request to another host."""
        if self._pass_through is None:
            raise self.library.ConnectError(str(unknown), request=request) from None
        if not isinstance(self._pass_through, getattr(self.library, kind)):
            name = self.library.__name__
            raise TypeError(
                f"pass_through is {self._pass_through!r}, but this client needs a {name}.{kind}, such as "
                f"{name}.{kind.replace('Base', 'HTTP')}()"
            ) from None
        return self._pass_through

    def _open(self, request: Any) -> RequestCycle:
        if not isinstance(request, self.library.Request):
            raise TypeError(
                f"this transport is for {self.library.__name__}, but the client is of {type(request).__module__}; "
                'fake.transport() is for httpx, fake.transport(client="httpx2") for httpx2'
            )
        return self._engine.open(make_head(request))

    def _turn_away(self, request: Any) -> Any:
        """Respond to a request to an origin of the fake that is not below any base URL."""
        return self._build_response(self._engine.turn_away(make_head(request)), request)

    def _build_response(self, response: FakeResponse, request: Any) -> Any:
        """Convert a response for the library; always as a stream, so the library can time the call."""
        library, body = self.library, response.body
        if not isinstance(body, bytes):
            stream = self.body(body, response.pace, request, library)
            return library.Response(response.status, headers=response.headers, stream=stream)
        headers = make_headers(library, tuple(response.headers), len(body))
        built = library.Response(response.status, headers=headers, stream=library.ByteStream(body))
        built.headers.encoding = "ascii"  # as `check_field_value` ensures; the library would try all headers
        return built


@lru_cache(maxsize=256)  # most responses have one of a few heads
def make_headers(library: ModuleType, headers: tuple[tuple[str, str], ...], size: int) -> Any:
    """Return headers with the length of the body, for a response of the library, which copies them."""
    return library.Headers([*headers, ("Content-Length", str(size))])


def make_head(request: Any) -> RequestHead:
    """Return the head of a request."""
    return RequestHead(request.method, str(request.url), request.headers.raw)


class ReadLimit:
    """The read timeout of a client: delays wait no longer than that."""

    def __init__(self, request: Any, library: ModuleType) -> None:
        self._request = request
        self._library = library
        limit = request.extensions.get("timeout", {}).get("read")
        self._limit: float = inf if limit is None else limit

    def sleep(self, seconds: float) -> None:
        """Wait, and block the thread."""
        time.sleep(min(seconds, self._limit))
        self._raise_if_late(seconds)

    async def sleep_async(self, seconds: float) -> None:
        """Wait without blocking the event loop."""
        from anyio import sleep  # the event loop may be trio's; slow to import

        await sleep(min(seconds, self._limit))
        self._raise_if_late(seconds)

    def _raise_if_late(self, seconds: float) -> None:
        if seconds > self._limit:
            message = "the response came too late (an injected fault)"
            raise self._library.ReadTimeout(message, request=self._request)


class StreamedBody:
    """A streamed response body, for sync and async clients."""

    def __init__(self, chunks: Iterable[bytes], pace: float, request: Any, library: ModuleType) -> None:
        self._chunks = chunks
        self._pace = pace
        self._request = request
        self._library = library

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._translate_chunks():
            if self._pace:
                ReadLimit(self._request, self._library).sleep(self._pace)
            yield chunk

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._translate_chunks():
            if self._pace:
                await ReadLimit(self._request, self._library).sleep_async(self._pace)
            else:
                await yield_to_others()
            yield chunk

    def _translate_chunks(self) -> Iterator[bytes]:
        try:
            yield from self._chunks
        except BrokenConnection as broken:
            raise translate_error(broken, self._request, self._library) from None


async def feed(cycle: RequestCycle, chunks: AsyncIterable[bytes]) -> None:
    """Feed the body of a request to its cycle; a single small chunk, the usual case, does not yield."""
    started, stream = False, aiter(chunks)
    try:
        async for chunk in stream:
            for piece in (chunk,) if len(chunk) <= PIECE else split_chunk(chunk):
                if started:
                    await yield_to_others()
                cycle.feed(piece)
                started = True
    except EnoughSent:
        pass
    finally:
        if isinstance(stream, AsyncGenerator):
            await stream.aclose()  # trio warns about generators left open


def split_chunk(chunk: bytes) -> Iterator[bytes]:
    """Split a chunk into pieces, so other tasks can run in between."""
    return (chunk[start : start + PIECE] for start in range(0, len(chunk), PIECE))


async def yield_to_others() -> None:
    """Let other tasks run, as network I/O would, so timeouts and cancellation work."""
    from anyio.lowlevel import checkpoint  # see `ReadLimit`

    await checkpoint()


async def finish(cycle: RequestCycle) -> FakeResponse:
    """Return the response, from a thread if it may block the event loop."""
    if not cycle.may_wait:
        return cycle.finish()
    from anyio import to_thread  # see `ReadLimit`

    return await to_thread.run_sync(cycle.finish)


def translate_error(broken: BrokenConnection, request: Any, library: ModuleType) -> Exception:
    """Return the exception of the library for a broken connection."""
    error: Exception = getattr(library, BROKEN[broken.how])(str(broken), request=request)
    return error

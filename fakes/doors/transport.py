"""The door for httpx and for its fork httpx2, sync and async in one object, streaming both ways.

Both have the same shapes, so it is written once; `fakes.doors.httpx` and `fakes.doors.httpx2` build it against either.
"""

import time
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterable, Iterator
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
"""What each way of breaking a connection is called by the libraries."""
PIECE = 256 * 1024
"""The bytes of an upload between two turns of an event loop."""


class StreamingTransport:
    """What the transports of all libraries do.

    Args:
        engine: the fake.
        pass_through: the transport for hosts that are none of the fake's; without one they cannot be reached.

    Raises:
        TypeError: ``pass_through`` is no transport of the library, or, on a call, none for that kind of client.
    """

    library: ClassVar[ModuleType]
    """The module whose requests are answered."""
    body: ClassVar[type["StreamedBody"]]
    """Its kind of streamed body."""

    def __init__(self, engine: Engine, pass_through: Any = None) -> None:
        kinds = (self.library.BaseTransport, self.library.AsyncBaseTransport)
        if pass_through is not None and not isinstance(pass_through, kinds):
            name = self.library.__name__
            raise TypeError(
                f"pass_through is a transport of {name}, such as {name}.HTTPTransport(); given {pass_through!r}"
            )
        self._engine = engine
        self._pass_through = pass_through

    def handle_request(self, request: Any) -> Any:
        """Answer a request of a `Client`."""
        try:
            with self._open(request) as exchange:
                try:
                    for chunk in request.stream:
                        exchange.feed(chunk)
                except EnoughSent:
                    pass
                response = exchange.finish()
        except UnknownURL as unknown:
            return self._get_pass_through("BaseTransport", unknown, request).handle_request(request)
        except BrokenConnection as broken:
            Patience(request, self.library).sleep(broken.wait)
            raise translate_error(broken, request, self.library) from None
        if response.wait:
            Patience(request, self.library).sleep(response.wait)
        return self._build_response(response, request)

    async def handle_async_request(self, request: Any) -> Any:
        """Answer a request of an `AsyncClient`."""
        try:
            with self._open(request) as exchange:
                await feed(exchange, request.stream)
                response = await finish(exchange)
        except UnknownURL as unknown:
            elsewhere = self._get_pass_through("AsyncBaseTransport", unknown, request)
            return await elsewhere.handle_async_request(request)
        except BrokenConnection as broken:
            await Patience(request, self.library).sleep_async(broken.wait)
            raise translate_error(broken, request, self.library) from None
        if response.wait:
            await Patience(request, self.library).sleep_async(response.wait)
        return self._build_response(response, request)

    def close(self) -> None:
        """Close, with a `Client`, what other hosts are passed on to."""
        if isinstance(self._pass_through, self.library.BaseTransport):
            self._pass_through.close()

    async def aclose(self) -> None:
        """Close, with an `AsyncClient`, what other hosts are passed on to."""
        if isinstance(self._pass_through, self.library.AsyncBaseTransport):
            await self._pass_through.aclose()

    def _get_pass_through(self, kind: str, unknown: UnknownURL, request: Any) -> Any:
        """What a request for another host is passed on to."""
        if self._pass_through is None:
            raise self.library.ConnectError(str(unknown), request=request) from None
        if not isinstance(self._pass_through, getattr(self.library, kind)):
            name = self.library.__name__
            raise TypeError(
                f"pass_through is {self._pass_through!r}, and this client is one that needs a {name}.{kind}, such as "
                f"{name}.{kind.replace('Base', 'HTTP')}()"
            ) from None
        return self._pass_through

    def _open(self, request: Any) -> RequestCycle:
        if not isinstance(request, self.library.Request):
            raise TypeError(
                f"this transport is one for {self.library.__name__}, and a client of {type(request).__module__} uses "
                'it; fake.transport() is for httpx, fake.transport(client="httpx2") for httpx2'
            )
        return self._engine.open(RequestHead(request.method, str(request.url), request.headers.raw))

    def _build_response(self, response: FakeResponse, request: Any) -> Any:
        """The engine's response as the library has it: a stream always, so that its own clock of the call works."""
        library, body = self.library, response.body
        if not isinstance(body, bytes):
            stream = self.body(body, response.pace, request, library)
            return library.Response(response.status, headers=response.headers, stream=stream)
        headers = [*response.headers, ("Content-Length", str(len(body)))]
        return library.Response(response.status, headers=headers, stream=library.ByteStream(body))


class Patience:
    """Lets time pass for a client, for as long as it is ready to wait to read something."""

    def __init__(self, request: Any, library: ModuleType) -> None:
        self._request = request
        self._library = library
        limit = request.extensions.get("timeout", {}).get("read")
        self._limit: float = inf if limit is None else limit

    def sleep(self, seconds: float) -> None:
        """Wait, blocking the thread."""
        time.sleep(min(seconds, self._limit))
        self._raise_if_late(seconds)

    async def sleep_async(self, seconds: float) -> None:
        """Wait, leaving the event loop to others."""
        from anyio import sleep  # the event loop may be trio's; takes a while to load

        await sleep(min(seconds, self._limit))
        self._raise_if_late(seconds)

    def _raise_if_late(self, seconds: float) -> None:
        if seconds > self._limit:
            words = "the answer came too late (an injected fault)"
            raise self._library.ReadTimeout(words, request=self._request)


class StreamedBody:
    """A body in pieces, for either kind of client."""

    def __init__(self, chunks: Iterable[bytes], pace: float, request: Any, library: ModuleType) -> None:
        self._chunks = chunks
        self._pace = pace
        self._request = request
        self._library = library

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._translate_chunks():
            if self._pace:
                Patience(self._request, self._library).sleep(self._pace)
            yield chunk

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._translate_chunks():
            if self._pace:
                await Patience(self._request, self._library).sleep_async(self._pace)
            else:
                await yield_to_others()
            yield chunk

    def _translate_chunks(self) -> Iterator[bytes]:
        try:
            yield from self._chunks
        except BrokenConnection as broken:
            raise translate_error(broken, self._request, self._library) from None


async def feed(exchange: RequestCycle, chunks: AsyncIterable[bytes]) -> None:
    """Take the body of a request as it comes; one small piece, as most calls have, costs no turn."""
    begun, coming = False, aiter(chunks)
    try:
        async for chunk in coming:
            for piece in (chunk,) if len(chunk) <= PIECE else split_chunk(chunk):
                if begun:
                    await yield_to_others()
                exchange.feed(piece)
                begun = True
    except EnoughSent:
        await close_stream(coming)
    except BaseException:
        await close_stream(coming)
        raise


async def close_stream(coming: AsyncIterator[bytes]) -> None:
    """Close a body that is not read to its end; trio complains of a generator that is left where it was."""
    if isinstance(coming, AsyncGenerator):
        await coming.aclose()


def split_chunk(chunk: bytes) -> Iterator[bytes]:
    """What a client hands over at once, in pieces after which others may have their turn."""
    return (chunk[start : start + PIECE] for start in range(0, len(chunk), PIECE))


async def yield_to_others() -> None:
    """Let others have their turn, as a network does: time limits are met, and calls can be cancelled."""
    from anyio.lowlevel import checkpoint  # see `Patience`

    await checkpoint()


async def finish(exchange: RequestCycle) -> FakeResponse:
    """The answer to an exchange; the event loop goes on meanwhile where that may take long."""
    if not exchange.may_wait:
        return exchange.finish()
    from anyio import to_thread  # see `Patience`

    return await to_thread.run_sync(exchange.finish)


def translate_error(broken: BrokenConnection, request: Any, library: ModuleType) -> Exception:
    """A broken connection as the library knows it."""
    error: Exception = getattr(library, BROKEN[broken.how])(str(broken), request=request)
    return error

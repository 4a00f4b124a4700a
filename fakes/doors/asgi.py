"""The door for ASGI servers and apps; it streams both ways, so no upload or download is held in memory.

A request: the layout finds its URL, `feed` gives the body to a cycle of the engine as far as it is needed, `_finish`
gets the response and has its changes saved, and `respond` sends it. A fault may break the connection instead
(`break_connection`), and a client may go at any time (`Disconnected`).
"""

from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from logging import getLogger
from math import inf
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from fakes.doors.layout import Layout
from fakes.engine.budget import BudgetSpent
from fakes.engine.engine import Engine
from fakes.engine.request_cycle import EnoughSent, RequestCycle
from fakes.faults.kinds import BrokenConnection
from fakes.http.addresses import UnknownURL
from fakes.http.messages import FakeResponse, RequestHead
from fakes.persistence import NotSaved
from fakes.rulebook.rules import AssumptionRefused

if TYPE_CHECKING:
    from fakes.doors.connection import HTTPConnection

__all__ = ["CONNECTION", "AsgiDoor"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

CONNECTION = "fakes.connection"
"""The ASGI extension that lets this door break a connection; its value is a `fakes.doors.connection.HTTPConnection`."""
JSON = ("Content-Type", "application/json; charset=UTF-8")
WITHOUT_LENGTH = frozenset({204, 304})
LOGGER = getLogger("fakes")


class Disconnected(Exception):
    """Raised when the client disconnected."""


class AsgiDoor:
    """An ASGI app that serves a fake, with its five areas under path prefixes: ``/api``, ``/auth`` and so on.

    URLs in responses (``uploadUrl``, ``Location``) are those of the ``layout``, whatever the request says. Without one,
    as for an app mounted into another, they follow the request: its scheme, its ``Host`` header (without one, the
    server's own name), and the prefix the app is mounted at (``root_path``). The surrounding app must then refuse
    other hosts, for example with Starlette's ``TrustedHostMiddleware``.

    An app cannot break a connection by itself. If the server has the extension ``fakes.connection``, as the fake's
    own server does, faults use it: a reset and a refused connection become a TCP reset (a refused one before any of
    the body is read, although the connection was accepted), and a truncated body ends with the connection. On other
    servers the app raises `BrokenConnection`, for which they respond with 500, or close the connection if the body
    has started. For a read timeout no response is sent until the client disconnects; a client without a timeout waits
    forever.

    Under ``assumptions="refuse"`` a response that would rest on an assumption becomes a 500 that says so. A call
    beyond `FakeService.budget` gets a 503. If changes cannot be saved, the response is a 507 that says why. The admin
    interface, which may wait for the receivers of callbacks, runs in threads. The event loop may be trio's.

    Args:
        engine: the fake.
        layout: the base URLs of the areas.
        threads: the maximum number of anyio threads in the event loop, for admin calls and other work; if omitted,
            anyio's default, which is 40.

    Examples:
        >>> import asyncio, httpx
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> async def call():
        ...     transport = httpx.ASGITransport(fake.asgi)
        ...     async with httpx.AsyncClient(transport=transport, base_url="http://fake") as http:
        ...         return await http.patch("/api/users/u-001", json={})
        >>> asyncio.run(call())
        <Response [401 Unauthorized]>
    """

    def __init__(
        self,
        engine: Engine,
        layout: Layout | None = None,
        *,
        threads: int | None = None,
    ) -> None:
        self._engine = engine
        self._layout = layout or Layout()
        self._threads = threads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request or lifespan event; refuse WebSockets."""
        if scope["type"] == "http":
            try:
                await self._respond(scope, receive, send)
            except Disconnected:
                return
            except BrokenConnection as broken:
                if broken.settle is not None:
                    await broken.settle()
                await break_connection(broken, scope, receive)
        elif scope["type"] == "lifespan":
            await handle_lifespan(receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        at, base_urls = self._layout.find(scope)
        query = scope["query_string"].decode("latin-1")
        url = f"{at}?{query}" if query else at
        head = RequestHead(scope["method"], url, scope["headers"])
        try:
            with self._engine.open(head, base_urls) as cycle:
                await feed(cycle, scope, receive)
                response = await self._finish(cycle)
        except UnknownURL:
            response = self._engine.turn_away(head, base_urls)
        except AssumptionRefused as refused:
            response = make_error(500, "ASSUMPTION_REFUSED", str(refused))
        except BudgetSpent as spent:
            response = make_error(503, "BUDGET_SPENT", str(spent))
        except NotSaved as error:
            response = make_error(507, "NOT_SAVED", str(error))
        if scope["method"] == "HEAD":  # for the responses of this door itself
            response = response.head_only()
        await wait(scope, receive, response.wait)
        await respond(response, scope, receive, send)

    async def _finish(self, cycle: RequestCycle) -> FakeResponse:
        try:
            if cycle.may_wait:
                from anyio import to_thread  # slow to import, as in `wait`

                if self._threads is not None:  # set here, as the limit belongs to the event loop that runs
                    to_thread.current_default_thread_limiter().total_tokens = self._threads
                return await to_thread.run_sync(cycle.finish, abandon_on_cancel=True)
            return cycle.finish()
        except Exception as error:
            if cycle.failure is None:
                raise
            LOGGER.error("a stub failed", exc_info=error)
            return cycle.failure
        finally:
            if cycle.settle is not None:
                await cycle.settle()


async def feed(cycle: RequestCycle, scope: Scope, receive: Receive) -> None:
    """Feed the body of a request to its cycle, as far as it is needed.

    Raises:
        Disconnected: the client disconnected before the end of the body.
        NotSaved: there is no room for it.
    """
    more = True
    with suppress(EnoughSent):
        cycle.expect(get_length(scope))
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Disconnected
            body = message.get("body", b"")
            if body:
                feed_piece(cycle, body)
            more = message.get("more_body", False)


def feed_piece(cycle: RequestCycle, piece: bytes) -> None:
    """Feed a piece of a body to the cycle of its request.

    Raises:
        EnoughSent: the rest is not needed.
        NotSaved: there is no room for it.
    """
    try:
        cycle.feed(piece)
    except NotSaved:  # an OSError too, which already says what to do
        raise
    except OSError as error:
        advice = "nothing was changed: free some space on its disk, and send it again"
        raise NotSaved(f"content could not be written as it arrived ({error})", advice) from None


def get_length(scope: Scope) -> int:
    """Return the Content-Length of a request, or 0 without one.

    Examples:
        >>> get_length({"headers": [(b"content-length", b"10")]}), get_length({"headers": []})
        (10, 0)
    """
    length = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    return int(length) if length.isdigit() else 0


async def respond(response: FakeResponse, scope: Scope, receive: Receive, send: Send) -> None:
    """Send a response.

    Raises:
        Disconnected: the client disconnected meanwhile.
    """
    body = response.body
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in response.headers]
    if isinstance(body, bytes) and response.status not in WITHOUT_LENGTH:
        headers.append((b"content-length", str(len(body)).encode()))
    await deliver(send, {"type": "http.response.start", "status": response.status, "headers": headers})
    if isinstance(body, bytes):
        await deliver(send, {"type": "http.response.body", "body": body})
        return
    for chunk in body:
        await wait(scope, receive, response.pace)
        await deliver(send, {"type": "http.response.body", "body": chunk, "more_body": True})
        await yield_to_others(receive)
    await deliver(send, {"type": "http.response.body", "body": b""})


async def deliver(send: Send, message: Message) -> None:
    """Send one message of a response.

    Raises:
        Disconnected: the client disconnected, which some servers report as an `OSError`.
    """
    try:
        await send(message)
    except OSError:
        raise Disconnected from None


async def break_connection(broken: BrokenConnection, scope: Scope, receive: Receive) -> None:
    """Break the connection as a fault requires, as far as the server supports it."""
    try:
        await wait(scope, receive, broken.wait)
        if broken.how == "read_timeout":
            await wait(scope, receive, None)  # ends only with `Disconnected`
    except Disconnected:
        return
    connection = get_connection(scope)
    if connection is None:
        raise broken
    if broken.how == "truncated":
        connection.close()
    else:
        connection.reset()


def get_connection(scope: Scope) -> "HTTPConnection | None":
    """Return the connection of a request, if the server has the extension."""
    connection: HTTPConnection | None = (scope.get("extensions") or {}).get(CONNECTION)
    return connection


async def wait(scope: Scope, receive: Receive, seconds: float | None) -> None:
    """Wait for some seconds, or forever if None.

    Raises:
        Disconnected: the client disconnected meanwhile.
    """
    if seconds == 0:
        return
    connection = get_connection(scope)
    if seconds is None and connection is not None and connection.half_closed:
        connection.close()
        raise Disconnected
    try:
        if connection is not None:
            connection.idle = inf if seconds is None else seconds
        await wait_for_disconnect(receive, seconds)
    finally:
        if connection is not None:
            connection.idle = 0


async def yield_to_others(receive: Receive) -> None:
    """Let other tasks run, and check for a disconnect: not every server waits in `send`.

    Raises:
        Disconnected: the client has disconnected.
    """
    from anyio import lowlevel

    await lowlevel.checkpoint()
    await wait_for_disconnect(receive, 0)


async def wait_for_disconnect(receive: Receive, seconds: float | None) -> None:
    """Watch for a disconnect for some seconds, or forever if None.

    Raises:
        Disconnected: the client has disconnected.
    """
    from anyio import move_on_after

    with move_on_after(seconds):
        while (await receive())["type"] != "http.disconnect":
            pass
        raise Disconnected


async def handle_lifespan(receive: Receive, send: Send) -> None:
    """Acknowledge the start and the stop of a server; neither needs any work."""
    while True:
        message = await receive()
        await send({"type": message["type"] + ".complete"})
        if message["type"] == "lifespan.shutdown":
            return


def make_error(status: int, code: str, description: str) -> FakeResponse:
    """Return an error of the door itself, in the format of the resource API."""
    return FakeResponse(status, [JSON], to_json({"code": code, "description": description}))

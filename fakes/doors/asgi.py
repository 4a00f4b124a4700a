"""The door for ASGI servers and apps, streaming both ways: an upload and a download are never whole in memory."""

import re
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Protocol
from urllib.parse import quote

from pydantic_core import to_json

from fakes.engine.engine import Engine
from fakes.engine.request_cycle import EnoughSent, RequestCycle
from fakes.faults.kinds import BrokenConnection
from fakes.http.addresses import Addresses, UnknownURL
from fakes.http.messages import FakeResponse, RequestHead
from fakes.rulebook.rules import AssumptionRefused
from fakes.store.group_commit import NotSaved

__all__ = ["CONNECTION", "AsgiDoor", "ServerConnection"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

CONNECTION = "fakes.connection"
"""The ASGI extension by which a server lets this door break a connection; its value is a `ServerConnection`."""
ABSOLUTE = re.compile(r"https?://([^/]*)", re.IGNORECASE)
"""How a request target in absolute form begins, which every server has to accept (RFC 9112 3.2.2)."""
HOST = re.compile(r"[A-Za-z0-9._-]+(:\d+)?|\[[0-9A-Fa-f:.]+\](:\d+)?")
IN_PATHS = "/%:@!$&'()*+,;=~"
JSON = ("Content-Type", "application/json; charset=UTF-8")
WITHOUT_LENGTH = frozenset({204, 304})


class ServerConnection(Protocol):
    """What a server lets this door do to the connection of a request.

    Attributes:
        idle: whether the door only lets time pass, so that a server which stops need not wait for it.
    """

    idle: bool

    def reset(self) -> None:
        """Break the connection at once, and lose what is still on its way."""

    def close(self) -> None:
        """Close the connection after what was sent."""


class Disconnected(Exception):
    """The client went away."""


class AsgiDoor:
    """An ASGI app that answers from a fake, its five areas under path prefixes: ``/api``, ``/auth`` and so on.

    The addresses that answers give out (``uploadUrl``, ``Location``) are those of ``base``, whatever the request
    says. Without ``base``, as for an app mounted into another, they follow the request: its scheme, its ``Host``
    header, or the server's own name where there is none, and the prefix it is mounted at (``root_path``). Then it is
    up to the app around it to refuse other hosts, such as with Starlette's ``TrustedHostMiddleware``.

    An app cannot break a connection by itself. Where the server has the extension ``fakes.connection``, as the
    fake's own has, faults do so: a reset and a refused connection are a TCP reset (refused before any of the body is
    read; the connection itself was accepted), a truncated body ends with the connection. Elsewhere the app raises
    `BrokenConnection`, which servers answer with 500, or by closing the connection once the body has begun. For a
    read timeout no answer is sent until the client goes away; a client without a timeout waits for ever.

    Under ``assumptions="refuse"`` an answer that would rest on an assumption is a 500 that says so; one whose changes
    cannot be saved is a 507 that says why. The admin interface, which may wait for the receivers of callbacks, runs in
    threads. The event loop may be trio's.

    Args:
        engine: the fake.
        base: the address, without a slash at its end, under which this app is reached.
        settle: awaited before each answer is sent; for keeping what the answer acknowledges.
        threads: how many threads there may be for admin calls in the event loop, with what else uses anyio's;
            omitted, as many as anyio has it, which is 40.

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
        base: str | None = None,
        *,
        settle: Callable[[], Awaitable[None]] | None = None,
        threads: int | None = None,
    ) -> None:
        self._engine = engine
        self._addresses = None if base is None else Addresses.under(base)
        self._base = base
        self._settle = settle
        self._threads = threads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; take part in the server's start and stop; refuse WebSockets."""
        if scope["type"] == "http":
            try:
                await self._answer(scope, receive, send)
            except Disconnected:
                return
            except BrokenConnection as broken:
                await break_connection(broken, scope, receive)
        elif scope["type"] == "lifespan":
            await handle_lifespan(receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = strip_root(scope)
        base = self._base or get_base(scope)
        addresses = self._addresses or get_addresses(base)
        query = scope["query_string"].decode("latin-1")
        url = f"{base}{path}?{query}" if query else base + path
        try:
            with self._engine.open(
                RequestHead(scope["method"], url, scope["headers"]), addresses
            ) as exchange:
                await feed(exchange, scope, receive)
                response = await self._finish(exchange)
        except UnknownURL:
            response = make_not_found(path, addresses)
        except AssumptionRefused as refused:
            response = make_error(500, "ASSUMPTION_REFUSED", str(refused))
        except NotSaved as failed:
            response = make_error(507, "NOT_SAVED", str(failed))
        if scope["method"] == "HEAD":  # the answers of this door itself are meant
            response = response.head_only()
        await wait(scope, receive, response.wait)
        await respond(response, scope, receive, send)

    async def _finish(self, exchange: RequestCycle) -> FakeResponse:
        try:
            if exchange.may_wait:
                from anyio import to_thread  # takes a while to load, as in `wait`

                if self._threads is not None:
                    to_thread.current_default_thread_limiter().total_tokens = self._threads
                return await to_thread.run_sync(exchange.finish, abandon_on_cancel=True)
            return exchange.finish()
        finally:
            if self._settle is not None:
                await self._settle()


def get_root(scope: Scope) -> str:
    """The prefix an app is mounted at, as it stands in a URL; servers decode it.

    Examples:
        >>> get_root({"root_path": "/caf\u00e9 au lait/"})
        '/caf%C3%A9%20au%20lait'
    """
    return quote(scope.get("root_path", ""), safe=IN_PATHS).rstrip("/")


def get_target(scope: Scope) -> str:
    """What a request was sent for, without its query: a path, or in absolute form a URL."""
    raw = scope.get("raw_path")
    target: str = quote(scope["path"], safe=IN_PATHS) if raw is None else raw.decode("latin-1")
    return target


def strip_origin(target: str) -> str:
    """The path of a request target."""
    absolute = ABSOLUTE.match(target)
    return target if absolute is None else target[absolute.end() :] or "/"


def strip_root(scope: Scope) -> str:
    """The path of a request below the prefix its app is mounted at, as it was sent.

    Examples:
        >>> strip_root({"root_path": "/fake", "path": "/fake/api/a b", "raw_path": b"/fake/api/a%20b"})
        '/api/a%20b'
        >>> strip_root({"root_path": "/fake", "path": "/fakes"})
        '/fakes'
        >>> strip_root({"path": "http://127.0.0.1:8000/api/users"})
        '/api/users'
    """
    root, path = get_root(scope), strip_origin(get_target(scope))
    return path[len(root) :] if path.startswith(root + "/") or path == root else path


def get_base(scope: Scope) -> str:
    """The address a request was made to, as far as its app can know.

    Examples:
        >>> scope = {"scheme": "https", "server": ("10.0.0.1", 443), "root_path": "/fake", "path": "/fake/api"}
        >>> get_base(scope | {"headers": [(b"host", b"example.com:8443")]})
        'https://example.com:8443/fake'
        >>> get_base(scope | {"headers": [(b"host", b"example.com/x?")]})
        'https://10.0.0.1/fake'
    """
    scheme, named = scope.get("scheme", "http"), ABSOLUTE.match(get_target(scope))
    if named is not None:  # then the header counts for nothing
        given = named[1]
    else:
        given = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1")
    if not HOST.fullmatch(given):
        name, port = scope.get("server") or ("localhost", None)
        name = f"[{name}]" if ":" in name else name
        default = port is None or port == {"http": 80, "https": 443}.get(scheme)
        given = name if default else f"{name}:{port}"
    return f"{scheme}://{given}{get_root(scope)}"


@lru_cache(maxsize=32)
def get_addresses(base: str) -> Addresses:
    """The addresses of the areas under one; the same object for the same address."""
    return Addresses.under(base)


async def feed(exchange: RequestCycle, scope: Scope, receive: Receive) -> None:
    """Take as much of the body of a request as is wanted, as it comes; none of it where its head says enough.

    Raises:
        Disconnected: the client went away before its end.
    """
    more = True
    with suppress(EnoughSent):
        exchange.expect(get_length(scope))
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Disconnected
            body = message.get("body", b"")
            if body:
                exchange.feed(body)
            more = message.get("more_body", False)


def get_length(scope: Scope) -> int:
    """The Content-Length of a request; 0 where it has none.

    Examples:
        >>> get_length({"headers": [(b"content-length", b"10")]}), get_length({"headers": []})
        (10, 0)
    """
    length = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    return int(length) if length.isdigit() else 0


async def respond(response: FakeResponse, scope: Scope, receive: Receive, send: Send) -> None:
    """Send an answer.

    Raises:
        Disconnected: the client went away meanwhile.
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
    """Send one message of an answer.

    Raises:
        Disconnected: the client went away, which a server may tell by an `OSError`.
    """
    try:
        await send(message)
    except OSError:
        raise Disconnected from None


async def break_connection(broken: BrokenConnection, scope: Scope, receive: Receive) -> None:
    """Do to the client what a fault asks for, as far as the server lets us."""
    try:
        await wait(scope, receive, broken.wait)
        if broken.how == "read_timeout":
            await wait(scope, receive, None)
    except Disconnected:
        return
    connection = get_connection(scope)
    if connection is None:
        raise broken
    if broken.how == "truncated":
        connection.close()
    else:
        connection.reset()


def get_connection(scope: Scope) -> ServerConnection | None:
    """The connection of a request, where the server lets us have it."""
    connection: ServerConnection | None = (scope.get("extensions") or {}).get(CONNECTION)
    return connection


async def wait(scope: Scope, receive: Receive, seconds: float | None) -> None:
    """Let so many seconds pass, None for ever.

    Raises:
        Disconnected: the client went away meanwhile.
    """
    if seconds == 0:
        return
    connection = get_connection(scope)
    try:
        if connection is not None:
            connection.idle = True
        await wait_for_disconnect(receive, seconds)
    finally:
        if connection is not None:
            connection.idle = False


async def yield_to_others(receive: Receive) -> None:
    """Let other requests have their turn, and the connection its end: a server need not wait in `send`.

    Raises:
        Disconnected: the client has gone away.
    """
    from anyio import lowlevel

    await lowlevel.checkpoint()
    await wait_for_disconnect(receive, 0)


async def wait_for_disconnect(receive: Receive, seconds: float | None) -> None:
    """Watch for the end of the connection for so many seconds, None for ever.

    Raises:
        Disconnected: the client has gone away.
    """
    from anyio import move_on_after

    with move_on_after(seconds):
        while (await receive())["type"] != "http.disconnect":
            pass
        raise Disconnected


async def handle_lifespan(receive: Receive, send: Send) -> None:
    """Take part in the start and the stop of a server; there is nothing to do at either."""
    while True:
        message = await receive()
        await send({"type": message["type"] + ".complete"})
        if message["type"] == "lifespan.shutdown":
            return


def make_not_found(path: str, addresses: Addresses) -> FakeResponse:
    """The answer outside all areas."""
    there = f"{addresses.api}, {addresses.auth}, {addresses.storage}, {addresses.hooks} and {addresses.admin}"
    return make_error(404, "NOT_FOUND", f"there is nothing at {path}; this fake answers under {there}")


def make_error(status: int, code: str, description: str) -> FakeResponse:
    """An error of the door itself, worded as the resource API words its own."""
    return FakeResponse(status, [JSON], to_json({"code": code, "description": description}))

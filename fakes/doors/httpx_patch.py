"""The door for every client of httpx and its fork httpx2: while it is open, they reach the fake without being told.

It replaces the methods of the libraries' own transports that send a request. Doors may be opened and closed in any
order, and in several threads: each keeps what it found, and a closed door that another replacement covers only passes
requests on.
"""

from collections.abc import Callable, Collection, Iterator
from importlib import import_module
from importlib.util import find_spec
from threading import RLock
from typing import Any, Self

from fakes.doors.pass_through import PassThrough, bind, is_own, make_refusal, serves
from fakes.doors.transport import StreamingTransport
from fakes.engine.engine import Engine
from fakes.http.addresses import UnknownURL
from fakes.parts.receivers import DELIVERY

__all__ = ["FakeHttpx"]

Method = Callable[..., Any]
Place = tuple[type, str]
"""A class, and the name of its method."""

LIBRARIES = ("httpx", "httpx2")
REPLACED = (
    ("HTTPTransport", "ConnectionPool", "handle_request"),
    ("AsyncHTTPTransport", "AsyncConnectionPool", "handle_async_request"),
)
"""A library's own transports, what these call in turn, which respx replaces, and the method of both: sync and async."""

_lock = RLock()


class FakeHttpx:
    """A context within which every client of httpx reaches a fake, sync and async, whoever made it and when.

    So does every client of httpx2, if it is installed: authlib and Starlette's ``TestClient`` then use it.

    It replaces the sending of httpx's own transports, ``httpx.HTTPTransport`` and ``httpx.AsyncHTTPTransport``. So it
    catches ``httpx.post(…)``, clients with proxies or ``verify=``, and transports that call httpx's own. It doesn't
    catch clients with another transport, such as ``MockTransport``, ``ASGITransport`` or ``WSGITransport``, nor those
    of other libraries, nor the events that a fake sends to the URL of a bot.

    Mocks around it stay: a request that is not for the fake goes to them, and they respond or refuse. Without mocks,
    other hosts are refused unless ``pass_through`` names them. What records or measures requests, such as a cassette
    of vcrpy, is not a mock: it gets the requests that are passed through.

    Blocks can be nested, with other fakes too: the innermost fake that has the URL responds.

    Args:
        engine: the fake.
        pass_through: the names of other hosts that are really called, such as ``["example.com"]``, or True for all.
            An origin of the fake is never called: below it, what no base URL has gets a 404 with an explanation.

    Raises:
        ValueError: ``pass_through`` is something else.
        httpx.ConnectError: on a call to another host; it names the base URLs of the fake.

    Examples:
        >>> import httpx
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> with fake.httpx():
        ...     httpx.post(fake.facts["webhooks"][0], json={"body": {"text": "hello"}}).json()
        {'code': 200, 'description': 'success'}
        >>> with fake.httpx():
        ...     httpx.get("https://example.com")
        Traceback (most recent call last):
        ...
        httpx.ConnectError: https://example.com is not served by this fake, ...
    """

    def __init__(self, engine: Engine, pass_through: bool | Collection[str]) -> None:
        self._engine = engine
        self._passed = PassThrough(pass_through)  # which hosts the network may be reached at while it is open
        self._opened = 0  # the number of `with` blocks in which it is open
        self._patches: tuple[_Patch, ...] = ()

    def __enter__(self) -> Self:
        """Open the door, or count one more entry if it is open."""
        with _lock:
            self._opened += 1
            if self._opened == 1:
                self._passed.open()
                self._patches = tuple(
                    _Patch(transport, self._engine, *kind)
                    for transport in _make_transports(self._engine)
                    for kind in REPLACED
                )
        return self

    def __exit__(self, *_failure: object) -> None:
        """Close the door if this matches the first entry."""
        with _lock:
            self._opened -= 1
            if not self._opened:
                self._passed.close()
                for patch in self._patches:
                    patch.close()

    def __repr__(self) -> str:
        return f"<FakeHttpx for {self._engine!r}>"


def _make_transports(engine: Engine) -> Iterator[StreamingTransport]:
    """Yield a transport for each library that is installed."""
    for name in LIBRARIES:
        if find_spec(name) is not None:
            yield import_module(f"fakes.doors.{name}").FakeTransport(engine)


class _Patch:
    """The replacement of one method, and what was there before.

    Args:
        transport: the door to the fake.
        engine: the fake.
        owner, pool, name: one of `REPLACED`.
    """

    def __init__(
        self, transport: StreamingTransport, engine: Engine, owner: str, pool: str, name: str
    ) -> None:
        library = transport.library
        core = import_module(library.__name__.replace("httpx", "httpcore"))
        self._place: Place = (getattr(library, owner), name)
        self._below: Place = (getattr(core, pool), name)
        self._transport = transport
        self._engine = engine
        self._is_open = True
        self._previous: Method = vars(self._place[0])[name]
        setattr(*self._place, self._make_method(name))

    def close(self) -> None:
        """Restore what was there before, also for closed ones below; if something else is on top, only step aside."""
        self._is_open = False
        owner, name = self._place
        top = get_patch(vars(owner)[name])
        while top is not None and not top._is_open:
            setattr(owner, name, top._previous)
            top = get_patch(top._previous)

    def _make_method(self, name: str) -> Method:
        """Return the method that sends to the fake, or to what was there before."""

        def choose(transport: Any, request: Any) -> Method:
            to_fake: Method = getattr(self._transport, name)
            return to_fake if self._serves(request) else bind(self._previous, transport)

        def handle_request(transport: Any, request: Any) -> Any:
            return choose(transport, request)(request)

        async def handle_async_request(transport: Any, request: Any) -> Any:
            return await choose(transport, request)(request)

        method: Method = handle_request if name == "handle_request" else handle_async_request
        method.fake_patch = self  # type: ignore[attr-defined]
        return method

    def _serves(self, request: Any) -> bool:
        """Return whether a request is for the fake.

        Raises:
            ConnectError: it is for another host, which it must not reach.
        """
        if not self._is_open or DELIVERY in request.extensions:
            return False
        url = str(request.url)
        try:
            return serves(self._engine.base_urls, url, self._is_last)
        except UnknownURL as unknown:
            raise self._transport.library.ConnectError(make_refusal(unknown, url), request=request) from None

    def _is_last(self) -> bool:
        """Return whether the network comes next: no mock, and no door that decides."""
        previous = self._previous
        while (patch := get_patch(previous)) is not None:
            if patch._is_open:
                return False
            previous = patch._previous
        pool, name = self._below
        return is_own(previous, self._place[0]) and is_own(vars(pool)[name], pool)


def get_patch(method: Method) -> _Patch | None:
    """Return the replacement that a method belongs to, if it is one of ours."""
    patch = getattr(method, "fake_patch", None)
    return patch if isinstance(patch, _Patch) else None

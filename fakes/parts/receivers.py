"""Receivers of a bot's callbacks: a Python function, an ASGI or WSGI app, an httpx transport, or a real URL.

A receiver runs in its own thread. So it may call the fake, an event loop may run where the message is sent, and a
receiver that does not respond in time is abandoned. If Python has no threads (in a browser), functions and WSGI apps
run in the calling thread without a time limit, and ASGI apps only if no event loop runs.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from contextvars import copy_context
from http import HTTPStatus
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable
from urllib.parse import urlsplit

from svckit.models.phrases import describe_given

if TYPE_CHECKING:
    import httpx

__all__ = [
    "DELIVERY",
    "AsgiReceiver",
    "CallbackReceiver",
    "FunctionReceiver",
    "HttpReceiver",
    "Target",
    "TimedOut",
    "WsgiReceiver",
    "call_receiver",
    "make_receiver",
]

HOST = "https://bot.test"
DELIVERY = "fakes.delivery"
"""The extension of httpx requests that a fake sends itself; doors for the requests of clients leave them alone."""
HIGHEST_PORT = 65535
_PORT = re.compile(r":([^:@\]]+)\Z")


@runtime_checkable
class CallbackReceiver(Protocol):
    """A receiver of callbacks."""

    def receive(self, headers: Mapping[str, str], body: bytes, seconds: float | None) -> int:
        """Receive one callback within a number of seconds, and return the HTTP status of the response."""
        ...


Function: TypeAlias = Callable[[Mapping[str, str], bytes], int | None]
Target: TypeAlias = CallbackReceiver | Function | str | None
"""The target a bot is connected to: a receiver, a function of headers and body, a URL, or None."""


class TimedOut(Exception):
    """The receiver did not respond in time."""


class FunctionReceiver:
    """A function of the headers and the exact body that returns an HTTP status; None means 200.

    Raises:
        TypeError: it does not take these two; the message says how to connect an ASGI or WSGI app.

    Examples:
        >>> def app(environ, start_response): ...
        >>> FunctionReceiver(app)
        Traceback (most recent call last):
        ...
        TypeError: app looks like a WSGI app; connect it as WsgiReceiver(app)
    """

    def __init__(self, function: Function) -> None:
        name = get_name(function)
        if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__):
            raise TypeError(
                f"{name} is asynchronous: connect an ASGI app as AsgiReceiver({name}), or a plain function"
            )
        try:
            signature = inspect.signature(function)
        except ValueError:  # some built-in functions have no signature
            signature = inspect.signature(lambda headers, body: None)
        if next(iter(signature.parameters), "") == "environ":
            raise TypeError(f"{name} looks like a WSGI app; connect it as WsgiReceiver({name})")
        try:
            signature.bind({}, b"")
        except TypeError:
            raise TypeError(f"a receiver must take (headers, body); {name} takes {signature}") from None
        self.function = function

    def receive(self, headers: Mapping[str, str], body: bytes, seconds: float | None) -> int:
        """Call the function."""
        status = self.function(dict(headers), body)
        return HTTPStatus.OK if status is None else status

    def __repr__(self) -> str:
        return f"<FunctionReceiver: {get_name(self.function)}>"


class HttpReceiver:
    """A receiver at a URL, reached over the network or through an httpx transport.

    The request has only the described headers and those that HTTP itself needs. Redirects are not followed, the
    response body is not read, and the proxies of the environment are not used.

    Args:
        url: an absolute ``http`` or ``https`` URL.
        transport: an httpx transport, sync or async, which stays open; if omitted, the network.

    Raises:
        ValueError: this is not such a URL.

    Examples:
        >>> HttpReceiver("http://127.0.0.1:9000/callback?key=hidden")
        <HttpReceiver: http://127.0.0.1:9000/callback>
        >>> HttpReceiver("ftp://127.0.0.1/callback")
        Traceback (most recent call last):
        ...
        ValueError: a callback URL must be an absolute http or https URL, such as
        http://127.0.0.1:9000/callback; given one that begins with 'ftp:'
    """

    def __init__(
        self, url: str, transport: "httpx.BaseTransport | httpx.AsyncBaseTransport | None" = None
    ) -> None:
        check_url(url)
        self.url = url
        self.transport = transport

    @property
    def encrypted(self) -> bool:
        """True if this is an ``https`` URL."""
        return urlsplit(self.url).scheme == "https"

    def receive(self, headers: Mapping[str, str], body: bytes, seconds: float | None) -> int:
        """Post the callback."""
        import httpx  # a tenth of the start of a served fake, which may have no receiver

        extensions = {"timeout": httpx.Timeout(seconds).as_dict(), DELIVERY: True}
        request = httpx.Request("POST", self.url, headers=dict(headers), content=body, extensions=extensions)
        try:
            if self.transport is None:
                with httpx.HTTPTransport(verify=self.encrypted) as network:  # loading certificates takes long
                    return post(network, request)
            if isinstance(self.transport, httpx.BaseTransport):
                return post(self.transport, request)
            import asyncio  # slow to import

            check_no_loop()
            return asyncio.run(post_async(self.transport, request, seconds))
        except (TimeoutError, httpx.TimeoutException) as late:
            raise TimedOut from late

    def __repr__(self) -> str:
        scheme, _, rest = self.url.partition("://")
        host, slash, path = re.split("[?#]", rest, maxsplit=1)[0].partition("/")
        return f"<{type(self).__name__}: {scheme}://{host.rpartition('@')[2]}{slash}{path}>"


class AsgiReceiver(HttpReceiver):
    """An ASGI app; its lifespan events are not sent.

    Args:
        app: the app, such as a Starlette or FastAPI app.
        path: the path that receives the callbacks.
    """

    def __init__(self, app: Any, path: str = "/callback") -> None:
        import httpx

        super().__init__(HOST + path, httpx.ASGITransport(app))


class WsgiReceiver(HttpReceiver):
    """A WSGI app.

    Args:
        app: the app, such as a Flask or Django app.
        path: the path that receives the callbacks.
    """

    def __init__(self, app: Any, path: str = "/callback") -> None:
        import httpx

        super().__init__(HOST + path, httpx.WSGITransport(app))


def check_url(url: str) -> None:
    """Check a URL; an error shows only its beginning or its port, as the rest may be secret.

    Raises:
        ValueError: the URL cannot be called.
    """
    example = "such as http://127.0.0.1:9000/callback"
    try:
        parts = urlsplit(url)
    except ValueError:  # half of an IPv6 address
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(
            f"a callback URL must be an absolute http or https URL, {example}; "
            f"given one that begins with {url.partition('//')[0]!r}"
        )
    port = _PORT.search(parts.netloc)
    if port and not (port[1].isascii() and port[1].isdecimal() and 0 < int(port[1][:6]) <= HIGHEST_PORT):
        raise ValueError(
            f"a callback URL must have a port from 1 to {HIGHEST_PORT}, {example}; given {port[1][:20]!r}"
        )
    import httpx

    try:
        httpx.URL(url)
    except httpx.InvalidURL as invalid:
        raise ValueError(f"this callback URL cannot be requested: {invalid}; use one {example}") from None


def get_name(function: object) -> str:
    """Return the name of a function or another callable."""
    return str(getattr(function, "__name__", type(function).__name__))


def post(transport: "httpx.BaseTransport", request: "httpx.Request") -> int:
    """Send a request, and return the status of the response."""
    response = transport.handle_request(request)
    response.close()
    return response.status_code


async def post_async(
    transport: "httpx.AsyncBaseTransport", request: "httpx.Request", seconds: float | None
) -> int:
    """Send a request through an asynchronous transport, and return the status of the response."""
    from asyncio import timeout

    async with timeout(seconds):
        response = await transport.handle_async_request(request)
        await response.aclose()
    return response.status_code


def check_no_loop() -> None:
    """Check that no event loop runs, with a clearer error than asyncio's.

    Raises:
        RuntimeError: an event loop runs in this thread.
    """
    from asyncio import get_running_loop

    try:
        get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError(
        "an asynchronous receiver needs its own thread while an event loop is running, and this Python has no "
        "threads; connect a function or a WSGI app"
    )


def make_receiver(target: Target) -> CallbackReceiver | None:
    """Return the receiver of a target.

    Raises:
        TypeError: the target cannot receive callbacks.
        ValueError: the URL cannot be called.
    """
    if target is None or isinstance(target, CallbackReceiver):
        return target
    if isinstance(target, str):
        return HttpReceiver(target)
    if callable(target):
        return FunctionReceiver(target)
    raise TypeError(
        "connect a bot to a function of (headers, body), a URL, AsgiReceiver(app), WsgiReceiver(app) or "
        f"HttpReceiver(url, transport); given {describe_given(target)}"
    )


def call_receiver(
    receiver: CallbackReceiver, headers: Mapping[str, str], body: bytes, seconds: float | None
) -> int:
    """Send a callback, and return the status of the response; with None seconds, wait without limit.

    Raises:
        TimedOut: no response came in time. The receiver is not stopped, only abandoned.
        BaseException: whatever the receiver raised.
    """
    from concurrent.futures import Future, wait

    result: Future[int] = Future()

    def run() -> None:
        try:
            result.set_result(receiver.receive(headers, body, seconds))
        except BaseException as failed:  # noqa: BLE001 - raised again in the waiting thread
            result.set_exception(failed)

    # A thread of its own that may be abandoned: those of a pool would keep Python from exiting.
    try:
        Thread(target=copy_context().run, args=(run,), name="callback", daemon=True).start()
    except RuntimeError:  # no threads here
        run()
    # `result.result(seconds)` might also raise a TimeoutError of the receiver's own.
    if wait([result], seconds).not_done:
        raise TimedOut
    status = result.result()
    if not isinstance(status, int) or isinstance(status, bool):
        raise TypeError(f"a receiver must return an HTTP status; given {describe_given(status)}")
    return int(status)

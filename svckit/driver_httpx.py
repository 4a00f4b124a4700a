"""Sending with httpx: the one module of the toolkit that knows it."""

import logging
from collections.abc import Iterator
from contextlib import aclosing, closing, contextmanager

import httpx

from svckit.driver import Send
from svckit.errors import Unreachable
from svckit.models.secret import mask
from svckit.wire import Reply

__all__ = [
    "AsyncClient",
    "AsyncTransport",
    "Client",
    "Transport",
    "open_async_client",
    "open_client",
    "perform",
    "perform_async",
]

Client = httpx.Client
AsyncClient = httpx.AsyncClient
Transport = httpx.BaseTransport
AsyncTransport = httpx.AsyncBaseTransport
TIMEOUT = httpx.Timeout(30)


def open_client(transport: Transport | None) -> Client:
    """A client that follows no redirects: where the bearer goes is decided in the driver."""
    return httpx.Client(transport=transport, timeout=TIMEOUT, follow_redirects=False)


def open_async_client(transport: AsyncTransport | None) -> AsyncClient:
    """The same, for ``await``."""
    return httpx.AsyncClient(transport=transport, timeout=TIMEOUT, follow_redirects=False)


def perform(client: Client, send: Send) -> Reply:
    """Send a request and return the answer; a successful body goes to the sink, if there is one.

    Raises:
        Unreachable: no complete answer came.
    """
    with _failures(send), closing(client.send(_request(client, send), stream=True)) as response:
        if send.sink is None or response.status_code not in send.expects:
            return _reply(send, response, response.read())
        for chunk in response.iter_bytes():
            send.sink.write(chunk)
        return _reply(send, response, b"")


async def perform_async(client: AsyncClient, send: Send) -> Reply:
    """The same, for ``await``; files are read and written in between, on the event loop's thread."""
    with _failures(send):
        async with aclosing(await client.send(_request(client, send), stream=True)) as response:
            if send.sink is None or response.status_code not in send.expects:
                return _reply(send, response, await response.aread())
            async for chunk in response.aiter_bytes():
                send.sink.write(chunk)
            return _reply(send, response, b"")


def _request(client: Client | AsyncClient, send: Send) -> httpx.Request:
    """The request, built in a frame of its own: a traceback that shows local variables shows no secret."""
    file = send.file
    files = None if file is None else {file.name: (file.file_name, file.content, file.content_type)}
    return client.build_request(
        send.method, send.url, headers=dict(send.headers), content=send.content, files=files
    )


def _reply(send: Send, response: httpx.Response, content: bytes) -> Reply:
    return Reply(response.status_code, dict(response.headers), content, send.operation, send.line)


@contextmanager
def _failures(send: Send) -> Iterator[None]:
    try:
        yield
    except (httpx.RequestError, httpx.InvalidURL) as error:
        why = mask(str(error)) or type(error).__name__
        raise Unreachable(
            f"{send.operation} failed: {why} ({send.line}). {Unreachable.advice}",
            operation=send.operation,
            request=send.line,
        ) from error


def _masked(record: logging.LogRecord) -> bool:
    """Mask a line of httpx's log, which shows addresses; those of notifications hold a secret."""
    record.msg, record.args = mask(record.getMessage()), ()
    return True


logging.getLogger("httpx").addFilter(_masked)

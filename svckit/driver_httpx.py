"""Sending with httpx, which only this module and `svckit.client_httpx` know."""

import logging
import ssl
from collections.abc import Generator, Iterator
from contextlib import aclosing, closing, contextmanager
from typing import IO, TypeAlias, cast

import httpx

from svckit.errors import Unreachable
from svckit.models.secret import Secret, mask
from svckit.refusals import LONGEST_READ
from svckit.sending import Send
from svckit.wire import FilePart, Reply

__all__ = [
    "AsyncClient",
    "AsyncTransport",
    "Client",
    "Transport",
    "Trust",
    "open_async_client",
    "open_client",
    "perform",
    "perform_async",
    "trusting",
]

Client = httpx.Client
AsyncClient = httpx.AsyncClient
Transport = httpx.BaseTransport
AsyncTransport = httpx.AsyncBaseTransport
Trust: TypeAlias = ssl.SSLContext | None
"""Which certificates are taken; ``None`` for those of the usual authorities, or of the file ``SSL_CERT_FILE`` names."""

TIMEOUT = httpx.Timeout(30)
LOCATION = "svckit.location"
NOT_CONNECTED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


def open_client(transport: Transport | None, trust: Trust = None) -> Client:
    """A client that follows no redirects: where the bearer goes is decided in the driver."""
    hooks = {"response": [_keep_location]}
    return httpx.Client(
        transport=transport,
        timeout=TIMEOUT,
        follow_redirects=False,
        event_hooks=hooks,
        verify=trusting(trust),
    )


def open_async_client(transport: AsyncTransport | None, trust: Trust = None) -> AsyncClient:
    """The same, for ``await``."""
    hooks = {"response": [_keep_location_async]}
    return httpx.AsyncClient(
        transport=transport,
        timeout=TIMEOUT,
        follow_redirects=False,
        event_hooks=hooks,
        verify=trusting(trust),
    )


def trusting(trust: Trust) -> ssl.SSLContext | bool:
    """Certificates are checked always; the question is only by whom."""
    return True if trust is None else trust


def perform(client: Client, send: Send) -> Reply:
    """Send a request and return the answer; a successful body goes to the sink, if there is one.

    Raises:
        Unreachable: no complete answer came.
    """
    with (
        _failures(send),
        closing(client.send(_request(client, send), auth=_bearer(send), stream=True)) as response,
    ):
        if response.status_code not in send.expects:
            return _reply(send, response, _beginning(response))
        if send.sink is None:
            return _reply(send, response, response.read())
        send.sink.begin(_length(response))
        for chunk in response.iter_bytes():
            send.sink.write(chunk)
        return _reply(send, response, b"")


async def perform_async(client: AsyncClient, send: Send) -> Reply:
    """The same, for ``await``; files are read and written in between, on the event loop's thread."""
    with _failures(send):
        async with aclosing(
            await client.send(_request(client, send), auth=_bearer(send), stream=True)
        ) as response:
            if response.status_code not in send.expects:
                return _reply(send, response, await _beginning_async(response))
            if send.sink is None:
                return _reply(send, response, await response.aread())
            send.sink.begin(_length(response))
            async for chunk in response.aiter_bytes():
                send.sink.write(chunk)
            return _reply(send, response, b"")


class Bearer(httpx.Auth):
    """The bearer of a request, on it only while it is sent: whoever keeps it, as a traceback does, has none."""

    def __init__(self, token: Secret) -> None:
        self._token = token

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Put it on, have the request sent, take it off."""
        request.headers["Authorization"] = f"Bearer {self._token.reveal()}"
        try:
            yield request
        finally:
            del request.headers["Authorization"]


def _bearer(send: Send) -> Bearer | None:
    return None if send.bearer is None else Bearer(send.bearer)


def _request(client: Client | AsyncClient, send: Send) -> httpx.Request:
    """The request, built in a frame of its own: a traceback that shows local variables shows no secret."""
    file = send.file
    files = None if file is None else {file.name: (file.file_name, _file(file), file.content_type)}
    return client.build_request(
        send.method, send.url, headers=dict(send.headers), content=send.content, files=files
    )


def _file(part: FilePart) -> IO[bytes]:
    """The content as httpx wants it: it sends whatever has these three methods, in pieces."""
    return cast("IO[bytes]", part.content)


def _beginning(response: httpx.Response) -> bytes:
    """The body of an error, which may have no end: as much of it as is read."""
    content = bytearray()
    for chunk in response.iter_bytes(LONGEST_READ):
        content += chunk
        if len(content) >= LONGEST_READ:
            break
    return bytes(content)


async def _beginning_async(response: httpx.Response) -> bytes:
    content = bytearray()
    async for chunk in response.aiter_bytes(LONGEST_READ):
        content += chunk
        if len(content) >= LONGEST_READ:
            break
    return bytes(content)


def _length(response: httpx.Response) -> int | None:
    """How many bytes will come, where the header counts them as they are written."""
    announced = response.headers.get("content-length", "")
    return int(announced) if announced.isdecimal() and "content-encoding" not in response.headers else None


def _reply(send: Send, response: httpx.Response, content: bytes) -> Reply:
    headers = {**response.headers, **response.extensions.get(LOCATION, {})}
    return Reply(response.status_code, headers, content, send.operation, send.line)


def _keep_location(response: httpx.Response) -> None:
    """Put the Location where httpx does not see it: it builds the request of a redirect that nobody follows.

    That fails in httpx for addresses it cannot read, which are the driver's to judge.
    """
    if "location" in response.headers:
        response.extensions[LOCATION] = {"location": response.headers.pop("location")}


async def _keep_location_async(response: httpx.Response) -> None:
    _keep_location(response)


@contextmanager
def _failures(send: Send) -> Iterator[None]:
    try:
        yield
    except (httpx.RequestError, httpx.InvalidURL) as error:
        why = mask(str(error)) or type(error).__name__
        if "CERTIFICATE_VERIFY_FAILED" in why:
            why += (
                "; if you trust who signed its certificate, say so with connect(…, trust=…), or name the authority's "
                "certificate in the environment variable SSL_CERT_FILE"
            )
        connected = not isinstance(error, NOT_CONNECTED)
        raise Unreachable.because(
            why, operation=send.operation, request=send.line, connected=connected
        ) from None  # the traceback of httpx's error has frames whose local variables show the address


def _masked(record: logging.LogRecord) -> bool:
    """Mask a line of a log that shows addresses; those of notifications and redirects hold a secret."""
    record.msg, record.args = mask(record.getMessage()), ()
    return True


for _logger in ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy"):
    logging.getLogger(_logger).addFilter(_masked)  # on each: a logger does not inherit filters

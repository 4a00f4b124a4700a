"""Sending with httpx, which only this module and `svckit.session.http_client` know."""

import logging
import ssl
from collections.abc import Generator
from contextlib import aclosing, closing
from http.cookiejar import CookieJar
from typing import IO, Any, TypeAlias, cast

import httpx

from svckit.display.masking import mask
from svckit.errors import ServiceError, Unreachable
from svckit.http.decoding import ACCEPTED, Decoding, LenientDecoding, Undecodable
from svckit.http.error_responses import LONGEST_READ
from svckit.http.messages import FilePart, Response
from svckit.http.prepare import PreparedRequest
from svckit.models.header_values import parse_whole_number
from svckit.models.phrases import count_bytes
from svckit.models.secret import Secret

__all__ = [
    "AsyncClient",
    "AsyncTransport",
    "Client",
    "NoCookies",
    "Transport",
    "Trust",
    "open_async_client",
    "open_client",
    "perform",
    "perform_async",
    "resolve_trust",
]

Client = httpx.Client
AsyncClient = httpx.AsyncClient
Transport = httpx.BaseTransport
AsyncTransport = httpx.AsyncBaseTransport
Trust: TypeAlias = ssl.SSLContext | None
"""Which certificates are taken; ``None`` for those of the usual authorities, or of the file ``SSL_CERT_FILE`` names."""

TIMEOUT = httpx.Timeout(30)
LONGEST_BODY = 32 * 1024 * 1024
"""The bytes, decoded, of the longest response that is held in memory; a download has no such limit."""
LOCATION = "svckit.location"
NOT_CONNECTED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class NoCookies(CookieJar):
    """Takes no cookies of responses: the service sets none, and a jar sends them to every port of their host."""

    def extract_cookies(self, response: Any, request: Any) -> None:
        """Leave the cookies of a response where they are."""


class _TooLong(Exception):
    """A response is longer than what is held in memory."""

    def __init__(self, status: int) -> None:
        self.status = status


FAILURES = (httpx.RequestError, httpx.InvalidURL, Undecodable, _TooLong)
"""What goes wrong on the way to a response."""


def open_client(transport: Transport | None, trust: Trust = None) -> Client:
    """A client that follows no redirects: where the bearer goes is decided in the driver."""
    hooks = {"response": [_keep_location]}
    return httpx.Client(
        transport=transport,
        timeout=TIMEOUT,
        follow_redirects=False,
        cookies=NoCookies(),
        event_hooks=hooks,
        headers={"Accept-Encoding": ACCEPTED},
        verify=resolve_trust(trust),
    )


def open_async_client(transport: AsyncTransport | None, trust: Trust = None) -> AsyncClient:
    """The same, for ``await``."""
    hooks = {"response": [_keep_location_async]}
    return httpx.AsyncClient(
        transport=transport,
        timeout=TIMEOUT,
        follow_redirects=False,
        cookies=NoCookies(),
        event_hooks=hooks,
        headers={"Accept-Encoding": ACCEPTED},
        verify=resolve_trust(trust),
    )


def resolve_trust(trust: Trust) -> ssl.SSLContext | bool:
    """Certificates are checked always; the question is only by whom."""
    return True if trust is None else trust


def perform(client: Client, send: PreparedRequest) -> Response:
    """Send a request and return the response; a successful body goes to the sink, if there is one.

    Raises:
        Unreachable: no complete response came.
        ServiceError: the response is too long to be held in memory.
    """
    try:
        return _send(client, send)
    except FAILURES as error:
        failure = _build_error(send, error)
    raise failure  # here, where it has no context: the frames of the other hold the bearer, the URL and the body


def _send(client: Client, send: PreparedRequest) -> Response:
    with closing(client.send(_build_request(client, send), auth=_make_auth(send), stream=True)) as response:
        body = _Body(send, response)
        for chunk in cast("httpx.SyncByteStream", response.stream):  # as it was sent, not decoded
            if not body.take(chunk):
                break
        return body.finish()


async def perform_async(client: AsyncClient, send: PreparedRequest) -> Response:
    """The same, for ``await``; files are read and written in between, on the event loop's thread."""
    try:
        return await _send_async(client, send)
    except FAILURES as error:
        failure = _build_error(send, error)
    raise failure


async def _send_async(client: AsyncClient, send: PreparedRequest) -> Response:
    async with aclosing(
        await client.send(_build_request(client, send), auth=_make_auth(send), stream=True)
    ) as response:
        body = _Body(send, response)
        async for chunk in cast("httpx.AsyncByteStream", response.stream):
            if not body.take(chunk):
                break
        return body.finish()


class _Body:
    """The body of a response as it comes: to the sink, into memory, or, of an error, its beginning."""

    def __init__(self, send: PreparedRequest, response: httpx.Response) -> None:
        self._send = send
        self._response = response
        self._is_success = response.status_code in send.expects
        self._sink = send.sink if self._is_success else None
        self._announced = parse_whole_number(response.headers.get("content-length"))
        self._content = bytearray()
        self._decoding = self._choose_decoding(response.headers.get("content-encoding", ""))
        if self._sink is not None:
            self._sink.begin(self._announced if self._decoding.is_plain else None)

    def _choose_decoding(self, header: str) -> Decoding:
        if self._sink is not None:
            return Decoding(header)
        try:
            return LenientDecoding(header)
        except Undecodable:
            return Decoding("")  # what is read later shows whether the label is right

    def take(self, chunk: bytes) -> bool:
        """Take in what has come next, and say whether more is wanted.

        Raises:
            Undecodable: it cannot be decoded.
            _TooLong: it is more than is held in memory.
        """
        try:
            for piece in self._decoding.decode(chunk):
                if self._sink is not None:
                    self._sink.write(piece)
                    continue
                self._content += piece
                if not self._is_success and len(self._content) >= LONGEST_READ:
                    return False  # of an error, which may have no end
                if len(self._content) > LONGEST_BODY:
                    raise _TooLong(self._response.status_code)
        except Undecodable:
            if self._is_success:
                raise
            return False
        return True

    def finish(self) -> Response:
        """The response, when nothing more comes or is wanted.

        Raises:
            Undecodable: not all of it has come.
        """
        try:
            self._content += self._decoding.finish()
            self._check_whole()
        except Undecodable:
            if self._is_success:
                raise
        response, send = self._response, self._send
        headers = {**response.headers, **response.extensions.get(LOCATION, {})}
        return Response(response.status_code, headers, bytes(self._content), send.operation, send.line)

    def _check_whole(self) -> None:
        came, announced = self._decoding.came, self._announced
        if self._sink is not None and announced is not None and announced != came:
            raise Undecodable(f"received {count_bytes(came)}, expected {announced}")
        if self._sink is not None and announced is None and not came and not self._decoding.is_plain:
            raise Undecodable("received 0 bytes of an encoded body")


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


def _make_auth(send: PreparedRequest) -> Bearer | None:
    return None if send.bearer is None else Bearer(send.bearer)


def _build_request(client: Client | AsyncClient, send: PreparedRequest) -> httpx.Request:
    """The request, built in a frame of its own: a traceback that shows local variables shows no secret."""
    file = send.file
    files = None if file is None else {file.name: (file.file_name, _as_file(file), file.content_type)}
    fields = None if file is None else dict(file.fields)
    return client.build_request(
        send.method, send.url, headers=dict(send.headers), content=send.content, data=fields, files=files
    )


def _as_file(part: FilePart) -> IO[bytes]:
    """The content as httpx wants it: it sends whatever has these three methods, in pieces."""
    return cast("IO[bytes]", part.content)


def _keep_location(response: httpx.Response) -> None:
    """Put the Location where httpx does not see it: it builds the request of a redirect that nobody follows.

    That fails in httpx for addresses it cannot read, which are the driver's to judge.
    """
    if "location" in response.headers:
        response.extensions[LOCATION] = {"location": response.headers.pop("location")}


async def _keep_location_async(response: httpx.Response) -> None:
    _keep_location(response)


def _build_error(send: PreparedRequest, error: Exception) -> ServiceError:
    """The error for a request that got no response, or none that can be used; it holds nothing of the one there was."""
    if isinstance(error, _TooLong):
        return ServiceError(
            f"{send.operation}: the response is longer than {LONGEST_BODY:,} bytes, decoded, which is the most that "
            f"the toolkit holds in memory, so it was not read to its end ({send.line}). By its status it was a "
            "success, so what was asked has been done. svc.files.download writes files of any size; svc.http.stream "
            "reads any other response piece by piece.",
            status=error.status,
            operation=send.operation,
            request=send.line,
        )
    why = send.hide(str(error)) or type(error).__name__
    if "CERTIFICATE_VERIFY_FAILED" in why:
        why += (
            "; if you trust who signed its certificate, say so with connect(…, trust=…), or name the authority's "
            "certificate in the environment variable SSL_CERT_FILE"
        )
    connected = not isinstance(error, NOT_CONNECTED)
    return Unreachable.because(why, operation=send.operation, request=send.line, connected=connected)


def _mask_record(record: logging.LogRecord) -> bool:
    """Mask a line of a log that shows addresses; those of notifications and redirects hold a secret."""
    record.msg, record.args = mask(record.getMessage()), ()
    return True


for _logger in ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy"):
    logging.getLogger(_logger).addFilter(_mask_record)  # on each: a logger does not inherit filters

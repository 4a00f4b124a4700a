"""The transport: sends requests with httpx, which only this module and `svckit.session.http_client` use."""

import logging
import os
import ssl
from collections.abc import Mapping
from contextlib import aclosing, closing
from contextvars import ContextVar
from functools import lru_cache
from http.cookiejar import CookieJar
from typing import IO, Any, TypeAlias, cast
from weakref import WeakKeyDictionary

import httpx

from svckit.display.masking import MASK, mask, mask_path, mask_transfer_urls
from svckit.errors import ServiceError, Unreachable
from svckit.http.decoding import ACCEPTED, Decoding, Undecodable, decode_held
from svckit.http.error_responses import LONGEST_READ
from svckit.http.messages import Response
from svckit.http.prepare import PreparedRequest
from svckit.models.header_values import parse_whole_number
from svckit.models.phrases import count_bytes

__all__ = [
    "AsyncClient",
    "AsyncTransport",
    "Client",
    "Transport",
    "Trust",
    "choose_options",
    "hide_in_logs",
    "open_async_client",
    "open_client",
    "perform",
    "perform_async",
    "separate_in_children",
]

Client = httpx.Client
AsyncClient = httpx.AsyncClient
Transport = httpx.BaseTransport
AsyncTransport = httpx.AsyncBaseTransport
Trust: TypeAlias = ssl.SSLContext | None
"""The certificates to accept; ``None`` for those of the usual authorities, or of the file in ``SSL_CERT_FILE``."""

TIMEOUT = httpx.Timeout(30)
LONGEST_BODY = 32 * 1024 * 1024
"""The decoded size limit, in bytes, of a response held in memory; downloads have no limit."""
LOCATION = "svckit.location"
NOT_CONNECTED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class NoCookies(CookieJar):
    """A cookie jar that stays empty: the service sets no cookies, and a jar sends them to every port of a host."""

    def extract_cookies(self, response: Any, request: Any) -> None:
        """Ignore the cookies of a response."""


class _TooLong(Exception):
    """A response that is too long to be held in memory."""

    def __init__(self, status: int) -> None:
        self.status = status


FAILURES = (httpx.RequestError, httpx.InvalidURL, Undecodable, _TooLong)
"""The errors that can occur on the way to a response."""

_ENCODINGS = {"Accept-Encoding": ACCEPTED}


def open_client(transport: Transport | None, trust: Trust = None) -> Client:
    """Open a client that follows no redirects: the driver decides where the bearer goes."""
    options = choose_options(transport, trust)
    hooks = {"response": [_keep_location]}
    return separate_in_children(httpx.Client(event_hooks=hooks, headers=_ENCODINGS, **options), options)


def open_async_client(transport: AsyncTransport | None, trust: Trust = None) -> AsyncClient:
    """Open a client for ``await``; see `open_client`."""
    hooks = {"response": [_keep_location_async]}
    return httpx.AsyncClient(event_hooks=hooks, headers=_ENCODINGS, **choose_options(transport, trust))


def choose_options(transport: Transport | AsyncTransport | None, trust: Trust) -> dict[str, Any]:
    """Return what all clients have in common: no cookies, no redirects, and for the network a check of certificates."""
    usual = [os.environ.get(name) for name in ("SSL_CERT_FILE", "SSL_CERT_DIR")]
    return {
        "transport": transport,
        "verify": trust or _load_certificates(*usual) if transport is None else True,
        "timeout": TIMEOUT,
        "follow_redirects": False,
        "cookies": NoCookies(),
    }


@lru_cache(maxsize=1)
def _load_certificates(*_: str | None) -> ssl.SSLContext:
    """Load the certificates that these variables name once for all clients: it takes longer than many calls."""
    return httpx.create_ssl_context()


def separate_in_children(client: Client, options: Mapping[str, Any]) -> Client:
    """Return the client, which has connections of its own in a process that is forked from this one.

    Two processes with one connection would read each other's responses.

    Args:
        client: the client.
        options: its arguments, from `choose_options`.
    """
    if options["transport"] is None:
        _separated[client] = options["verify"]
    return client


def _separate() -> None:
    """Give all clients connections of their own, in a process that was just forked."""
    for client, verify in list(_separated.items()):
        # Kept, not closed: closing waits for a lock, and the thread that held it is not in this process.
        _inherited[client] = client._transport, client._mounts
        fresh = httpx.Client(verify=verify)
        client._transport, client._mounts = fresh._transport, fresh._mounts


_separated: WeakKeyDictionary[Client, ssl.SSLContext] = WeakKeyDictionary()
"""The clients with connections to the network, each with the certificates it accepts."""
_inherited: WeakKeyDictionary[Client, Any] = WeakKeyDictionary()
"""The connections that they had when this process was forked."""
if hasattr(os, "register_at_fork"):  # Windows cannot fork
    os.register_at_fork(after_in_child=_separate)


def perform(client: Client, prepared: PreparedRequest) -> Response:
    """Send a request and return the response; the body of a success goes to the sink, if any.

    Raises:
        Unreachable: no complete response came.
        ServiceError: the response is too long to be held in memory.
    """
    try:
        request = _build_request(client, prepared)
        try:
            response = client.send(request, stream=True)
        finally:
            _remove_bearer(request)
        with closing(response):
            body = _Body(prepared, response)
            for chunk in cast("httpx.SyncByteStream", response.stream):  # not decoded
                if not body.take(chunk):
                    break
            return body.finish()
    except FAILURES as error:
        failure = _build_error(prepared, error)
    raise failure  # here, without context: the frames of the original error hold the URL and the body


async def perform_async(client: AsyncClient, prepared: PreparedRequest) -> Response:
    """Send a request with ``await``; files are read and written on the event loop's thread."""
    try:
        request = _build_request(client, prepared)
        try:
            response = await client.send(request, stream=True)
        finally:
            _remove_bearer(request)
        async with aclosing(response):
            body = _Body(prepared, response)
            async for chunk in cast("httpx.AsyncByteStream", response.stream):
                if not body.take(chunk):
                    break
            return body.finish()
    except FAILURES as error:
        failure = _build_error(prepared, error)
    raise failure


class _Body:
    """The body of a response as it arrives: decoded into the sink, or as it is into memory; of an error its beginning.

    `take` each chunk until no more come or it wants no more; then `finish` decodes what is in memory, and returns the
    response.
    """

    def __init__(self, prepared: PreparedRequest, response: httpx.Response) -> None:
        self._prepared = prepared
        self._response = response
        self._is_success = prepared.request.means_success(response.status_code)
        self._sink = prepared.request.sink if self._is_success else None
        self._content = bytearray()  # what does not go to the sink, not decoded
        self._encoding = response.headers.get("content-encoding", "")
        self._announced: int | None = None  # how many bytes are to go to the sink, if the service says so
        self._decoding: Decoding | None = None  # of what goes to the sink
        if self._sink is not None:
            self._announced = parse_whole_number(response.headers.get("content-length"))
            self._decoding = Decoding(self._encoding)
            self._sink.begin(self._announced if self._decoding.is_plain else None)

    def take(self, chunk: bytes) -> bool:
        """Add the next chunk, and return whether more is wanted.

        Raises:
            Undecodable: the chunk, which goes to the sink, cannot be decoded.
            _TooLong: the body is too long to be held in memory.
        """
        if self._sink is not None and self._decoding is not None:
            for piece in self._decoding.decode(chunk):
                self._sink.write(piece)
            return True
        self._content += chunk
        if not self._is_success:
            return len(self._content) < LONGEST_READ  # the body of an error may never end
        if len(self._content) > LONGEST_BODY:
            raise _TooLong(self._response.status_code)
        return True

    def finish(self) -> Response:
        """Return the response, once nothing more comes or is wanted.

        Raises:
            Undecodable: the body is incomplete, or cannot be decoded.
            _TooLong: the decoded body is too long to be held in memory.
        """
        content = bytes(self._content)
        if self._decoding is not None:
            self._decoding.finish()
            self._check_whole(self._decoding)
        elif self._encoding:
            most = LONGEST_BODY if self._is_success else LONGEST_READ
            content, wrong = decode_held(content, self._encoding, most)
            if self._is_success and len(content) > LONGEST_BODY:
                raise _TooLong(self._response.status_code)
            if self._is_success and wrong is not None:
                raise wrong
        response, prepared = self._response, self._prepared
        return Response(
            response.status_code,
            headers={**response.headers, **response.extensions.get(LOCATION, {})},
            content=content,
            operation=prepared.request.operation,
            request=prepared.line,
        )

    def _check_whole(self, decoding: Decoding) -> None:
        """Check that as much went to the sink as the service announced."""
        came, announced = decoding.came, self._announced
        if announced is not None and announced != came:
            raise Undecodable(f"received {count_bytes(came)}, expected {announced}")
        if announced is None and not came and not decoding.is_plain:
            raise Undecodable("received 0 bytes of an encoded body")


def _build_request(client: Client | AsyncClient, prepared: PreparedRequest) -> httpx.Request:
    """Build the request in a frame of its own, so that tracebacks with local variables show no secret."""
    file = prepared.request.file
    files, fields = None, None
    if file is not None:
        content = cast("IO[bytes]", file.content)  # httpx streams anything that has `read`, `seek` and `tell`
        files, fields = {file.name: (file.file_name, content, file.content_type)}, dict(file.fields)
    built = client.build_request(
        prepared.request.method,
        prepared.url,
        headers=dict(prepared.headers),
        content=prepared.content,
        data=fields,
        files=files,
    )
    if MASK in prepared.line:  # the URL has a secret path
        hide_in_logs(built.url)
    if prepared.bearer is not None:  # last: nothing fails while the request holds it, but sending it
        built.headers["Authorization"] = f"Bearer {prepared.bearer.reveal()}"
    return built


def _remove_bearer(request: httpx.Request) -> None:
    """Remove the bearer once the request is sent, so that a traceback that keeps the request has none."""
    request.headers.pop("Authorization", None)


def _keep_location(response: httpx.Response) -> None:
    """Hide the Location from httpx, which would build the request of a redirect that nobody follows.

    httpx fails for URLs it cannot read, and judging those is up to the driver.
    """
    if "location" in response.headers:
        response.extensions[LOCATION] = {"location": response.headers.pop("location")}


async def _keep_location_async(response: httpx.Response) -> None:
    _keep_location(response)


def _build_error(prepared: PreparedRequest, error: Exception) -> ServiceError:
    """Build the error for a request without a usable response; it holds nothing of the original error."""
    operation = prepared.request.operation
    if isinstance(error, _TooLong):
        return ServiceError(
            f"{operation}: the decoded response is longer than {LONGEST_BODY:,} bytes, the most that the "
            f"toolkit holds in memory, so it was not read to the end ({prepared.line}). Its status is a success, so "
            "the request took effect. svc.files.download writes files of any size; svc.http.stream reads any other "
            "response piece by piece.",
            status=error.status,
            operation=operation,
            request=prepared.line,
        )
    why = prepared.hide(str(error)) or type(error).__name__
    if "CERTIFICATE_VERIFY_FAILED" in why:
        why += (
            "; if you trust the authority that signed the certificate, pass it with connect(…, trust=…), or name its "
            "file in the environment variable SSL_CERT_FILE"
        )
    connected = not isinstance(error, NOT_CONNECTED)
    sent = Unreachable.advice_repeatable if prepared.request.repeatable else Unreachable.advice
    advice = sent if connected else Unreachable.advice_unsent
    message = f"{operation} failed: {why} ({prepared.line}). {advice}"
    failure = Unreachable(message, description=why, operation=operation, request=prepared.line)
    failure.connected = connected
    return failure


_secret_url: ContextVar[str] = ContextVar("_secret_url", default="")
"""The URL to hide in the log records of the request that is being sent; they come from the same thread and task."""


def hide_in_logs(url: httpx.URL) -> None:
    """Hide the path of a URL in what httpx logs about the request that is sent next."""
    _secret_url.set(str(url))


def _mask_record(record: logging.LogRecord) -> bool:
    """Mask the URLs in a log record; those of notifications, redirects, uploads and downloads hold a secret."""
    text, secret = record.getMessage(), _secret_url.get()
    if secret:
        text = text.replace(secret, mask_path(mask(secret)))
    record.msg, record.args = mask_transfer_urls(mask(text)), ()
    return True


for _logger in ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy"):
    logging.getLogger(_logger).addFilter(_mask_record)  # on each: a logger does not inherit filters

"""``svc.http``: httpx clients that send the bearer to the profile's origins only.

Each request, including those of redirects, is judged by the URL that httpx is about to connect to; headers that httpx
would carry along are removed. Errors are httpx's own, with anything secret that a service echoed in their text masked.

What happens to a request, in order:

1. `BearerClient.send` sends it; whatever comes of it, no request or error keeps the bearer.
2. `Bearer` gets tokens, if the URL is in an area that takes them, and renews them once if they are refused.
3. `Bearer.add_bearer` sets the header, for each request of a redirect again, and records it in the traces.
4. `Bearer.record_response` records the response, and removes the header.

Between these, the request carries its state in ``request.extensions``, which httpx copies to those of redirects, but
not deeply: they all share one list of requests and one set of tokens.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Any, cast, get_args

import httpx

from svckit.addresses import BEARER_AREAS, Area, locate
from svckit.display.masking import MASK, mask, mask_path
from svckit.http.messages import Response
from svckit.http.redaction import RedactedRequest
from svckit.http.trace import TraceEntry
from svckit.http.transport import (
    AsyncClient,
    AsyncTransport,
    Client,
    Transport,
    Trust,
    choose_options,
    hide_in_logs,
    separate_in_children,
)
from svckit.models.header_values import parse_whole_number
from svckit.models.secret import Secret
from svckit.profiles.credentials import Tokens
from svckit.profiles.profiles import Profile
from svckit.session.driver import Driver
from svckit.session.steps import Steps
from svckit.tracebacks import forgetting_locals

__all__ = ["make_async_client", "make_client"]

OURS = "svckit.bearer"  # the token of a request whose Authorization header is not the caller's own
SENT = "svckit.sent"  # every token that was sent for a request and its redirects
REQUESTS = "svckit.requests"  # the requests that were sent: a request and those of its redirects
ENTRIES = "svckit.trace_entries"  # where each open trace records what becomes of a request
ERRORS = (httpx.RequestError, httpx.InvalidURL)


def make_client(
    driver: Driver, perform: Callable[[Steps[Tokens]], Tokens], transport: Transport | None, trust: Trust
) -> Client:
    """Make a client whose relative URLs are below the resource API's; by default it follows no redirects.

    Args:
        driver: the driver that provides the bearer.
        perform: runs the steps that renew the bearer.
        transport: the transport; by default the network.
        trust: the certificates to accept.
    """
    bearer, options = Bearer(driver, perform), choose_options(transport, trust)
    client = BearerClient(
        base_url=driver.profile.base_url,
        auth=bearer,
        event_hooks={"request": [bearer.add_bearer], "response": [bearer.record_response]},
        **options,
    )
    return separate_in_children(client, options)


def make_async_client(
    driver: Driver,
    perform: Callable[[Steps[Tokens]], Awaitable[Tokens]],
    transport: AsyncTransport | None,
    trust: Trust,
) -> AsyncClient:
    """Make a client for ``await``; see `make_client`."""
    bearer = Bearer(driver, perform)

    async def add_bearer(request: httpx.Request) -> None:
        bearer.add_bearer(request)

    async def record_response(response: httpx.Response) -> None:
        bearer.record_response(response)

    return AsyncBearerClient(
        base_url=driver.profile.base_url,
        auth=bearer,
        event_hooks={"request": [add_bearer], "response": [record_response]},
        **choose_options(transport, trust),
    )


class BearerClient(httpx.Client):
    """A client whose errors do not hold the bearer."""

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Send a request."""
        with MaskedErrors(request), forgetting_locals:
            try:
                return super().send(request, **options)
            finally:
                remove_bearers(request)


class AsyncBearerClient(httpx.AsyncClient):
    """A client for ``await`` whose errors do not hold the bearer."""

    async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Send a request."""
        with MaskedErrors(request), forgetting_locals:
            try:
                return await super().send(request, **options)
            finally:
                remove_bearers(request)


class MaskedStream(httpx.SyncByteStream, httpx.AsyncByteStream):
    """The body of a response that is read later, whose errors do not hold the bearer."""

    def __init__(self, stream: Any, request: httpx.Request) -> None:
        self._stream = stream
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        with MaskedErrors(self._request):
            yield from self._stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with MaskedErrors(self._request):
            async for chunk in self._stream:
                yield chunk

    def close(self) -> None:
        """Close the connection, or return it to the pool."""
        self._stream.close()

    async def aclose(self) -> None:
        """Close the connection, or return it to the pool, with ``await``."""
        await self._stream.aclose()


class MaskedErrors:
    """A context that masks the text of httpx's errors, and drops their causes and the frames, which hold the bearer."""

    def __init__(self, request: httpx.Request) -> None:
        self._request = request

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ERRORS):
            error.args = (mask_text(str(error), self._request),)
            error.__cause__ = error.__context__ = None
            error.__traceback__ = None  # Python raises it again from here, and adds the frames above only


def mask_text(text: str, request: httpx.Request) -> str:
    """Mask text that came back: what looks like a secret, and the tokens that were sent."""
    for token in cast("set[Secret]", request.extensions.get(SENT, set())):
        text = text.replace(token.reveal(), MASK)
    return mask(text)


def remove_bearer(request: httpx.Request) -> None:
    """Remove our bearer from a request, so that keeping, showing or pickling it is safe."""
    if request.extensions.get(OURS):
        request.headers.pop("Authorization", None)


def remove_bearers(first: httpx.Request) -> None:
    """Remove our bearer from a request and its redirects, whatever became of them.

    The requests of redirects inherit the extensions of the first.
    """
    for request in first.extensions.pop(REQUESTS, ()):
        remove_bearer(request)
        request.extensions.pop(OURS, None)


class Bearer(httpx.Auth):
    """The session's bearer: the flow that renews it before it expires and once when it is refused, and the hooks.

    They add it to requests for the profile's own URLs, remove it again, and record traces.
    """

    def __init__(self, driver: Driver, perform: Callable[[Steps[Tokens]], Any]) -> None:
        self._driver = driver
        self._perform = perform

    def sync_auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Send a request of an `httpx.Client`, and once more after a renewal."""
        if find_area(self._driver, request.url) not in BEARER_AREAS:
            yield request
            return
        tokens = self._perform(self._driver.get_tokens())
        response = yield request
        if self._is_rejected(response, tokens):
            tokens = self._perform(self._driver.renew_tokens(tokens))
            response = yield request
            self._driver.note_renewal(response.status_code, tokens)

    async def async_auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        """Send a request of an `httpx.AsyncClient`, and once more after a renewal."""
        if find_area(self._driver, request.url) not in BEARER_AREAS:
            yield request
            return
        tokens = await self._perform(self._driver.get_tokens())
        response = yield request
        if self._is_rejected(response, tokens):
            tokens = await self._perform(self._driver.renew_tokens(tokens))
            response = yield request
            self._driver.note_renewal(response.status_code, tokens)

    def _is_rejected(self, response: httpx.Response, tokens: Tokens) -> bool:
        """Return whether our bearer was rejected, for a request that can be sent again."""
        request = response.request
        replayable = isinstance(request.stream, httpx.ByteStream)  # in memory; a file or generator was read
        return (
            replayable and OURS in request.extensions and self._driver.may_help(response.status_code, tokens)
        )

    def add_bearer(self, request: httpx.Request) -> None:
        """Set the right Authorization header on a request that is about to be sent."""
        area, tokens = find_area(self._driver, request.url), self._driver.tokens.current
        # Of the attempt before a renewal; or of the request before a redirect, whose headers httpx copied.
        remove_bearer(request)
        request.extensions.pop(OURS, None)
        request.extensions.setdefault(REQUESTS, []).append(request)
        if area in BEARER_AREAS and tokens is not None and "Authorization" not in request.headers:
            request.headers["Authorization"] = f"Bearer {tokens.access.reveal()}"
            request.extensions[OURS] = tokens.access
            request.extensions.setdefault(SENT, set()).add(tokens.access)
        if is_transfer(request, area):
            hide_in_logs(request.url)
        request.extensions[ENTRIES] = self._driver.record_request(redact(request, area, self._driver.profile))

    def record_response(self, response: httpx.Response) -> None:
        """Record a response in the traces, without its body, which has not arrived yet, and its rate headers."""
        entries: list[TraceEntry] = response.request.extensions.get(ENTRIES, [])
        for entry in entries:
            head = Response(response.status_code, response.headers)
            entry.record_response(
                head, self._driver.clock.now(), lambda text: mask_text(text, response.request)
            )
        if find_area(self._driver, response.request.url) == "hooks":
            self._driver.record_rate(response.status_code, response.headers)
        response.extensions["reason_phrase"] = mask_text(response.reason_phrase, response.request).encode()
        response.stream = MaskedStream(response.stream, response.request)
        remove_bearer(response.request)  # but not `OURS`, by which the flow knows that it was ours


def find_area(driver: Driver, url: httpx.URL) -> Area | None:
    """Return the area of the profile that a URL is in, by the longest path; ``None`` for anywhere else.

    A URL with user information is in no area: programs disagree about its host.
    """
    if url.userinfo:
        return None
    try:
        origin, path = locate(f"{url.scheme}://{url.netloc.decode()}{url.raw_path.decode()}")
    except ValueError:
        return None
    found: dict[Area, int] = {}  # the length of the base path, or 0 if only the origin is the same
    for area in get_args(Area):
        if not driver.profile.url_for(area):
            continue
        own, base = locate(driver.profile.url_for(area))
        if origin != own:
            continue
        below = f"{path}/".startswith(f"{base.rstrip('/')}/")
        found[area] = len(base) if below else 0
    return max(found, key=found.__getitem__, default=None)


def is_transfer(request: httpx.Request, area: Area | None) -> bool:
    """Return whether a request goes to the file storage, or was led elsewhere by a redirect."""
    return area == "storage" or (area is None and len(request.extensions.get(REQUESTS, ())) > 1)


def redact(request: httpx.Request, area: Area | None, profile: Profile) -> RedactedRequest:
    """Redact a request for a trace, which shows only the size of its body."""
    url, _, query = mask(str(request.url)).partition("?")
    if is_transfer(request, area):
        url = mask_path(url)
    url += f"?{MASK}" if query else ""
    kind = request.headers.get("Content-Type", "").partition(";")[0]
    size = request.headers.get("Content-Length", "")
    headers = [("Content-Type", kind)] if kind else []
    headers += [("Authorization", f"Bearer {MASK}")] if "Authorization" in request.headers else []
    return RedactedRequest(
        operation="http",
        area=area,
        method=request.method,
        url=url,
        headers=tuple(headers),
        body=f"«{size} bytes»" if size not in ("", "0") else "",
        file=None,
        size=parse_whole_number(size),
        is_whole=size == "0" or not (size or "Transfer-Encoding" in request.headers),
        path=url.removeprefix(profile.url_for(area)) if area else "",
    )

"""A client of httpx's own kind, for people who want httpx itself: the bearer goes to the profile's addresses only.

Where a request goes is judged for each one that is sent, those of redirects included, by the address httpx is about
to connect to; what httpx would carry along is taken off.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from typing import Any, get_args

import httpx

from svckit.credentials import Tokens
from svckit.driver import Driver, Steps
from svckit.driver_httpx import TIMEOUT, AsyncClient, AsyncTransport, Client, Transport, Trust, trusting
from svckit.models.secret import MASK, mask
from svckit.shown import ShownRequest
from svckit.trace import Exchange
from svckit.wire import Area, Reply, locate

__all__ = ["async_client_of", "client_of"]

BEARER = frozenset({"api", "storage"})
OURS = "svckit.bearer"  # marks a request whose Authorization header is not the caller's own
PLACED = "svckit.placed"  # what was sent: a request, and those of its redirects
NOTED = "svckit.exchanges"


def client_of(
    driver: Driver, perform: Callable[[Steps[Tokens]], Tokens], transport: Transport | None, trust: Trust
) -> Client:
    """A client whose relative addresses are below that of the resource API; follows no redirects unless told to.

    Args:
        driver: whose bearer it carries.
        perform: takes the steps that renew the bearer.
        transport: what it sends with; left out, the network.
        trust: which certificates it takes.
    """
    placing = Placing(driver)
    return BearerClient(
        base_url=driver.profile.base_url,
        auth=Renewing(driver, perform),
        event_hooks={"request": [placing.place], "response": [placing.note]},
        transport=transport,
        timeout=TIMEOUT,
        verify=trusting(trust),
    )


def async_client_of(
    driver: Driver,
    perform: Callable[[Steps[Tokens]], Awaitable[Tokens]],
    transport: AsyncTransport | None,
    trust: Trust,
) -> AsyncClient:
    """The same, for ``await``."""
    placing = Placing(driver)

    async def place(request: httpx.Request) -> None:
        placing.place(request)

    async def note(response: httpx.Response) -> None:
        placing.note(response)

    return AsyncBearerClient(
        base_url=driver.profile.base_url,
        auth=Renewing(driver, perform),
        event_hooks={"request": [place], "response": [note]},
        transport=transport,
        timeout=TIMEOUT,
        verify=trusting(trust),
    )


class BearerClient(httpx.Client):
    """A client whose errors hold no bearer."""

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Send a request."""
        try:
            return super().send(request, **options)
        finally:
            take_off_all(request)


class AsyncBearerClient(httpx.AsyncClient):
    """The same, for ``await``."""

    async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Send a request."""
        try:
            return await super().send(request, **options)
        finally:
            take_off_all(request)


def take_off(request: httpx.Request) -> None:
    """Take our bearer off a request, so that whoever keeps, shows or pickles it has none."""
    if request.extensions.get(OURS):
        request.headers.pop("Authorization", None)


def take_off_all(first: httpx.Request) -> None:
    """Take our bearer off a request and those of its redirects, whatever has become of them.

    The requests of redirects get what is in the extensions of the first.
    """
    for request in first.extensions.pop(PLACED, ()):
        take_off(request)
        request.extensions.pop(OURS, None)


class Renewing(httpx.Auth):
    """Sees to it that the access token is valid: renewed shortly before its end, and once on a 401."""

    def __init__(self, driver: Driver, perform: Callable[[Steps[Tokens]], Any]) -> None:
        self._driver = driver
        self._perform = perform

    def sync_auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Send a request of a `httpx.Client`, once or twice."""
        if area_of(self._driver, request.url) not in BEARER:
            yield request
            return
        tokens = self._perform(self._driver.fresh())
        response = yield request
        if refused(response):
            self._perform(self._driver.renewed(tokens))
            yield request

    async def async_auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        """Send a request of a `httpx.AsyncClient`, once or twice."""
        if area_of(self._driver, request.url) not in BEARER:
            yield request
            return
        tokens = await self._perform(self._driver.fresh())
        response = yield request
        if refused(response):
            await self._perform(self._driver.renewed(tokens))
            yield request


def refused(response: httpx.Response) -> bool:
    """Whether our bearer was not taken, for a request that can be sent again."""
    request = response.request
    replayable = isinstance(request.stream, httpx.ByteStream)
    return response.status_code == 401 and OURS in request.extensions and replayable


class Placing:
    """Puts the bearer on what goes to the profile's own addresses, and takes it off when it is there; notes both."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def place(self, request: httpx.Request) -> None:
        """Have the right Authorization header on a request that is about to be sent."""
        area, tokens = area_of(self._driver, request.url), self._driver.tokens.current
        take_off(request)
        request.extensions.pop(OURS, None)
        request.extensions.setdefault(PLACED, []).append(request)
        if area in BEARER and tokens is not None and "Authorization" not in request.headers:
            request.headers["Authorization"] = f"Bearer {tokens.access.reveal()}"
            request.extensions[OURS] = True
        request.extensions[NOTED] = self._driver.note(shown(request, area))

    def note(self, response: httpx.Response) -> None:
        """Note an answer in the traces, without its body, which has not come yet, and what it says of the rate."""
        exchanges: list[Exchange] = response.request.extensions.get(NOTED, [])
        for exchange in exchanges:
            exchange.answered(Reply(response.status_code, response.headers))
        if area_of(self._driver, response.request.url) == "hooks":
            self._driver.note_rate(response.status_code, response.headers)
        take_off(response.request)


def area_of(driver: Driver, url: httpx.URL) -> Area | None:
    """Which of the profile's addresses a URL is at, by the most of its path; ``None`` for anywhere else.

    A URL with user information is nowhere: programs differ in what they take for its host.
    """
    if url.userinfo:
        return None
    try:
        origin, path = locate(f"{url.scheme}://{url.netloc.decode()}{url.raw_path.decode()}")
    except ValueError:
        return None
    best: tuple[int, Area] | None = None
    for area in get_args(Area):
        own, base = locate(driver.profile.address(area))
        if origin != own:
            continue
        below = f"{path}/".startswith(f"{base.rstrip('/')}/")
        found = (len(base) if below else 0, area)
        best = found if best is None or found[0] > best[0] else best
    return best[1] if best else None


def shown(request: httpx.Request, area: Area | None) -> ShownRequest:
    """A request as a trace shows it: its body is its size."""
    url, _, query = mask(str(request.url)).partition("?")
    kind = request.headers.get("Content-Type", "").partition(";")[0]
    size = request.headers.get("Content-Length", "")
    headers = [("Content-Type", kind)] if kind else []
    headers += [("Authorization", f"Bearer {MASK}")] if "Authorization" in request.headers else []
    return ShownRequest(
        operation="http",
        area=area,
        method=request.method,
        url=f"{url}?{MASK}" if query else url,
        headers=tuple(headers),
        body=f"«{size} bytes»" if size not in ("", "0") else "",
        file=None,
        size=int(size) if size else None,
        is_whole=size == "0" or not (size or "Transfer-Encoding" in request.headers),
    )

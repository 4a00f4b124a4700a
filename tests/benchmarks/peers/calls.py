"""Calls and uploads in process, through the same client library on both sides."""

import asyncio
import gc
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from inspect import isawaitable
from io import BytesIO
from statistics import median
from time import process_time
from typing import Any, NamedTuple

import httpx
import pytest_httpx
import requests
import responses
import respx
from pytest_httpx._options import _HTTPXMockOptions

from fakes import FakeService

from . import apps
from .sampling import OURS, Row, compare
from .straight import BEARER, JSON, ORIGIN, Straight

CHANGE = {"nickName": "Mina", "telephone": "+81-3-5555-0001", "task": None, "hiredDate": "2020-04-01"}
CONTENT = b"x" * 1000
EVERYTHING = re.compile(f"{ORIGIN}/.*")


class Side(NamedTuple):
    """A client and what it calls; some peers are in effect only while a context is entered."""

    peer: str
    client: Any
    base: str = ORIGIN
    bearer: str = BEARER
    around: AbstractContextManager[Any] = nullcontext()


def ours(client: Any, fake: FakeService, around: AbstractContextManager[Any] = nullcontext()) -> Side:
    """Return the side of the fake."""
    return Side(OURS, client, fake.facts["base_url"], f"Bearer {fake.access_token()}", around)


def handle(straight: Straight, request: httpx.Request) -> httpx.Response:
    """Respond to a request of httpx."""
    body = BytesIO(request.read())
    status, content = straight.handle(request.method, request.url.path, request.headers, body)
    return httpx.Response(status, headers={"Content-Type": JSON}, content=content)


class PytestHttpx(httpx.BaseTransport):
    """The fixture of pytest-httpx without pytest: it puts this method in the place of the transport's."""

    def __init__(self, straight: Straight) -> None:
        options = _HTTPXMockOptions(can_send_already_matched_responses=True)
        self._mock = pytest_httpx.HTTPXMock(options)
        self._mock.add_callback(lambda request: handle(straight, request), url=EVERYTHING)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Respond to a request."""
        return self._mock._handle_request(self, request)


def sync_sides() -> list[Side]:
    """Return the sides that are called with `httpx.Client`."""
    fake, mock = FakeService.sample(), Straight()
    router = respx.mock(assert_all_called=False)
    router.route(url=EVERYTHING).mock(side_effect=lambda request, straight=Straight(): handle(straight, request))
    peers = {
        "httpx.MockTransport": httpx.MockTransport(lambda request: handle(mock, request)),
        "pytest-httpx": PytestHttpx(Straight()),
        "httpx.WSGITransport": httpx.WSGITransport(apps.wsgi(Straight())),
        "Flask": httpx.WSGITransport(apps.flask(Straight())),
    }
    return [
        ours(httpx.Client(transport=fake.transport()), fake),
        *(Side(peer, httpx.Client(transport=transport)) for peer, transport in peers.items()),
        Side("respx", httpx.Client(trust_env=False), around=router),
    ]


def async_sides() -> list[Side]:
    """Return the sides that are called with `httpx.AsyncClient`."""
    fake = FakeService.sample()
    made = {"httpx.ASGITransport": apps.asgi, "Starlette": apps.starlette, "FastAPI": apps.fastapi}
    return [
        ours(httpx.AsyncClient(transport=fake.transport()), fake),
        *(
            Side(peer, httpx.AsyncClient(transport=httpx.ASGITransport(make(Straight()))))
            for peer, make in made.items()
        ),
    ]


def requests_sides() -> list[Side]:
    """Return the sides that are called with `requests`."""
    fake, straight = FakeService.sample(), Straight()

    def respond(request: requests.PreparedRequest) -> tuple[int, dict[str, str], bytes]:
        body = request.body.encode() if isinstance(request.body, str) else request.body
        status, content = straight.handle(request.method, request.path_url, request.headers, BytesIO(body))
        return status, {"Content-Type": JSON}, content

    mock = responses.RequestsMock(assert_all_requests_are_fired=False)
    for method in ("PATCH", "POST"):
        mock.add_callback(method, EVERYTHING, respond)
    return [
        ours(requests.Session(), fake, fake.responses()),
        Side("responses", requests.Session(), around=Kept(mock)),
    ]


class Kept(AbstractContextManager[Any]):
    """A mock of `responses` that keeps its callbacks when it is left."""

    def __init__(self, mock: responses.RequestsMock) -> None:
        self._mock = mock

    def __enter__(self) -> None:
        self._mock.start()

    def __exit__(self, *_failure: object) -> None:
        self._mock.stop()


async def send(side: Side, method: str, url: str, **options: Any) -> Any:
    """Send a request, and return the JSON of its response."""
    response = getattr(side.client, method)(url, headers={"Authorization": side.bearer}, **options)
    response = await response if isawaitable(response) else response
    assert response.status_code in {200, 201}, response.content
    return response.json()


async def update(side: Side, number: int) -> Any:
    """Update the next user."""
    return await send(side, "patch", f"{side.base}/users/u-{number % 20 + 1:03d}", json=CHANGE)


async def upload(side: Side, number: int) -> Any:
    """Upload a file of 1,000 bytes, in two steps."""
    announced = {"fileName": f"{number}.txt", "fileSize": len(CONTENT)}
    first = await send(side, "post", f"{side.base}/users/u-001/drive/files", json=announced)
    content = {"Filedata": (f"{number}.txt", CONTENT, "text/plain")}
    return await send(side, "post", first["uploadUrl"], files=content)


async def sample(work: Any, sides: list[Side], rounds: int, calls: int) -> dict[str, list[float]]:
    """Return the median CPU time of a call, for each side and round; the sides take turns call by call."""
    costs: dict[str, list[float]] = {side.peer: [] for side in sides}
    for _ in range(rounds + 1):
        times: dict[str, list[float]] = {side.peer: [] for side in sides}
        for number in range(calls):
            for side in sides:
                with side.around:
                    begun = process_time()
                    await work(side, number)
                    times[side.peer].append(process_time() - begun)
        for peer, taken in times.items():
            costs[peer].append(median(taken))
        gc.collect()
    return {peer: rest for peer, (_warm_up, *rest) in costs.items()}


def measure(rounds: int, calls: int) -> Iterator[Row]:
    """Yield the rows of calls and uploads in process."""
    gc.disable()
    for name, make in {
        "httpx.Client": sync_sides,
        "httpx.AsyncClient": async_sides,
        "requests.Session": requests_sides,
    }.items():
        for topic, work in {"calls in process": update, "uploads in process": upload}.items():
            yield from compare(topic, name, asyncio.run(sample(work, make(), rounds, calls)))
    gc.enable()

"""Calls and uploads in process, through the same client library on both sides."""

import asyncio
import gc
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from inspect import isawaitable
from io import BytesIO
from shutil import which
from statistics import median
from tempfile import TemporaryFile
from time import process_time
from typing import Any, NamedTuple

import httpx
import pytest_httpx
import requests
import responses
import respx
from pytest_httpx._options import _HTTPXMockOptions
from requests.adapters import HTTPAdapter

from fakes import FakeService
from tests.benchmarks import call_ratio
from tests.benchmarks.call_ratio import CHANGE
from tests.benchmarks.frame_ratio import resident

from . import apps
from .sampling import OURS, Row, compare
from .straight import BEARER, ORIGIN, Straight

LARGE = 64 * 2**20
EVERYTHING = re.compile(f"{ORIGIN}/.*")


class Side(NamedTuple):
    """A client and what it calls; between the rounds, the fake's clock enters another minute, with another limit."""

    peer: str
    client: Any
    base: str = ORIGIN
    bearer: str = BEARER
    between: Callable[[], object] = nullcontext


def ours(client: Any, fake: FakeService) -> Side:
    """Return the side of the fake."""
    minute = partial(fake.clock.advance, minutes=1)
    return Side(OURS, client, fake.facts["base_url"], f"Bearer {fake.access_token()}", minute)


class PeerAdapter(HTTPAdapter):
    """What `responses` replaces, so that the fake's own replacement is not in its way."""


class PytestHttpx(httpx.BaseTransport):
    """The fixture of pytest-httpx without pytest: it puts this method in the place of the transport's."""

    def __init__(self, straight: Straight) -> None:
        options = _HTTPXMockOptions(can_send_already_matched_responses=True)
        self._mock = pytest_httpx.HTTPXMock(options)
        self._mock.add_callback(partial(apps.handle, straight), url=EVERYTHING)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Respond to a request."""
        return self._mock._handle_request(self, request)


def sync_sides() -> list[Side]:
    """Return the sides that are called with `httpx.Client`."""
    fake, respond, router = FakeService.sample(), partial(apps.handle, Straight()), respx.Router()
    router.route(url__regex=EVERYTHING).mock(side_effect=respond)
    peers = {
        "httpx.MockTransport": httpx.MockTransport(respond),
        "respx": httpx.MockTransport(router.handler),
        "pytest-httpx": PytestHttpx(Straight()),
        "httpx.WSGITransport": httpx.WSGITransport(apps.wsgi(Straight())),
        "Flask": httpx.WSGITransport(apps.flask(Straight())),
    }
    return [
        ours(httpx.Client(transport=fake.transport()), fake),
        *(Side(peer, httpx.Client(transport=transport)) for peer, transport in peers.items()),
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
        status, content, headers = straight.handle(
            request.method, request.path_url, request.headers, BytesIO(body)
        )
        return status, dict(headers), content

    mock = responses.RequestsMock(target=f"{__name__}.PeerAdapter.send")
    for method in ("PATCH", "POST"):
        mock.add_callback(method, EVERYTHING, respond)
    peer = requests.Session()
    peer.mount(ORIGIN, PeerAdapter())
    mock.start()  # both stay until the process ends
    fake.responses().start()
    return [ours(requests.Session(), fake), Side("responses", peer)]


async def send(side: Side, method: str, url: str, **options: Any) -> Any:
    """Send a request, and return the JSON of its response."""
    response = getattr(side.client, method)(url, headers={"Authorization": side.bearer}, **options)
    response = await response if isawaitable(response) else response
    assert response.status_code in {200, 201}, response.content
    return response.json()


async def update(side: Side, number: int) -> Any:
    """Update the next user."""
    return await send(side, "patch", f"{side.base}/users/u-{number % 20 + 1:03d}", json=CHANGE)


async def upload(side: Side, number: int, content: Any = b"x" * 1000, size: int = 1000) -> Any:
    """Upload a file in two steps."""
    announced = {"fileName": f"{number}.txt", "fileSize": size}
    first = await send(side, "post", f"{side.base}/users/u-001/drive/files", json=announced)
    file = {"Filedata": (f"{number}.txt", content, "text/plain")}
    return await send(side, "post", first["uploadUrl"], files=file)


async def sample(work: Any, sides: Sequence[Side], rounds: int, calls: int) -> dict[str, list[float]]:
    """Return the median CPU time of a call, for each side and round; the sides take turns call by call."""
    costs: dict[str, list[float]] = {side.peer: [] for side in sides}
    for _ in range(rounds + 1):
        times: dict[str, list[float]] = {side.peer: [] for side in sides}
        for number in range(calls):
            for side in sides:
                begun = process_time()
                await work(side, number)
                times[side.peer].append(process_time() - begun)
        for peer, taken in times.items():
            costs[peer].append(median(taken))
        sides[0].between()
    return {peer: rest for peer, (_warm_up, *rest) in costs.items()}


CLIENTS = {"httpx.Client": sync_sides, "httpx.AsyncClient": async_sides, "requests.Session": requests_sides}


def measure(rounds: int, calls: int) -> Iterator[Row]:
    """Yield the rows of calls and uploads in process; one peer at a time, as each cools the caches for the next."""
    gc.disable()
    for name, make in CLIENTS.items():
        for topic, work in {"calls in process": update, "uploads in process": upload}.items():
            fake, *peers = make()
            for peer in peers:
                yield from compare(topic, name, asyncio.run(sample(work, (fake, peer), rounds, calls)))
                gc.collect()
    yield from measure_operations(rounds, calls)
    gc.enable()
    yield from measure_memory(rounds)


def operation_sides(kind: type[Any]) -> tuple[list[Side], dict[str, Mapping[str, str]]]:
    """Return the sides of `call_ratio`, and what their clients have to know."""
    fake = call_ratio.fake()
    both = {OURS: call_ratio.ours(fake), "httpx.MockTransport": call_ratio.theirs()}
    minute = partial(fake.clock.advance, minutes=1)
    sides = [Side(peer, kind(**side.options), between=minute) for peer, side in both.items()]
    return sides, {peer: side.facts for peer, side in both.items()}


def measure_operations(rounds: int, calls: int) -> Iterator[Row]:
    """Yield the rows of each kind of call: the CPU time, and the instructions, which other processes do not change."""
    for name, operation in call_ratio.OPERATIONS.items():
        sides, facts = operation_sides(httpx.AsyncClient if name == "async" else httpx.Client)

        async def work(side: Side, number: int) -> None:
            asked = operation(facts[side.peer], number)  # noqa: B023 - called before the next
            if name == "async":  # noqa: B023
                await call_ratio.send_async(side.client, asked)
            else:
                call_ratio.send(side.client, asked)

        if operation is call_ratio.download:
            for side in sides:
                for number in range(20):
                    call_ratio.send(side.client, call_ratio.upload(facts[side.peer], number))
        yield from compare("operations", name, asyncio.run(sample(work, sides, rounds, calls)))
        if which("valgrind"):
            ours, theirs = (call_ratio.instructions(f"{name}-{side}") for side in ("fake", "straight"))
            ratio = round(ours / theirs, 3)
            yield Row("operations", name, sides[1].peer, "instructions", ratio, ratio, ratio, 1)


def measure_memory(rounds: int) -> Iterator[Row]:
    """Yield the rows of what a large upload adds to the memory of the process at most; less than 1 MiB is 1 MiB."""
    for name, make in CLIENTS.items():
        sides = make()
        costs: dict[str, list[float]] = {side.peer: [] for side in sides}
        with TemporaryFile() as file:
            file.truncate(LARGE)
            for number in range(rounds):
                for side in sides:
                    file.seek(0)
                    work = partial(upload, side, number, file, LARGE)
                    costs[side.peer].append(max(resident(lambda each: asyncio.run(each()), work), 2**20))
        yield from compare("memory", f"64 MiB, {name}", costs, "most memory")

"""Uploads in ranges under random breaks: the file is stored once, and whole."""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle, pairwise
from typing import Any, Literal

import httpx
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import FakeService
from svckit.errors import ServiceError
from svckit.operations.sources import StreamContent

from ..conftest import Face
from .ranges import DRIVE, SEND, stored

Break = Literal["reset", "lost", "timeout", "unreachable", "busy", "fine"]
BREAKS: dict[Break, Callable[[FakeService], object]] = {
    "reset": lambda fake: fake.faults.reset(SEND),
    "lost": lambda fake: fake.faults.reset(SEND, applied=True),
    "timeout": lambda fake: fake.faults.read_timeout(SEND, applied=True),
    "unreachable": lambda fake: fake.faults.connect_error(SEND),
    "busy": lambda fake: fake.faults.status(SEND, 503),
    "fine": lambda fake: None,
}
plans = st.lists(st.sampled_from([*BREAKS, "fine"]), max_size=12)


class Breaks(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """The transport of a fake, on which each request to the file storage breaks as planned."""

    def __init__(self, fake: FakeService, plan: list[Break]) -> None:
        self._fake = fake
        self._inner = fake.transport()
        self._plan = iter(plan)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._break(request)
        return self._inner.handle_request(request)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self._break(request)
        return await self._inner.handle_async_request(request)

    def _break(self, request: httpx.Request) -> None:
        if request.url.host == "storage.fake.test":
            BREAKS[next(self._plan, "fine")](self._fake)


def pieces(content: bytes, size: int) -> Iterator[bytes]:
    return (content[start : start + size] for start in range(0, len(content), size))


@settings(max_examples=80, deadline=None)
@given(
    content=st.binary(min_size=1, max_size=300),
    size=st.integers(1, 120),
    piece=st.none() | st.integers(1, 200),
    plan=plans,
    retries=st.integers(0, 2),
    way=st.sampled_from(["sync", "async"]),
)
def test_whatever_breaks_the_file_is_stored_once_and_whole(
    content: bytes, size: int, piece: int | None, plan: list[Break], retries: int, way: str
) -> None:
    fake = FakeService.sample(users=1, now="2026-06-01T09:00:00+09:00")
    options = {"name": "x", "size": len(content), "resumable": size}
    wiring = {"transport": Breaks(fake, plan), "clock": fake.clock}
    with asyncio.Runner() as runner, Face.opened(way, fake.facts, runner, **wiring) as face:
        face.session.retries = retries
        begun: Any = None
        for _ in range(len(plan) + 1):
            source = content if piece is None else pieces(content, piece)
            try:
                face(partial(resume, begun, source) if begun else partial(upload, source, options))
            except ServiceError as error:
                if error.upload is None and "the file was most likely stored" in str(error):
                    break
                begun = error.upload
            else:
                break
    assert stored(fake) == [content]


def upload(source: Any, options: dict[str, Any], svc: Any) -> Any:
    return svc.files.upload(source, DRIVE, **options)


def resume(begun: Any, source: Any, svc: Any) -> Any:
    return svc.files.resume(begun, source)


@given(
    content=st.binary(max_size=60),
    cuts=st.lists(st.integers(0, 60)),
    range_size=st.integers(1, 20),
    reads=st.lists(st.integers(1, 10), min_size=1),
)
def test_ranges_of_a_stream_can_be_read_again(
    content: bytes, cuts: list[int], range_size: int, reads: list[int]
) -> None:
    """However it is cut, each range is what it should be, as often as it is read from its beginning."""
    ends = [0, *sorted(min(cut, len(content)) for cut in cuts), len(content)]
    stream = StreamContent((content[a:b] for a, b in pairwise(ends)), len(content))
    for start in range(0, len(content), range_size):
        stream.keep(start)
        wanted = content[start : start + range_size]
        for _ in range(2):
            found = b""
            for size in cycle(reads):
                found += stream.read(start + len(found), min(size, len(wanted) - len(found)))
                if len(found) == len(wanted):
                    break
            assert found == wanted

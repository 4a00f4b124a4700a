"""What 1,000 small uploads through a session cost, as a ratio to bare httpx making the same calls on the same fake.

Run it with ``python -m tests.benchmarks.upload_ratio``. Both sides ask for an upload address and send the content there
as multipart, with the bearer. They take turns upload by upload, so the machine's moods hit both alike, and the figure
is the ratio of the medians. ``upload_many`` is timed as a whole, against a loop of bare httpx as a whole.
"""

import asyncio
import gc
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

import httpx

from fakes import FakeService
from svckit import places
from svckit.session.aio import AsyncSession
from svckit.session.connect import connect, connect_async
from svckit.session.session import Session

UPLOADS = 1000
WARM_UP = 100
CONTENT = b"x" * 1000
NAME = "small.txt"
NOW = "2026-06-01T09:00:00+09:00"
PATH = "/users/u-001/drive/files"
TO = places.drive("u-001")
Times = tuple[list[float], list[float]]


def make() -> FakeService:
    """A fake whose journal and store begin empty."""
    return FakeService.sample(now=NOW)


def bare(fake: FakeService, kind: type[Any]) -> Any:
    """A client without a toolkit, on a fake."""
    bearer = {"Authorization": f"Bearer {fake.access_token()}"}
    return kind(transport=fake.transport(), headers=bearer, timeout=30)


def first(fake: FakeService) -> tuple[str, dict[str, Any]]:
    """The first step: where to, and what is announced."""
    return fake.facts["base_url"] + PATH, {"fileName": NAME, "fileSize": len(CONTENT)}


def second() -> dict[str, Any]:
    """The second step: the content."""
    return {"Filedata": (NAME, CONTENT, "text/plain")}


def by_hand(http: httpx.Client, fake: FakeService) -> str:
    """One upload by bare httpx; the ID of the file."""
    url, announced = first(fake)
    response = http.post(http.post(url, json=announced).json()["uploadUrl"], files=second())
    assert response.status_code == 201
    return str(response.json()["fileId"])


async def by_hand_async(http: httpx.AsyncClient, fake: FakeService) -> str:
    """The same with an async client."""
    url, announced = first(fake)
    response = await http.post((await http.post(url, json=announced)).json()["uploadUrl"], files=second())
    assert response.status_code == 201
    return str(response.json()["fileId"])


def timed(call: Callable[[], Any]) -> float:
    """Seconds a call takes."""
    start = perf_counter()
    call()
    return perf_counter() - start


def sync_times(ours: Session, theirs: httpx.Client, fake: FakeService) -> Times:
    """Seconds of each upload, the two sides taking turns."""
    times: Times = ([], [])
    for _ in range(UPLOADS):
        times[0].append(timed(lambda: ours.files.upload(CONTENT, TO, name=NAME)))
        times[1].append(timed(lambda: by_hand(theirs, fake)))
    return times


async def async_times(ours: AsyncSession, theirs: httpx.AsyncClient, fake: FakeService) -> Times:
    """The same with ``await``."""
    times: Times = ([], [])
    for _ in range(UPLOADS):
        start = perf_counter()
        await ours.files.upload(CONTENT, TO, name=NAME)
        between = perf_counter()
        await by_hand_async(theirs, fake)
        times[0].append(between - start)
        times[1].append(perf_counter() - between)
    return times


def whole_times(ours: Session, theirs: httpx.Client, fake: FakeService) -> Times:
    """Seconds of an upload among many, from batches of 100, the two sides taking turns."""
    times: Times = ([], [])
    files = {f"{number}.txt": CONTENT for number in range(100)}
    for _ in range(max(1, UPLOADS // len(files))):
        times[0].append(timed(lambda: ours.files.upload_many(files, TO)) / len(files))
        times[1].append(timed(lambda: [by_hand(theirs, fake) for _ in files]) / len(files))
    return times


def report(name: str, times: Times, warm_up: int) -> float:
    """Print the ratio of the medians, warm-up left out."""
    ours, theirs = (median(taken[warm_up:]) for taken in times)
    print(f"{name}: {ours / theirs:.2f} times bare httpx, {1 / ours:.0f} a second")
    return ours / theirs


async def run_async() -> Times:
    """The async side, on a fake of its own."""
    fake = make()
    async with connect_async(fake) as ours, bare(fake, httpx.AsyncClient) as theirs:
        return await async_times(ours, theirs, fake)


def main() -> int:
    """Print the ratios."""
    gc.disable()
    fake = make()
    with connect(fake) as ours, bare(fake, httpx.Client) as theirs:
        report("upload, sync", sync_times(ours, theirs, fake), WARM_UP)
        report("upload_many of 100, four threads", whole_times(ours, theirs, fake), 1)
    report("upload, async", asyncio.run(run_async()), WARM_UP)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What a call through the fake costs, as a ratio to the same work done straight in `httpx.MockTransport`.

Run it with ``python -m tests.benchmarks.call_ratio``. Both sides hold a PATCH of a user to the bearer, to the limits
of every field, merge it and response the whole record. The two take turns call by call, so the machine's moods hit both
alike, and the figure is the ratio of the medians.
"""

import asyncio
import gc
import sys
from statistics import median
from time import perf_counter

import httpx
from pydantic_core import from_json, to_json

from fakes import FakeService
from svckit.models.user import UserChange

CALLS = 5000
WARM_UP = 500
TOKEN = "benchmark"
Times = tuple[list[float], list[float]]
NOW = "2026-06-01T09:00:00+09:00"
CHANGE = {"nickName": "Mina", "telephone": "+81-3-5555-0001", "task": None, "hiredDate": "2020-04-01"}


def straight() -> httpx.MockTransport:
    """A handler without a fake: the same checks and the same response, written in one piece."""
    users = {
        f"u-{n:03d}": to_json(record) for n, record in enumerate(FakeService.sample().directory.users(), 1)
    }

    def handle(request: httpx.Request) -> httpx.Response:
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return httpx.Response(401)
        user_id = request.url.path.removeprefix("/users/")
        record = from_json(users[user_id])
        record.update(UserChange.model_validate_json(request.content).to_wire())
        users[user_id] = body = to_json(record)
        return httpx.Response(200, headers={"Content-Type": "application/json; charset=UTF-8"}, content=body)

    return httpx.MockTransport(handle)


def fake() -> tuple[FakeService, str]:
    """A fake and a bearer it accepts."""
    service = FakeService.sample(now=NOW)
    return service, service.access_token()


def url(number: int) -> str:
    """The address of the next user."""
    return f"https://api.fake.test/users/u-{number % 20 + 1:03d}"


def sync_times(ours: httpx.Client, theirs: httpx.Client) -> Times:
    """Seconds of each call, the two sides taking turns call by call."""
    times: Times = ([], [])
    for number in range(CALLS):
        for client, taken in zip((ours, theirs), times, strict=True):
            start = perf_counter()
            response = client.patch(url(number), json=CHANGE)
            taken.append(perf_counter() - start)
            assert response.status_code == 200
    return times


async def async_times(ours: httpx.AsyncClient, theirs: httpx.AsyncClient) -> Times:
    """The same with async clients."""
    times: Times = ([], [])
    for number in range(CALLS):
        for client, taken in zip((ours, theirs), times, strict=True):
            start = perf_counter()
            response = await client.patch(url(number), json=CHANGE)
            taken.append(perf_counter() - start)
            assert response.status_code == 200
    return times


def report(name: str, limit: float, times: Times) -> bool:
    """Print the ratio of the medians, warm-up left out; True where it is within its bound."""
    ours, theirs = (median(taken[WARM_UP:]) for taken in times)
    print(f"{name}: {ours / theirs:.2f} times MockTransport and the same work (at most {limit:.2f})")
    return ours / theirs <= limit


def main() -> int:
    """Print both ratios; 1 where one is over its bound."""
    service, token = fake()
    mine = {"transport": service.transport(), "headers": {"Authorization": f"Bearer {token}"}}
    straight_line = {"transport": straight(), "headers": {"Authorization": f"Bearer {TOKEN}"}}
    gc.disable()
    held = report("sync", 1.10, sync_times(httpx.Client(**mine), httpx.Client(**straight_line)))
    service.clock.advance(minutes=1)  # more than 6000 calls in a minute would rest on an assumption
    times = asyncio.run(async_times(httpx.AsyncClient(**mine), httpx.AsyncClient(**straight_line)))
    return 0 if report("async", 1.20, times) and held else 1


if __name__ == "__main__":
    sys.exit(main())

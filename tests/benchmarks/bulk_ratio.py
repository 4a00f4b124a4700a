"""What a bulk change costs: `svc.users.diff` and `svc.users.apply` of 10,000 users, as a ratio to bare httpx.

Run it with ``python -m tests.benchmarks.bulk_ratio``. Both sides send the same PATCH calls through the same kind of
door to fakes of the same users; bare httpx sends bodies that are ready, from a loop, and reads the answers as JSON.
The two take turns, a part of the users at a time, so the machine's moods hit both alike.
"""

import gc
import sys
from statistics import median
from time import perf_counter

import httpx

import svckit
from fakes import FakeService
from svckit.edits import Changes
from svckit.session.session import Session
from tests.benchmarks.bounds import report

USERS = 10_000
PART = 500
NOW = "2026-06-01T09:00:00+09:00"
LIMIT = 1.6


def edited() -> tuple[Session, Changes, float]:
    """A session on a fake of its own, the change of every user in it, and the seconds that the comparison took."""
    svc = svckit.connect(FakeService.sample(users=USERS, now=NOW))
    people = svckit.frames.users(svc)
    people["nick_name"] = "Mina " + people["user_id"]
    start = perf_counter()
    changes = svc.users.diff(people)
    return svc, changes, perf_counter() - start


def applied(svc: Session, changes: Changes, workers: int) -> float:
    """Seconds to apply some changes."""
    start = perf_counter()
    result = svc.users.apply(changes, workers=workers, progress=False)
    taken = perf_counter() - start
    assert len(result.ok) == len(changes)
    return taken


def bare() -> httpx.Client:
    """A client of a fake of the same users, with a bearer."""
    fake = FakeService.sample(users=USERS, now=NOW)
    bearer = {"Authorization": f"Bearer {fake.access_token()}"}
    return httpx.Client(transport=fake.transport(), headers=bearer, base_url=fake.facts["base_url"])


def patched(http: httpx.Client, changes: Changes) -> float:
    """Seconds to make the same calls in a loop."""
    calls = [(f"/users/{edit.user_id}", edit.body) for edit in changes]
    start = perf_counter()
    for url, body in calls:
        response = http.patch(url, json=body)
        assert response.status_code == 200
        response.json()
    return perf_counter() - start


def main() -> int:
    """Print the ratios; 1 where applying is over its bound."""
    one, changes, compared = edited()
    four, _, _ = edited()
    http = bare()
    times: list[tuple[float, float, float]] = []
    gc.disable()
    for first in range(0, USERS, PART):
        part = changes[first : first + PART]
        times.append((applied(one, part, 1), applied(four, part, 4), patched(http, part)))
    alone, side_by_side, straight = map(median, zip(*times, strict=True))
    print(f"diff: {compared / (straight * USERS / PART):.2f} of what bare httpx takes for the calls")
    held = report("apply, 1 worker", alone / straight, LIMIT, "times bare httpx")
    print(f"apply, 4 workers: {side_by_side / straight:.2f} times bare httpx")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())

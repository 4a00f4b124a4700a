"""What touched users cost: calls, starts, restores, snapshots and memory, with 20, 1,000 and 100,000 of them.

Run it with ``python -m tests.benchmarks.touched_ratio``. Calls are PATCHes of random touched users, which change one of
a few fields in turns, committed to a state file on disk, or under ``assumptions="refuse"``; fakes that differ only in
how many users were touched take turns call by call, in process and served. The figures are ratios to the fake with 20:
of the medians of a round, and then the median of all rounds, so the machine's moods hit all alike; of the fields, the
one whose figure is the largest counts. Start, restore and snapshot are ratios to what ``json`` takes for the same data,
and their memory is what a process of their own takes at its peak beyond the data.
"""

import gc
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import httpx

from fakes import FakeService
from fakes.parts.domain import Beginning
from fakes.store.state_file import StateFile
from tests.benchmarks.bounds import report
from tests.benchmarks.counting import read_memory, restart_peak
from tests.benchmarks.serving import ROOT, bearer_of, process

NOW = "2026-06-01T09:00:00+09:00"
FEW = 20
SIZES = (FEW, 1000, 100_000)
CALLS = 80
"""In each round; a multiple of the number of fields that they change in turns."""
ROUNDS = 9
PASSES = 2
KIB = 1024
CALL_LIMIT = 1.3
LIMITS = {"start": 3.0, "restore": 6.0, "snapshot": 3.0}
MEMORY_LIMIT = 2.0
"""KiB for each user beyond the data."""


FIELDS = ("nickName", "email", "userExternalKey", "aliasEmails")


def change(number: int) -> dict[str, Any]:
    """Return a change of one field, in turns of those that are kept in different ways: to find a user by, or not."""
    name = f"mina-{number}"
    values: dict[str, Any] = {
        "nickName": name,
        "email": f"{name}@example.com",
        "userExternalKey": name,
        "aliasEmails": [f"{name}-{at}@example.com" for at in range(2)],
    }
    field = FIELDS[number % len(FIELDS)]
    return {field: values[field]}


class Side(NamedTuple):
    """A fake of which some users were touched, as its clients see it."""

    http: httpx.Client
    url: str
    users: int
    commit: Callable[[], None]

    def call(self, number: int) -> float:
        """Seconds of a PATCH of a random user, and of its commit."""
        user = f"{self.url}/users/u-{Random(number).randrange(self.users) + 1:03d}"
        sent = change(number)
        start = perf_counter()
        response = self.http.patch(user, json=sent)
        self.commit()
        taken = perf_counter() - start
        assert response.status_code == 200, response.text
        return taken


def touched(users: int) -> dict[str, Any]:
    """A snapshot in which each of so many users was changed, and all are active; of others nothing is described."""
    fake = FakeService.sample(users=users, now=NOW)
    snapshot = fake.snapshot()
    active = dict.fromkeys(("isSuspended", "isPending", "isAwaiting", "isDeleted"), False)
    active |= {"suspendedReason": None}
    snapshot["directory"]["users"]["changed"] = {
        each["userId"]: each | active for each in fake.records("users")
    }
    return snapshot


def save(snapshot: dict[str, Any], path: Path) -> None:
    """Make a state file of a snapshot."""
    beginning = Beginning(snapshot["directory"]["users"]["size"], 0, NOW)
    fake, file = FakeService.sample(*beginning), StateFile(path)
    fake.restore(snapshot)
    file.attach(fake, beginning)
    file.close()


def opened(path: Path) -> tuple[FakeService, StateFile]:
    """A fake that continues from a state file."""
    file = StateFile(path)
    beginning = file.beginning
    assert beginning is not None
    fake = FakeService.sample(*beginning)
    file.attach(fake, beginning)
    return fake, file


def nothing() -> None:
    """Commit nothing."""


@contextmanager
def in_process(path: Path, refuse: bool) -> Iterator[Side]:
    """A fake in this process: with its state on disk, or refusing assumptions."""
    fake, file = opened(path)
    bearer = {"Authorization": f"Bearer {fake.access_token()}"}
    commit = file.commit
    if refuse:
        file.close()
        fake = fake.fork()
        fake.rules.choose({}, "refuse")
        commit = nothing
    with httpx.Client(transport=fake.transport(), headers=bearer) as http:
        yield Side(http, fake.facts["base_url"], len(fake.directory), commit)
    if not refuse:
        file.close()


@contextmanager
def served(path: Path, refuse: bool) -> Iterator[Side]:
    """A fake in a process of its own."""
    options = ["--refuse-assumptions"] if refuse else []
    command = ("-m", "svckit", "serve", "--port", "0", "--state", str(path), *options)
    with process(*command, stderr=subprocess.DEVNULL) as (_, facts):
        bearer = {"Authorization": bearer_of(facts)}
        with httpx.Client(trust_env=False, timeout=60, headers=bearer) as http:
            yield Side(http, facts["base_url"], facts.get("user_count", len(facts["users"])), nothing)


def ratios(sides: list[Side], rounds: int, calls: int) -> list[float]:
    """Return what calls take, as ratios to the first side: that of the field whose ratio is the largest.

    The sides take turns, and each round has them in another order.
    """
    found: list[dict[str, list[float]]] = [{} for _ in sides]
    for turn in range(rounds):
        times: list[dict[str, list[float]]] = [{} for _ in sides]
        for number in range(calls):
            field = FIELDS[number % len(FIELDS)]
            for at in range(len(sides)):
                place = (at + turn) % len(sides)
                times[place].setdefault(field, []).append(sides[place].call(turn * calls + number))
        for ratio, taken in zip(found, times, strict=True):
            for field, each in taken.items():
                ratio.setdefault(field, []).append(median(each) / median(times[0][field]))
    return [max(map(median, ratio.values())) for ratio in found]


def passes(folder: Path, users: int, rounds: int) -> dict[str, float]:
    """What start, restore and snapshot take, as ratios to what json takes to read, read and write the same data."""
    path, data = folder / f"{users}.db", json.loads((folder / f"{users}.json").read_text())
    text = json.dumps(data)
    fake = FakeService.sample(now=NOW)
    times: dict[str, list[float]] = {}

    def start() -> None:
        opened(path)[1].close()

    steps = {
        "loads": lambda: json.loads(text),
        "start": start,
        "restore": lambda: fake.restore(data),
        "dumps": lambda: json.dumps(data),
        "snapshot": fake.snapshot,
    }
    for _ in range(rounds):
        for name, step in steps.items():
            gc.collect()
            begun = perf_counter()
            step()
            times.setdefault(name, []).append(perf_counter() - begun)
    took = {name: min(taken) for name, taken in times.items()}
    same = {"start": "loads", "restore": "loads", "snapshot": "dumps"}
    return {name: took[name] / took[other] for name, other in same.items()}


def memory(folder: Path, users: int, step: str) -> float:
    """What a process takes for a step at its peak beyond the data, in KiB for each user."""
    command = [
        sys.executable,
        "-m",
        "tests.benchmarks.touched_ratio",
        "memory",
        str(folder),
        str(users),
        step,
    ]
    return float(subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=ROOT).stdout)


def measure(folder: Path, users: int, step: str) -> float:
    """The same, in this process."""
    source, path = folder / f"{users}.json", folder / f"{users}.db"
    if step == "start":
        size = source.stat().st_size
        return (growth(lambda: opened(path)) - size) / users / KIB
    if step == "restore":
        data, fake = json.loads(source.read_text()), FakeService.sample(now=NOW)
        return (growth(lambda: fake.restore(data)) - source.stat().st_size) / users / KIB
    fake, text = opened(path)[0], source.read_text()
    size = growth(lambda: json.loads(text))
    return (growth(fake.snapshot) - size) / users / KIB


def growth(step: Callable[[], object]) -> int:
    """The bytes of memory that this process takes for a step at its peak; of what it leaves, none is counted again."""
    gc.collect()
    restart_peak()
    before = read_memory("VmRSS")
    kept = step()
    peak = read_memory("VmHWM")
    del kept
    return peak - before


def main() -> int:
    """Print all figures; 1 where one is over its bound."""
    held = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for users in SIZES:
            snapshot = touched(users)
            (folder / f"{users}.json").write_text(json.dumps(snapshot))
            save(snapshot, folder / f"{users}.db")
            del snapshot
        for kind in (in_process, served):
            for refuse in (False, True):
                with ExitStack() as stack:
                    sides = [stack.enter_context(kind(folder / f"{users}.db", refuse)) for users in SIZES]
                    for users, ratio in list(zip(SIZES, ratios(sides, ROUNDS, CALLS), strict=True))[1:]:
                        what = "PATCH under refuse" if refuse else "committed PATCH"
                        what = f"{what}, {kind.__name__.replace('_', ' ')}, {users} users touched"
                        held.append(report(what, ratio, CALL_LIMIT, f"times as with {FEW}"))
        for step, ratio in passes(folder, SIZES[-1], PASSES).items():
            held.append(report(f"{step}, {SIZES[-1]} users touched", ratio, LIMITS[step], "times json"))
        for step in LIMITS:
            above = memory(folder, SIZES[-1], step)
            held.append(report(f"memory of {step}", above, MEMORY_LIMIT, "KiB per user beyond the data"))
    return 0 if all(held) else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["memory"]:
        print(measure(Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
    else:
        sys.exit(main())

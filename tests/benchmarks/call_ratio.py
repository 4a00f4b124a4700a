"""What a call through the fake costs, as a ratio to the same work done straight in `httpx.MockTransport`.

Run it with ``python -m tests.benchmarks.call_ratio``. Both sides hold a PATCH of a user to the bearer, to the limits
of every field, merge it and return the whole record; neither parses a record again that it has. The figure is the ratio
of the executed instructions, which valgrind counts and other processes do not change. The last figure is for
users who are changed for the first time, of a million, compared with as many users of the same fake who were changed
before.
"""

import asyncio
import gc
import os
import re
import shutil
import subprocess
import sys
from typing import Any

import httpx
from pydantic_core import to_json

from fakes import FakeService
from svckit.models.user import UserChange
from tests.benchmarks.bounds import report
from tests.benchmarks.serving import ROOT

COUNTED = 100, 300
"""Of two processes, how many calls; the difference of what they execute is that of their calls."""
TOKEN = "benchmark"
NOW = "2026-06-01T09:00:00+09:00"
CHANGE = {"nickName": "Mina", "telephone": "+81-3-5555-0001", "task": None, "hiredDate": "2020-04-01"}
MILLION = 1_000_000
LIMITS = {"sync": 1.10, "async": 1.20, "untouched": 1.10}


def straight() -> httpx.MockTransport:
    """A handler without a fake: the same checks and the same response, written in one piece."""
    users = {f"u-{n:03d}": dict(record) for n, record in enumerate(FakeService.sample().records("users"), 1)}

    def handle(request: httpx.Request) -> httpx.Response:
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return httpx.Response(401)
        record = users[request.url.path.removeprefix("/users/")]
        record.update(UserChange.model_validate_json(request.content).to_wire())
        return httpx.Response(
            200, headers={"Content-Type": "application/json; charset=UTF-8"}, content=to_json(record)
        )

    return httpx.MockTransport(handle)


def fake(users: int = 20) -> tuple[FakeService, str]:
    """A fake and a bearer it accepts."""
    service = FakeService.sample(users=users, now=NOW)
    return service, service.access_token()


def sides(service: FakeService, token: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of a client of the fake, and of one of the straight-line code."""
    ours = {"transport": service.transport(), "headers": {"Authorization": f"Bearer {token}"}}
    return ours, {"transport": straight(), "headers": {"Authorization": f"Bearer {TOKEN}"}}


def url(number: int, users: int = 20, step: int = 1) -> str:
    """The URL of the next user."""
    return f"https://api.fake.test/users/u-{number * step % users + 1:03d}"


def make_calls(kind: str, calls: int) -> None:
    """Make calls of a kind, in a process whose instructions are counted."""
    gc.disable()
    if kind in {"touched", "untouched"}:
        service, token = fake(MILLION)
        changed = 0 if kind == "touched" else COUNTED[-1]  # of both, as many users were changed before
        with httpx.Client(
            transport=service.transport(), headers={"Authorization": f"Bearer {token}"}
        ) as http:
            for number in (*range(COUNTED[-1]), *range(changed, changed + calls)):
                # The step is a prime, so that each is another user, whose URL nothing has cached.
                assert http.patch(url(number, MILLION, 7919), json=CHANGE).status_code == 200
        return
    client, side = kind.split("-")
    service, token = fake()
    options = sides(service, token)[side == "straight"]

    async def run() -> None:
        async with httpx.AsyncClient(**options) as http:
            for number in range(calls):
                assert (await http.patch(url(number), json=CHANGE)).status_code == 200

    if client == "async":
        asyncio.run(run())
    else:
        with httpx.Client(**options) as http:
            for number in range(calls):
                assert http.patch(url(number), json=CHANGE).status_code == 200
    service.journal.clear()  # a full one drops an entry at each call


def instructions(kind: str) -> float:
    """The instructions that a call of a kind executes."""
    few, many = (executed(kind, calls) for calls in COUNTED)
    return (many - few) / (COUNTED[1] - COUNTED[0])


def executed(kind: str, calls: int) -> int:
    """The instructions of a process that makes this many calls."""
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    command = [*valgrind, sys.executable, "-m", __name__ if __name__ != "__main__" else __spec__.name]
    done = subprocess.run(
        [*command, kind, str(calls)],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"I +refs: +([\d,]+)", done.stderr)
    assert done.returncode == 0, done.stderr
    assert found is not None, done.stderr
    return int(found[1].replace(",", ""))


def main(*arguments: str) -> int:
    """Print all ratios; 1 where one is over its bound."""
    if arguments:
        make_calls(arguments[0], int(arguments[1]))
        os._exit(0)  # the interpreter would look at all objects once more, which no call does
    if shutil.which("valgrind") is None:
        print("Instructions are counted by valgrind, which is not installed here.")
        return 2
    compared = {name: (f"{name}-fake", f"{name}-straight") for name in ("sync", "async")}
    compared["untouched"] = "untouched", "touched"
    held = [
        report(name, instructions(ours) / instructions(theirs), LIMITS[name])
        for name, (ours, theirs) in compared.items()
    ]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

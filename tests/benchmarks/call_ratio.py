"""What a call through the fake costs, as a ratio to the same work done straight in `httpx.MockTransport`.

Run it with ``python -m tests.benchmarks.call_ratio [NAME]...``. The other side is `tests.benchmarks.peers.straight`,
which reads, checks, stores and responds the same, in one piece. The figure is the ratio of the executed instructions,
which valgrind counts and other processes do not change. An upload has two calls, and so does a download. The last
figure is for users who are changed for the first time, of a million, compared with as many users of the same fake who
were changed before.
"""

import asyncio
import gc
import os
import shutil
import sys
from collections.abc import Callable, Generator, Mapping
from typing import Any, NamedTuple

import httpx

from fakes import FakeService
from tests.benchmarks.bounds import report
from tests.benchmarks.counting import count_instructions
from tests.benchmarks.peers import apps
from tests.benchmarks.peers.straight import BEARER, FACTS, Straight

COUNTED = 100, 300
"""Of two processes, how many calls; the difference of what they execute is that of their calls."""
NOW = "2026-06-01T09:00:00+09:00"
CHANGE = {"nickName": "Mina", "telephone": "+81-3-5555-0001", "task": None, "hiredDate": "2020-04-01"}
STATUS = {"profileStatusId": "BUSY", "statusMessage": "In a meeting", "endTime": "2036-06-01T18:00:00+09:00"}
MESSAGE = {"title": "CI", "body": {"text": '<m userId="u-002"> The build is green.'}}
CONTENT = b"x" * 1000
MILLION = 1_000_000
MANY = 10_000
"""Notifications that both sides take in a minute, so that none is refused."""
LIMITS = {"async": 1.20, "notify": 1.20, "token": 1.20, "upload": 1.20, "download": 1.20, "status": 1.20}
LIMIT = 1.10

Calls = Generator[tuple[str, str, dict[str, Any]], httpx.Response, None]
"""Requests, as method, URL and options of a client; each is sent its response."""


class Side(NamedTuple):
    """The options of a client, and what it has to know."""

    options: dict[str, Any]
    facts: Mapping[str, str]


def fake(users: int = 20) -> FakeService:
    """A fake of so many users."""
    return FakeService.sample(users=users, now=NOW)


def ours(service: FakeService) -> Side:
    """The side of the fake."""
    service.state.webhooks.limiter.limit = MANY
    issued = service.state.tokens.issue("u-001", service.facts["client_id"], "user file")
    facts = {name: service.facts[name] for name in ("base_url", "auth_url", "client_id", "client_secret")}
    facts |= {"webhook": service.facts["webhooks"][0], "refresh_token": issued.refresh_token or ""}
    bearer = {"Authorization": f"Bearer {service.access_token()}"}
    return Side({"transport": service.transport(), "headers": bearer}, facts)


def theirs() -> Side:
    """The side of the straight-line code."""
    return Side(
        {"transport": apps.mock(Straight(per_minute=MANY)), "headers": {"Authorization": BEARER}}, FACTS
    )


def user(number: int, users: int = 20, step: int = 1) -> str:
    """The path of the next user."""
    return f"/users/u-{number * step % users + 1:03d}"


def update(facts: Mapping[str, str], number: int) -> Calls:
    """Update the next user."""
    yield "PATCH", facts["base_url"] + user(number), {"json": CHANGE}


def set_status(facts: Mapping[str, str], number: int) -> Calls:
    """Register a status of the next user."""
    yield "POST", f"{facts['base_url']}{user(number)}/user-profile-statuses", {"json": STATUS}


def notify(facts: Mapping[str, str], _: int) -> Calls:
    """Post a notification."""
    yield "POST", facts["webhook"], {"json": MESSAGE}


def refresh(facts: Mapping[str, str], _: int) -> Calls:
    """Ask for an access token."""
    form = {name: facts[name] for name in ("client_id", "client_secret", "refresh_token")}
    yield "POST", facts["auth_url"] + "/oauth2/v2.0/token", {"data": {"grant_type": "refresh_token"} | form}


def upload(facts: Mapping[str, str], number: int) -> Calls:
    """Upload a file of the next user."""
    name = f"{number}.txt"
    announced = {"fileName": name, "fileSize": len(CONTENT)}
    first = yield "POST", f"{facts['base_url']}{user(number)}/drive/files", {"json": announced}
    yield "POST", first.json()["uploadUrl"], {"files": {"Filedata": (name, CONTENT, "text/plain")}}


def download(facts: Mapping[str, str], number: int) -> Calls:
    """Download the file that was uploaded as the first for the next user."""
    path = f"{user(number)}/drive/files/file-{number % 20 + 1}/download"
    first = yield "GET", facts["base_url"] + path, {}
    yield "GET", first.headers["Location"], {}


OPERATIONS: dict[str, Callable[[Mapping[str, str], int], Calls]] = {
    "sync": update,
    "async": update,
    "notify": notify,
    "token": refresh,
    "upload": upload,
    "download": download,
    "status": set_status,
}


def send(http: httpx.Client, calls: Calls) -> httpx.Response:
    """Send the requests of an operation; the last response."""
    method, url, options = next(calls)
    while True:
        response = http.request(method, url, **options)
        assert response.status_code < 400, response.text
        try:
            method, url, options = calls.send(response)
        except StopIteration:
            return response


async def send_async(http: httpx.AsyncClient, calls: Calls) -> httpx.Response:
    """The same with ``await``."""
    method, url, options = next(calls)
    while True:
        response = await http.request(method, url, **options)
        assert response.status_code < 400, response.text
        try:
            method, url, options = calls.send(response)
        except StopIteration:
            return response


def make_calls(kind: str, calls: int) -> None:
    """Make calls of a kind, in a process whose instructions are counted."""
    gc.disable()
    if kind in {"touched", "untouched"}:
        service = fake(MILLION)
        side = ours(service)
        changed = 0 if kind == "touched" else COUNTED[-1]  # of both, as many users were changed before
        with httpx.Client(**side.options) as http:
            for number in (*range(COUNTED[-1]), *range(changed, changed + calls)):
                # The step is a prime, so that each is another user, whose URL nothing has cached.
                path = user(number, MILLION, 7919)
                assert http.patch(side.facts["base_url"] + path, json=CHANGE).status_code == 200
        return
    name, whose = kind.split("-")
    service, operation = fake(), OPERATIONS[name]
    side = ours(service) if whose == "fake" else theirs()

    async def run() -> None:
        async with httpx.AsyncClient(**side.options) as http:
            for number in range(calls):
                await send_async(http, operation(side.facts, number))

    if name == "async":
        asyncio.run(run())
    else:
        with httpx.Client(**side.options) as http:
            if operation is download:
                for number in range(20):
                    send(http, upload(side.facts, number))
            for number in range(calls):
                send(http, operation(side.facts, number))
    service.journal.clear()  # a full one drops an entry at each call


def instructions(kind: str) -> float:
    """The instructions that a call of a kind executes."""
    few, many = (
        count_instructions("-m", "tests.benchmarks.call_ratio", kind, str(calls)) for calls in COUNTED
    )
    return (many - few) / (COUNTED[1] - COUNTED[0])


def main(*names: str) -> int:
    """Print all ratios, or some; 1 where one is over its bound."""
    if names[-1:] and names[-1].isdecimal():
        make_calls(names[0], int(names[1]))
        os._exit(0)  # the interpreter would look at all objects once more, which no call does
    if shutil.which("valgrind") is None:
        print("Instructions are counted by valgrind, which is not installed here.")
        return 2
    compared = {name: (f"{name}-fake", f"{name}-straight") for name in OPERATIONS}
    compared["untouched"] = "untouched", "touched"
    held = [
        report(name, instructions(one) / instructions(other), LIMITS.get(name, LIMIT))
        for name, (one, other) in compared.items()
        if not names or name in names
    ]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""The process that runs a learner's code for the grader, which is in another: see `svckit.course.far_function`."""

import asyncio
import importlib
import json
import os
import re
import sys
import threading
from ast import PyCF_ALLOW_TOP_LEVEL_AWAIT
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from inspect import CO_COROUTINE
from multiprocessing.connection import Client, Connection
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from types import CodeType, SimpleNamespace
from typing import Any

import httpx

from fakes.clock import Clock
from fakes.lessons.functions import awaiting, find_code, find_line
from fakes.lessons.interrupting import call_within
from fakes.lessons.moving_clocks import moving_clocks
from svckit import course
from svckit.course.channel import Far, Side
from svckit.course.isolation import confine
from svckit.display.masking import mask
from svckit.models.secret import Secret
from svckit.profiles.credentials import Credentials, SessionTokens, Tokens
from svckit.profiles.profiles import Profile
from svckit.session.session import Session

__all__ = ["main"]

SOONER = 0.9
"""Which share of the time a call may take here, so that this process is the one to say where it was."""


class Grading(Side):
    """This process, and the way to the grader, on a connection of its own for each thread."""

    def __init__(self) -> None:
        super().__init__()
        self._own = threading.local()
        self.address, self.key = ("", 0), b""
        self.sent = 0
        self.left: dict[int, Any] = {}
        self.calls = {"side": {"define": define, "test": test}, "function": {"call": call}}

    @property
    def connection(self) -> Connection:
        """The connection of this thread."""
        if not hasattr(self._own, "connection"):
            self._own.connection = Client(self.address, authkey=self.key)
        found: Connection = self._own.connection
        return found

    def offer(self, value: object) -> tuple[Any, ...]:
        """Return that something is a function, if it is."""
        return ("function",) if callable(value) else ()

    def receive(self, kind: str, number: int, *details: Any) -> object:
        """Return what stands here for something of the grader's."""
        found: object
        match kind, *details:
            case "client", base_url, headers:
                found = httpx.Client(transport=Sending(number), base_url=base_url, headers=headers)
            case "fake", facts:
                found = FarFake(number, facts)
            case "session", *held:
                found = resume(*held)
            case "folder", files:
                found = write_folder(files)
            case "watched", module, name, text:
                found = self.left[number] = getattr(importlib.import_module(module), name)(text)
            case ("list",):
                found = self.left[number] = []
            case ("browser",):
                found = Far(self, number, ("open", "sign_in", "close", "page"))
            case _:
                found = Far(self, number)
        return found

    def report(self) -> None:
        """Tell the grader what became of its lists, and of its texts that note how they are compared."""
        for number, each in self.left.items():
            if isinstance(each, list):
                self.ask(number, "fill", tuple(each))
            elif each.compared:
                self.ask(number, "note")


class Sending(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """A transport whose requests the grader sends.

    Args:
        number: which of the grader's clients and fakes sends them.
    """

    def __init__(self, number: int) -> None:
        self._number = number

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request."""
        stream: Any = request.stream
        return self._send(request, [piece for piece in stream if piece])

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request of an async client."""
        stream: Any = request.stream
        return self._send(request, [piece async for piece in stream if piece])

    def _send(self, request: httpx.Request, pieces: list[bytes]) -> httpx.Response:
        GRADER.sent += 1
        sent = request.method, str(request.url), request.headers.multi_items(), pieces
        try:
            status, headers, content = GRADER.ask(self._number, "send", *sent)
        except httpx.RequestError as error:
            error.request = request
            raise
        return httpx.Response(status, headers=headers, stream=httpx.ByteStream(content), request=request)


class FarClock(Clock):
    """The clock of the grader's fake."""

    def now(self) -> datetime:
        """Return the current instant."""
        now: datetime = GRADER.ask(0, "now")
        return now

    def _move(self, now: datetime, target: datetime) -> datetime:
        moved: datetime = GRADER.ask(0, "advance", (target - now).total_seconds())
        return moved


CLOCK = FarClock("2026-06-01T09:00:00+09:00")


class FarFake:
    """The part of the grader's fake that a session needs.

    Attributes:
        facts: the facts of the fake.
        clock: its clock.
    """

    def __init__(self, number: int, facts: dict[str, Any]) -> None:
        self._number, self.facts, self.clock = number, facts, CLOCK
        look_up = partial(GRADER.ask, number, "look up")
        self.state = SimpleNamespace(users=SimpleNamespace(look_up=look_up))

    def transport(self) -> Sending:
        """Return a transport to the fake."""
        return Sending(self._number)

    def records(self, kind: str) -> Iterator[Any]:
        """Yield the records of a kind."""
        yield from GRADER.ask(self._number, "records", kind)

    @property
    def directory(self) -> dict[str, Any]:
        """The users by their IDs."""
        return {record["userId"]: record for record in self.records("users")}

    def access_token(self, *arguments: str) -> str:
        """Return a new access token."""
        return str(GRADER.ask(self._number, "access token", *arguments))


def resume(
    fake: FarFake, is_served: bool, facts: dict[str, Any], access: str, refresh: str, expires: datetime
) -> Session:
    """Return a session with the tokens of the grader's."""
    tokens = SessionTokens()
    tokens.current = Tokens(Secret(access), Secret(refresh), expires)
    return Session(
        Profile.from_facts(facts),
        Credentials.from_facts(facts),
        transport=None if is_served else fake.transport(),
        fake=fake,
        clock=fake.clock,
        tokens=tokens,
    )


def write_folder(files: dict[str, bytes]) -> Path:
    """Return a new folder with these files."""
    folder = Path(mkdtemp(dir="."))
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def define(side: Grading, source: str, names: list[str]) -> object:
    """Run the cells of a submission, and return what they have under these names, or the error as a pair.

    ``course.check(…)`` does nothing meanwhile, so a cell may call it.
    """
    for name in course.__all__:
        setattr(course, name, lambda *_, **__: None)  # cells import it, and check themselves
    found: dict[str, Any] = {"__name__": "__main__", "course": course}
    try:
        code = compile_cells(source)
        result = eval(code, found)  # noqa: S307 - grading runs what was submitted
        if code.co_flags & CO_COROUTINE:
            asyncio.run(result)
        return [found[name] for name in names]
    except BaseException as error:  # noqa: BLE001 - whatever a learner's code raises
        return type(error).__name__, mask(str(error))


def compile_cells(source: str) -> CodeType:
    """Compile cells, if need be without the lines that are for IPython alone."""
    compiling = partial(compile, filename="<submission>", mode="exec", flags=PyCF_ALLOW_TOP_LEVEL_AWAIT)
    try:
        code: CodeType = compiling(source)
    except SyntaxError:
        code = compiling(re.sub(r"(?m)^(\s*)[%!?].*$", r"\1pass", source))
    return code


def call(function: Callable[..., Any], seconds: float, *given: object) -> Any:
    """Call a function for the grader, with clocks that move with the fake's."""

    @contextmanager
    def moving(thread: int) -> Iterator[None]:
        with (
            CLOCK.sleeping(thread=thread),
            moving_clocks(CLOCK, find_code(function), lambda: GRADER.sent),
        ):
            yield

    try:
        return call_within(seconds * SOONER, lambda: awaiting(function)(*given), moving)
    except BaseException as error:
        with suppress(AttributeError):
            error.line = find_line(function, error)  # type: ignore[attr-defined]
        raise
    finally:
        GRADER.report()


def test(side: Grading, *given: Any) -> object:
    """Run the tests of a project with one client."""
    run_suite: Callable[..., object] = importlib.import_module("svckit.course.project_process").run_suite
    return run_suite(*given)


GRADER = Grading()


def main() -> None:
    """Do what the grader asks for; the task on standard input says where it is."""
    (host, port), key = json.load(sys.stdin)
    for number in range(3):  # whatever the code prints is for nobody
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
    GRADER.address, GRADER.key = (host, port), key.encode()
    with suppress(AttributeError):
        GRADER.connection  # noqa: B018 - the first connection, before any code of the learner's runs
    confine(Path(gettempdir()))
    GRADER.serve()


if __name__ == "__main__":
    main()

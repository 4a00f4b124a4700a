"""The process that runs a learner's code for the grader, which is in another: see `svckit.course.far_function`."""

import asyncio
import importlib
import json
import linecache
import os
import re
import sys
from ast import PyCF_ALLOW_TOP_LEVEL_AWAIT
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from inspect import CO_COROUTINE
from itertools import chain
from multiprocessing.connection import Client
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from types import CodeType, SimpleNamespace
from typing import Any

import httpx

from fakes.clock import Clock
from fakes.lessons.functions import awaiting, find_line
from fakes.lessons.interrupting import call_within
from fakes.lessons.moving_clocks import moving_clocks
from svckit import course
from svckit.course.channel import Side
from svckit.course.isolation import confine
from svckit.display.masking import mask
from svckit.models.secret import Secret
from svckit.profiles.credentials import Credentials, SessionTokens, Tokens
from svckit.profiles.profiles import Profile
from svckit.session.session import Session

__all__ = ["main"]

SOONER = 0.9
"""Which share of the time a call may take here, so that this process is the one to say where it was."""
CELLS = "<submission>"
"""The name of the file that the cells would be in."""


class Grading(Side):
    """This process, and the way to the grader, on a connection of its own for each thread."""

    def __init__(self, address: list[Any], key: str) -> None:
        connect = partial(Client, tuple(address), authkey=key.encode())
        super().__init__(connect, define=define, call=call, test=test)
        self.sent = 0
        self.left: list[tuple[Callable[[], object], Callable[[object], object]]] = []
        """What the grader wants to know after each call: how to find it here, and what tells it."""

    def receive(self, kind: str, number: int, *details: Any) -> object:
        """Return what stands here for something of the grader's."""
        found: Any
        match kind, *details:
            case "client", send, base_url, headers:
                found = httpx.Client(transport=Sending(send), base_url=base_url, headers=headers)
            case "fake", facts, send, known:
                found = FarFake(facts=facts, clock=CLOCK, transport=partial(Sending, send), **known)
                found.state = SimpleNamespace(users=found)  # a session looks up users there
            case "session", *held:
                found = resume(*held)
            case "browser", functions:
                found = FarBrowser(**functions)
            case "folder", files:
                found = write_folder(files)
            case "watched", module, name, text, note:
                found = getattr(importlib.import_module(module), name)(text)
                self.left.append((lambda: found.compared, note))
            case "list", fill:
                found = []
                self.left.append((lambda: tuple(found), fill))
            case "iterable", begin:
                found = FarItems(begin)
            case _:
                found = partial(self.ask, number)
        return found


GRADER: Grading


class Sending(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """A transport whose requests the grader sends.

    Args:
        ask: lets it send one.
    """

    def __init__(self, ask: Callable[..., Any]) -> None:
        self._ask = ask

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
            status, headers, content = self._ask(*sent)
        except httpx.RequestError as error:
            error.request = request
            raise
        return httpx.Response(status, headers=headers, stream=httpx.ByteStream(content), request=request)


class FarClock(Clock):
    """The clock of the grader's fake."""

    def now(self) -> datetime:
        """Return the current instant."""
        now: datetime = GRADER.ask("now")
        return now

    def _move(self, now: datetime, target: datetime) -> datetime:
        moved: datetime = GRADER.ask("advance", (target - now).total_seconds())
        return moved


CLOCK = FarClock("2026-06-01T09:00:00+09:00")


class FarFake(SimpleNamespace):
    """The part of the grader's fake that a session needs."""

    @property
    def directory(self) -> dict[str, Any]:
        """The users by their IDs."""
        return {record["userId"]: record for record in self.records("users")}


class FarBrowser(SimpleNamespace):
    """The grader's browser."""

    @property
    def page(self) -> Any:
        """The page that is open."""
        return self.look()


@dataclass(eq=False)
class FarItems:
    """Items of the grader's, which come one after another."""

    begin: Callable[[], Callable[[], list[Any]]]

    def __iter__(self) -> Iterator[Any]:
        return chain.from_iterable(iter(self.begin(), []))


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


def define(source: str, names: list[str]) -> object:
    """Run the cells of a submission, and return what they have under these names, or the error as a pair.

    ``course.check(…)`` does nothing meanwhile, so a cell may call it.
    """
    for name in course.__all__:
        setattr(course, name, lambda *_, **__: None)  # cells import it, and check themselves
    found: dict[str, Any] = {"__name__": "__main__", "course": course}
    # What Python shows of a line that raised, feedback shows.
    linecache.cache[CELLS] = len(source), None, source.splitlines(keepends=True), CELLS
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
    compiling = partial(compile, filename=CELLS, mode="exec", flags=PyCF_ALLOW_TOP_LEVEL_AWAIT)
    try:
        code: CodeType = compiling(source)
    except SyntaxError:
        code = compiling(re.sub(r"(?m)^(\s*)[%!?].*$", r"\1pass", source))
    return code


def call(number: int, seconds: float, *given: object) -> Any:
    """Call a function for the grader, with clocks that move with the fake's."""
    function = GRADER.things[number]
    moving = partial(moving_clocks, CLOCK, function, lambda: GRADER.sent)
    try:
        return call_within(seconds * SOONER, lambda: awaiting(function)(*given), moving)
    except BaseException as error:
        with suppress(AttributeError):
            error.line = find_line(function, error)  # type: ignore[attr-defined]
        raise
    finally:
        for read, tell in GRADER.left:
            tell(read())


def test(*given: Any) -> object:
    """Run the tests of a project with one client."""
    run_suite: Callable[..., object] = importlib.import_module("svckit.course.project_process").run_suite
    return run_suite(*given)


def main() -> None:
    """Do what the grader asks for; the task on standard input says where it is."""
    global GRADER  # noqa: PLW0603 - the one way to the grader
    GRADER = Grading(*json.load(sys.stdin))
    for number in range(3):  # whatever the code prints is for nobody
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
    GRADER.connect()  # for the first time, before any code of the learner's runs
    confine(Path(gettempdir()))
    GRADER.serve()

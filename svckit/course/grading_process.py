"""The process that runs a learner's code for the grader, which is in another: see `svckit.course.far_function`."""

import asyncio
import importlib
import json
import os
import re
import socket
import sys
import threading
from ast import PyCF_ALLOW_TOP_LEVEL_AWAIT
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from inspect import CO_COROUTINE
from pathlib import Path
from tempfile import mkdtemp
from types import CodeType, SimpleNamespace
from typing import Any

import httpx

from fakes.clock import Clock
from fakes.lessons.functions import awaiting, find_functions, find_line
from fakes.lessons.interrupting import call_within
from fakes.lessons.moving_clocks import moving_clocks
from svckit import course
from svckit.course.channel import Channel, Ended, decode, encode, encode_record
from svckit.course.isolation import confine
from svckit.display.masking import mask
from svckit.models.secret import Secret
from svckit.profiles.credentials import Credentials, SessionTokens, Tokens
from svckit.profiles.profiles import Profile
from svckit.session.session import Session

__all__ = ["main"]

SOONER = 0.9
"""Which share of the time a call may take here, so that this process is the one to say where it was."""


class Grader(threading.local):
    """The process of the grader, as each thread reaches it."""

    port, key = 0, ""
    sent = 0

    @property
    def channel(self) -> Channel:
        """The thread's connection."""
        if "_channel" not in vars(self):
            self._channel = reach()
        return self._channel

    def ask(self, *message: object) -> Any:
        """Ask the grader to do something, and return the value."""
        self.channel.tell(*message)
        return self.hear()

    def hear(self) -> Any:
        """Return the value of a reply, or raise its error."""
        kind, *content = self.channel.hear()
        if kind == "raised":
            module, name, text = content
            found = getattr(importlib.import_module(module), name)
            error: BaseException = found.__new__(found)
            error.args = (text,)
            raise error
        return decode(content[0], accept) if kind == "value" else content


GRADER = Grader()


def reach() -> Channel:
    """Connect to the grader."""
    channel = Channel(socket.create_connection(("127.0.0.1", Grader.port)))
    channel.send(Grader.key.encode())
    return channel


class Sending(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """A transport whose requests the grader sends.

    Args:
        number: which of the grader's clients, sessions and fakes sends them.
    """

    def __init__(self, number: int) -> None:
        self._number = number

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request, piece by piece."""
        self._begin(request)
        for piece in request.stream:  # type: ignore[union-attr]
            if piece:
                GRADER.channel.send(piece)
        return self._end(request)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request of an async client."""
        self._begin(request)
        async for piece in request.stream:  # type: ignore[union-attr]
            if piece:
                GRADER.channel.send(piece)
        return self._end(request)

    def _begin(self, request: httpx.Request) -> None:
        Grader.sent += 1
        GRADER.channel.tell(
            "request", self._number, request.method, str(request.url), request.headers.multi_items()
        )

    def _end(self, request: httpx.Request) -> httpx.Response:
        GRADER.channel.send(b"")
        try:
            status, headers = GRADER.hear()
        except httpx.RequestError as error:
            error.request = request
            raise
        body = httpx.ByteStream(GRADER.channel.receive())
        return httpx.Response(status, headers=headers, stream=body, request=request)


class FarClock(Clock):
    """The clock of the grader's fake."""

    def now(self) -> datetime:
        """Return the current instant."""
        now: datetime = GRADER.ask("now")
        return now

    def advance(self, *_: object, **spans: float) -> datetime:
        """Move forward."""
        now: datetime = GRADER.ask("advance", timedelta(**spans).total_seconds())
        return now

    def to(self, then: str | datetime) -> datetime:
        """Move forward to an instant."""
        instant = then if isinstance(then, datetime) else datetime.fromisoformat(then)
        return self.advance(seconds=(instant - self.now()).total_seconds())


CLOCK = FarClock("2026-06-01T09:00:00+09:00")


class FarFake:
    """The part of the grader's fake that a session needs.

    Attributes:
        facts: the facts of the fake.
        clock: its clock.
    """

    def __init__(self, number: int, facts: dict[str, Any]) -> None:
        self._number, self.facts, self.clock = number, facts, CLOCK
        look_up = partial(GRADER.ask, "look up", number)
        self.state: SimpleNamespace = SimpleNamespace(users=SimpleNamespace(look_up=look_up))

    def transport(self) -> Sending:
        """Return a transport to the fake."""
        return Sending(self._number)

    def records(self, kind: str) -> Iterator[Any]:
        """Yield the records of a kind."""
        yield from GRADER.ask("records", self._number, kind)

    @property
    def directory(self) -> dict[str, Any]:
        """The users by their IDs."""
        return {record["userId"]: record for record in self.records("users")}

    def access_token(self, *arguments: str) -> str:
        """Return a new access token."""
        return str(GRADER.ask("access token", self._number, *arguments))


class Given:
    """Something of the grader's that can be called or has methods, or whose items come one after another."""

    def __init__(self, number: int, names: tuple[str, ...] = ()) -> None:
        self._number, self._names = number, names

    def __call__(self, *arguments: object, **options: object) -> Any:
        return self._use("__call__", *arguments, **options)

    def __iter__(self) -> Iterator[Any]:
        number = GRADER.ask("iterate", self._number)
        while True:
            try:
                yield GRADER.ask("next", number)
            except StopIteration:
                return

    def __getattr__(self, name: str) -> Any:
        if name not in self._names:
            raise AttributeError(name)
        return self._use(name) if name == "page" else lambda *given, **named: self._use(name, *given, **named)

    def _use(self, name: str, *arguments: object, **options: object) -> Any:
        return GRADER.ask("call", self._number, name, [encode(each, offer) for each in arguments], options)


FUNCTIONS: list[Callable[..., Any]] = []
"""What the grader can call, by number."""
FILLED: dict[int, list[Any]] = {}
"""The lists that the grader gave empty, by its numbers."""
WATCHED: dict[int, Any] = {}
"""Its texts that note how they are compared."""


def offer(value: object) -> dict[str, object]:
    """Return what stands for something that is not data."""
    if value == []:
        return {"list": []}
    if callable(value):
        FUNCTIONS.append(value)
        return {"function": len(FUNCTIONS) - 1}
    return encode_record(value, offer)


def accept(kind: str, content: Any) -> object:
    """Return what stands here for something of the grader's."""
    found: object
    match kind:
        case "client":
            number, base_url, headers = content
            found = httpx.Client(transport=Sending(number), base_url=base_url, headers=headers)
        case "fake":
            found = FarFake(content[0], decode(content[1], accept))
        case "session":
            found = resume(*(decode(each, accept) for each in content))
        case "folder":
            found = write_folder(decode(content, accept))
        case "watched":
            number, text, module, name = content
            watched = getattr(importlib.import_module(module), name)
            found = WATCHED.setdefault(number, watched(text))
        case "filled":
            found = FILLED.setdefault(content, [])
        case "object":
            found = Given(content[0], tuple(content[1]))
        case _:
            found = Given(content)
    return found


def resume(number: int, facts: dict[str, Any], access: str, refresh: str, expires: datetime) -> Session:
    """Return a session with the tokens of the grader's."""
    tokens, fake = SessionTokens(), FarFake(number, facts)
    tokens.current = Tokens(Secret(access), Secret(refresh), expires)
    return Session(
        Profile.from_facts(facts),
        Credentials.from_facts(facts),
        transport=fake.transport(),
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


def define(source: str, function: str) -> Callable[..., Any]:
    """Run the cells of a submission, and return what they have under this name.

    ``course.check(…)`` does nothing meanwhile, so a cell may call it.
    """
    silent = SimpleNamespace(**dict.fromkeys(course.__all__, lambda *_, **__: None))
    names: dict[str, Any] = {"__name__": "__main__", "course": silent}
    code = compile_cells(source)
    result = eval(code, names)  # noqa: S307 - grading runs what was submitted
    if code.co_flags & CO_COROUTINE:
        asyncio.run(result)
    found: Callable[..., Any] = names[function]
    return found


def compile_cells(source: str) -> CodeType:
    """Compile cells, if need be without the lines that are for IPython alone."""
    compiling = partial(compile, filename="<submission>", mode="exec", flags=PyCF_ALLOW_TOP_LEVEL_AWAIT)
    try:
        code: CodeType = compiling(source)
    except SyntaxError:
        code = compiling(re.sub(r"(?m)^(\s*)[%!?].*$", r"\1pass", source))
    return code


def call(number: int, seconds: float, arguments: list[Any]) -> tuple[object, ...]:
    """Call a function for the grader, and return its reply."""
    function = FUNCTIONS[number]
    given = [decode(each, accept) for each in arguments]

    @contextmanager
    def moving(thread: int) -> Iterator[None]:
        with (
            CLOCK.sleeping(thread=thread),
            moving_clocks(CLOCK, find_functions(function), lambda: Grader.sent),
        ):
            yield

    kind, value = "value", None
    try:
        value = encode(call_within(seconds * SOONER, lambda: awaiting(function)(*given), moving), offer)
    except Ended:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever a learner's code raises
        kind, value = "raised", describe_error(function, error)
    filled = [[each, {"list": [encode(item, offer) for item in items]}] for each, items in FILLED.items()]
    compared = [each for each, text in WATCHED.items() if text.compared]
    return kind, value, filled, compared


def describe_error(function: Callable[..., Any], error: BaseException) -> dict[str, object]:
    """Return an error as data."""
    details = {name: encode(getattr(error, name, ()), offer) for name in ("waits", "problems")}
    return {
        "names": [[each.__module__, each.__name__] for each in type(error).__mro__],
        "arguments": encode(error.args, lambda value: {"unknown": type(value).__name__}),
        "text": mask(str(error)),
        "line": find_line(function, error),
        "details": details,
    }


def main() -> None:
    """Run the code of the task on standard input, and call its functions for the grader."""
    Grader.port, Grader.key, source, function = json.load(sys.stdin)
    for number in (0, 1):  # whatever the code prints is for nobody
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
    for name in course.__all__:
        setattr(course, name, lambda *_, **__: None)  # cells import it, and check themselves
    control = reach()
    confine(Path.cwd())
    try:
        FUNCTIONS.append(define(source, function))
    except BaseException as error:  # noqa: BLE001 - whatever a learner's code raises
        control.tell("raised", mask(f"The cell raised {type(error).__name__}: {error}"))
        return
    control.tell("defined")
    while True:
        control.tell(*call(*control.hear()))


if __name__ == "__main__":
    main()

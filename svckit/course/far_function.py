"""A learner's function in another process, and what that process may do: the side of the grader.

The fake, its journal, the data and the checks stay in this process. The other one can call what `FarCode.offer` gives
it of what the exercise gives to its function, and return a value or an error, as data. Whatever it says, it gets no
further than a function that is called in this process, and not as far: it has no admin key.
"""

import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from secrets import token_hex
from typing import Any

import httpx

from fakes import FakeService
from fakes.clock import Clock
from fakes.doors.browser import FakeBrowser
from fakes.engine.budget import BudgetSpent
from fakes.lessons.interrupting import TookTooLong
from svckit.course.channel import Ended, Side
from svckit.course.isolation import Process, start_process
from svckit.profiles.keys import URLS
from svckit.session.session import Session

__all__ = ["FarCode", "FarFunction", "connect_to"]

THREADS = 64
"""How many threads may wait to be connected; how many are connected is not limited."""
FAILED = AuthenticationError, EOFError, OSError
"""What is raised about somebody who connects and does not know the key."""
LONGEST_WAIT = 5.0
"""The seconds in which a thread of the process must say who it is, once the process has ended."""


class FarCode(Side):
    """The code of a learner in another process.

    Args:
        process: the process.
        control: the connection on which it is told what to do; each of its threads has one more, to ask for things.
    """

    def __init__(self, process: Process, control: Connection) -> None:
        super().__init__(
            lambda: control,
            now=lambda: self.clock.now(),  # noqa: PLW0108 - the clock is that of the fake of the moment
            advance=lambda seconds: self.clock.advance(seconds=seconds),
        )
        self._process = process
        self.clock: Clock
        self.seconds = 0.0
        self.given: Sequence[object] = ()

    def begin(self, fake: FakeService, seconds: float) -> None:
        """Use another fake from now on, with a key that nobody can work out, and let calls take some seconds."""
        fake.state.admin_key = token_hex(32)
        self.clock, self.seconds = fake.clock, seconds

    def ask(self, name: int | str, /, *arguments: object, **options: object) -> Any:
        """Let the process do something; if it has ended, say why."""
        try:
            return super().ask(name, *arguments, **options)
        except Ended as ended:
            self._process.stop()
            raise Ended(str(ended) or self._process.describe()) from None
        except (BudgetSpent, SystemExit, TookTooLong):
            if name == "call":  # where they end only the run
                raise
            raise Ended("The process returned something that could not be read.") from None

    def serve_connection(self, connection: Connection) -> None:
        """Do what a thread of the process asks for, until it ends."""
        self.own.connection = connection
        with suppress(Ended, Exception):
            self.serve()

    def offer(self, value: object) -> tuple[Any, ...]:
        """Return what the process needs instead of something that is not data."""
        found: tuple[Any, ...] = ()
        match value:
            case httpx.Client():
                found = "client", partial(send, value), str(value.base_url), value.headers.multi_items()
            case Session():
                tokens: Any = value._driver.tokens.current
                held = tokens.access.reveal(), tokens.refresh.reveal(), tokens.expires
                urls = {name: getattr(value.profile, name) for name in URLS}  # of a served fake, perhaps
                webhooks = [url.reveal() for url in value.credentials.webhooks.values()]
                facts = {**value.fake.facts, **urls, "webhooks": webhooks}
                found = "session", value.fake, value._transport is None, facts, *held
            case FakeService():
                known = {
                    "access_token": value.access_token,
                    "look_up": value.state.users.look_up,
                    "records": lambda kind: [*value.records(kind)],
                }
                http = httpx.Client(transport=value.transport())
                found = "fake", value.facts, partial(send, http), known
            case FakeBrowser():
                functions = {name: getattr(value, name) for name in ("open", "sign_in", "close")}
                found = "browser", functions | {"look": lambda: value.page}
            case Path():
                found = "folder", {path.name: path.read_bytes() for path in value.iterdir()}
            case str():
                note = partial(setattr, value, "compared")
                found = "watched", type(value).__module__, type(value).__qualname__, str(value), note
            case list() if any(value is argument for argument in self.given):  # not those of records
                found = "list", partial(value.__setitem__, slice(None))
            case _ if callable(value):
                found = ("function",)
            case Iterable() if not isinstance(value, tuple | list):
                found = "iterable", partial(begin, value)
        return found

    def receive(self, kind: str, number: int, *details: Any) -> object:
        """Return a function of the process."""
        if kind != "function":
            raise ValueError(kind)
        return FarFunction(self, int(number))


class FarFunction:
    """A function in another process."""

    def __init__(self, code: FarCode, number: int) -> None:
        self._code, self._number = code, number
        self.begin = code.begin

    def __call__(self, *arguments: object, **_: object) -> Any:
        """Call it. Of these arguments, it may fill a list that is empty."""
        self._code.given = arguments
        return self._code.ask("call", self._number, self._code.seconds, *arguments)


def send(
    client: httpx.Client, method: str, url: str, headers: list[tuple[str, str]], pieces: list[bytes]
) -> tuple[int, list[tuple[str, str]], bytes]:
    """Send a request with a body of these pieces."""
    request = httpx.Request(method, url, headers=headers, content=pieces or None)
    response = client.send(request, stream=True)
    return response.status_code, response.headers.multi_items(), b"".join(response.iter_raw())


def begin(items: Iterable[object]) -> Callable[[], list[object]]:
    """Return a function that returns a list of the next item, which is empty after the last one."""
    left = iter(items)
    return lambda: [*islice(left, 1)]


@contextmanager
def connect_to(seconds: float, folder: Path | None = None) -> Iterator[FarCode]:
    """Start a process, and yield its code, which is still to be defined.

    Args:
        seconds: its time limit.
        folder: the folder whose copy is its current one.

    Raises:
        Ended: it did not get that far.
    """
    key = token_hex(32)
    with Listener(("127.0.0.1", 0), backlog=THREADS, authkey=key.encode()) as listener:
        task = [listener.address, key]
        with start_process(task, seconds, folder) as process:

            def end_accepting() -> None:
                process.system.wait()
                with suppress(OSError, EOFError):  # nobody accepts any longer
                    Client(listener.address, authkey=key.encode()).close()

            def serve_threads() -> None:
                while process.system.poll() is None:
                    with suppress(*FAILED):
                        serve = partial(code.serve_connection, listener.accept())
                        threading.Thread(target=serve, daemon=True).start()

            threading.Thread(target=end_accepting, daemon=True).start()
            control = accept(listener)
            threading.Thread(target=end_hearing, args=(process, control), daemon=True).start()
            code = FarCode(process, control)
            accepting = threading.Thread(target=serve_threads, daemon=True)
            accepting.start()
            try:
                yield code
            finally:
                process.stop()
                accepting.join(LONGEST_WAIT)


def end_hearing(process: Process, connection: Connection) -> None:
    """Let nobody wait for a process that has ended, even if one that it started has its end of the connection."""
    process.system.wait()
    with suppress(OSError):
        own = socket.socket(fileno=connection.fileno())
        try:
            own.shutdown(socket.SHUT_RDWR)
        finally:
            own.detach()  # the connection closes it


def accept(listener: Listener) -> Connection:
    """Return the next connection of somebody who knows the key."""
    while True:
        with suppress(*FAILED):
            return listener.accept()

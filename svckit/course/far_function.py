"""A learner's function in another process, and what that process may do: the side of the grader.

The fake, its journal, the data and the checks stay in this process. The other one can do what `FarCode.calls` says with
what the exercise gives to its function, and return a value or an error, as data. Whatever it says, it gets no further
than a function that is called in this process, and not as far: it has no admin key.
"""

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from operator import attrgetter
from pathlib import Path
from secrets import token_hex
from typing import Any

import httpx

from fakes import FakeService
from fakes.doors.browser import FakeBrowser
from svckit.course.channel import Ended, Far, Side
from svckit.course.isolation import Process, start_module
from svckit.profiles.keys import URLS
from svckit.session.session import Session

__all__ = ["FarCode", "FarFunction", "connect_to"]

THREADS = 64
"""How many threads may connect at the same time."""


class FarCode(Side):
    """The code of a learner in another process.

    Args:
        process: the process.
        control: the connection on which it is told what to do; each of its threads has one more, to ask for things.
    """

    def __init__(self, process: Process, control: Connection) -> None:
        super().__init__()
        self._process = process
        self._own = threading.local()
        self._control = control
        self.fake: FakeService | None = None
        self.seconds = 0.0
        self.calls = {
            "side": {
                "now": lambda side: side.fake.clock.now(),
                "advance": lambda side, seconds: side.fake.clock.advance(seconds=seconds),
            },
            "client": {"send": self._send_request},
            "fake": {
                "send": self._send_request,
                "records": lambda fake, kind: [*fake.records(kind)],
                "look up": lambda fake, key: fake.state.users.look_up(key),
                "access token": FakeService.access_token,
            },
            "browser": {
                **{name: getattr(FakeBrowser, name) for name in ("open", "sign_in", "close")},
                "page": attrgetter("page"),
            },
            "function": {"call": lambda function, *given, **options: function(*given, **options)},
            "iterable": {"iterate": lambda items: self.keep("iterator", iter(items))},
            "iterator": {"next": lambda items: [*islice(items, 1)]},
            "list": {"fill": lambda items, new: items.__setitem__(slice(None), new)},
            "watched": {"note": lambda text: setattr(text, "compared", True)},
        }

    @property
    def connection(self) -> Connection:
        """The connection of this thread: the one it serves, or else that for control."""
        found: Connection = getattr(self._own, "connection", self._control)
        return found

    def begin(self, fake: FakeService, seconds: float) -> None:
        """Use another fake from now on, with a key that nobody can work out, and let calls take some seconds."""
        fake.state.admin_key = token_hex(32)
        self.fake, self.seconds = fake, seconds

    def ask(self, number: int, name: str, *arguments: object, **options: object) -> Any:
        """Let the process do something; if it has ended, say why."""
        try:
            return super().ask(number, name, *arguments, **options)
        except Ended as ended:
            self._process.stop()
            raise Ended(str(ended) or self._process.describe()) from None

    def serve_connection(self, connection: Connection) -> None:
        """Do what a thread of the process asks for, until it ends."""
        self._own.connection = connection
        with suppress(Ended, Exception):
            self.serve()

    def offer(self, value: object) -> tuple[Any, ...]:
        """Return what the process has to know of something that is not data."""
        found: tuple[Any, ...] = ()
        match value:
            case httpx.Client():
                found = "client", str(value.base_url), value.headers.multi_items()
            case Session():
                tokens: Any = value._driver.tokens.current
                held = tokens.access.reveal(), tokens.refresh.reveal(), tokens.expires
                urls = {name: getattr(value.profile, name) for name in URLS}  # of a served fake, perhaps
                webhooks = [each.reveal() for each in value.credentials.webhooks.values()]
                facts = {**value.fake.facts, **urls, "webhooks": webhooks}
                found = "session", value.fake, value._transport is None, facts, *held
            case FakeService():
                found = "fake", value.facts
            case Path():
                found = "folder", {each.name: each.read_bytes() for each in value.iterdir()}
            case str():
                found = "watched", type(value).__module__, type(value).__qualname__, str(value)
            case []:
                found = ("list",)
            case FakeBrowser():
                found = ("browser",)
            case _ if callable(value):
                found = ("function",)
            case Iterable() if not isinstance(value, tuple | list):
                found = ("iterable",)
        return found

    def receive(self, kind: str, number: int, *details: Any) -> object:
        """Return a function of the process."""
        if kind != "function":
            raise ValueError(kind)
        return FarFunction(self, int(number))

    def _send_request(
        self, given: Any, method: str, url: str, headers: list[tuple[str, str]], pieces: list[bytes]
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Send a request with a client, or to a fake, with a body of these pieces."""
        client = given if isinstance(given, httpx.Client) else httpx.Client(transport=given.transport())
        request = httpx.Request(method, url, headers=headers, content=pieces or None)
        response = client.send(request, stream=True)
        return response.status_code, response.headers.multi_items(), b"".join(response.iter_raw())


class FarFunction(Far):
    """A function in another process."""

    _side: FarCode

    def begin(self, fake: FakeService, seconds: float) -> None:
        """Use another fake from now on, and let calls take some seconds."""
        self._side.begin(fake, seconds)

    def __call__(self, *arguments: object, **_: object) -> Any:
        """Call it."""
        return self._side.ask(self._number, "call", self._side.seconds, *arguments)


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
        with start_module(
            "svckit.course.grading_process", task=task, folder=folder, seconds=seconds
        ) as process:

            def end_accepting() -> None:
                process.system.wait()
                with suppress(OSError, EOFError):  # nobody accepts any longer
                    Client(listener.address, authkey=key.encode()).close()

            def serve_threads() -> None:
                while process.system.poll() is None:
                    connection = accept(listener)
                    threading.Thread(target=code.serve_connection, args=(connection,), daemon=True).start()

            threading.Thread(target=end_accepting, daemon=True).start()
            code = FarCode(process, accept(listener))
            accepting = threading.Thread(target=serve_threads, daemon=True)
            accepting.start()
            try:
                yield code
            finally:
                process.stop()
                accepting.join()


def accept(listener: Listener) -> Connection:
    """Return the next connection of somebody who knows the key."""
    while True:
        with suppress(AuthenticationError, EOFError, OSError):
            return listener.accept()

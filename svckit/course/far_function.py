"""A learner's function in another process, and what that process may do: the side of the grader.

The fake, its journal, the data and the checks stay in this process. The other one can send requests with the clients
that the exercise gives to the function, read and move the clock, use what else it was given, and return a value or an
error, as data. Whatever it says, it gets no further than a function that is called in this process.
"""

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hmac import compare_digest
from pathlib import Path
from queue import Empty, Queue
from secrets import token_hex
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Event, Thread
from typing import Any

import httpx

from fakes import FakeService
from fakes.doors.browser import FakeBrowser
from svckit.course.channel import Channel, Ended, decode, encode, encode_record
from svckit.course.isolation import Process
from svckit.session.session import Session

__all__ = ["FarCode", "FarFunction", "connect_to"]

MODULES = ("builtins", "httpx", "svckit.errors", "fakes.engine.budget", "fakes.lessons.interrupting")
"""Where errors are from that keep their class."""
MAY_END = ("Exception", "BudgetSpent", "TookTooLong", "SystemExit")
"""The classes of errors that end only the function."""
BROWSER = ("open", "sign_in", "close", "page")


class FarCode:
    """The code of a learner in another process.

    Attributes:
        fake: the fake of the current run.
    """

    def __init__(self, process: Process, control: Channel) -> None:
        self._process = process
        self._control = control
        self._offered: list[Any] = []
        self.fake: FakeService | None = None
        self._seconds = 0.0

    def hear(self) -> list[Any]:
        """Return what the process says next; if it has ended, say why."""
        try:
            return self._control.hear()
        except Ended:
            self._process.stop()
            self._process.wait()
            raise Ended(self._process.describe()) from None

    def begin(self, fake: FakeService, seconds: float) -> None:
        """Use another fake from now on, and let calls take some seconds."""
        self.fake, self._seconds = fake, seconds

    def call(self, number: int, *arguments: object) -> Any:
        """Call a function of the process, and return what it returns, or raise what it raises."""
        self._control.tell(number, self._seconds, [encode(each, self.offer) for each in arguments])
        kind, value, filled, compared = self.hear()
        try:
            for each, items in filled:
                self._offered[each][:] = decode(items, self.accept)
            for each in compared:
                self._offered[each].compared = True
            found = make_error(**value) if kind == "raised" else decode(value, self.accept)
        except Exception:  # noqa: BLE001 - whatever a learner's code says in place of a result
            raise Ended("The process returned something that could not be read.") from None
        if kind == "raised":
            raise found
        return found

    def accept(self, kind: str, content: Any) -> object:
        """Return the function that the process has under a number."""
        if kind != "function":
            raise ValueError(kind)
        return FarFunction(self, int(content))

    def offer(self, value: object) -> dict[str, object]:
        """Return what stands for something that is not data, and keep it, so that it can be used by its number."""
        number, content = self._keep(value), dict[str, object]()
        match value:
            case httpx.Client():
                content["client"] = [number, str(value.base_url), value.headers.multi_items()]
            case Session():
                tokens: Any = value._driver.tokens.current
                held = [tokens.access.reveal(), tokens.refresh.reveal(), encode(tokens.expires, self.offer)]
                content["session"] = [number, encode(dict(value.fake.facts), self.offer), *held]
            case FakeService():
                content["fake"] = [number, encode(dict(value.facts), self.offer)]
            case Path():
                files = {each.name: each.read_bytes() for each in value.iterdir()}
                content["folder"] = encode(files, self.offer)
            case str():
                content["watched"] = [number, str(value), type(value).__module__, type(value).__qualname__]
            case []:
                content["filled"] = number
            case FakeBrowser():
                content["object"] = [number, BROWSER]
            case _ if callable(value):
                content["function"] = number
            case Iterable() if not isinstance(value, Sequence):
                content["iterable"] = number
            case _:
                content = encode_record(value, self.offer)
        return content

    def _keep(self, value: object) -> int:
        """Return the number of something that was offered, or is now."""
        known = (number for number, each in enumerate(self._offered) if each is value)
        number = next(known, len(self._offered))
        self._offered[number:] = self._offered[number:] or [value]
        return number

    def serve(self, channel: Channel) -> None:
        """Do what a thread of the process asks for, until it ends."""
        while True:
            kind, *content = channel.hear()
            if kind == "request":
                self._send(channel, *content)
                continue
            try:
                channel.tell("value", encode(self._do(kind, *content), self.offer))
            except BaseException as error:  # noqa: BLE001 - the process raises it again
                tell_error(channel, error)

    def _do(self, kind: str, *content: Any) -> object:
        clock: Any = self.fake and self.fake.clock
        found: object
        match kind, *content:
            case ("now",):
                found = clock.now()
            case "advance", seconds:
                found = clock.advance(seconds=seconds)
            case "records", int(number), name:
                found = [*self._find_fake(number).records(name)]
            case "look up", int(number), key:
                found = self._find_fake(number).state.users.look_up(key)
            case "access token", int(number), *arguments:
                found = self._find_fake(number, FakeService).access_token(*arguments)
            case "iterate", int(number):
                self._offered.append(iter(self._offered[number]))
                found = len(self._offered) - 1
            case "next", int(number):
                found = next(self._offered[number])
            case "call", int(number), name, arguments, options:
                found = self._use(self._offered[number], name, arguments, options)
            case _:
                raise ValueError(kind)
        return found

    def _find_fake(self, number: int, *kinds: type) -> Any:
        """Return a fake, if the function was given it, or a session with it."""
        given: Any = self._offered[number]
        if not isinstance(given, kinds or (FakeService, Session)):
            raise TypeError("the function was not given this")
        return getattr(given, "fake", given)

    def _use(self, given: Any, name: str, arguments: list[Any], options: dict[str, Any]) -> object:
        if isinstance(given, FakeBrowser) and name in BROWSER:
            found = getattr(given, name)
        elif name == "__call__" and not isinstance(given, FakeBrowser | httpx.Client | Session | FakeService):
            found = given
        else:
            raise AttributeError(name)
        values = [decode(each, self.accept) for each in arguments]
        return found(*values, **options) if callable(found) else found

    def _send(self, channel: Channel, number: int, method: str, url: str, headers: list[list[str]]) -> None:
        body = Body(channel)
        try:
            client = self._offered[number]
            if not isinstance(client, httpx.Client):
                client = httpx.Client(transport=self._find_fake(number).transport())
            request = httpx.Request(method, url, headers=[(a, b) for a, b in headers], stream=body)
            response = client.send(request, stream=True)
            content = b"".join(response.iter_raw())
        except BaseException as error:  # noqa: BLE001 - the process raises it again
            body.skip()
            tell_error(channel, error)
        else:
            body.skip()
            channel.tell("response", response.status_code, response.headers.multi_items())
            channel.send(content)


def tell_error(channel: Channel, error: BaseException) -> None:
    """Say what was raised, unless that is that the process has ended."""
    if isinstance(error, Ended):
        raise error
    channel.tell("raised", type(error).__module__, type(error).__name__, str(error))


class FarFunction:
    """A function in another process.

    Args:
        code: the process.
        number: the number of the function there.
    """

    def __init__(self, code: FarCode, number: int) -> None:
        self._code = code
        self._number = number

    def begin(self, fake: FakeService, seconds: float) -> None:
        """Use another fake from now on, and let calls take some seconds."""
        self._code.begin(fake, seconds)

    def __call__(self, *arguments: object) -> Any:
        """Call it."""
        return self._code.call(self._number, *arguments)


class Body(httpx.SyncByteStream):
    """The body of a request, in the pieces in which it was sent."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._ended = False

    def __iter__(self) -> Iterator[bytes]:
        while not self._ended:
            piece = self._channel.receive()
            self._ended = not piece
            if piece:
                yield piece

    def skip(self) -> None:
        """Receive what was not read."""
        for _ in self:
            pass


def make_error(
    names: list[list[str]], arguments: Any, text: str, line: str, details: dict[str, Any]
) -> BaseException:
    """Return an error of a learner's code: of a class that is known, or that only has the same name."""
    known: type[BaseException] = Exception
    for module, name in names:
        found = getattr(importlib.import_module(module), name, None) if module in MODULES else None
        if isinstance(found, type) and issubclass(found, BaseException):
            known = found
            break
    if not any(base.__name__ in MAY_END for base in known.__mro__):
        known = Exception
    details = {str(name): decode(value, lambda kind, content: ()) for name, value in details.items()}
    own = {"__init__": lambda self: None, "__str__": lambda self: str(text), "line": str(line), **details}
    error: BaseException = type(str(names[0][1]), (known,), own)()
    error.args = tuple(decode(arguments, lambda kind, content: ()))
    return error


@contextmanager
def connect_to(start: Callable[[int, str], Any]) -> Iterator[FarCode]:
    """Listen, start a process, and yield its code once it has said what it has.

    Args:
        start: starts the process, given a port of this machine and a key.
    """
    key = token_hex(32)
    controls: Queue[Channel] = Queue()
    codes: list[FarCode] = []
    over = Event()

    class Handler(BaseRequestHandler):
        """A connection: the first is for calls of the learner's functions, and each thread there has one more."""

        def handle(self) -> None:
            channel = Channel(self.request)
            with suppress(Ended, Exception):
                if not compare_digest(channel.receive(), key.encode()):
                    return
                if codes:
                    codes[0].serve(channel)
                else:
                    controls.put(channel)
                    over.wait()

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, args=(POLL,), daemon=True).start()
        try:
            with start(server.server_address[1], key) as process:
                codes.append(FarCode(process, wait_for(controls, process)))
                yield codes[0]
        finally:
            over.set()
            server.shutdown()


POLL = 0.05


def wait_for(controls: "Queue[Channel]", process: Process) -> Channel:
    """Return the first connection of a process."""
    while process.system.poll() is None:
        with suppress(Empty):
            return controls.get(timeout=POLL)
    raise Ended(process.describe())

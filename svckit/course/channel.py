"""Calls between two processes: a learner's code, and the grader. Neither gets an object of the other, or code to run.

A message is JSON, in which all but numbers, texts, truth values and None is an object of one name, the kind:
``{"tuple": […]}``. Whatever is not data stays where it is. The other side makes something that stands for it, of data
and of functions that it can call here. While a side waits for an answer, it does what the other asks for: a function
fills a list before it returns, for example.
"""

import base64
import importlib
import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from datetime import date, datetime, timedelta
from itertools import count, islice
from multiprocessing.connection import Connection
from types import SimpleNamespace
from typing import Any

from svckit.display.masking import mask

__all__ = ["Ended", "Side", "describe_end"]

MOST = 2**26
"""The most bytes of a message."""
MOST_ITEMS = 100_000
"""The most items that are read of something that is not a collection."""
MOST_PARTS = 500_000
"""The most commas of a message: each item needs one, and many take far more memory than the message."""
MOST_KEYS = 5_000
"""The most items of a set, a dict or a record: of items with the same hash, each is compared with all before it."""
WITHHELD = "admin_key"
"""The fact that stays in its process: whoever has it can change a fake."""
MODULES = ("builtins", "httpx", "svckit.errors", "fakes.engine.budget", "fakes.lessons.interrupting")
"""Where errors are from that keep their class."""
MAY_END = ("Exception", "BudgetSpent", "TookTooLong", "SystemExit")
"""The classes of errors that end only the function."""
KEPT = ("waits", "problems", "line")
"""The attributes that errors keep."""


class Ended(BaseException):
    """The other process has ended, or does not say what it should."""


MAKERS: dict[str, Callable[[Any], object]] = {
    "bytes": base64.b64decode,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "dict": dict,
    "list": list,
    "record": lambda pairs: SimpleNamespace(**dict(pairs)),
    "set": set,
    "timedelta": lambda seconds: timedelta(seconds=seconds),
    "tuple": tuple,
    "unknown": lambda name: type(str(name), (), {"__module__": "__main__"})(),
}
"""What makes a value of its content: of a text or number, or of items, which are pairs for ``dict`` and ``record``."""


class Side:
    """One of the two processes, as what the other can use, and with what it can use of the other.

    Args:
        connect: makes a connection, for each thread that has none.
        functions: those that the other side can always call.

    Attributes:
        things: what the other side knows: functions that it can always call, by name, and what was offered, by number.
            It can call what can be called.
        own: what each thread has of its own: its ``connection``.
    """

    def __init__(self, connect: Callable[[], Connection], **functions: Callable[..., object]) -> None:
        self._connect, self.own = connect, threading.local()
        self.things: dict[Any, Any] = functions
        self._numbers = count()
        self._offered: dict[int, object] = {}  # the JSON of things, by their identities
        self._received: dict[int, object] = {}
        self._makers = {**MAKERS, "thing": self._find_thing}

    def connect(self) -> Connection:
        """Return the connection of this thread."""
        if not hasattr(self.own, "connection"):
            self.own.connection = self._connect()
        found: Connection = self.own.connection
        return found

    def offer(self, value: object) -> tuple[Any, ...]:
        """Return the kind of something that is not data, and what the other side needs instead of it; or nothing."""
        return ("function",) if callable(value) else ()

    def receive(self, kind: str, number: int, *details: Any) -> object:
        """Return what stands for a thing of the other side."""
        raise NotImplementedError

    def ask(self, name: int | str, /, *arguments: object, **options: object) -> Any:
        """Let the other side call a function of its own, and return the result, or raise the error.

        Raises:
            Ended: there is no answer, or none that can be read.
        """
        self._send("do", name, self.encode(arguments), self.encode(options))
        while (heard := self._hear())[0] == "do":
            self._do(*heard[1:])
        kind, answer = heard
        try:
            found = make_error(**self.decode(answer)) if kind == "raised" else self.decode(answer)
        except Exception:  # noqa: BLE001 - whatever a learner's code says in place of a result
            raise Ended("The process returned something that could not be read.") from None
        if kind == "raised":
            raise found
        return found

    def serve(self) -> None:
        """Do what the other side asks for on the connection of this thread, until it ends."""
        while True:
            self._do(*self._hear()[1:])

    def _send(self, *message: object) -> None:
        try:
            self.connect().send_bytes(json.dumps(message).encode())
        except OSError:
            raise Ended from None

    def _hear(self) -> Any:
        with suppress(OSError, EOFError, ValueError, RecursionError):
            received = self.connect().recv_bytes(MOST)
            message = json.loads(received) if received.count(b",") <= MOST_PARTS else None
            if isinstance(message, list) and len(message) == (4 if message[:1] == ["do"] else 2):
                return message
        raise Ended

    def _do(self, name: int | str, arguments: Any, options: Any) -> None:
        try:
            found = self.things[name](*self.decode(arguments), **self.decode(options))
            answer = "value", self.encode(found)
        except Ended:
            raise
        except BaseException as error:  # noqa: BLE001 - the other side raises it again
            answer = "raised", self.encode(describe_error(error))
        self._send(*answer)

    def encode(self, value: object) -> Any:
        """Return a value as JSON."""
        found: Any
        match value:
            case None | bool() | int() | float():
                found = value
            case str() if not hasattr(value, "compared"):  # a text that notes how it is compared is offered
                found = str(value)
            case bytes() | bytearray():
                found = {"bytes": base64.b64encode(value).decode()}
            case datetime() | date():
                found = {"datetime" if isinstance(value, datetime) else "date": value.isoformat()}
            case timedelta():
                found = {"timedelta": value.total_seconds()}
            case tuple() | set() | frozenset():
                found = {"tuple" if isinstance(value, tuple) else "set": [*map(self.encode, value)]}
            case Mapping():
                pairs = ((name, item) for name, item in value.items() if name != WITHHELD)
                found = {"dict": [[self.encode(part) for part in pair] for pair in islice(pairs, MOST_ITEMS)]}
            case list() if value:
                found = {"list": [*map(self.encode, value)]}
            case _:
                found = self._encode_thing(value)
        return found

    def _encode_thing(self, value: object) -> Any:
        """Return what stands for something that is offered, or else its fields, its items, or its type."""
        if id(value) in self._offered:
            return self._offered[id(value)]
        if offered := self.offer(value):
            kind, *details = offered
            number = next(self._numbers)
            self.things[number] = value  # which stays, so that nothing else gets its identity
            found = {"thing": [kind, number, *map(self.encode, details)]}
            return self._offered.setdefault(id(value), found)
        if is_dataclass(value) and not isinstance(value, type):
            return {"record": [[part.name, self.encode(getattr(value, part.name))] for part in fields(value)]}
        if hasattr(value, "__iter__") and not isinstance(value, type):
            return {"list": [*map(self.encode, islice(value, MOST_ITEMS))]}
        return {"unknown": type(value).__name__}

    def decode(self, value: Any) -> Any:
        """Return the value of JSON."""
        if not isinstance(value, dict):
            return [*map(self.decode, value)] if isinstance(value, list) else value
        ((kind, content),) = value.items()
        if kind in ("dict", "record", "set") and len(content) > MOST_KEYS:
            raise ValueError(kind)
        return self._makers[kind](self.decode(content))

    def _find_thing(self, content: Any) -> object:
        """Return what stands for a thing of the other side, which is made once."""
        kind, number, *details = content
        if number not in self._received:
            self._received[number] = self.receive(kind, number, *details)
        return self._received[number]


def describe_end(error: BaseException) -> str:
    """Say why there is no result, masked."""
    return mask(str(error) if isinstance(error, Ended) else f"{type(error).__name__}: {error}")


def describe_error(error: BaseException) -> dict[str, object]:
    """Return an error as data."""
    simple = (value if isinstance(value, str | int | float) else type(value).__name__ for value in error.args)
    return {
        "names": [[kind.__module__, kind.__name__] for kind in type(error).__mro__],
        "arguments": tuple(simple),
        "text": mask(str(error)),
        "kept": {name: getattr(error, name) for name in KEPT if hasattr(error, name)},
    }


def make_error(names: Any, arguments: Any, text: str, kept: dict[str, Any]) -> BaseException:
    """Return an error of the other side: of a class that is known, or that only has the same name."""
    known: type[BaseException] = Exception
    for module, name in names:
        found = getattr(importlib.import_module(module), name, None) if module in MODULES else None
        if isinstance(found, type) and issubclass(found, BaseException):
            known = found
            break
    may_end = any(base.__name__ in MAY_END for base in known.__mro__)
    if not may_end or issubclass(known, BaseExceptionGroup):  # a group cannot be made without its errors
        known = Exception
    own = {"__init__": lambda self: None, "__str__": lambda self: str(text)}
    kept = {name: kept[name] for name in KEPT if name in kept}
    error: BaseException = type(str(names[0][1]), (known,), own | kept)()
    error.args = tuple(arguments)
    return error

"""Messages between two processes: a learner's code, and the grader.

A message is bytes after their number. Values travel as JSON, in which all but numbers, texts, truth values and None is
an object of one name, the kind: ``{"tuple": […]}``. Neither side gets an object of the other, or code to run: whatever
is not data has a number, and is called by it.
"""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, timedelta
from itertools import islice
from socket import IPPROTO_TCP, TCP_NODELAY, socket
from types import SimpleNamespace
from typing import Any

__all__ = ["Channel", "Ended", "decode", "encode", "encode_record"]

MOST = 2**28
"""The most bytes of a message."""
MOST_ITEMS = 100_000
"""The most items that are read of something that is not a collection."""

Offer = Callable[[object], dict[str, object]]
Accept = Callable[[str, Any], object]


class Ended(BaseException):
    """The other process has ended, or does not say what it should."""


class Channel:
    """One end of a connection.

    Args:
        connection: the connection.
    """

    def __init__(self, connection: socket) -> None:
        connection.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)  # or each small message waits for 40 ms
        self._file = connection.makefile("rwb")

    def send(self, content: bytes) -> None:
        """Send bytes."""
        try:
            self._file.write(len(content).to_bytes(8, "big") + content)
            self._file.flush()
        except (OSError, ValueError):
            raise Ended("the connection was closed") from None

    def receive(self) -> bytes:
        """Return the bytes of the next message.

        Raises:
            Ended: there is none.
        """
        try:
            size = int.from_bytes(self._file.read(8), "big")
            content = self._file.read(size) if size <= MOST else b""
        except (OSError, ValueError):
            size, content = -1, b""
        if len(content) != size or self._file.closed:
            raise Ended("the connection was closed")
        return content

    def tell(self, *message: object) -> None:
        """Send a message of JSON."""
        self.send(json.dumps(message).encode())

    def hear(self) -> list[Any]:
        """Return the next message of JSON.

        Raises:
            Ended: there is none.
        """
        try:
            message = json.loads(self.receive())
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, list) or not message:
            raise Ended("a message could not be read")
        return message


def encode(value: object, offer: Offer) -> Any:
    """Return a value as JSON.

    Args:
        value: the value.
        offer: returns the JSON of whatever is not data.
    """

    def all_of(values: Any) -> list[Any]:
        return [encode(each, offer) for each in values]

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
            found = {"tuple" if isinstance(value, tuple) else "set": all_of(value)}
        case Mapping():
            found = {"dict": [all_of(pair) for pair in islice(value.items(), MOST_ITEMS)]}
        case list() if value:
            found = {"list": all_of(value)}
        case _:
            found = offer(value)
    return found


def encode_record(value: object, offer: Offer) -> dict[str, Any]:
    """Return the fields of a dataclass, the items of something that can be iterated over, or else a description."""
    if is_dataclass(value) and not isinstance(value, type):
        return {"record": [[each.name, encode(getattr(value, each.name), offer)] for each in fields(value)]}
    if hasattr(value, "__iter__") and not isinstance(value, type):
        items: Any = value
        return {"list": [encode(each, offer) for each in islice(items, MOST_ITEMS)]}
    return {"unknown": type(value).__name__}


READERS: dict[str, Callable[[Any], object]] = {
    "bytes": base64.b64decode,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "timedelta": lambda seconds: timedelta(seconds=seconds),
    "unknown": lambda name: type(str(name), (), {})(),
}
MAKERS: dict[str, Callable[[list[Any]], object]] = {
    "dict": dict,
    "list": list,
    "record": lambda pairs: SimpleNamespace(**dict(pairs)),
    "set": set,
    "tuple": tuple,
}
"""What makes a value of its content, and of its items, pairs for ``dict`` and ``record``, by the kind."""


def decode(value: Any, accept: Accept) -> Any:
    """Return the value of JSON.

    Args:
        value: the JSON.
        accept: returns what stands for the content of any other kind.
    """
    if not isinstance(value, dict):
        return [decode(each, accept) for each in value] if isinstance(value, list) else value
    ((kind, content),) = value.items()
    if kind in READERS:
        return READERS[kind](content)
    return MAKERS[kind](decode(content, accept)) if kind in MAKERS else accept(kind, content)

"""The neutral request and response that every door speaks, and the sinks a request body is pushed into."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fakes.refusals import Refused

__all__ = ["BodySink", "Collected", "Headers", "RequestHead", "Response"]

Headers = Sequence[tuple[str, str]]

BODY_LIMIT = 8 * 1024 * 1024


@dataclass(slots=True, frozen=True)
class RequestHead:
    """The head of a request: method, absolute URL as sent (raw path and query kept), headers in order."""

    method: str
    url: str
    headers: Headers = ()


@dataclass(slots=True)
class Response:
    """An answer: status, headers in order, and a body that is bytes or an iterable of chunks."""

    status: int
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes | Iterable[bytes] = b""


class BodySink(Protocol):
    """Takes a request body, chunk by chunk."""

    def feed(self, chunk: bytes) -> None:
        """Take the next chunk."""


class Collected:
    """A sink for small bodies (JSON, forms), which are kept whole, up to 8 MiB."""

    __slots__ = ("_chunks", "_size")

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> None:
        """Take the next chunk; beyond the limit the size is counted and the bytes are dropped."""
        self._size += len(chunk)
        if self._size <= BODY_LIMIT:
            self._chunks.append(chunk)

    def value(self) -> bytes:
        """The whole body.

        Raises:
            Refused: it was larger than the fake keeps for this kind of body.
        """
        if self._size > BODY_LIMIT:
            raise Refused(
                "invalid",
                f"the body is {self._size} bytes; the fake takes at most {BODY_LIMIT} for this operation",
            )
        return self._chunks[0] if len(self._chunks) == 1 else b"".join(self._chunks)

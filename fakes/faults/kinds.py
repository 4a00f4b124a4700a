"""The kinds of faults, and the broken connection that some of them leave a door to raise."""

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Annotated, ClassVar, Literal, Never, get_args

from pydantic import Field

from fakes.clock import Clock
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse
from fakes.persistence import Saved

__all__ = [
    "KINDS",
    "AnyFault",
    "Break",
    "BrokenConnection",
    "ConnectError",
    "Delay",
    "DropCallback",
    "Fault",
    "ReadTimeout",
    "Reset",
    "Slow",
    "Status",
    "Truncate",
]

Break = Literal["connect_error", "read_timeout", "reset", "truncated"]
Seconds = Annotated[
    float,
    Field(
        gt=0,
        allow_inf_nan=False,
        description="Length of the delay; for a slow body, of that before each piece, by default 0.1.",
    ),
]


class BrokenConnection(Exception):
    """A missing or incomplete response; a door raises the error that its own client would raise.

    Attributes:
        how: the way in which the connection broke.
        wait: seconds the door waits before it raises.
        settle: saves that the fault was used, where no response does; None if there is nothing to save.
    """

    def __init__(self, how: Break, message: str) -> None:
        super().__init__(message)
        self.how: Break = how
        self.wait: float = 0.0
        self.settle: Callable[[], Awaitable[None]] | None = None


class Fault(Saved):
    """A fault in what matches its target, a number of times.

    Attributes:
        target: an operation, a path, or ``*``; for a callback, the ID of the bot.
        times: the total number of times; None for always.
        used: the number of times it has applied so far.
        skip: the number of matching requests or callbacks that still get through first.
    """

    about: ClassVar[Literal["request", "callback"]] = "request"

    target: str = Field(
        min_length=1,
        frozen=True,  # the index of faults is by it
        description="An operation, a path or *, the default; for a callback, the bot's ID.",
    )
    times: Annotated[int, Field(ge=1)] | None = Field(
        description="Number of times it applies; null for always. The default is 1."
    )
    used: int = Field(default=0, ge=0, description="Number of times it has applied.")
    skip: int = Field(
        default=0, ge=0, description="Number of matching requests or callbacks that get through first."
    )

    @property
    def left(self) -> int | None:
        """The number of times it still applies; None for always."""
        return None if self.times is None else max(0, self.times - self.used)

    def _count_use(self) -> None:
        self.used += 1

    @property
    def remaining(self) -> str:
        """The number of times it still applies, in words."""
        times = "always" if self.left is None else f"{self.left} more time{'' if self.left == 1 else 's'}"
        return f"{times}, after skipping {self.skip}" if self.skip else times

    @property
    @abstractmethod
    def words(self) -> str:
        """The kind in words, as a format of its fields: a class variable of each kind."""

    @property
    def label(self) -> str:
        """The fault in words."""
        return self.words.format_map(vars(self))

    def covers(self, name: str, path: str) -> bool:
        """Return whether the target covers this name or path."""
        return fnmatchcase(path if self.target[0] == "/" else name, self.target)

    def before(self) -> None:
        """Act in place of the operation: do nothing, or raise an exception."""

    def after(self, response: FakeResponse, clock: Clock) -> FakeResponse:
        """Return the response as it arrives, maybe changed; raise an exception if it does not."""
        return response

    def __str__(self) -> str:
        return f"{self.label} for {self.target}, {self.remaining}"

    def __repr__(self) -> str:
        return f"<{self}>"


class Status(Fault):
    """An error status in place of the operation."""

    words: ClassVar[str] = "status {status}"
    kind: Literal["status"] = "status"
    status: int = Field(ge=400, le=599, description="An error status; by default 503.")
    retry_after: Annotated[int, Field(ge=0)] | None = Field(
        default=None, description="Seconds for a Retry-After header."
    )

    def before(self) -> None:
        """Refuse the request."""
        self._count_use()
        raise Refusal("injected", f"an injected fault responds with status {self.status}", status=self.status)

    def after(self, response: FakeResponse, clock: Clock) -> FakeResponse:
        """Add the time to retry after."""
        if self.retry_after is not None:
            response.headers.append(("Retry-After", str(self.retry_after)))
        return response


class Delay(Fault):
    """A delayed response."""

    words: ClassVar[str] = "delay of {seconds:g} s"
    kind: Literal["delay"] = "delay"
    seconds: Seconds

    def apply(self, clock: Clock) -> float:
        """Move a standing clock, or return the seconds that must really pass."""
        self._count_use()
        if not clock.standing:
            return self.seconds
        clock.advance(seconds=self.seconds)
        return 0.0


class ConnectError(Fault):
    """A refused connection."""

    words: ClassVar[str] = "connect error"
    kind: Literal["connect_error"] = "connect_error"

    def before(self) -> None:
        """Refuse the connection."""
        self._count_use()
        raise BrokenConnection("connect_error", "connection refused (an injected fault)")


class Severed(Fault):
    """A response that never arrives, whether or not the request took effect."""

    how: ClassVar[Break]

    applied: bool = Field(default=False, description="Whether the request takes effect first.")

    @property
    def label(self) -> str:
        """The fault in words."""
        return f"{self.words} {'after' if self.applied else 'before'} it took effect"

    def before(self) -> None:
        """Break before the request takes effect."""
        if not self.applied:
            self._break()

    def after(self, response: FakeResponse, clock: Clock) -> FakeResponse:
        """Break after it took effect."""
        self._break()

    def _break(self) -> Never:
        self._count_use()
        raise BrokenConnection(self.how, f"{self.words} (an injected fault)")


class ReadTimeout(Severed):
    """A response that the client gives up waiting for."""

    how: ClassVar[Break] = "read_timeout"
    words: ClassVar[str] = "read timeout"
    kind: Literal["read_timeout"] = "read_timeout"


class Reset(Severed):
    """A connection that is reset."""

    how: ClassVar[Break] = "reset"
    words: ClassVar[str] = "connection reset"
    kind: Literal["reset"] = "reset"


class Truncate(Fault):
    """A body that ends before its announced length."""

    words: ClassVar[str] = "body truncated after {after_bytes} bytes"
    kind: Literal["truncate"] = "truncate"
    after_bytes: int = Field(
        default=0,
        ge=0,
        description="Bytes of the body that arrive; `after` of `fake.faults.truncate`.",
    )

    def after(self, response: FakeResponse, clock: Clock) -> FakeResponse:
        """Cut the body, but keep its announced length."""
        announced = measure_body(response)
        if announced is None or announced <= self.after_bytes:
            return response
        self._count_use()
        return replace_body(response, announced, truncate_body(response.body, self.after_bytes, announced))


class Slow(Fault):
    """A body that comes in pieces, each after a while."""

    words: ClassVar[str] = "slow body, {chunk} bytes each {seconds:g} s"
    kind: Literal["slow"] = "slow"
    chunk: int = Field(ge=1, description="Bytes of each piece; by default 1024.")
    seconds: Seconds

    def after(self, response: FakeResponse, clock: Clock) -> FakeResponse:
        """Send the body in pieces; a standing clock moves with each one."""
        announced = measure_body(response)
        if not announced:
            return response
        self._count_use()
        parts = split_body(response.body, self.chunk)
        if clock.standing:
            return replace_body(response, announced, advance_before_each(parts, self.seconds, clock))
        return replace(replace_body(response, announced, parts), pace=self.seconds)


class DropCallback(Fault):
    """A bot whose receiver cannot be reached."""

    about: ClassVar[Literal["request", "callback"]] = "callback"
    words: ClassVar[str] = "callback dropped"
    kind: Literal["drop_callback"] = "drop_callback"


AnyFault = Status | Delay | ConnectError | ReadTimeout | Reset | Truncate | Slow | DropCallback

KINDS: tuple[str, ...] = tuple(kind.model_fields["kind"].default for kind in get_args(AnyFault))
"""The names of the kinds, each a method of ``fake.faults``."""


def measure_body(response: FakeResponse) -> int | None:
    """Return the length of the body, if it is known before it is sent."""
    if isinstance(response.body, bytes):
        return len(response.body)
    return next((int(value) for name, value in response.headers if name == "Content-Length"), None)


def replace_body(response: FakeResponse, announced: int, body: Iterable[bytes]) -> FakeResponse:
    """Return the response with another body than its Content-Length announces."""
    headers = [header for header in response.headers if header[0] != "Content-Length"]
    return replace(response, headers=[*headers, ("Content-Length", str(announced))], body=body)


def split_body(body: bytes | Iterable[bytes], size: int) -> Iterator[bytes]:
    """Yield a body in pieces of at most a size."""
    for chunk in [body] if isinstance(body, bytes) else body:
        for start in range(0, len(chunk), size):
            yield chunk[start : start + size]


def advance_before_each(parts: Iterable[bytes], seconds: float, clock: Clock) -> Iterator[bytes]:
    """Yield parts, moving a standing clock before each one."""
    for part in parts:
        clock.advance(seconds=seconds)
        yield part


def truncate_body(body: bytes | Iterable[bytes], after: int, announced: int) -> Iterator[bytes]:
    """Yield the beginning of a body, then break the connection."""
    left = after
    for chunk in [body] if isinstance(body, bytes) else body:
        if not left:
            break
        yield chunk[:left]
        left -= len(chunk[:left])
    raise BrokenConnection(
        "truncated",
        f"peer closed connection without sending complete message body (received {after} bytes, expected {announced})",
    )

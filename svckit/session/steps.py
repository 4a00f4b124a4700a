"""The steps that a session carries out for its driver, one by one, with or without ``await``, and its clock."""

from collections.abc import Generator
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from svckit.display.card import render_fields
from svckit.http.messages import Response, Wait
from svckit.http.prepare import PreparedRequest
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest, Visitor

__all__ = ["Clock", "FakeClock", "Lock", "Step", "Steps", "SystemClock", "Turn", "Visit", "pass_by"]

T = TypeVar("T")


class Lock(Protocol):
    """The common part of ``threading.RLock`` and ``asyncio.Lock``; acquiring the latter is awaited."""

    def acquire(self) -> Any:
        """Wait until the lock is free, and take it."""

    def release(self) -> None:
        """Release the lock."""


class Turn(NamedTuple):
    """A step of the driver: acquire a lock, which the steps release themselves."""

    lock: Lock


class Visit:
    """A step of the driver: have a person sign in.

    Attributes:
        visitor: guides the person.
        request: the sign-in.
        code: the authorization code, which the session sets.
    """

    code: Secret

    def __init__(self, visitor: Visitor, request: SignInRequest) -> None:
        self.visitor = visitor
        self.request = request


Step: TypeAlias = PreparedRequest | Wait | Turn | Visit
Steps: TypeAlias = Generator[Step, Response | None, T]


class FakeClock(Protocol):
    """The part of a fake's clock that a session needs, such as ``fakes.clock.Clock``."""

    @property
    def standing(self) -> bool:
        """True if time passes only when the clock is moved."""

    def now(self) -> datetime:
        """Return the current time, with its offset."""

    def to(self, then: datetime, /) -> object:
        """Move forward to a time; raise ValueError if it has passed."""


class SystemClock:
    """The computer's clock.

    Args:
        zone: the time zone of its times, in which a session shows others, and counts days.
    """

    standing = False

    def __init__(self, zone: tzinfo = UTC) -> None:
        self.zone = zone

    def _repr_html_(self) -> str:
        return render_fields(self, ["zone"])

    def now(self) -> datetime:
        """Return the current time with the offset of the zone.

        Without the zone itself: Python adds to times in one zone, and compares them, by what its wall clocks show.
        """
        now = datetime.now(self.zone)
        return now.replace(tzinfo=timezone(now.utcoffset() or timedelta()))


Clock: TypeAlias = SystemClock | FakeClock


def pass_by(clock: Clock, seconds: float) -> float:
    """Let time pass: move a clock that stands still, and return the seconds left to sleep.

    If threads wait at the same time while the clock stands still, the first moves it for all of them.

    Examples:
        >>> from fakes.clock import Clock
        >>> clock = Clock("2026-06-01T09:00:00+09:00")
        >>> pass_by(clock, 30), clock
        (0.0, <Clock standing at 2026-06-01T09:00:30+09:00>)
        >>> pass_by(SystemClock(), 30)
        30
    """
    if isinstance(clock, SystemClock) or not clock.standing:
        return seconds
    then = clock.now() + timedelta(seconds=seconds)
    with suppress(ValueError):  # another thread has moved it further
        clock.to(then)
    return 0.0

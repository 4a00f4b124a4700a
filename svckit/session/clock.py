"""The clock of a session: that of a fake, or the system's."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeAlias

__all__ = ["Clock", "FakeClock", "SystemClock", "pass_by"]


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
    """The computer's clock."""

    standing = False

    def now(self) -> datetime:
        """Return the current time, in UTC."""
        return datetime.now(UTC)


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

"""The clock a session goes by: that of a fake, or the system's."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeAlias

__all__ = ["Clock", "FakeClock", "SystemClock", "pass_by"]


class FakeClock(Protocol):
    """The clock of a fake, as far as a session needs it; ``fakes.clock.Clock`` is one."""

    @property
    def standing(self) -> bool:
        """Whether time passes only when the clock is moved."""

    def now(self) -> datetime:
        """The current instant, aware of its offset."""

    def to(self, then: datetime, /) -> object:
        """Move forwards to an instant; a ValueError where it has passed."""


class SystemClock:
    """The clock of the computer."""

    standing = False

    def now(self) -> datetime:
        """The current instant, in UTC."""
        return datetime.now(UTC)


Clock: TypeAlias = SystemClock | FakeClock


def pass_by(clock: Clock, seconds: float) -> float:
    """Let time pass: move a clock that stands, and say how many seconds are left to sleep.

    Of threads that wait at the same time under a standing clock, the first moves it for all of them.

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

"""The clock of a fake, which everything that depends on time reads."""

from datetime import UTC, datetime, timedelta, timezone
from threading import Lock
from typing import Never, Self

from pydantic import model_validator

from fakes.persistence import Instant, Saved
from svckit.display.tab import PublicNames

__all__ = ["Clock", "ClockData"]


EARLIEST, LATEST = datetime(2, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
"""A year from the ends of the calendar, so expiry times can be computed in any offset."""

RANGE = "the clock of a fake covers the years 2 to 9998, so that expiry times of tokens can be computed"


class ClockData(Saved):
    """A clock in a snapshot: the instant at which it stands, or its lead over the system clock."""

    stands_at: Instant | None
    ahead: timedelta

    @model_validator(mode="after")
    def _within_the_calendar(self) -> Self:
        if self.stands_at is not None:
            check_range(self.stands_at)
        elif not timedelta(0) <= self.ahead < LATEST - datetime.now(UTC):
            raise ValueError(f"a clock must run ahead of the system, but not beyond {LATEST.year}")
        return self


class Clock(PublicNames, internal="dump load"):
    """A clock that stands still or runs with the system clock, and moves forward only; thread-safe.

    It keeps its initial offset wherever it is moved, so its dates never go back either; a running clock is in UTC.

    Args:
        now: an instant with an offset (``"2026-06-01T09:00:00+09:00"`` or an aware ``datetime``), at which the clock
            stands until moved; if omitted, it runs with the system clock.

    Raises:
        ValueError: the instant has no offset, or lies outside the years 2 to 9998.

    Examples:
        >>> clock = Clock("2026-06-01T09:00:00+09:00")
        >>> clock.advance(minutes=10)
        datetime.datetime(2026, 6, 1, 9, 10, tzinfo=datetime.timezone(datetime.timedelta(seconds=32400)))
        >>> clock
        <Clock standing at 2026-06-01T09:10:00+09:00>
        >>> clock.to("2026-05-01T00:00:00Z")
        Traceback (most recent call last):
        ...
        ValueError: the clock moves forward only: it stands at 2026-06-01T09:10:00+09:00, ...
    """

    __slots__ = ("_ahead", "_lock", "_stands_at")

    def __init__(self, now: str | datetime | None = None) -> None:
        self._lock = Lock()  # for moves; reading the time needs none
        self._stands_at = None if now is None else parse_instant(now)
        self._ahead = timedelta(0)

    @property
    def standing(self) -> bool:
        """True if time passes only when the clock is moved.

        Examples:
            >>> Clock("2026-06-01T09:00:00+09:00").standing, Clock().standing
            (True, False)
        """
        return self._stands_at is not None

    def now(self) -> datetime:
        """Return the current instant, with its offset.

        Examples:
            >>> Clock("2026-06-01T09:00:00+09:00").now().isoformat()
            '2026-06-01T09:00:00+09:00'
        """
        return self._stands_at or datetime.now(UTC) + self._ahead

    def advance(
        self, *unnamed: Never, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0
    ) -> datetime:
        """Move forward by a span and return the new instant.

        Args:
            *unnamed: not accepted: name the unit.
            days, hours, minutes, seconds: the parts of the span, from 0; they are added.

        Returns:
            The new instant, in the offset of the clock.

        Raises:
            ValueError: the span is negative, or ends after the year 9998.
            TypeError: the unit of the span is missing.

        Examples:
            >>> clock = Clock("2026-06-01T09:00:00+09:00")
            >>> clock.advance(hours=1, minutes=30).isoformat()
            '2026-06-01T10:30:00+09:00'
            >>> clock.advance(3600)
            Traceback (most recent call last):
            ...
            TypeError: name the unit of the span, such as advance(seconds=3600), or minutes=, hours= or days=; ...
        """
        if unnamed:
            raise TypeError(
                "name the unit of the span, such as advance(seconds=3600), or minutes=, hours= or days=; "
                f"given {', '.join(map(repr, unnamed))}"
            )
        with self._lock:
            now = self.now()
            try:
                target = now + timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
            except (OverflowError, ValueError):  # infinite spans, and NaN
                given = ", ".join(
                    f"{name}={span!r}"
                    for name, span in (
                        ("days", days),
                        ("hours", hours),
                        ("minutes", minutes),
                        ("seconds", seconds),
                    )
                    if span
                )
                raise ValueError(f"{given} from {now.isoformat()} is not a date; {RANGE}") from None
            return self._move(now, target)

    def to(self, then: str | datetime) -> datetime:
        """Move forward to an instant and return it, in the offset of the clock.

        Args:
            then: an instant with an offset: ISO 8601 text or an aware ``datetime``.

        Raises:
            ValueError: the instant has no offset, is in the past, or is after the year 9998.

        Examples:
            >>> Clock("2026-06-01T09:00:00+09:00").to("2026-06-02T00:00:00Z").isoformat()
            '2026-06-02T09:00:00+09:00'
        """
        target = parse_instant(then)
        with self._lock:
            return self._move(self.now(), target)

    def _move(self, now: datetime, target: datetime) -> datetime:
        if target < now:
            raise ValueError(
                f"the clock moves forward only: it stands at {now.isoformat()}, "
                f"so {target.isoformat()} has passed; create a new fake to start earlier"
            )
        target = check_range(target).astimezone(now.tzinfo)
        if self._stands_at is not None:
            self._stands_at = target
        else:
            self._ahead += target - now
        return target

    def dump(self) -> ClockData:
        """Return the clock as snapshot data."""
        with self._lock:
            return ClockData(stands_at=self._stands_at, ahead=self._ahead)

    def load(self, data: ClockData) -> None:
        """Restore a saved clock, which may be earlier: the only way back."""
        with self._lock:
            self._stands_at, self._ahead = data.stands_at, data.ahead

    def __repr__(self) -> str:
        if self._stands_at is None:
            return f"<Clock running, {self._ahead} ahead of the system>"
        return f"<Clock standing at {self._stands_at.isoformat()}>"


def parse_instant(value: str | datetime) -> datetime:
    """Parse an instant (an ISO 8601 text or a ``datetime``, with an offset), and fix its offset."""
    try:
        read = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    except ValueError as unreadable:
        raise ValueError(
            f"{value!r} is not an instant; write it like 2026-06-01T09:00:00+09:00"
        ) from unreadable
    offset = read.utcoffset()
    if offset is None:
        raise ValueError(f"{value!s} has no offset; write it like 2026-06-01T09:00:00+09:00")
    return check_range(read.replace(tzinfo=timezone(offset)))


def check_range(read: datetime) -> datetime:
    """Return an instant if it is within the range of a clock, or raise."""
    if not EARLIEST <= read < LATEST:
        raise ValueError(f"{read.isoformat()} is too close to the end of the calendar; {RANGE}")
    return read

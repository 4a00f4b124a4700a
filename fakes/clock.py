"""The one clock of a fake: everything that depends on time reads it."""

from datetime import UTC, datetime, timedelta, timezone
from threading import Lock
from typing import Never, Self

from pydantic import model_validator

from fakes.persistence import Instant, Saved

__all__ = ["Clock", "ClockData"]


EARLIEST, LATEST = datetime(2, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
"""A year short of the ends of the calendar, so that whatever begins now can end, in any offset."""

RANGE = "the clock of a fake goes from the year 2 to the end of 9998, so that tokens can begin and end"


class ClockData(Saved):
    """A clock as a snapshot has it: the instant it stands at, or how far it runs ahead of the system."""

    stands_at: Instant | None
    ahead: timedelta

    @model_validator(mode="after")
    def _within_the_calendar(self) -> Self:
        if self.stands_at is not None:
            check_range(self.stands_at)
        elif not timedelta(0) <= self.ahead < LATEST - datetime.now(UTC):
            raise ValueError(f"a clock runs ahead of the system, and not beyond {LATEST.year}")
        return self


class Clock:
    """Tells the time of the fake; stands still or runs with the system; moves forwards only; thread-safe.

    It keeps the offset it began with, wherever it is moved, so that its dates never go back either; one that runs
    with the system is in UTC.

    Args:
        now: an instant with an offset (``"2026-06-01T09:00:00+09:00"`` or an aware ``datetime``). Given,
            the clock stands there until moved; omitted, it runs with the system clock.

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
        ValueError: the clock moves forwards only: it stands at 2026-06-01T09:10:00+09:00, ...
    """

    __slots__ = ("_ahead", "_lock", "_stands_at")

    def __init__(self, now: str | datetime | None = None) -> None:
        self._lock = Lock()  # for moves; to read the time needs none
        self._stands_at = None if now is None else parse_instant(now)
        self._ahead = timedelta(0)

    @property
    def standing(self) -> bool:
        """Whether time passes only when the clock is moved."""
        return self._stands_at is not None

    def now(self) -> datetime:
        """The current instant, aware of its offset."""
        return self._stands_at or datetime.now(UTC) + self._ahead

    def advance(
        self, *unnamed: Never, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0
    ) -> datetime:
        """Move forwards by a span and return the new instant.

        Raises:
            ValueError: the span is negative, or leads beyond the year 9998.
            TypeError: it is not said what the span is counted in.

        Examples:
            >>> Clock("2026-06-01T09:00:00+09:00").advance(3600)
            Traceback (most recent call last):
            ...
            TypeError: say what the clock advances by, such as advance(seconds=3600), or minutes=, hours= or days=; ...
        """
        if unnamed:
            raise TypeError(
                "say what the clock advances by, such as advance(seconds=3600), or minutes=, hours= or days=; "
                f"given {', '.join(map(repr, unnamed))}"
            )
        with self._lock:
            now = self.now()
            try:
                target = now + timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
            except (OverflowError, ValueError):  # endless spans, and what is not a number
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
                raise ValueError(f"no date lies {given} from {now.isoformat()}; {RANGE}") from None
            return self._move(now, target)

    def to(self, then: str | datetime) -> datetime:
        """Move forwards to an instant and return it, in the offset of the clock.

        Raises:
            ValueError: the instant has no offset, lies in the past, or beyond the year 9998.
        """
        target = parse_instant(then)
        with self._lock:
            return self._move(self.now(), target)

    def _move(self, now: datetime, target: datetime) -> datetime:
        if target < now:
            raise ValueError(
                f"the clock moves forwards only: it stands at {now.isoformat()}, "
                f"so {target.isoformat()} has passed; make a new fake to begin earlier"
            )
        target = check_range(target).astimezone(now.tzinfo)
        if self._stands_at is not None:
            self._stands_at = target
        else:
            self._ahead += target - now
        return target

    def dump(self) -> ClockData:
        """The clock as a snapshot has it."""
        with self._lock:
            return ClockData(stands_at=self._stands_at, ahead=self._ahead)

    def load(self, data: ClockData) -> None:
        """Be set to a saved clock, which may stand earlier: the one way back."""
        with self._lock:
            self._stands_at, self._ahead = data.stands_at, data.ahead

    def __repr__(self) -> str:
        if self._stands_at is None:
            return f"<Clock running, {self._ahead} ahead of the system>"
        return f"<Clock standing at {self._stands_at.isoformat()}>"


def parse_instant(value: str | datetime) -> datetime:
    """Read an instant: an ISO 8601 text or a ``datetime``, with an offset in either case, and fix that offset."""
    try:
        read = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    except ValueError as unreadable:
        raise ValueError(f"{value!r} is no instant; write it like 2026-06-01T09:00:00+09:00") from unreadable
    offset = read.utcoffset()
    if offset is None:
        raise ValueError(f"{value!s} has no offset; write it like 2026-06-01T09:00:00+09:00")
    return check_range(read.replace(tzinfo=timezone(offset)))


def check_range(read: datetime) -> datetime:
    """Hold an instant to the years a clock can be in."""
    if not EARLIEST <= read < LATEST:
        raise ValueError(f"{read.isoformat()} is too close to the end of the calendar; {RANGE}")
    return read

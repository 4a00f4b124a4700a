"""The clock of a fake, which everything that depends on time reads."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from math import inf
from threading import Lock, get_ident
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Never, Self

from pydantic import model_validator

from fakes.persistence import Instant, Saved
from svckit.display.card import render_card
from svckit.display.tab import PublicNames
from svckit.models.times import parse_iso_time

__all__ = ["Clock", "ClockData"]


EARLIEST, LATEST = datetime(2, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
"""A year from the ends of the calendar, so expiry times can be computed in any offset."""

RANGE = "the clock of a fake covers the years 2 to 9998, so that expiry times of tokens can be computed"

FUNCTIONS = (BuiltinFunctionType, FunctionType, MethodType)
"""The types of functions that sleep."""


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
            now, spans = self.now(), {"days": days, "hours": hours, "minutes": minutes, "seconds": seconds}
            try:
                target = now + timedelta(**spans)
            except (OverflowError, ValueError):  # infinite spans, and NaN
                given = ", ".join(f"{name}={span!r}" for name, span in spans.items() if span)
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

    @contextmanager
    def sleeping(self, *, thread: int | None = None) -> Iterator[Self]:
        """Move this clock instead of waiting when this thread sleeps: ``with fake.clock.sleeping(): …``.

        It covers `time.sleep`, and `asyncio.sleep` in an event loop of this thread, also where a module has imported
        them by name (``from time import sleep``). Of several sleeping tasks, the one that is due first continues first.
        Other threads really wait, such as those of a Jupyter kernel or of a served fake. So does whatever waits without
        these functions, such as `threading.Event.wait`, and `time.monotonic` does not move.

        A running clock moves, too. Blocks may be nested: the innermost clock moves.

        Args:
            thread: the identifier of another thread whose sleeps move the clock; by default this one's do.

        Returns:
            A context, within which the clock moves.

        Examples:
            >>> import time
            >>> clock = Clock("2026-06-01T09:00:00+09:00")
            >>> with clock.sleeping():
            ...     time.sleep(3600)
            >>> clock
            <Clock standing at 2026-06-01T10:00:00+09:00>
        """
        sleeper = _Sleeper(self, get_ident() if thread is None else thread)
        _SLEEPS.enter(sleeper)
        try:
            yield self
        finally:
            _SLEEPS.leave(sleeper)

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

    def _repr_html_(self) -> str:
        moves = "stands until moved" if self.standing else f"runs, {self._ahead} ahead of the system"
        return render_card("Clock", [("now", self.now().isoformat()), ("time", moves)])[0]


def parse_instant(value: str | datetime) -> datetime:
    """Parse an instant (an ISO 8601 text or a ``datetime``, with an offset), and fix its offset."""
    try:
        read = value if isinstance(value, datetime) else parse_iso_time(value)
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


@dataclass(slots=True, eq=False)
class _Sleeper:
    """A clock that moves when a thread sleeps, and the instants at which its sleeping tasks are due, each numbered."""

    clock: Clock
    thread: int
    due: list[tuple[datetime, int]] = field(default_factory=list)
    # Of tasks that are due at one instant, the first to sleep continues first.
    numbers: Iterator[int] = field(default_factory=count)


class _Sleeps:
    """The functions that replace `time.sleep` and `asyncio.sleep` while clocks move instead; thread-safe.

    The first sleeper to `enter` replaces the functions in all modules, and the last to `leave` restores them. In
    between, each thread's innermost sleeper moves its clock; a thread without one really sleeps. Of tasks that sleep in
    one event loop, the one that is due first moves the clock, and the others yield until it reaches them.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._sleepers: list[_Sleeper] = []
        self._replaced: dict[Callable[..., Any], Callable[..., Any]] = {}  # the new function by the old one
        # What the first sleeper found, which may itself be a mock; nothing sleeps through these before.
        self._sleep_really: Callable[[float], None] = time.sleep
        self._sleep_really_async: Callable[..., Any] = time.sleep

    def enter(self, sleeper: _Sleeper) -> None:
        """Replace the functions, if this is the first sleeper, and let its clock move."""
        import asyncio  # slow to import, and loaded wherever it is used

        with self._lock:
            if not self._sleepers:
                self._sleep_really, self._sleep_really_async = time.sleep, asyncio.sleep
                self._replaced = {time.sleep: self._sleep, asyncio.sleep: self._sleep_async}
                replace_in_modules("sleep", self._replaced)
            self._sleepers.append(sleeper)

    def leave(self, sleeper: _Sleeper) -> None:
        """Let the clock of a sleeper move no longer, and restore the functions after the last one."""
        with self._lock:
            self._sleepers.remove(sleeper)
            if not self._sleepers:
                replace_in_modules("sleep", {new: old for old, new in self._replaced.items()})

    def _find(self) -> _Sleeper | None:
        """Return the innermost sleeper of this thread."""
        thread = get_ident()
        return next((found for found in reversed(tuple(self._sleepers)) if found.thread == thread), None)

    def _sleep(self, seconds: float, /) -> None:
        sleeper = self._find()
        if sleeper is None or not seconds > 0:
            self._sleep_really(seconds)
            return
        sleeper.clock.advance(seconds=float(seconds))
        self._sleep_really(0)  # lets other threads run

    async def _sleep_async(self, delay: float, result: Any = None) -> Any:
        sleeper = self._find()
        if sleeper is None or not 0 < delay < inf:
            return await self._sleep_really_async(delay, result)
        clock, due = sleeper.clock, sleeper.due
        own = (clock.now() + timedelta(seconds=delay), next(sleeper.numbers))
        due.append(own)
        try:
            await self._sleep_really_async(0)  # lets other tasks begin to sleep, which may be due earlier
            while (remaining := own[0] - clock.now()) > timedelta(0):
                if own == min(due):
                    clock.advance(seconds=remaining.total_seconds())
                else:
                    await self._sleep_really_async(0)
        finally:
            due.remove(own)
        return result


def replace_in_modules(name: str, replacements: Mapping[Callable[..., Any], Callable[..., Any]]) -> None:
    """Replace functions in all modules that have them by a name."""
    for module in tuple(sys.modules.values()):
        current = vars(module).get(name) if isinstance(module, ModuleType) else None
        # Most modules have no such name; another value of it may have no hash.
        if current is not None and isinstance(current, FUNCTIONS) and current in replacements:
            setattr(module, name, replacements[current])


_SLEEPS = _Sleeps()

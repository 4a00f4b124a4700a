"""Time axes: the position of an instant between left and right, and the labels below."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, log1p

import pandas as pd

__all__ = ["Axis", "LinearAxis", "LogAxis", "Tick", "zone_of"]

MOST_TICKS = 7
APART = 1 / 9
STEPS = (
    *(("1s", "%H:%M:%S"), ("5s", "%H:%M:%S"), ("15s", "%H:%M:%S"), ("30s", "%H:%M:%S")),
    *(("1min", "%H:%M"), ("5min", "%H:%M"), ("15min", "%H:%M"), ("30min", "%H:%M")),
    *(("1h", "%H:%M"), ("3h", "%m-%d %H:%M"), ("6h", "%m-%d %H:%M"), ("12h", "%m-%d %H:%M")),
    *(("1D", "%Y-%m-%d"), ("2D", "%Y-%m-%d"), ("7D", "%Y-%m-%d"), ("14D", "%Y-%m-%d")),
    *(("MS", "%Y-%m"), ("QS", "%Y-%m"), ("2QS", "%Y-%m"), ("YS", "%Y"), ("2YS", "%Y"), ("10YS", "%Y")),
)
"""Steps between ticks, as pandas frequencies, with the format of the labels."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A labeled position on an axis; ``at`` is 0 at the left and 1 at the right."""

    at: float
    label: str


class LinearAxis:
    """A linear axis from the first to the last instant, with room at both ends.

    Examples:
        >>> axis = LinearAxis([pd.Timestamp("2026-06-01T09:00Z"), pd.Timestamp("2026-06-01T10:00Z")])
        >>> [tick.label for tick in axis.ticks]
        ['09:00', '09:15', '09:30', '09:45', '10:00']
    """

    def __init__(self, instants: Sequence[pd.Timestamp]) -> None:
        first, last = min(instants), max(instants)
        span = max(last - first, pd.Timedelta("1min"))
        self._start, self._end = first - span * 0.03, first + span * 1.03
        is_days = first == first.normalize() and last == last.normalize()
        form = "%Y-%m-%d" if is_days else "%Y-%m-%d %H:%M:%S"
        days = f"{first:{form}}" + (f" to {last:{form}}" if last > first else "")
        self.caption: str = ", ".join(filter(None, [zone_of(first), days]))

    @property
    def ticks(self) -> Sequence[Tick]:
        """The ticks at the finest step that fits."""
        for step, form in STEPS:
            is_even = step[-1] != "S"  # months and years differ in length
            if is_even and (self._end - self._start) / pd.Timedelta(step) > 2 * MOST_TICKS:
                continue
            start = self._start.ceil(step if is_even and step[-1] != "D" else "D")
            found = pd.date_range(start, self._end, freq=step)
            if len(found) <= MOST_TICKS:
                return [Tick(self.at(instant), format(instant, form)) for instant in found]
        return []

    def at(self, instant: pd.Timestamp) -> float:
        """Return the position of an instant: 0 at the left, 1 at the right."""
        return float((instant - self._start) / (self._end - self._start))


def zone_of(at: pd.Timestamp) -> str:
    """Name the zone of an instant: UTC, an offset, or a region; nothing for a day without one.

    Examples:
        >>> [zone_of(pd.Timestamp(at)) for at in ("2026-06-01T00:00Z", "2026-06-01T09:00+09:00", "2026-06-01")]
        ['UTC', '+09:00', '']
    """
    name = "" if at.tz is None else str(at.tz)
    return name.removeprefix("UTC") or name


class LogAxis:
    """A logarithmic axis around an instant, which shows minutes and months on one line.

    Examples:
        >>> now = pd.Timestamp("2026-06-01T00:00Z")
        >>> axis = LogAxis(now, [now - pd.Timedelta(hours=2), now + pd.Timedelta(days=90)])
        >>> [tick.label for tick in axis.ticks]
        ['1 h ago', 'now', '1 h', '1 day', '10 days', '90 days']
    """

    NEAR = pd.Timedelta(minutes=5)
    NAMED = (("10 min", "10min"), ("1 h", "1h"), ("1 day", "1D"), ("10 days", "10D"), ("90 days", "90D"))

    def __init__(self, now: pd.Timestamp, instants: Sequence[pd.Timestamp]) -> None:
        self._now = now
        reaches = [self._reach(instant) for instant in (*instants, now)]
        self._low, self._high = min(reaches) - 0.6, max(reaches) + 0.3
        self.caption: str = f"time from now, {now:%Y-%m-%d %H:%M:%S} {zone_of(now)}; logarithmic"

    @property
    def ticks(self) -> Sequence[Tick]:
        """Ticks for now and for some durations before and after it."""
        past = [(f"{name} ago", -pd.Timedelta(span)) for name, span in reversed(self.NAMED)]
        future = [(name, pd.Timedelta(span)) for name, span in self.NAMED]
        spans = [*past, ("now", pd.Timedelta(0)), *future]
        ticks = [Tick(self.at(self._now + span), name) for name, span in spans]
        now = self.at(self._now)
        shown: list[Tick] = []
        for tick in ticks:
            near = tick.label != "now" and abs(tick.at - now) < APART
            if 0 <= tick.at <= 1 and not near and (not shown or tick.at - shown[-1].at >= APART):
                shown.append(tick)
        return shown

    def at(self, instant: pd.Timestamp) -> float:
        """Return the position of an instant."""
        return (self._reach(instant) - self._low) / (self._high - self._low)

    def _reach(self, instant: pd.Timestamp) -> float:
        span = (instant - self._now) / self.NEAR
        return copysign(log1p(abs(span)), span)


Axis = LinearAxis | LogAxis

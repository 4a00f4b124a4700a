"""Time axes: the position of an instant between left and right, and the labels below."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

__all__ = ["LinearAxis", "Tick", "zone_of"]

MOST_TICKS = 7
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
        zone = zone_of(first)
        self.caption: str = f"Time ({zone}), {days}" if zone else f"Day, {days}"

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

"""Time axes: the position of an instant between left and right, and the labels below."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from itertools import islice

__all__ = ["LinearAxis", "Tick", "zone_of"]

MOST_TICKS = 7
DAY = timedelta(days=1)
EPOCH = datetime(1970, 1, 1)
STEPS: tuple[tuple[timedelta | int, str], ...] = (
    *((timedelta(seconds=count), "%H:%M:%S") for count in (1, 5, 15, 30)),
    *((timedelta(minutes=count), "%H:%M") for count in (1, 5, 15, 30, 60)),
    *((timedelta(hours=count), "%m-%d %H:%M") for count in (3, 6, 12)),
    *((timedelta(days=count), "%Y-%m-%d") for count in (1, 2, 7, 14)),
    *((count, "%Y-%m") for count in (1, 3, 6)),
    *((count, "%Y") for count in (12, 24, 120)),
)
"""Steps between ticks, as spans or numbers of months, with the format of the labels."""
ALIGNED = {6: 3}
"""The months of which the first tick is a multiple, where that is neither the step nor a year."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A labeled position on an axis; ``at`` is 0 at the left and 1 at the right."""

    at: float
    label: str


class LinearAxis:
    """A linear axis from the first to the last instant, with room at both ends.

    Args:
        instants: the instants, also as those of pandas; all with an offset, or none.

    Examples:
        >>> axis = LinearAxis([datetime(2026, 6, 1, 9, tzinfo=UTC), datetime(2026, 6, 1, 10, tzinfo=UTC)])
        >>> [tick.label for tick in axis.ticks]
        ['09:00', '09:15', '09:30', '09:45', '10:00']
    """

    def __init__(self, instants: Sequence[datetime]) -> None:
        first, last = min(instants), max(instants)
        self._zone = first.tzinfo
        span = max(_to_utc(last) - _to_utc(first), timedelta(minutes=1))
        self._start, self._end = _to_utc(first) - span * 0.03, _to_utc(first) + span * 1.03
        form = "%Y-%m-%d" if first.time() == last.time() == time.min else "%Y-%m-%d %H:%M:%S"
        days = f"{first:{form}}" + (f" to {last:{form}}" if last > first else "")
        zone = zone_of(first)
        self.caption: str = f"Time ({zone}), {days}" if zone else f"Day, {days}"

    @property
    def ticks(self) -> Sequence[Tick]:
        """The ticks at the finest step that fits."""
        for step, form in STEPS:
            found = list(islice(self._find_ticks(step), MOST_TICKS + 1))
            if len(found) <= MOST_TICKS:
                return [Tick(self.at(self._find_instant(at)), f"{at:{form}}") for at in found]
        return []

    def _find_ticks(self, step: timedelta | int) -> Iterator[datetime]:
        """Yield the instants at a step, on the clock of the zone."""
        start, end = (
            at if self._zone is None else at.astimezone(self._zone).replace(tzinfo=None)
            for at in (self._start, self._end)
        )
        if isinstance(step, timedelta):
            at = start + (EPOCH - start) % min(step, DAY)
            while at <= end:
                yield at
                at += step
            return
        unit = ALIGNED.get(step, min(step, 12))
        # The months before this one, and this one too unless it has just begun.
        months = start.year * 12 + start.month - (start == datetime(start.year, start.month, 1))
        months += -months % unit
        while (at := datetime(months // 12, months % 12 + 1, 1)) <= end:
            yield at
            months += step

    def _find_instant(self, shown: datetime) -> datetime:
        """Return the instant at which the clock of the zone shows this."""
        if self._zone is None:
            return shown
        at = utc = shown.replace(tzinfo=UTC)
        # The first offset is right but for the hours around a change; zones of pytz have no other way.
        for _ in range(2):
            at = utc - (at.astimezone(self._zone).utcoffset() or timedelta())
        return at

    def at(self, instant: datetime) -> float:
        """Return the position of an instant: 0 at the left, 1 at the right."""
        return float((_to_utc(instant) - self._start) / (self._end - self._start))


def _to_utc(instant: datetime) -> datetime:
    """Return an instant as Python's own; a difference in one zone would be that of its clock, whatever the season."""
    plain = datetime.combine(instant.date(), instant.time(), instant.tzinfo)
    return plain if plain.tzinfo is None else plain.astimezone(UTC)


def zone_of(at: datetime) -> str:
    """Name the zone of an instant: UTC, an offset, or a region; nothing for a day without one.

    Examples:
        >>> [zone_of(datetime.fromisoformat(at)) for at in ("2026-06-01T00:00Z", "2026-06-01T09:00+09:00")]
        ['UTC', '+09:00']
    """
    name = "" if at.tzinfo is None else str(at.tzinfo)
    return name.removeprefix("UTC") or name

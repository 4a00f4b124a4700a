"""The lifecycle of features by the fake's clock."""

from collections.abc import Callable
from datetime import date, datetime, time

from fakes import rulebook
from fakes.http.errors import Refusal
from fakes.parts.part import Part
from fakes.rulebook.rule import Rule
from svckit.models.lifecycle import (
    RETIREMENTS,
    SWITCHES,
    LifecycleStatus,
    Retirement,
    list_lifecycle_statuses,
)

__all__ = ["Lifecycle"]

Choose = Callable[[Rule], str]

FIRST_DAYS = {"early": 1, "mid": 11, "late": 21}


class Lifecycle(Part):
    """The days on which features retire and values change: as set, as described, or as interpreted."""

    def has_reached(self, item: Retirement, choose: Choose | None = None) -> bool:
        """Return whether the day has come. Between the days that are possible, this rests on an assumption.

        Args:
            item: what retires or changes.
            choose: returns the chosen alternative of a rule; by default, the response rests on it.
        """
        day = self.end(item, choose) if self.depends_on_reading(item) else self._find_day(item)
        return day is not None and self._clock.now().date() >= day

    def depends_on_reading(self, item: Retirement) -> bool:
        """Return whether an assumption decides if the day has come, as today is between the possible days."""
        first, usual = self._find_day(item, "first-day"), self._find_day(item)
        return first is not None and usual is not None and first <= self._clock.now().date() < usual

    def end(self, item: Retirement, choose: Choose | None = None) -> date | None:
        """Return the day; None while undecided."""
        if not self._is_interpreted(item):
            return self._find_day(item)
        return self._find_day(item, (choose or self._rules.apply)(rulebook.lifecycle.READING))

    def explain_end(self, item: Retirement) -> str:
        """Say when an operation retired, which is why it can no longer be stubbed; empty if it has not retired.

        Examples:
            >>> from fakes import FakeService
            >>> lifecycle = FakeService.sample(now="2026-12-05T00:00:00+09:00").state.lifecycle
            >>> lifecycle.explain_end(RETIREMENTS[0])
            "this feature, custom field operations, retired on 2026-12-05, and it is 2026-12-05 ..."
        """
        if not self.has_reached(item, self._rules.look_up):
            return ""
        return (
            f"this feature, {item.item}, retired on {self.end(item, self._rules.look_up)}, and it is "
            f"{self._clock.now().date()} by the fake's clock; start the fake before that day, or set a later one with "
            f"settings.retirement_dates[{item.key!r}]"
        )

    def make_refusal(self, item: Retirement, stub: str = "") -> Refusal:
        """Return the refusal of a call of an operation that has retired, or will.

        Args:
            item: what retires.
            stub: the name of a stub that is no longer used, if there is one.
        """
        self._rules.follow(rulebook.lifecycle.RETIRED)
        end = self.end(item)
        ends = None if end is None else datetime.combine(end, time.min, self._clock.now().tzinfo)
        replacement = (
            f"the replacement is {item.replacement}" if item.replacement else "no replacement is named"
        )
        if self.has_reached(item):
            ignored = f"; the stub {stub} responds only before that day" if stub else ""
            return Refusal(
                "ended", f"this feature, {item.item}, retired on {end}; {replacement}{ignored}", ends=ends
            )
        planned = f"retires on {end}" if end else "retires on an undecided date"
        wording = f" ({item.date_wording})" if self._is_interpreted(item) else ""
        return Refusal(
            "not_described",
            f"this feature, {item.item}, {planned}{wording}; it is not described: stub it with fake.stub, or with the "
            f"admin call POST /stubs; {replacement}",
            ends=ends,
        )

    def list_statuses(self) -> list[LifecycleStatus]:
        """Return today's status of all features and values."""
        reading = str(self._rules[rulebook.lifecycle.READING.id].chosen)
        days = {item.key: self._find_day(item, reading) for item in (*RETIREMENTS, *SWITCHES)}
        return list_lifecycle_statuses(
            self._clock.now().date(), {key: day for key, day in days.items() if day}
        )

    def _is_interpreted(self, item: Retirement) -> bool:
        """Return whether the day is interpreted: described as part of a month, and not set."""
        return item.key not in self._settings.retirement_dates and _get_month_part(item) in FIRST_DAYS

    def _find_day(self, item: Retirement, reading: str = "usual-day") -> date | None:
        day = self._settings.retirement_dates.get(item.key, item.date)
        if day is not None and reading == "first-day" and self._is_interpreted(item):
            return day.replace(day=FIRST_DAYS[_get_month_part(item)])
        return day


def _get_month_part(item: Retirement) -> str:
    """Return the first word of a day as described, such as early."""
    return item.date_wording.partition(" ")[0]

"""The holidays of lesson 05, and what a team shows of them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from random import Random
from typing import Any

from fakes import FakeService
from fakes.lessons import Run, Variant
from svckit.session.connect import connect

__all__ = [
    "ABSENCE", "DAY", "LONGEST", "MANY", "ONE_EACH", "TOKYO", "Holiday",
    "fits", "is_reported", "keeps_setting", "list_due", "list_holidays", "list_refused", "prepare",
    "shows_holidays", "shows_notes", "shows_others",
]  # fmt: skip

ABSENCE, LONGEST, BEGINNING = "ABSENCE", 50, 30
NOBODY = "u-404"
TOKYO = timezone(timedelta(hours=9))
MORNING, EVENING = time(8, tzinfo=TOKYO), time(20, tzinfo=TOKYO)
DAY = timedelta(days=1)

Row = dict[str, str]

ONE_EACH = (
    (1, "2026-06-08", "2026-06-12", "Back on Monday"),
    (2, "2026-05-28", "2026-06-03", "Ask Sakura about deliveries"),
    (3, "2026-06-10", "2026-06-10", "Moving house"),
    (4, "2026-06-22", "2026-06-30", "On an island without a telephone. In urgent cases ask the night desk."),
    (5, "2026-07-06", "2026-07-17", "No mail, please"),
)
MANY = (
    (1, "2026-08-03", "2026-08-14", "Summer"),
    (1, "2026-06-15", "2026-06-16", "A long weekend"),
    (2, "2026-05-11", "2026-05-22", "Golden days"),
    (3, "2026-06-01", "2026-06-02", "Training"),
    (3, "2026-06-29", "2026-06-30", "Inventory in Osaka, where I can be reached by mail only, and late"),
    (0, "2026-06-08", "2026-06-12", "Left in May"),
    (4, "2026-12-28", "2026-12-31", "New Year"),
)
"""Holidays of the team: who, the first day, the last day and a note. Nobody has the number 0."""


@dataclass(frozen=True)
class Holiday:
    """A holiday of a list, in the time of the office."""

    user: str
    first: date
    last: date
    note: str

    @property
    def inside(self) -> tuple[datetime, datetime]:
        """The first morning and the last evening."""
        return datetime.combine(self.first, MORNING), datetime.combine(self.last, EVENING)

    @property
    def outside(self) -> tuple[datetime, datetime]:
        """The evening before and the morning after."""
        return datetime.combine(self.first - DAY, EVENING), datetime.combine(self.last + DAY, MORNING)


class Holidays(list[Row]):
    """A list of holidays that remembers its rows, whatever the function does with them."""

    def __init__(self, rows: Iterable[Row]) -> None:
        super().__init__(rows)
        self.before = [row.copy() for row in self]


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Return a session and a list of holidays; the domain's statuses may be off."""
    chance = Random(fake.facts["login_id"])  # noqa: S311 - decides who goes on holiday
    people = [NOBODY, *chance.sample(fake.facts["users"][1:], 5)]
    columns = "user_id", "first", "last", "note"
    rows = [dict(zip(columns, (people[n], *cells), strict=True)) for n, *cells in variant.options["rows"]]
    session = connect(fake)
    fake.settings.profile_status_enabled = variant.options["on"]
    return session, Holidays(rows)


def list_holidays(run: Run) -> list[Holiday]:
    """Return all holidays of the list, by their first days."""
    rows: Holidays = run.arguments[1]
    parsed = [
        Holiday(
            row["user_id"], date.fromisoformat(row["first"]), date.fromisoformat(row["last"]), row["note"]
        )
        for row in rows.before
    ]
    return sorted(parsed, key=lambda each: (each.first, each.user))


def list_due(run: Run) -> list[Holiday]:
    """Return the holidays that have to be seen: of each person the current one, and the next one."""
    due: dict[tuple[str, bool], Holiday] = {}
    for each in list_holidays(run):
        if each.inside[1] > run.started and each.user != NOBODY and run.variant.options["on"]:
            due.setdefault((each.user, each.inside[0] > run.started), each)
    return list(due.values())


def list_refused(run: Run) -> set[str]:
    """Return whom the service refuses."""
    coming = {each.user for each in list_holidays(run) if each.inside[1] > run.started}
    return coming & {NOBODY} if run.variant.options["on"] else coming


def observe(run: Run) -> Iterator[tuple[Holiday, bool, dict[str, Any] | None]]:
    """Yield what somebody shows in the morning and the evening of a holiday, and just outside of it.

    A triple is the holiday, whether it is inside, and the current status, if any.
    """
    due = list_due(run)
    moments = [(max(at, run.ended), each, True) for each in due for at in each.inside]
    moments += [(at, each, False) for each in due for at in each.outside if at > run.ended]
    fake = run.fake.fork()
    for at, each, inside in sorted(moments, key=lambda moment: moment[0]):
        others = [other for other in due if other is not each and other.user == each.user]
        if not inside and any(other.first <= at.date() <= other.last for other in others):
            continue
        fake.clock.to(at)
        current = [status for status in fake.statuses.of(each.user) if status["scheduleType"] == "PRESENT"]
        yield each, inside, current[0] if current else None


def shows_holidays(run: Run) -> bool | None:
    """Return whether everybody is absent from the first morning to the last evening; None if nobody can be."""
    shown = [status for _, inside, status in observe(run) if inside]
    return all(status and status["profileStatusId"] == ABSENCE for status in shown) if shown else None


def shows_others(run: Run) -> bool | None:
    """Return whether nobody is absent on the evening before or the morning after; None if nobody ever is."""
    shown = list(observe(run))
    if not any(status for _, _, status in shown):
        return None
    return not any(status for _, inside, status in shown if not inside)


def shows_notes(run: Run) -> bool | None:
    """Return whether the notes are shown; None if nobody is absent."""
    shown = [(each, status) for each, inside, status in observe(run) if inside and status]
    return all(fits(each.note, status["statusMessage"]) for each, status in shown) if shown else None


def fits(note: str, message: str | None) -> bool:
    """Return whether a message is a note, or the beginning of a long one."""
    if len(note) <= LONGEST:
        return message == note
    return message is not None and message[:BEGINNING] == note[:BEGINNING]


def keeps_setting(run: Run) -> bool:
    """Return whether the domain's setting is as the administrators chose."""
    return bool(run.fake.settings.profile_status_enabled == run.variant.options["on"])


def is_reported(run: Run) -> bool | None:
    """Return whether the function returned whom the service refused; None if it did not return, or refused nobody."""
    if run.error is not None or (run.result is None and not list_refused(run)):
        return None
    return isinstance(run.result, Collection) and {*map(str, run.result)} == list_refused(run)

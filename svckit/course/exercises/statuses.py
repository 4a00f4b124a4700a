"""Lesson 05: enter the holidays of a team, each into the slot that it belongs to."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta, timezone
from random import Random
from typing import Any, NamedTuple

from fakes import FakeService
from fakes.lessons import JournalEntry, Options, Run, Seen, said, say_first
from svckit.course.exercises.requests import find_user, read_fields
from svckit.errors import InvalidInput, ServiceError
from svckit.session.connect import connect
from svckit.session.session import Session

__all__ = ["prepare", "shows", "summarize"]

SET, ABSENCE, NOBODY = "users.set_status", "ABSENCE", "u-404"
LONGEST, BEGINNING = 50, 30
"""The most characters of a message, and how many of them a longer note has to begin with."""
HOUR, NIGHT, TOKYO = timedelta(hours=1), timedelta(hours=12), timezone(timedelta(hours=9))


class Holiday(NamedTuple):
    """A holiday: its first morning and its last evening."""

    user: str
    note: str
    first: datetime
    last: datetime


def prepare(fake: FakeService, options: Options) -> Sequence[object]:
    """Return a session and a list of holidays; the domain's statuses may be off."""
    people, columns = list_people(fake), ("user_id", "first", "last", "note")
    rows = [dict(zip(columns, (people[n], *cells), strict=True)) for n, *cells in options["rows"]]
    session = connect(fake)
    fake.settings.profile_status_enabled = options["on"]
    return session, rows


def list_people(fake: FakeService) -> list[str]:
    """Return the team, after somebody who has left."""
    chance = Random(fake.facts["login_id"])  # noqa: S311 - decides who goes on holiday
    return [NOBODY, *chance.sample(fake.facts["users"][1:], 5)]


def list_holidays(run: Run) -> list[Holiday]:
    """Return all holidays of the list, by their first days."""
    found, people = [], list_people(run.fake)
    for number, *days, note in run.options["rows"]:
        first, last = (datetime.fromisoformat(f"{day}T00:00:00+09:00") for day in days)
        found.append(Holiday(people[number], note, first + 8 * HOUR, last + 20 * HOUR))
    return sorted(found, key=lambda holiday: (holiday.first, holiday.user))


def list_due(run: Run) -> list[Holiday]:
    """Return the holidays that have to be seen: of each person the current one, and the next one."""
    due: dict[tuple[str, bool], Holiday] = {}
    for holiday in list_holidays(run):
        if holiday.last > run.started and holiday.user != NOBODY and run.options["on"]:
            due.setdefault((holiday.user, holiday.first > run.started), holiday)
    return list(due.values())


def list_refused(run: Run) -> set[str]:
    """Return whom the service refuses."""
    coming = {holiday.user for holiday in list_holidays(run) if holiday.last > run.started}
    return coming & {NOBODY} if run.options["on"] else coming


def observe(run: Run) -> Iterator[tuple[Holiday, bool, dict[str, Any] | None]]:
    """Yield each holiday, whether a moment is inside of it, and the status that the person shows then, if any."""
    due, fake = list_due(run), run.fake.fork()
    moments = [(max(at, run.ended), holiday, True) for holiday in due for at in (holiday.first, holiday.last)]
    nights = [(at, holiday) for holiday in due for at in (holiday.first - NIGHT, holiday.last + NIGHT)]
    moments += [(at, holiday, False) for at, holiday in nights if at > run.ended]
    for at, holiday, inside in sorted(moments, key=lambda moment: moment[0]):
        fake.clock.to(at)
        current = [status for status in fake.statuses.of(holiday.user) if status["scheduleType"] == "PRESENT"]
        yield holiday, inside, current[0] if current else None


def shows_holidays(run: Run) -> Iterator[Seen]:
    """Look for somebody who is not absent on the first morning or the last evening, or is the night before or after."""
    for _, inside, status in observe(run):
        is_absent = status is not None and status["profileStatusId"] == ABSENCE
        yield is_absent is inside or find_cause(run)


def shows_notes(run: Run) -> Iterator[Seen]:
    """Look for a note that is not shown."""
    for holiday, inside, status in observe(run):
        if inside and status:
            yield fits(holiday.note, status["statusMessage"]) or find_cause(run)


def fits(note: str, message: str | None) -> bool:
    """Return whether a message is a note, or the beginning of a long one."""
    size = BEGINNING if len(note) > LONGEST else None
    return message is not None and message[:size] == note[:size]


def keeps_setting(run: Run) -> Seen:
    """Look for a changed setting."""
    kept = run.fake.settings.profile_status_enabled == run.options["on"]
    return kept or said("setting")


def is_reported(run: Run) -> Seen:
    """Look for people whom the service refused, and whom the result does not name."""
    refused = list_refused(run)
    if (named := run.names(refused)) is not False:
        return named
    if any("has passed" in (entry.reason or "") for entry in run.entries):
        return False  # there is a sentence about that refusal
    return find_odd_request(run) or said("not reported", refused=", ".join(sorted(refused)) or "nobody")


def find_cause(run: Run) -> Seen:
    """Say which request is not as it should be, or missing; nothing if the times themselves were refused."""
    if run.waited >= 24 * HOUR:
        return said("waiting", days=run.waited.days)
    if isinstance(run.error, InvalidInput) or any("must be a time" in (e.reason or "") for e in run.entries):
        return False
    return find_replaced(run) or find_odd_request(run) or find_missing(run)


def each_request(run: Run) -> Iterator[tuple[JournalEntry, Holiday]]:
    """Yield each registration with the holiday that it is about: that person's nearest one."""
    for entry in run.sent(SET):
        own = [holiday for holiday in list_holidays(run) if holiday.user == find_user(entry)]
        when = read_time(entry, "startTime") or read_time(entry, "endTime") or run.started
        if own:
            yield entry, min(own, key=lambda holiday: abs(holiday.first - when))


def read_time(entry: JournalEntry, name: str) -> datetime | None:
    """Return a time that was sent, in the time of the office; None without one."""
    given = read_fields(entry).get(name)
    return datetime.fromisoformat(given).astimezone(TOKYO) if given else None


def find_replaced(run: Run) -> Seen:
    """Say which reserved status was replaced by a later one."""
    reserved: dict[str, tuple[int, datetime]] = {}
    for entry in run.sent(SET, 200):
        user, start = find_user(entry), read_time(entry, "startTime") or run.started
        if user in reserved and reserved[user][1] < start:
            return said("replacing", entry, first=reserved[user][0], user=user)
        if start > run.started:
            reserved[user] = entry.number, start
    return None


def find_odd_request(run: Run) -> Seen:
    """Say which registration does not fit its holiday."""
    for entry, holiday in each_request(run):
        fields, start, end = read_fields(entry), read_time(entry, "startTime"), read_time(entry, "endTime")
        starts = holiday.first <= run.started or (start and holiday.first - NIGHT < start <= holiday.first)
        message, kind = fields.get("statusMessage"), fields["profileStatusId"]
        odd = {
            "other status": kind != ABSENCE,
            "times": not (starts and end and holiday.last < end <= holiday.last + NIGHT),
            "note": not fits(holiday.note, message),
        }
        times = {"start": start, "end": end, "first": holiday.first, "last": holiday.last}
        shown = {name: f"{at.day} {at:%B, %H:%M}" if at else "–" for name, at in times.items()}
        values = {"user": holiday.user, "note": holiday.note, "message": message, "kind": kind}
        if found := say_first(odd, entry, **values, **shown):
            return found
    return None


def find_missing(run: Run) -> Seen:
    """Say whose holiday no request was about."""
    done = [holiday for _, holiday in each_request(run)]
    left = next((holiday for holiday in list_due(run) if holiday not in done), None)
    if left is None or not isinstance(run.error, Exception | None):
        return False
    if run.entries and run.entries[-1].is_error:
        return said("giving up", run.entries[-1], user=left.user)
    return run.error is None and said("missed", user=left.user, first=f"{left.first:%d %B}")


def shows(run: Run) -> bool:
    """Return whether there is anything to grade."""
    return bool(run.entries or run.result) or isinstance(run.error, InvalidInput)


def summarize(run: Run) -> Mapping[str, object]:
    """Return the figures of a successful run."""
    return {"count": len(run.sent(SET)), "team": len(list_due(run))}


def solution_one_slot_after_the_other(svc: Session, rows: list[dict[str, str]]) -> list[str]:
    """Go through the holidays by their first days, and fill each slot once."""
    now, filled, refused = svc.clock.now(), set(), []
    for row in sorted(rows, key=lambda row: row["first"]):
        start = datetime.fromisoformat(f"{row['first']}T00:00:00+09:00")
        end = datetime.fromisoformat(f"{row['last']}T23:59:59+09:00")
        slot = row["user_id"], start > now
        if end <= now or slot in filled:
            continue
        filled.add(slot)
        try:
            svc.users.set_status(row["user_id"], "ABSENCE", row["note"][:50], start=start, end=end)
        except ServiceError:
            refused.append(row["user_id"])
    return refused


def solution_next_one_last(svc: Session, rows: list[dict[str, str]]) -> set[str]:
    """Enter the latest holiday first, so that the next one takes its place."""
    tokyo, refused = timezone(timedelta(hours=9)), set()
    today = svc.clock.now().astimezone(tokyo).date().isoformat()
    for row in sorted(rows, key=lambda row: row["first"], reverse=True):
        if row["last"] < today:
            continue
        after = date.fromisoformat(row["last"]) + timedelta(days=1)
        note = row["note"] if len(row["note"]) <= 50 else row["note"][:49] + "…"
        start, end = f"{row['first']}T00:00:00+09:00", f"{after}T00:00:00+09:00"
        try:
            svc.users.set_status(row["user_id"], "ABSENCE", note, start=start, end=end)
        except ServiceError:
            refused.add(row["user_id"])
    return refused

"""Lesson 05: what learners write, by the sentence that each of them gets."""

import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from svckit.errors import Refused, ServiceError
from svckit.models import ProfileStatusId
from svckit.session.session import Session

Rows = list[dict[str, str]]
SetOne = Callable[[Session, dict[str, str]], object]


def begin(row: dict[str, str]) -> str:
    return f"{row['first']}T00:00:00+09:00"


def finish(row: dict[str, str]) -> str:
    return f"{row['last']}T23:59:59+09:00"


def enter(svc: Session, row: dict[str, str]) -> None:
    svc.users.set_status(row["user_id"], "ABSENCE", row["note"][:50], start=begin(row), end=finish(row))


def enter_all(svc: Session, rows: Rows, enter_one: SetOne) -> list[str]:
    refused, filled = [], set()
    for row in sorted(rows, key=lambda row: row["first"]):
        slot = row["user_id"], row["first"] > "2026-06-01"
        if row["last"] < "2026-06-01" or slot in filled:
            continue
        filled.add(slot)
        try:
            enter_one(svc, row)
        except ServiceError:
            refused.append(row["user_id"])
    return refused


def make(
    start: Callable[[dict[str, str]], Any] = begin,
    end: Callable[[dict[str, str]], Any] = finish,
    note: Callable[[dict[str, str]], str | None] = lambda row: row["note"][:50],
    status: ProfileStatusId = "ABSENCE",
) -> Callable[[Session, Rows], list[str]]:
    """Return an `enter_holidays` that differs from a solution in one part of what it enters; ``...`` leaves it out."""

    def enter_one(svc: Session, row: dict[str, str]) -> None:
        svc.users.set_status(row["user_id"], status, note(row), start=start(row), end=end(row))

    return lambda svc, rows: enter_all(svc, rows, enter_one)


is_only_away = make(status="AWAY")


writes_too_much = make(note=lambda row: row["note"])


drops_long_notes = make(note=lambda row: row["note"] if len(row["note"]) <= 50 else None)


begins_at_once = make(start=lambda row: ...)


never_ends = make(end=lambda row: ...)


sends_days = make(start=lambda row: row["first"], end=lambda row: row["last"])


sends_naive_times = make(
    start=lambda row: datetime.fromisoformat(row["first"]),
    end=lambda row: datetime.fromisoformat(row["last"]),
)


begins_in_utc = make(start=lambda row: f"{row['first']}T00:00:00Z")


uses_utc = make(
    start=lambda row: datetime.fromisoformat(row["first"]).replace(tzinfo=UTC),
    end=lambda row: datetime.fromisoformat(row["last"]).replace(tzinfo=UTC) + timedelta(days=1),
)


ends_when_the_last_day_begins = make(end=lambda row: f"{row['last']}T00:00:00+09:00")


ends_a_day_late = make(
    end=lambda row: datetime.fromisoformat(f"{row['last']}T00:00:00+09:00") + timedelta(days=2)
)


adds_one_to_the_day = make(end=lambda row: f"{row['last'][:8]}{int(row['last'][8:]) + 1:02}T00:00:00+09:00")


def flips_the_setting(svc: Session, rows: Rows) -> list[str]:
    svc.fake.settings.profile_status_enabled = True
    return enter_all(svc, rows, enter)


def flips_it_when_refused(svc: Session, rows: Rows) -> list[str]:
    def enter_one(svc: Session, row: dict[str, str]) -> None:
        try:
            enter(svc, row)
        except Refused:
            svc.fake.settings.profile_status_enabled = True
            enter(svc, row)

    return enter_all(svc, rows, enter_one)


def waits(svc: Session, rows: Rows) -> list[str]:
    def enter_one(svc: Session, row: dict[str, str]) -> None:
        start = datetime.fromisoformat(begin(row))
        time.sleep(max(0, (start - svc.clock.now()).total_seconds()))
        svc.users.set_status(row["user_id"], "ABSENCE", row["note"][:50], end=finish(row))

    return enter_all(svc, rows, enter_one)


def sends_naive_json(svc: Session, rows: Rows) -> None:
    for row in rows:
        body = {"profileStatusId": "ABSENCE", "startTime": f"{row['first']}T00:00:00"}
        svc.http.post(f"/users/{row['user_id']}/user-profile-statuses", json=body)


def catches_everything(svc: Session, rows: Rows) -> list[str]:
    refused = []
    for row in rows:
        try:
            svc.users.set_status(row["user_id"], "ABSENCE", start=row["first"], end=row["last"])
        except Exception:  # noqa: BLE001 - the mistake
            refused.append(row["user_id"])
    return refused


def enters_each_day(svc: Session, rows: Rows) -> list[str]:
    def enter_one(svc: Session, row: dict[str, str]) -> None:
        day, last = date.fromisoformat(row["first"]), date.fromisoformat(row["last"])
        while day <= last:
            start, end = f"{day}T00:00:00+09:00", f"{day}T23:59:59+09:00"
            if end > svc.clock.now().isoformat():
                svc.users.set_status(row["user_id"], "ABSENCE", row["note"][:50], start=start, end=end)
            day += timedelta(days=1)

    return enter_all(svc, rows, enter_one)


def enters_everything(svc: Session, rows: Rows) -> list[str]:
    refused = []
    for row in rows:
        try:
            enter(svc, row)
        except ServiceError:
            refused.append(row["user_id"])
    return refused


def replaces(svc: Session, rows: Rows) -> list[str]:
    coming = [row for row in rows if row["last"] >= "2026-06-01"]
    return enters_everything(svc, sorted(coming, key=lambda row: row["first"]))


def raises(svc: Session, rows: Rows) -> list[str]:
    filled = set()
    for row in sorted(rows, key=lambda row: row["first"]):
        slot = row["user_id"], row["first"] > "2026-06-01"
        if row["last"] >= "2026-06-01" and slot not in filled:
            filled.add(slot)
            enter(svc, row)
    return []


def catches_one_kind(svc: Session, rows: Rows) -> list[str]:
    refused = []
    for row in sorted(rows, key=lambda row: row["first"], reverse=True):
        try:
            if row["last"] >= "2026-06-01":
                enter(svc, row)
        except Refused:
            refused.append(row["user_id"])
    return refused


def only_what_is_ahead(svc: Session, rows: Rows) -> list[str]:
    return enter_all(svc, [row for row in rows if row["first"] > "2026-06-01"], enter)


def returns_nothing(svc: Session, rows: Rows) -> None:
    enter_all(svc, rows, enter)


def reports_what_it_mends(svc: Session, rows: Rows) -> list[str]:
    mended = []

    def enter_one(svc: Session, row: dict[str, str]) -> None:
        body = {"profileStatusId": "ABSENCE", "statusMessage": row["note"]}
        body |= {"startTime": begin(row), "endTime": finish(row)}
        if svc.http.post(f"/users/{row['user_id']}/user-profile-statuses", json=body).is_error:
            mended.append(row["user_id"])
            enter(svc, row)

    return enter_all(svc, rows, enter_one) + mended


WRONG = {
    "raised": (adds_one_to_the_day, sends_days, sends_naive_times, writes_too_much),
    "refused": (sends_naive_json,),
    "times": (
        begins_at_once,
        never_ends,
        begins_in_utc,
        ends_when_the_last_day_begins,
        ends_a_day_late,
        uses_utc,
    ),
    "setting": (flips_the_setting, flips_it_when_refused),
    "waiting": (waits,),
    "other status": (is_only_away,),
    "over": (enters_everything,),
    "note": (drops_long_notes,),
    "replacing": (replaces, enters_each_day),
    "giving up": (raises, catches_one_kind),
    "missed": (only_what_is_ahead, catches_everything),
    "not reported": (returns_nothing, reports_what_it_mends),
}

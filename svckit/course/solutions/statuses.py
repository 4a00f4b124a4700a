"""Lesson 05: enter the holidays of a team, each into the slot that it belongs to."""

from datetime import date, datetime, timedelta, timezone

from svckit.errors import ServiceError
from svckit.session.session import Session

__all__ = ["SOLUTIONS"]

Rows = list[dict[str, str]]


def solution_one_slot_after_the_other(svc: Session, rows: Rows) -> list[str]:
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


def solution_next_one_last(svc: Session, rows: Rows) -> set[str]:
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


SOLUTIONS = (solution_one_slot_after_the_other, solution_next_one_last)

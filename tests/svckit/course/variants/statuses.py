"""Correct ways to write the exercise of lesson 05."""

import asyncio
from collections import defaultdict
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import partial, wraps
from operator import itemgetter

from svckit.errors import NotFound, Refused, ServiceError

TOKYO = timezone(timedelta(hours=9))


def times_of(row):
    first, last = (date.fromisoformat(row[name]) for name in ("first", "last"))
    midnight = time(0, tzinfo=TOKYO)
    return datetime.combine(first, midnight), datetime.combine(last + timedelta(days=1), midnight)


def choose(rows, now):
    chosen = {}
    for row in sorted(rows, key=itemgetter("first")):
        start, end = times_of(row)
        if end > now:
            chosen.setdefault((row["user_id"], start > now), row)
    return list(chosen.values())


def plain(svc, rows):
    refused = []
    for row in choose(rows, svc.clock.now()):
        start, end = times_of(row)
        try:
            svc.users.set_status(row["user_id"], "ABSENCE", row["note"][:50], start=start, end=end)
        except ServiceError:
            refused.append(row["user_id"])
    return refused


def today(svc, rows):
    refused = []
    current = [row for row in rows if date.fromisoformat(row["last"]) >= datetime.now(TOKYO).date()]
    for row in choose(current, datetime.now().astimezone()):
        start, end = times_of(row)
        try:
            svc.users.set_status(row["user_id"], "ABSENCE", f"{row['note']:.50}", start=start, end=end)
        except (NotFound, Refused):
            refused += [row["user_id"]]
    return refused


def in_utc(svc, rows):
    refused = set()
    for row in choose(rows, svc.clock.now()):
        start, end = (each.astimezone(UTC) for each in times_of(row))
        refused.add(row["user_id"])
        with suppress(ServiceError):
            svc.users.set_status(row["user_id"], "ABSENCE", row["note"][:50], start=start, end=end)
            refused.discard(row["user_id"])
    return refused


def by_person(svc, rows):
    people = defaultdict(list)
    while rows:
        row = rows.pop()
        people[row["user_id"]].append(row)
    return [user for own in people.values() for user in plain(svc, own)]


class Calendar:
    def __init__(self, longest=50):
        self.longest = longest

    def __call__(self, svc, rows):
        return [row["user_id"] for row in choose(rows, svc.clock.now()) if not self.enter(svc, row)]

    def enter(self, svc, row):
        start, end = times_of(row)
        try:
            svc.users.set_status(row["user_id"], "ABSENCE", row["note"][: self.longest], start=start, end=end)
        except ServiceError:
            return False
        return True


async def coroutine(svc, rows):
    return await asyncio.to_thread(plain, svc, rows)


def raw(svc, rows):
    refused = []
    for row in choose(rows, svc.clock.now()):
        start, end = (each.isoformat() for each in times_of(row))
        body = {
            "profileStatusId": "ABSENCE",
            "statusMessage": row["note"][:50],
            "startTime": start,
            "endTime": end,
        }
        response = svc.http.post(f"/users/{row['user_id']}/user-profile-statuses", json=body)
        if response.is_error:
            refused.append(row["user_id"])
    return refused


def without_order(function):
    @wraps(function)
    def wrapper(svc, rows):
        return function(svc, tuple(rows))

    return wrapper


VARIANTS = {
    "plain": plain,
    "today": today,
    "utc": in_utc,
    "by person": by_person,
    "object": Calendar(),
    "coroutine": coroutine,
    "raw": raw,
    "decorated": without_order(plain),
    "partial": partial(Calendar.__call__, Calendar(40)),
}

"""The lists of lesson 04, what they should change, and a client that notes how it is used."""

import threading
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any
from urllib.parse import unquote

import httpx

from fakes import FakeService
from fakes.lessons import Run, Variant
from fakes.parts.journal_entry import JournalEntry
from fakes.parts.settings import PropertyRestriction
from svckit.course.exercises.request_bodies import read_fields

__all__ = [
    "CLEAR", "KEEP", "KEYS", "UPDATE", "Row",
    "cells", "each_field", "list_users", "office", "prepare", "rows_of", "user_of",
]  # fmt: skip

UPDATE = "users.update"

KEEP, CLEAR = "", "-"
"""Cells that are not values: leave the field as it is, and delete what it has."""
KEYS = ("userId", "email")
"""The fields that name a user in a path."""
TURN = 0.05
"""Seconds that another thread's request waits, so that requests overlap if they can."""

Row = dict[str, str]


class Office(httpx.Client):
    """A client that knows what the list should do, and notes which threads use it at the same time."""

    def __init__(self, fake: FakeService, rows: Sequence[Row]) -> None:
        super().__init__(**connect(fake))
        self.rows = [row.copy() for row in rows]
        self.before = list_users(fake)
        self.after, self.refused = apply_list(fake.fork(), rows)
        self.threads: dict[str, set[int]] = {}
        self._sending: dict[str, set[int]] = {}

    def find(self, key: str) -> dict[str, Any]:
        """Return the user with an ID or e-mail address, as before; empty if there is none."""
        found = (each for each in self.before.values() if key.lower() in [str(each[k]).lower() for k in KEYS])
        return next(found, {})

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Note the threads that send requests about a user at the same time, and send the request."""
        user, thread = unquote(request.url.path.rpartition("/")[2]), threading.get_ident()
        sending = self._sending.setdefault(user, set())
        sending.add(thread)
        self.threads[user] = max(self.threads.get(user, set()), {*sending}, key=len)
        try:
            if threading.current_thread().name != "exercise":
                threading.Event().wait(TURN)
            return super().send(request, **options)
        finally:
            sending.discard(thread)


def connect(fake: FakeService) -> dict[str, Any]:
    """Return the options of a client that may update users."""
    return {
        "transport": fake.transport(),
        "base_url": fake.facts["base_url"],
        "headers": {"Authorization": f"Bearer {fake.access_token()}"},
    }


def list_users(fake: FakeService) -> dict[str, dict[str, Any]]:
    """Return all users by their IDs."""
    return {user: dict(fake.directory[user]) for user in fake.facts["users"]}


def apply_list(fake: FakeService, rows: Sequence[Row]) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Do what a list says, and return the users afterwards and the ``user_id`` of refused rows."""
    with httpx.Client(**connect(fake)) as http:
        refused = [
            row["user_id"]
            for row in rows
            if http.patch(f"/users/{row['user_id']}", json=list_changes(row)).is_error
        ]
    return list_users(fake), refused


def list_changes(row: Row) -> dict[str, str | None]:
    """Return the fields that a row changes."""
    return {
        name: None if cell == CLEAR else cell
        for name, cell in row.items()
        if name != "user_id" and cell != KEEP
    }


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Give some people a place and a task, and return a client and a list."""
    chance = Random(fake.facts["login_id"])  # noqa: S311 - decides who moves
    people = chance.sample(fake.facts["users"][1:], 5)
    with httpx.Client(**connect(fake)) as http:
        for number, user in enumerate(people):
            fields = {"location": f"Tokyo, {number + 1}th floor", "task": "Support", "nickName": "Ace"}
            http.patch(f"/users/{user}", json=fields)
    rows = [*(list_moves if variant.options["moves"] else list_corrections)(fake, people)]
    return Office(fake, rows), rows


def list_moves(fake: FakeService, people: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of an office move; the first person has two of them."""
    columns = "user_id", "location", "telephone", "task"
    first, second, third, fourth, fifth = people
    for cells in (
        (first, "Osaka, room 12", "", ""),
        (first, "", "+81-6-5555-0112", "-"),
        (second, "Osaka, room 14", "+81-6-5555-0114", ""),
        (third, "-", "", "Works from home"),
        (fourth, "", "-", "Night desk"),
        (fifth, "Osaka, room 3", "", "-"),
    ):
        yield dict(zip(columns, cells, strict=True))


def list_corrections(fake: FakeService, people: Sequence[str]) -> Iterator[Row]:
    """Yield corrections by e-mail address, some of which the service refuses."""
    fake.settings.forbidden_email_words = ["chief"]
    fake.settings.property_restrictions = {"hiredDate": PropertyRestriction(settable=False)}
    columns = "user_id", "email", "nickName", "birthday", "timeZone", "hiredDate"
    emails = [str(fake.directory[user]["email"]) for user in people]
    for cells in (
        (emails[0], "", "-", "1990-02-28", "", ""),
        (emails[1].title(), "the.chief@example.com", "", "", "", ""),
        (emails[2], emails[0].upper(), "", "", "", ""),
        ("nobody@example.com", "", "Nemo", "", "", ""),
        (emails[3], "", "", "1990-02-30", "Asia/Tokio", ""),
        (emails[3], "", "", "", "", "2026-04-01"),
        (emails[4], "", "", "-", "Asia/Seoul", ""),
    ):
        yield dict(zip(columns, cells, strict=True))


def office(run: Run) -> Office:
    """Return the client that the function was called with."""
    given: Office = run.arguments[0]
    return given


def rows_of(run: Run) -> list[Row]:
    """Return the list, as it was before the function was called."""
    return office(run).rows


def user_of(entry: JournalEntry) -> str:
    """Return the last part of a request's path: whom it is about."""
    return unquote(entry.path.partition("?")[0].rpartition("/")[2])


def cells(run: Run, user: str, name: str) -> list[str]:
    """Return the cells of a column for a user, without those that keep a field."""
    return [row[name] for row in rows_of(run) if row["user_id"] == user and row.get(name, KEEP) != KEEP]


def each_field(run: Run) -> Iterator[tuple[JournalEntry, str, str, Any]]:
    """Yield each field that was sent: its request, whose it is, its name and its value."""
    for entry in run.sent(UPDATE):
        for name, value in read_fields(entry).items():
            yield entry, user_of(entry), name, value

"""Lesson 04: change what a list says, and nothing else.

The lists, and what learners are told, are in the lesson's TOML file beside its notebook.
"""

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from typing import Any
from urllib.parse import unquote

import httpx

from fakes import FakeService
from fakes.lessons import Options, Run, Seen, said, say_first
from fakes.parts.settings import PropertyRestriction
from svckit.course.exercises.requests import find_user, open_client, read_fields

__all__ = ["prepare", "summarize"]

UPDATE = "users.update"
KEEP, CLEAR = "", "-"
"""Cells that are not values: leave the field as it is, and delete what it has."""
Row = dict[str, str]
TURN = 0.5
"""Seconds that another thread's request waits at most for one that overlaps with it."""


class Office(httpx.Client):
    """A client that knows what the list should do, and notes which threads use it at the same time.

    Attributes:
        before: the users before the list is applied.
        after: the users as they should be afterwards.
        refused: the users whose rows the service refuses.
        threads: by user, the most threads that were sending at once.
    """

    def __init__(self, fake: FakeService, rows: Sequence[Row]) -> None:
        # What the list should do is tried on a copy of the fake, row by row.
        http, fork = open_client(fake), fake.fork()
        super().__init__(transport=fake.transport(), base_url=http.base_url, headers=http.headers)
        self.before = list_users(fake)
        with open_client(fork) as http:
            sent = [http.patch(f"/users/{row['user_id']}", json=list_changes(row)) for row in rows]
        self.refused = [row["user_id"] for row, response in zip(rows, sent, strict=True) if response.is_error]
        self.after = list_users(fork)
        self.threads: dict[str, set[int]] = {}
        self._sending: dict[str, set[int]] = {}
        self._to_come = Counter(row["user_id"] for row in rows)
        self._met = {user: threading.Event() for user in self._to_come}

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Note the thread, and send the request."""
        user, thread = unquote(request.url.path.rpartition("/")[2]), threading.get_ident()
        sending = self._sending.setdefault(user, set())
        sending.add(thread)
        self.threads[user] = max(self.threads.get(user, set()), {*sending}, key=len)
        self._to_come[user] -= 1
        # If a function sends from several threads, the first of two updates of a person waits for the second, so that
        # they overlap if they can. The function's own thread sends one after another, and need not wait.
        try:
            if len(sending) > 1 and user in self._met:
                self._met[user].set()
            elif self._to_come[user] > 0 and threading.current_thread().name != "exercise":
                self._met[user].wait(TURN)
            return super().send(request, **options)
        finally:
            sending.discard(thread)


def list_users(fake: FakeService) -> dict[str, dict[str, Any]]:
    """Return all users by their IDs."""
    return {user: dict(fake.directory[user]) for user in fake.facts["users"]}


def list_changes(row: Row) -> dict[str, str | None]:
    """Return the fields that a row changes."""
    cells = {name: cell for name, cell in row.items() if name != "user_id" and cell != KEEP}
    return {name: None if cell == CLEAR else cell for name, cell in cells.items()}


def prepare(fake: FakeService, options: Options) -> Sequence[object]:
    """Give some people a place and a task, and return a client and a list."""
    chance = Random(fake.facts["login_id"])  # noqa: S311 - decides who moves
    people = chance.sample(fake.facts["users"][1:], 5)
    columns, http = options["columns"], open_client(fake)
    for number, user in enumerate(people):
        fields = {"location": f"Tokyo, {number + 1}th floor", "task": "Support", "nickName": "Ace"}
        http.patch(f"/users/{user}", json=fields)
    # One of the lists has an e-mail address with this word, and sets this field.
    fake.settings.forbidden_email_words = ["chief"]
    fake.settings.property_restrictions = {"hiredDate": PropertyRestriction(settable=False)}
    # Where a list names people by e-mail address, one is in another case, and one is nobody's.
    emails = [str(fake.directory[user]["email"]) for user in people]
    keys = [emails[0], emails[1].title(), *emails[2:], "nobody@example.com"] if "email" in columns else people
    rows = [
        {"user_id": keys[number]}
        | {name: cell.format(taken=emails[0].upper()) for name, cell in zip(columns, cells, strict=True)}
        for number, *cells in options["cells"]
    ]
    return Office(fake, rows), rows


def has_values(run: Run, listed: bool) -> Seen:
    """Look for a field that is not as it should be: of those that the list changes, or of all others."""
    after, before, now = run.arguments[0].after, run.arguments[0].before, list_users(run.fake)
    if now == before and not listed:
        return None
    return all(
        now[user][name] == value
        for user, record in after.items()
        for name, value in record.items()
        if (before[user][name] != value) is listed
    ) or find_cause(run)


def is_minimal(run: Run) -> Seen:
    """Look for a field that should not have been sent."""
    return find_odd_field(run) or (True if any(map(read_fields, run.sent(UPDATE))) else None)


def is_one_by_one(run: Run) -> Seen:
    """Look for two updates of one person that could overlap."""
    return find_overlap(run) or (True if run.sent(UPDATE, 200) else None)


def is_reported(run: Run) -> Seen:
    """Look for people whose change was refused, and whom the result does not name."""
    refused = run.arguments[0].refused
    named = run.names(refused) if run.sent(UPDATE, 200) else None
    names = ", ".join(dict.fromkeys(refused)) or "nobody"
    return said("not reported", run.entries[-1], refused=names) if named is False else named


def find_cause(run: Run) -> Seen:
    """Say which request or which cell is behind it; nothing if other requests were sent."""
    if not run.sent(UPDATE, 200) or any(entry.operation != UPDATE for entry in run.entries):
        return False
    return find_odd_field(run) or find_overlap(run) or find_missing(run)


def find_odd_field(run: Run) -> Seen:
    """Say which field should not have been sent, or not with that value."""
    rows, before = run.arguments[1], run.arguments[0].before
    sent = [entry for entry in run.sent(UPDATE) if find_user(entry) in {row["user_id"] for row in rows}]
    for entry, field, value in ((update, *item) for update in sent for item in read_fields(update).items()):
        user, count = find_user(entry), len(read_fields(entry))
        known = before.get(user, {})
        cells = [row[field] for row in rows if row["user_id"] == user and row.get(field, KEEP) != KEEP]
        is_asked = (CLEAR if value is None else value) in cells and value != CLEAR
        odd = {
            "unknown field": field not in before[run.fake.facts["users"][0]],
            "whole record": field not in rows[0],
            "null for absent": value is None and not is_asked,
            "other value": not is_asked and (value in ("", CLEAR) or (cells and value != known.get(field))),
            "resent": not is_asked,
        }
        cell = [KEEP, *cells][-1]
        if found := say_first(odd, entry, user=user, field=field, value=value, cell=cell, count=count):
            return found
    return None


def find_overlap(run: Run) -> Seen:
    """Say whose updates were sent by several threads, or refused because they overlapped."""
    threads = run.arguments[0].threads
    for entry in run.sent(UPDATE):
        if "user.not-concurrent" in entry.rules or len(threads.get(find_user(entry), ())) > 1:
            return said("overlapping", entry, user=find_user(entry))
    return None


def find_missing(run: Run) -> Seen:
    """Say which cell no request sent."""
    last, tried = run.entries[-1], {find_user(entry) for entry in run.sent(UPDATE)}
    done = {(find_user(entry), field) for entry in run.sent(UPDATE) for field in read_fields(entry)}
    if run.error is not None and not (isinstance(run.error, Exception) and last.is_error):
        return False
    for row in sorted(run.arguments[1], key=lambda row: row["user_id"] in tried):
        for field in list_changes(row):
            if (row["user_id"], field) not in done:
                name = "missed" if row["user_id"] in tried else "giving up" if last.is_error else "stopping"
                return said(name, last, user=row["user_id"], field=field, cell=row[field])
    return False


listed = partial(has_values, listed=True)
kept = partial(has_values, listed=False)


def summarize(run: Run) -> Mapping[str, object]:
    """Return the figures of a successful run."""
    return {"rows": len(run.arguments[1]), "count": len(run.entries)}


def solution_row_by_row(http: httpx.Client, rows: list[dict[str, str]]) -> list[str]:
    """Send each row, without its empty cells."""
    refused = []
    for row in rows:
        user = row["user_id"]
        body = {name: None if cell == "-" else cell for name, cell in row.items() if cell}
        del body["user_id"]
        if http.patch(f"/users/{user}", json=body).is_error:
            refused.append(user)
    return refused


def solution_person_by_person(http: httpx.Client, rows: list[dict[str, str]]) -> set[str]:
    """Collect the rows of each person, read the person, and send what differs."""
    wanted: dict[str, dict[str, str | None]] = {}
    for row in rows:
        fields = {name: None if cell == "-" else cell for name, cell in row.items() if cell}
        del fields["user_id"]
        wanted.setdefault(row["user_id"], {}).update(fields)
    refused = set()
    for user, fields in wanted.items():
        read = http.patch(f"/users/{user}", json={})
        now = read.json()
        changes = {name: value for name, value in fields.items() if read.is_success and now[name] != value}
        if read.is_error or (changes and http.patch(f"/users/{user}", json=changes).is_error):
            refused.add(user)
    return refused

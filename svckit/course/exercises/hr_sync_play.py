"""The calls of the client of lesson 13: syncs on one or two days, and callbacks after them."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from typing import Any

from fakes import FakeService
from fakes.lessons import JournalEntry, Options
from svckit.events import signature
from svckit.jupyter.bundled import own_notebooks
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.connect import connect
from svckit.session.session import Session

__all__ = ["COLUMNS", "FILE", "Day", "Step", "play", "prepare"]

COLUMNS = {"nickname": "nickName", "task": "task", "workplace": "location"}
FILE = "hr-sync.txt"
LONGEST = 100
PER_MINUTE = 120
HOURS = 20
"""The time between two syncs."""
ASKS, SIGNATURE = "hr report", "X-SERVICE-Signature"
OTHER_TEXTS = ("Show the hr report", "HR Report", " hr report ", "hr reports")
"""Messages that are not exactly the one that asks for the report."""


@dataclass
class Day:
    """The outcome that a sync should have.

    Attributes:
        rows: the cells of the sheet, by user.
        before: the fields of the users in the directory before the sync.
        changes: the fields that change, by user.
        unchanged: the users for whom nothing has to be sent.
        problems: the users whose rows are problems.
    """

    rows: Mapping[str, Mapping[str, str]]
    before: Mapping[str, Mapping[str, Any]]
    changes: dict[str, dict[str, str]] = field(default_factory=dict)
    unchanged: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def line(self) -> str:
        """The line of the report."""
        count = len(self.problems)
        return f"{len(self.changes)} changed, {count} problem{'' if count == 1 else 's'}"


@dataclass
class Step:
    """A call of the client, and what became of it.

    Attributes:
        name: what it is about, in words.
        given: the arguments between the session and the webhook's URL.
        day: what it has to do; None if it is a callback.
        kind: what a callback is: forged, of an unknown type, or by what may go wrong: silent or chatty.
        status: what a callback has to return.
        posts: the texts that it has to post.
        sent: the requests that the client sent.
        result: what it returned.
        is_done: whether it returned.
    """

    name: str
    given: tuple[Any, ...]
    day: Day | None = None
    kind: str = ""
    status: int = 200
    posts: tuple[str, ...] = ()
    sent: Sequence[JournalEntry] = ()
    result: Any = None
    is_done: bool = False


def play(client: Any, arguments: Sequence[Any], fake: FakeService, options: Options) -> None:
    """Call the client for each step, with a session of the fake, in process or served."""
    with ExitStack() as opened:
        svc = connect(fake)
        if options.get("served"):
            facts = opened.enter_context(fake.serve()).facts
            known = Profile.from_facts(facts), Credentials.from_facts(facts)
            svc = Session(*known, fake=fake, clock=fake.clock)
            svc.sign_in()
        opened.enter_context(closing(svc))
        webhook = next(iter(svc.credentials.webhooks.values())).reveal()
        fake.journal.restart()
        for number, step in enumerate(arguments[0]):
            if number:
                fake.faults.clear()
                fake.clock.advance(hours=HOURS if step.day else 0)
            first = len(fake.journal)
            try:
                if step.day:
                    step.result = client.sync(svc, *step.given, webhook)
                else:
                    step.result = client.receive(svc, *step.given, webhook)
                step.is_done = True
            finally:
                step.sent = tuple(fake.journal)[first:]


def prepare(fake: FakeService, options: Options) -> Sequence[object]:
    """Return the steps of a variant, and prepare its faults."""
    known = {
        user: {name: fake.directory[user].get(name) for name in COLUMNS.values()}
        for user in fake.facts["users"]
    }
    steps: list[Step] = []
    for rows in options["sheets"]:
        sheet = write_sheet(known, rows)
        day = expect(sheet, known, is_busy=not steps and options.get("busy", 0) > 1)
        known = {user: {**fields, **day.changes.get(user, {})} for user, fields in known.items()}
        steps.append(Step("sync", (sheet,), day))
    svc = connect(fake)
    for number in range(PER_MINUTE if options.get("full") else 0):
        svc.notify(f"Build {number} is green.", webhook=fake.facts["webhooks"][0])
    if options.get("busy"):
        fake.faults.status("users.update", 503, times=options["busy"], skip=1)
    if options.get("fails"):
        fake.faults.status("notifications.post", 503)
    if options.get("callbacks"):
        steps += make_callbacks(fake, day.line)
    return [steps]


def write_sheet(known: Mapping[str, Mapping[str, Any]], content: Any) -> str:
    """Return the text of a sheet: rows as spreadsheet programs write them, or a file of the project."""
    if isinstance(content, str):
        return (own_notebooks() / "course" / "project" / content).read_text("utf-8")
    sheet = io.StringIO()
    rows = csv.writer(sheet)
    rows.writerow(["user", *COLUMNS])
    for number, *cells in content:
        user = f"u-{number + 1:03}"
        fields = [known.get(user, {}).get(name) or "" for name in COLUMNS.values()]
        rows.writerow(
            [user, *(mine if cell == "=" else cell for cell, mine in zip(cells, fields, strict=True))]
        )
    return sheet.getvalue() + "\r\n"


def expect(sheet: str, known: Mapping[str, Mapping[str, Any]], *, is_busy: bool) -> Day:
    """Return what a sync has to do; where the service stays busy, the first change becomes a problem."""
    rows = {
        row.pop("user"): {column: cell.strip() for column, cell in row.items()}
        for row in csv.DictReader(io.StringIO(sheet))
    }
    day = Day(rows, known)
    for user, cells in rows.items():
        fields = known.get(user, {})
        filled = {name: cells[column] for column, name in COLUMNS.items() if cells[column]}
        changes = {name: cell for name, cell in filled.items() if cell != fields.get(name)}
        if not fields or any(len(cell) > LONGEST for cell in changes.values()) or (is_busy and changes):
            is_busy = is_busy and not (fields and changes)
            day.problems.append(user)
        elif changes:
            day.changes[user] = changes
        else:
            day.unchanged.append(user)
    return day


def make_callbacks(fake: FakeService, line: str) -> Iterator[Step]:
    """Yield callbacks as the service sends them, then a forged one, and one of a type that does not exist."""
    bot, user, secret = fake.facts["bot_id"], fake.facts["users"][2], fake.facts["bot_secret"]
    contents = {f"the text “{text}”": {"type": "text", "text": text} for text in (ASKS, *OTHER_TEXTS)}
    contents["a sticker"] = {"type": "sticker", "packageId": "1", "stickerId": "7"}
    sent = {name: fake.callbacks.send(bot, user, content) for name, content in contents.items()}
    (asking, first), *others = sent.items()
    forged = {**first.headers, SIGNATURE: signature(first.body, f"not {secret}")}
    unknown = json.dumps({"type": "joined", "source": {"userId": user}}).encode()
    signed = {**first.headers, SIGNATURE: signature(unknown, secret)}
    yield Step("a callback with a bad signature", (forged, first.body, secret), kind="forged", status=401)
    yield Step(asking, (first.headers, first.body, secret), kind="silent", posts=(line,))
    for name, other in others:
        yield Step(name, (other.headers, other.body, secret), kind="chatty")
    yield Step("an event of an unknown type", (signed, unknown, secret), kind="unknown type")

"""The calls of the client of lesson 13: syncs on one or two days, and callbacks after them."""

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fakes import FakeService
from fakes.lessons import Variant
from svckit.events import signature
from svckit.jupyter.bundled import own_notebooks
from svckit.session.connect import connect
from svckit.session.session import Session

__all__ = ["COLUMNS", "FILE", "Day", "Play", "Step", "prepare"]

COLUMNS = {"nickname": "nickName", "task": "task", "workplace": "location"}
FILE = "hr-sync.txt"
LONGEST = 100
PER_MINUTE = 120
HOURS = 20
"""The time between two syncs."""

OTHER_TEXTS = ("Show the hr report", "HR Report", " hr report ", "hr reports")
"""Messages that are not exactly the one that asks for the report."""

SHEETS = {
    "other": (
        (1, "Nova", "=", ""),
        (3, "", "=", "="),
        (97, "Theo", "", "Seoul"),
        (5, "Neo", "x" * (LONGEST + 1), ""),
        (6, "", "  ", "Kyoto, 2nd floor"),
        (9, "", "", ""),
    ),
    "first": ((2, "Ada", "", "Seoul, annex"), (4, "", "Night shift", "")),
    "second": ((2, "Ada", "", "Seoul, annex"), (4, "", "Night shift", ""), (7, "", "Day shift", "=")),
}
"""The hidden sheets: the number of a user, and cells; ``=`` is what the directory has."""

Records = Mapping[str, Mapping[str, Any]]


@dataclass
class Day:
    """A sheet, and what a sync of it has to do.

    Attributes:
        sheet: the text of the CSV file.
        rows: its cells, by user.
        before: the fields of the users in the directory before the sync.
        changes: the fields that change, by user.
        unchanged: the users for whom nothing has to be sent.
        problems: the users whose rows are problems.
        fails: whether the notification cannot be posted.
    """

    sheet: str
    rows: dict[str, dict[str, str]]
    before: Records
    changes: dict[str, dict[str, str]] = field(default_factory=dict)
    unchanged: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    fails: bool = False

    @property
    def line(self) -> str:
        """The line of the report."""
        count = len(self.problems)
        return f"{len(self.changes)} changed, {count} problem{'' if count == 1 else 's'}"


@dataclass
class Step:
    """One call of the client: its requests are those from ``first`` up to ``last``."""

    name: str
    first: int
    last: int | None = None
    result: Any = None

    @property
    def is_done(self) -> bool:
        """True if the call returned."""
        return self.last is not None


@dataclass
class Play:
    """The calls of the client, and what became of them."""

    fake: FakeService
    svc: Session
    webhook: str
    secret: str
    days: list[Day]
    callbacks: list[tuple[str, Mapping[str, str], bytes]]
    steps: list[Step] = field(default_factory=list)

    def __call__(self, client: Any) -> None:
        """Call the client for each day and each callback."""
        for number, day in enumerate(self.days):
            if number:
                self.fake.faults.clear()
                self.fake.clock.advance(hours=HOURS)
            self._take("sync", partial(client.sync, self.svc, day.sheet, self.webhook))
        self.fake.faults.clear()
        for name, headers, body in self.callbacks:
            handle = partial(client.receive, self.svc, headers, body, self.secret, self.webhook)
            self._take(name, handle)

    def _take(self, name: str, call: Callable[[], Any]) -> None:
        step = Step(name, len(self.fake.journal))
        self.steps.append(step)
        step.result = call()
        step.last = len(self.fake.journal)

    def read_files(self) -> list[str]:
        """Return the first line of each file of the report's name in the drive of the signed-in user."""
        found = [
            stored
            for stored in self.fake.files.list_files()
            if stored.name == FILE and stored.place == ("drive", self.fake.facts["user_id"])
        ]
        contents = [b"".join(stored.latest.content.chunks()) for stored in found]
        return [content.decode("utf-8", "replace").partition("\n")[0].strip() for content in contents]


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Prepare the sheets, the callbacks and the faults of a variant."""
    options = variant.options
    svc = connect(fake)
    known = {
        user: {name: fake.directory[user].get(name) for name in COLUMNS.values()}
        for user in fake.facts["users"]
    }
    days = []
    for number, name in enumerate(options["days"]):
        day = expect(write_sheet(known, name), known, is_busy=not number and options.get("busy", 0) > 1)
        day.fails = not number and bool(options.get("fails"))
        known = {user: {**fields, **day.changes.get(user, {})} for user, fields in known.items()}
        days.append(day)
    webhook = fake.facts["webhooks"][0]
    if options.get("full"):
        for number in range(PER_MINUTE):
            svc.notify(f"Build {number} is green.", webhook=webhook)
    if options.get("busy"):
        fake.faults.status("users.update", 503, times=options["busy"], skip=1)
    if options.get("fails"):
        fake.faults.status("notifications.post", 503)
    secret = fake.facts["bot_secret"]
    callbacks = make_callbacks(fake, secret) if options.get("callbacks") else []
    return [Play(fake, svc, webhook, secret, days, callbacks)]


def write_sheet(known: Records, name: str) -> str:
    """Return the text of a sheet."""
    if name == "people":
        return (own_notebooks() / "course" / "project" / "people.csv").read_text("utf-8")
    lines = ["user,nickname,task,workplace"]
    for number, *cells in SHEETS[name]:
        user = f"u-{number + 1:03}"
        fields = [known.get(user, {}).get(each) or "" for each in COLUMNS.values()]
        written = [mine if cell == "=" else cell for cell, mine in zip(cells, fields, strict=True)]
        lines.append(",".join([user, *(f'"{cell}"' if "," in cell else cell for cell in written)]))
    return "\n".join([*lines, ""])


def expect(sheet: str, known: Records, *, is_busy: bool) -> Day:
    """Return what a sync has to do; where the service stays busy, the first change becomes a problem."""
    rows = {
        row.pop("user"): {column: cell.strip() for column, cell in row.items()}
        for row in csv.DictReader(sheet.splitlines())
    }
    day = Day(sheet, rows, known)
    for user, cells in rows.items():
        fields = known.get(user, {})
        changes = {
            name: cells[column]
            for column, name in COLUMNS.items()
            if cells[column] and cells[column] != fields.get(name)
        }
        if not fields or any(len(cell) > LONGEST for cell in changes.values()) or (is_busy and changes):
            is_busy = is_busy and not (fields and changes)
            day.problems.append(user)
        elif changes:
            day.changes[user] = changes
        else:
            day.unchanged.append(user)
    return day


def make_callbacks(fake: FakeService, secret: str) -> list[tuple[str, Mapping[str, str], bytes]]:
    """Return callbacks, each with a name in words."""
    received: list[tuple[Mapping[str, str], bytes]] = []

    def keep(headers: Mapping[str, str], body: bytes) -> int:
        received.append((headers, body))
        return 200

    bot, user = fake.facts["bot_id"], fake.facts["users"][2]
    fake.callbacks.connect(bot, keep)
    for content in (
        {"type": "text", "text": "hr report"},
        {"type": "sticker", "packageId": "1", "stickerId": "7"},
        *({"type": "text", "text": text} for text in OTHER_TEXTS),
    ):
        fake.callbacks.send(bot, user, content)
    fake.callbacks.connect(bot, None)
    asked, sticker, *others = received
    unknown = json.dumps({"type": "joined", "source": {"userId": user}}).encode()
    forged = {**asked[0], "X-SERVICE-Signature": signature(asked[1], f"not {secret}")}
    signed = {**asked[0], "X-SERVICE-Signature": signature(unknown, secret)}
    return [
        ("a callback with a bad signature", forged, asked[1]),
        ("the text “hr report”", *asked),
        *((f"the text “{text}”", *other) for text, other in zip(OTHER_TEXTS, others, strict=True)),
        ("a sticker", *sticker),
        ("an event of an unknown type", signed, unknown),
    ]

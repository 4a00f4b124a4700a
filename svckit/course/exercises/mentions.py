"""Lesson 00: mention somebody who works in an org unit."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fakes import FakeService
from fakes.lessons import JournalEntry, Options, Run, Seen, said
from svckit.course.exercises.requests import read_fields, read_text
from svckit.display.masking import mask_beginning
from svckit.models import mention
from svckit.models.notification import mentions
from svckit.session.connect import connect

__all__ = ["prepare", "summarize"]

POST, UPDATE = "notifications.post", "users.update"
ALMOST = re.compile(r"<|>|@|&lt;|userId", re.IGNORECASE)
"""What a text contains if it was meant to mention somebody."""
SHOWN = 60
"""The most characters of a text to show."""


def prepare(fake: FakeService, options: Options) -> Sequence[object]:
    """Move people between org units, and return a session and the name of a unit."""
    unit, moves = options["unit"], options["moves"]
    svc, home = connect(fake), {"domainId": fake.facts["domain_id"], "primary": True}
    for user in fake.facts["users"]:
        if user in moves or name_unit(fake, user) == unit:
            units = [{"orgUnitId": moves.get(user, "ou-sales"), "primary": True}]
            svc.request("PATCH", f"/users/{user}", json={"organizations": [home | {"orgUnits": units}]})
    return svc, unit


def name_unit(fake: FakeService, user: str) -> str:
    """Return the name of a user's org unit."""
    name: str = fake.directory[user]["organizations"][0]["orgUnits"][0]["orgUnitName"]
    return name


def posts(run: Run) -> tuple[JournalEntry, ...]:
    """Return the messages that were posted."""
    return run.sent(POST, 200)


def shorten(words: str) -> str:
    """Return the beginning of a text, in quotation marks."""
    return f"“{mask_beginning(words, SHOWN)}”"


def list_mentioned(run: Run) -> list[str]:
    """Return who is mentioned, each once: IDs, or whatever stands in place of one."""
    return list(dict.fromkeys(user for entry in posts(run) for user in mentions(read_text(entry))))


def list_colleagues(run: Run) -> list[str]:
    """Return who is mentioned and works in the unit."""
    known = [user for user in list_mentioned(run) if user in run.fake.directory]
    return [user for user in known if name_unit(run.fake, user) == run.options["unit"]]


def posts_once(run: Run) -> Seen:
    """Look for a message that is missing, or one of several."""
    posted = posts(run)
    if not run.sent(POST):
        return run.error is None and said("not posted")
    if len(posted) > 1:
        ends = {"first": shorten(read_text(posted[0])), "last": shorten(read_text(posted[-1]))}
        return said("several messages", posted[-1], count=len(posted), **ends)
    return len(posted) == 1


def mentions_one(run: Run) -> Seen:
    """Look for a message that mentions nobody, or more than one person."""
    people = [user for user in list_mentioned(run) if user in run.fake.directory]
    if len(people) == 1 or not posts(run):
        return bool(posts(run)) or None
    entry = posts(run)[0]
    if people:
        named = {"count": len(people), "first": people[0], "last": people[-1]}
        return said("everybody", entry, **named, working=len(list_colleagues(run)))
    if list_mentioned(run):
        return said("name", entry, named=shorten(list_mentioned(run)[0]))
    if "userid" in str({name: entry.json[name] for name in entry.json if name != "body"}).lower():
        return said("in the title", entry)
    almost = ALMOST.search(read_text(entry))
    return said("markup" if almost else "no markup", entry, text=shorten(read_text(entry)))


def mentions_colleague(run: Run) -> Seen:
    """Look for somebody who is mentioned and works elsewhere; None if nobody is mentioned."""
    for user in list_mentioned(run):
        if user in run.fake.directory and user not in list_colleagues(run):
            return said("another unit", posts(run)[0], user=user, works=name_unit(run.fake, user))
    return list_mentioned(run) == list_colleagues(run) if list_mentioned(run) else None


def leaves_records(run: Run) -> Seen:
    """Look for a record that was changed; None if nothing was posted."""
    changed = [entry for entry in run.sent(UPDATE) if entry.json]
    if not changed:
        return True if posts(run) else None
    return said("changing", changed[0], fields=", ".join(read_fields(changed[0])), count=len(changed))


def summarize(run: Run) -> Mapping[str, object]:
    """Return the figures of a successful run."""
    return {"user": list_colleagues(run)[0]}


def solution_returns(svc: Any, unit: str) -> None:
    """Stop at the first person who works there."""
    for user in svc.users.list_known():
        if user.organizations[0].org_units[0].org_unit_name == unit:
            svc.notify(f"{mention(user.user_id)} Who has the figures for May?")
            return


def solution_reads(svc: Any, unit: str) -> None:
    """Read each person, collect who works there, and write the markup by hand."""
    read = [svc.users.read(user.user_id) for user in svc.users.list_known()]
    homes = [(user.user_id, home) for user in read for home in user.organizations]
    staff = [user for user, home in homes for team in home.org_units if team.org_unit_name == unit]
    svc.notify(f'Hello <m userId="{staff[-1]}">, please call me.', title="Question")

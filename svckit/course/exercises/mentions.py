"""Lesson 00: mention somebody who works in an org unit."""

import re
from collections.abc import Sequence

from fakes import FakeService
from fakes.lessons import Run, Variant
from fakes.lessons.goals import Exercise, Goal, Mistake
from fakes.parts.journal_entry import JournalEntry
from svckit.display.card import quantity
from svckit.display.masking import mask
from svckit.models.notification import mentions
from svckit.session.connect import connect
from svckit.session.session import Session

__all__ = ["EXERCISE"]

POST, UPDATE = "notifications.post", "users.update"
ALMOST = re.compile(r"<|>|@|&lt;|userId", re.IGNORECASE)
"""What a text contains if it was meant to mention somebody."""
SHOWN = 60
"""The most characters of a text to show."""


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Move people between org units, and return a session and the name of a unit."""
    unit, moves = variant.options["unit"], variant.options["moves"]
    svc = connect(fake)
    for user in fake.facts["users"]:
        if user in moves or name_unit(fake, user) == unit:
            move(svc, user, moves.get(user, "ou-sales"))
    return svc, unit


def move(svc: Session, user: str, unit_id: str) -> None:
    """Move a user to an org unit."""
    units = [{"orgUnitId": unit_id, "primary": True}]
    moved = {"domainId": svc.users.read(user).domain_id, "primary": True, "orgUnits": units}
    svc.request("PATCH", f"/users/{user}", json={"organizations": [moved]})


def name_unit(fake: FakeService, user: str) -> str:
    """Return the name of a user's org unit."""
    name: str = fake.directory[user]["organizations"][0]["orgUnits"][0]["orgUnitName"]
    return name


def posts(run: Run) -> tuple[JournalEntry, ...]:
    """Return the messages that were posted."""
    return run.sent(POST, 200)


def text(entry: JournalEntry) -> str:
    """Return the text of a message."""
    return str(entry.json["body"]["text"]) if isinstance(entry.json, dict) else ""


def shorten(words: str) -> str:
    """Return a text that fits into a sentence, in quotation marks."""
    words = mask(words)
    return f"“{words[:SHOWN]}…”" if len(words) > SHOWN else f"“{words}”"


def unit(run: Run) -> str:
    """Return the unit that the function was called with."""
    return str(run.variant.options["unit"])


def mentioned(run: Run) -> list[str]:
    """Return who is mentioned, each once: IDs, or whatever stands in place of one."""
    return list(dict.fromkeys(user for entry in posts(run) for user in mentions(text(entry))))


def colleagues(run: Run) -> list[str]:
    """Return who is mentioned and works in the unit."""
    return [u for u in mentioned(run) if u in run.fake.directory and name_unit(run.fake, u) == unit(run)]


def mentions_one(run: Run) -> bool | None:
    """Return whether exactly one person is mentioned; None if nothing was posted."""
    return sum(user in run.fake.directory for user in mentioned(run)) == 1 if posts(run) else None


def mentions_colleague(run: Run) -> bool | None:
    """Return whether all who are mentioned work in the unit; None if nobody is mentioned."""
    return mentioned(run) == colleagues(run) if mentioned(run) else None


def leaves_records(run: Run) -> bool | None:
    """Return whether no record was changed; None if nothing was posted."""
    return changes(run) is None if posts(run) else None


def changes(run: Run) -> str | None:
    """Find changes of records."""
    changing = [entry for entry in run.sent(UPDATE) if entry.json]
    if not changing:
        return None
    first = changing[0]
    fields = ", ".join(first.json) if isinstance(first.json, dict) else "a record"
    more = f" In all, {len(changing)} requests changed records." if len(changing) > 1 else ""
    return f"Request {first.number} ({first.method} {first.path}) changed {fields} of a user.{more}"


def stops_before(run: Run) -> str | None:
    """Find that people were read and nothing was posted."""
    if run.error is not None or run.sent(POST):
        return None
    return f"Your function read people with {quantity(len(run.entries), 'request')}, and posted nothing."


def repeats(run: Run) -> str | None:
    """Find more than one message."""
    posted = posts(run)
    if len(posted) <= 1:
        return None
    return (
        f"Your function posted {len(posted)} messages; the first is request {posted[0].number}, "
        f"{shorten(text(posted[0]))}, and the last is request {posted[-1].number}, {shorten(text(posted[-1]))}. "
        "Everybody in the room has to read each of them."
    )


def mentions_many(run: Run) -> str | None:
    """Find a message that mentions more than one person."""
    people = [user for user in mentioned(run) if user in run.fake.directory]
    if len(people) <= 1:
        return None
    count = len(colleagues(run))
    return (
        f"Request {posts(run)[0].number} mentions {len(people)} people, from {people[0]} to {people[-1]}; {count} of "
        f"them {'works' if count == 1 else 'work'} in {unit(run)}. All of them are called to the room."
    )


def mentions_in_title(run: Run) -> str | None:
    """Find a mention in the title or the button."""
    for entry in posts(run):
        rest = {name: value for name, value in entry.json.items() if name != "body"}
        if "userid" in str(rest).lower() and not mentions(text(entry)):
            return f"Request {entry.number} has the markup in its title or button, where it is only text."
    return None


def misspells(run: Run) -> str | None:
    """Find markup that is not quite a mention."""
    for entry in posts(run):
        if not mentions(text(entry)) and ALMOST.search(text(entry)):
            return (
                f"Request {entry.number} was accepted, and the room shows its text as it is: "
                f"{shorten(text(entry))}. Nobody was mentioned."
            )
    return None


def only_writes(run: Run) -> str | None:
    """Find a message without markup."""
    for entry in posts(run):
        if not mentions(text(entry)):
            return f"Request {entry.number} posted {shorten(text(entry))}. Nobody is mentioned in it."
    return None


def names_nobody(run: Run) -> str | None:
    """Find a mention of something that is not the ID of a user."""
    for entry in posts(run):
        unknown = [user for user in mentions(text(entry)) if user not in run.fake.directory]
        if unknown:
            return (
                f"Request {entry.number} was accepted. It mentions {shorten(unknown[0])}, but no user has this ID, so "
                "nobody notices."
            )
    return None


def mentions_stranger(run: Run) -> str | None:
    """Find a mention of somebody who works elsewhere."""
    for entry in posts(run):
        for user in mentions(text(entry)):
            if user not in colleagues(run):
                return (
                    f"Request {entry.number} mentions {user}, who works in {name_unit(run.fake, user)}, not in "
                    f"{unit(run)}."
                )
    return None


def summarize(run: Run) -> str:
    """Return what a successful run did."""
    return f"1 message posted. It mentions {colleagues(run)[0]}, who works in {unit(run)}."


EXERCISE = Exercise(
    name="mention_somebody",
    title="Look around",
    minutes=15,
    section="Incoming notification endpoint",
    starter="""\
def mention_somebody(svc, unit):
    for user in svc.users.list_known():
        ...
""",
    prepare=prepare,
    variants=(
        Variant("Finance", {"unit": "Finance", "moves": {"u-011": "ou-finance", "u-017": "ou-finance"}}),
        Variant(
            "Customer support, after people have moved to other units",
            {
                "unit": "Customer support",
                "moves": {"u-003": "ou-finance", "u-009": "ou-support", "u-014": "ou-support"},
            },
        ),
    ),
    goals=(
        Goal("one message is posted", lambda run: len(posts(run)) == 1),
        Goal("it mentions one person", mentions_one),
        Goal("that person works in the unit", mentions_colleague),
        Goal("nobody's record is changed", leaves_records),
    ),
    mistakes=(
        Mistake(
            "changing",
            changes,
            (
                "Which call of the session only looks, and which one changes something?",
                "To find somebody, reading is enough. Look for the line that updates a user.",
                "See “Who works here” above: list_known gives you all records without changing any.",
            ),
        ),
        Mistake(
            "not posted",
            stops_before,
            (
                "Which line should put the message into the room?",
                "Is that line reached? Perhaps no person passes the comparison before it: print both sides of it.",
                "See “Mention somebody” above: the markup is only text until it is posted.",
            ),
        ),
        Mistake(
            "several messages",
            repeats,
            (
                "How many messages does it take to reach one person?",
                "What should your loop do as soon as it has found somebody?",
                "See “Mention somebody” above: one message, posted once, is all it takes.",
            ),
        ),
        Mistake(
            "everybody",
            mentions_many,
            (
                "Who has to come to the room for this message?",
                "One person is enough: how can your function take the first one that fits?",
                "See “Mention somebody” above: the message there mentions one ID.",
            ),
        ),
        Mistake(
            "in the title",
            mentions_in_title,
            (
                "In which part of a message does the markup work?",
                "A message has a title, a text and a button. Compare which one you used.",
                "See “Mention somebody” above: where does the mention stand there?",
            ),
        ),
        Mistake(
            "markup",
            misspells,
            (
                "How does the service tell a mention from any other text?",
                "Compare the markup letter by letter, with its quotes and capitals; or let a function write it.",
                "See “Mention somebody” above: a function of svckit.models returns the markup.",
            ),
        ),
        Mistake(
            "no markup",
            only_writes,
            (
                "How would the service know whom this text is for?",
                "A name or an ID alone is text like any other. What has to be around the ID?",
                "See “Mention somebody” above, and compare the two lines that are printed there.",
            ),
        ),
        Mistake(
            "name",
            names_nobody,
            (
                "By what does the service know a person?",
                "Names change, and two people may have the same one. What does each user have that stays?",
                "See “Predict, then run” above: which of the four texts called Emi, and what did it contain?",
            ),
        ),
        Mistake(
            "another unit",
            mentions_stranger,
            (
                "How does your function decide whom to mention?",
                "It is called with a session and a unit. Does it use both, or something from an earlier cell?",
                "See “Who works here” above: find_unit returns the name of a person's unit.",
            ),
        ),
    ),
    summarize=summarize,
)

"""Lesson 11: a program that works before and after features retire."""

import re
from collections.abc import Mapping, Sequence

import httpx

from fakes import FakeService, rulebook
from fakes.lessons import Run, Variant
from fakes.lessons.goals import Exercise, Goal, Mistake
from fakes.parts.journal_entry import JournalEntry
from svckit.course.exercises.request_bodies import read_fields
from svckit.display.masking import mask

__all__ = ["EXERCISE"]

UPDATE = "users.update"
NEW, OLD = "MSGR_C", "MSGR_C_OLD"
FIRST_DAY = "2026-06-01"
BEFORE = (NEW, "MSGR_A", OLD, "MSGR_B", NEW)
"""The networks of the team, as an administrator typed them in."""


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Let the team have messengers, move the clock to a day, and return a client and the team."""
    fake.rules.choose(variant.options["assume"])
    team = fake.facts["users"][2 : 2 + len(BEFORE)]
    with connect(fake) as http:
        for user, protocol in zip(team, BEFORE, strict=True):
            messenger = {"protocol": protocol, "messengerId": make_id(fake, user)}
            http.patch(f"/users/{user}", json={"messenger": messenger}).raise_for_status()
    fake.clock.to(f"{variant.options['day']}T09:00:00+09:00")
    return connect(fake), team


def connect(fake: FakeService) -> httpx.Client:
    """Return a client with a valid access token."""
    headers = {"Authorization": f"Bearer {fake.access_token()}"}
    return httpx.Client(transport=fake.transport(), base_url=fake.facts["base_url"], headers=headers)


def make_id(fake: FakeService, user: str) -> str:
    """Return the messenger ID of a member of the team."""
    return f"{fake.directory[user]['userName']['firstName'].lower()}-{user}"


def team(run: Run) -> list[str]:
    """Return the users that the function was called with."""
    users: list[str] = run.arguments[1]
    return users


def find_moving(run: Run) -> list[str]:
    """Return those of the team who were not on network C."""
    return [user for user, protocol in zip(team(run), BEFORE, strict=True) if protocol not in (NEW, OLD)]


def find_user(entry: JournalEntry) -> str:
    """Return the user of an update."""
    return entry.path.split("/")[2]


def find_sent(entry: JournalEntry) -> Mapping[str, object]:
    """Return the messenger that a request sent; empty without one."""
    messenger = read_fields(entry).get("messenger")
    return messenger if isinstance(messenger, dict) else {}


def list_changes(run: Run) -> list[JournalEntry]:
    """Return the requests that sent a messenger."""
    return [entry for entry in run.sent(UPDATE) if find_sent(entry)]


def find_places(run: Run) -> list[JournalEntry]:
    """Return the accepted requests for an upload URL."""
    return [entry for entry in run.entries if "uploadUrl" in entry.response_body]


def read_said(entry: JournalEntry) -> str:
    """Return the value of network C that a response has; empty if it has none."""
    return OLD if f'"{OLD}"' in entry.response_body else NEW if f'"{NEW}"' in entry.response_body else ""


def tell(run: Run, happened: str) -> str:
    """Return what happened, with the day of the data shown; other data are introduced by theirs."""
    day = run.variant.options["day"]
    return f"On {day}, {happened}" if day == FIRST_DAY else happened[0].upper() + happened[1:]


def describe(entry: JournalEntry) -> str:
    """Return a request in words."""
    return f"request {entry.number} ({entry.method} {entry.path})"


def describe_outcome(run: Run) -> str:
    """Return what the function returned or raised, in words."""
    if run.error is None:
        shown = mask(re.sub("https://[^'\"]+", "https://…", repr(run.result)))
        return f"Your function returned {shown:.200}."
    where = f" in {run.line}" if run.line else ""
    return f"Your function raised {type(run.error).__name__}{where}."


def is_moved(run: Run) -> bool:
    """Return whether everybody is on network C under their own ID."""
    for user in team(run):
        messenger = run.fake.directory[user]["messenger"] or {}
        if (messenger.get("protocol"), messenger.get("messengerId")) != (NEW, make_id(run.fake, user)):
            return False
    return True


def leaves_others(run: Run) -> bool | None:
    """Return whether nobody was changed who was there; None if nobody was changed."""
    return moves_again(run) is None if list_changes(run) else None


def has_place(run: Run) -> bool:
    """Return whether the report has an upload URL, and it is the first part of the result."""
    result = run.result
    return bool(
        find_places(run)
        and isinstance(result, tuple | list)
        and result
        and str(result[0]).startswith("https://")
    )


def names_moved(run: Run) -> bool:
    """Return whether the second part of the result names those who were moved."""
    result = run.result
    if (
        not isinstance(result, tuple | list)
        or len(result) != 2
        or not isinstance(result[1], list | set | tuple)
    ):
        return False
    return sorted(map(str, result[1])) == find_moving(run)


def avoids_retired(run: Run) -> bool:
    """Return whether no request was refused because something had retired."""
    return calls_retired(run) is None and sends_old(run) is None


def calls_retired(run: Run) -> str | None:
    """Find a call of an operation that has retired, or is going to."""
    for entry in run.entries:
        if rulebook.lifecycle.RETIRED.id in entry.rules:
            return tell(run, f"{describe(entry)} got {entry.status}: {entry.reason}.")
    return None


def sends_old(run: Run) -> str | None:
    """Find a value that has retired in a request."""
    for entry in list_changes(run):
        if entry.status != 200 and find_sent(entry).get("protocol") == OLD:
            happened = f"{describe(entry)} sent {OLD} and got {entry.status}: {entry.reason}."
            return tell(run, f"{happened} Until November, it would have been accepted.")
    return None


def moves_again(run: Run) -> str | None:
    """Find a change of somebody who was on network C already."""
    for entry in list_changes(run):
        user = find_user(entry)
        if user in find_moving(run):
            continue
        asked = [e for e in run.sent(UPDATE) if find_user(e) == user and e.number < entry.number]
        said = (
            f" The response to request {asked[-1].number} had said {read_said(asked[-1])}." if asked else ""
        )
        return tell(run, f"{describe(entry)} moved {user}, who was on network C already.{said}")
    return None


def sends_twice(run: Run) -> str | None:
    """Find a change that was sent again although it had been accepted."""
    accepted: dict[str, JournalEntry] = {}
    for entry in list_changes(run):
        first = accepted.get(find_user(entry))
        if first is not None:
            happened = f"{describe(first)} was accepted, and its response said {read_said(first)}."
            return tell(run, f"{happened} Request {entry.number} sent a messenger for the same user again.")
        if entry.status == 200:
            accepted[find_user(entry)] = entry
    return None


def doubts(run: Run) -> str | None:
    """Find an error after a change was accepted."""
    changes = list_changes(run)
    if run.error is None or not changes or any(entry.status != 200 for entry in run.entries):
        return None
    happened = f"{describe(changes[-1])} sent {find_sent(changes[-1]).get('protocol')} and was accepted."
    return tell(run, f"{happened} The response said {read_said(changes[-1])}. {describe_outcome(run)}")


def sends_unknown(run: Run) -> str | None:
    """Find a change whose field the service ignored."""
    for entry in run.sent(UPDATE):
        if entry.ignored:
            ignored = ", ".join(entry.ignored)
            return tell(
                run,
                f"{describe(entry)} was accepted, but the service ignored {ignored}, and nothing changed.",
            )
    return None


def misses(run: Run) -> str | None:
    """Find somebody who should have been moved, and for whom no change was sent."""
    sent = {find_user(entry) for entry in list_changes(run)}
    left = [user for user in find_moving(run) if user not in sent]
    if run.error is not None or not left:
        return None
    return tell(run, f"{', '.join(left)} stayed where they were. {describe_outcome(run)}")


def changes_id(run: Run) -> str | None:
    """Find a messenger ID that got lost."""
    for entry in list_changes(run):
        user = find_user(entry)
        given = find_sent(entry).get("messengerId")
        if entry.status == 200 and given != make_id(run.fake, user):
            happened = f"{describe(entry)} gave {user} the messenger ID {given!r}."
            return tell(run, f"{happened} Until then, it was {make_id(run.fake, user)!r}.")
    return None


def has_no_place(run: Run) -> str | None:
    """Find that nothing asked for an upload URL."""
    if run.error is not None or find_places(run):
        return None
    return f"No request asked for an upload URL. {describe_outcome(run)}"


def misnames(run: Run) -> str | None:
    """Find that the result does not have the upload URL, or does not name those who were moved."""
    if run.error is not None or (has_place(run) and names_moved(run)):
        return None
    sent = [find_user(entry) for entry in list_changes(run)]
    happened = f"request {find_places(run)[0].number} got the upload URL, and {', '.join(sent)} were moved."
    return tell(run, f"{happened} {describe_outcome(run)}")


def summarize(run: Run) -> str:
    """Return the figures of a successful run."""
    return f"{len(find_moving(run))} moved, {len(team(run)) - len(find_moving(run))} left alone, on each of five days."


EXERCISE = Exercise(
    name="move_team",
    title="What retires when",
    minutes=12,
    section="Versioning",
    starter="""\
def move_team(http, team):
    report = {"fileName": "moved.txt", "fileSize": 1000}
    response = http.post("/boards/b-1/posts/p-1/comments/c-1/attachment", json=report)
    upload_url = response.raise_for_status().json()["uploadUrl"]
    moved = []
    for user in team:
        messenger = http.patch(f"/users/{user}", json={}).json()["messenger"]
        if messenger["protocol"] != "MSGR_C_OLD":
            messenger["protocol"] = "MSGR_C_OLD"
            http.patch(f"/users/{user}", json={"messenger": messenger}).raise_for_status()
            moved.append(user)
    return upload_url, moved
""",
    prepare=prepare,
    variants=(
        Variant("a team on 2026-06-01", {"day": "2026-06-01", "assume": {}}),
        Variant("the same team on 2026-08-01", {"day": "2026-08-01", "assume": {}}),
        Variant("the same team on 2026-11-20", {"day": "2026-11-20", "assume": {}}),
        Variant("the same team on 2026-12-06", {"day": "2026-12-06", "assume": {}}),
        Variant(
            "the same team on 2026-07-25, if “late July” begins on the 21st",
            {"day": "2026-07-25", "assume": {"lifecycle.dates": "first-day"}},
        ),
    ),
    goals=(
        Goal("everybody is on network C, under the ID they had", is_moved),
        Goal("nobody is changed who was there already", leaves_others),
        Goal("the result names those who were moved", names_moved),
        Goal("the result has an upload URL for the report", has_place),
        Goal("nothing that has retired is used", avoids_retired),
    ),
    mistakes=(
        Mistake(
            "retired operation",
            calls_retired,
            (
                "When does that retire, and what is used instead?",
                "The response names the replacement. Which path do the operations for many attachments have?",
                "See “What has ended” above: how do the two paths differ?",
            ),
        ),
        Mistake(
            "old value",
            sends_old,
            (
                "Which value do requests accept on every day?",
                "Compare the days on which each of the two values is accepted in a request.",
                "See “One network, two names” above, and the column “old in a request”.",
            ),
        ),
        Mistake(
            "one name",
            moves_again,
            (
                "Which values can a response have for that network?",
                "Both, one until a day in July, one after it. On which of them does your function rely?",
                "See “One network, two names” above, and the column “in a response”.",
            ),
        ),
        Mistake(
            "again",
            sends_twice,
            (
                "Was the first change accepted?",
                "What does its status say, and what does the name of the network in its response say?",
                "See “One network, two names” above: what did you predict?",
            ),
        ),
        Mistake(
            "doubts",
            doubts,
            (
                "Is a response with the other name a failure?",
                "What was sent and what the response says may differ, although they mean the same network.",
                "See “One network, two names” above: what did you predict?",
            ),
        ),
        Mistake(
            "unknown field",
            sends_unknown,
            (
                "Which field of a user has the network?",
                "A user has a messenger, and the messenger has a network. What did your request have?",
                "See “One network, two names” above: how are its changes nested?",
            ),
        ),
        Mistake(
            "left behind",
            misses,
            (
                "On which networks are they?",
                "Print the messenger of each user of the team. For whom should the condition be true?",
                "See “Exercise” above: who is to be moved, and who is to be left alone?",
            ),
        ),
        Mistake(
            "another ID",
            changes_id,
            (
                "Where does that ID come from?",
                "Only the network changes. What else is in the messenger that the service returned?",
                "See “One network, two names” above: a messenger has two parts.",
            ),
        ),
        Mistake(
            "no upload URL",
            has_no_place,
            (
                "Where should the report go?",
                "What has retired has a replacement: the program still needs what it got from it.",
                "See “What has ended” above: what does the response of the other path contain?",
            ),
        ),
        Mistake(
            "other result",
            misnames,
            (
                "What are the two parts of the result, and in which order?",
                "First the upload URL; then a list of those for whom a change was sent, and of nobody else.",
                "See “Exercise” above: what does the function return?",
            ),
        ),
    ),
    summarize=summarize,
)

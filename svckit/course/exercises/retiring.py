"""Lesson 11: a program that works before and after features retire."""

from collections.abc import Iterator, Mapping, Sequence

import httpx

from fakes import FakeService, rulebook
from fakes.lessons import JournalEntry, Options, Run, Seen, said, say_first
from svckit.course.exercises.requests import find_user, open_client, read_fields

__all__ = ["prepare", "summarize"]

UPDATE = "users.update"
NEW, OLD = "MSGR_C", "MSGR_C_OLD"
BEFORE = (NEW, "MSGR_A", OLD, "MSGR_B", NEW)
"""The networks of the team, as an administrator typed them in."""


def prepare(fake: FakeService, options: Options) -> Sequence[object]:
    """Let the team have messengers, move the clock to a day, and return a client and the team."""
    team = fake.facts["users"][2 : 2 + len(BEFORE)]
    with open_client(fake) as http:
        for user, protocol in zip(team, BEFORE, strict=True):
            messenger = {"protocol": protocol, "messengerId": make_id(fake, user)}
            http.patch(f"/users/{user}", json={"messenger": messenger}).raise_for_status()
    fake.clock.to(f"{options['day']}T09:00:00+09:00")
    return open_client(fake), team


def make_id(fake: FakeService, user: str) -> str:
    """Return the messenger ID of a member of the team."""
    return f"{fake.directory[user]['userName']['firstName'].lower()}-{user}"


def list_moving(run: Run) -> list[str]:
    """Return those of the team who were not on network C."""
    return [user for user, name in zip(run.arguments[1], BEFORE, strict=True) if name not in (NEW, OLD)]


def find_sent(entry: JournalEntry) -> Mapping[str, object]:
    """Return the messenger that a request sent; empty without one."""
    messenger = read_fields(entry).get("messenger")
    return messenger if isinstance(messenger, dict) else {}


def list_changes(run: Run) -> list[JournalEntry]:
    """Return the requests that sent a messenger."""
    return [entry for entry in run.sent(UPDATE) if find_sent(entry)]


def read_name(entry: JournalEntry) -> str:
    """Return the name of network C in a response; a dash if it has none."""
    return OLD if f'"{OLD}"' in entry.response_body else NEW if f'"{NEW}"' in entry.response_body else "–"


def uses_nothing_retired(run: Run) -> Iterator[Seen]:
    """Look for an operation, or a value in a request, that had retired."""
    for entry in run.entries:
        odd = {
            "retired operation": rulebook.lifecycle.RETIRED.id in entry.rules,
            "old value": entry.status != 200 and find_sent(entry).get("protocol") == OLD,
        }
        yield say_first(odd, entry, sent=OLD) or True


def moves_all(run: Run) -> Seen:
    """Look for somebody who is not on network C, not under their own ID, or moved again."""
    accepted: dict[str, JournalEntry] = {}
    for entry in run.sent(UPDATE):
        user, given = find_user(entry), find_sent(entry).get("messengerId")
        if entry.ignored:
            return said("unknown field", entry, ignored=", ".join(entry.ignored))
        if find_sent(entry) and user in accepted:
            return said("again", accepted[user], told=read_name(accepted[user]), second=entry.number)
        if find_sent(entry) and entry.status == 200:
            accepted[user] = entry
            if given != (own := make_id(run.fake, user)):
                return said("another ID", entry, user=user, given=given, own=own)
    if run.error is not None and accepted and all(entry.status == 200 for entry in run.entries):
        last = [*accepted.values()][-1]
        return said("doubts", last, sent=find_sent(last)["protocol"], told=read_name(last))
    tried = {find_user(entry) for entry in list_changes(run)}
    left = [user for user in list_moving(run) if user not in tried]
    if left and run.error is None:
        return said("left behind", run.entries[-1], left=", ".join(left))
    kept = [run.fake.directory[user]["messenger"] or {} for user in run.arguments[1]]
    return run.error is None and all(messenger.get("protocol") == NEW for messenger in kept)


def leaves_others(run: Run) -> Iterator[Seen]:
    """Look for a change of somebody who was there already."""
    read: dict[str, str] = {}
    for entry in run.sent(UPDATE):
        user = find_user(entry)
        if find_sent(entry):
            before = read.get(user, "–")
            yield user in list_moving(run) or said("one name", entry, user=user, before=before)
        read[user] = read_name(entry)


def returns_both(run: Run) -> Seen:
    """Look at the two parts of the result."""
    placed = [entry for entry in run.entries if "uploadUrl" in entry.response_body]
    if run.error is not None:
        return False
    if not placed:
        return said("no upload URL", run.entries[-1])
    is_pair = isinstance(run.result, tuple | list) and len(run.result) == 2
    url, names = run.result if is_pair else ("", ())
    is_named = isinstance(names, list | set | tuple) and sorted(map(str, names)) == list_moving(run)
    changed = ", ".join(map(find_user, list_changes(run)))
    return ("https://" in str(url) and is_named) or said("other result", placed[0], moved=changed)


def summarize(run: Run) -> Mapping[str, object]:
    """Return the figures of a successful run."""
    return {"moved": len(list_moving(run)), "left": BEFORE.count(NEW) + BEFORE.count(OLD)}


def solution_knows_both_names(http: httpx.Client, team: list[str]) -> tuple[str, list[str]]:
    """Send the new name, and read either."""
    report = {"fileName": "moved.txt", "fileSize": 1000}
    response = http.post("/boards/b-1/posts/p-1/comments/c-1/attachments", json=report)
    upload_url, moved = response.raise_for_status().json()["uploadUrl"], []
    for user in team:
        messenger = http.patch(f"/users/{user}", json={}).raise_for_status().json()["messenger"]
        if messenger["protocol"] not in ("MSGR_C", "MSGR_C_OLD"):
            messenger["protocol"] = "MSGR_C"
            http.patch(f"/users/{user}", json={"messenger": messenger}).raise_for_status()
            moved.append(user)
    return upload_url, moved


def solution_makes_one_name_of_both(http: httpx.Client, team: list[str]) -> tuple[str, list[str]]:
    """Turn the old name into the new one, wherever it comes from."""
    people = [http.patch(f"/users/{user}", json={}).raise_for_status().json() for user in team]
    messengers = {user: person["messenger"] for user, person in zip(team, people, strict=True)}
    moved = [user for user in team if messengers[user]["protocol"].removesuffix("_OLD") != "MSGR_C"]
    for user in moved:
        changes = {"messenger": {"protocol": "MSGR_C", "messengerId": messengers[user]["messengerId"]}}
        http.patch(f"/users/{user}", json=changes).raise_for_status()
    report = {"fileName": "moved.txt", "fileSize": 1000}
    response = http.post("/boards/b-1/posts/p-1/comments/c-1/attachments", json=report)
    return response.raise_for_status().json()["uploadUrl"], moved

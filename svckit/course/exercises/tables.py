"""Lesson 12: tidy up a table of people, with the fewest updates."""

from collections.abc import Iterator, Mapping, Sequence

from fakes import FakeService
from fakes.lessons import JournalEntry, Options, Run, Seen, said, say_first
from svckit.course.exercises.requests import find_user
from svckit.frames import users
from svckit.session.connect import connect

__all__ = ["prepare", "summarize"]

UPDATE = "users.update"
UNKNOWN = ("-", "n/a")
MISSING = ("nan", "NaN", "<NA>", "None", "NaT", "null")
MOST = 100
"""The most characters of a task."""


def prepare(fake: FakeService, options: Options) -> Sequence[object]:
    """Make the table untidy, and return the fake."""
    svc = connect(fake)
    for user_id, fields in options["untidy"]:
        svc.users.update(user_id, **fields)
    return (fake,)


def tidy(field: str, value: str) -> str | None:
    """Return a value as it should be."""
    value = value.strip()
    if field == "location":
        return value.replace("Tokio", "Tokyo")
    return None if value in UNKNOWN else value.replace("&", "and")


def wanted(run: Run) -> dict[str, dict[str, str | None]]:
    """Return the fields to change, by user, with the values that they should have."""
    changed = {
        user: {name: tidy(name, value) for name, value in fields.items() if tidy(name, value) != value}
        for user, fields in run.options["untidy"]
    }
    return {user: fields for user, fields in changed.items() if fields}


def too_long(run: Run) -> list[str]:
    """Return the users whose task would get too long."""
    return [user for user, fields in wanted(run).items() if len(fields.get("task") or "") > MOST]


def possible(run: Run) -> dict[str, dict[str, str | None]]:
    """Return the fields that can be changed, by user."""
    return {user: fields for user, fields in wanted(run).items() if user not in too_long(run)}


def updates(run: Run) -> list[JournalEntry]:
    """Return the updates that were accepted; reading a user is an empty update, and does not count."""
    return [entry for entry in run.sent(UPDATE, 200) if entry.json]


def untidy(run: Run) -> list[tuple[str, str, object]]:
    """Return user, field and value of all that is still untidy, and could have been changed."""
    return [
        (user, name, run.fake.directory[user].get(name))
        for user, fields in possible(run).items()
        for name, value in fields.items()
        if run.fake.directory[user].get(name) != value
    ]


def tidies_all(run: Run) -> Seen:
    """Look for what is still untidy; before the first update, say why there is none."""
    if run.error is not None or not updates(run):
        return find_reason(run)
    if left := untidy(run):
        user, name, value = left[0]
        return said("untidy", count=len(left), name=name, user=user, value=value)
    return True


def find_reason(run: Run) -> Seen:
    """Say why nobody, or not everybody, was changed."""
    problems, count = getattr(run.error, "problems", ()), len(updates(run))
    if "user_id is missing" in str(run.error):
        return said("index", text=str(run.error).partition(": ")[2])
    if problems:
        return said("without looking", count=count, problem=problems[0].message)
    return None if run.error or count else said("not applied", count=len(possible(run)))


def keeps_others(run: Run) -> Iterator[Seen]:
    """Look for the name of a missing value as a text, and for an update of somebody who should stay as they are."""
    for entry in updates(run):
        user = find_user(entry)
        size, is_long = len(wanted(run).get(user, {}).get("task") or ""), user in too_long(run)
        for name, value in entry.json.items():
            is_missing = isinstance(value, str) and value.strip() in MISSING
            odd = {"missing as text": is_missing, "shortened": is_long, "others": user not in wanted(run)}
            yield say_first(odd, entry, user=user, name=name, value=value, size=size, most=MOST) or True


def sends_little(run: Run) -> Iterator[Seen]:
    """Look for an update with fields that were tidy, or a second one of somebody."""
    first = dict[str, int]()
    for entry in updates(run):
        user = find_user(entry)
        more = entry.json.keys() - possible(run).get(user, entry.json).keys()
        earlier = first.setdefault(user, entry.number)
        odd = {"more fields": more, "repeated": earlier != entry.number}
        yield say_first(odd, entry, fields=", ".join(sorted(more)), user=user, first=earlier) or True


def reports_rest(run: Run) -> Seen:
    """Look at the result: the IDs of those who could not be changed."""
    named = run.names(too_long(run)) if updates(run) else None
    return said("not reported", users=", ".join(too_long(run))) if named is False else named


def summarize(run: Run) -> Mapping[str, object]:
    """Return the figures of a successful run."""
    people = len(run.fake.directory)
    return {"count": len(updates(run)), "people": people, "left": ", ".join(too_long(run))}


def solution_leaves_rows_out(fake: FakeService) -> list[str]:
    """Edit columns, and apply the changes without the rows that have problems."""
    svc = connect(fake)
    people = users(svc)
    people["location"] = people["location"].str.strip().str.replace("Tokio", "Tokyo")
    task = people["task"].str.strip()
    people["task"] = task.mask(task.isin(["-", "n/a"])).str.replace("&", "and")
    problems = svc.users.diff(people).problems
    left = [problem.path.partition(".")[0] for problem in problems]
    svc.users.apply(svc.users.diff(people[~people["user_id"].isin(left)]))
    return left


def solution_updates_each(fake: FakeService) -> set[str]:
    """Edit one cell after another, and send an update for each edit that has no problem."""
    svc = connect(fake)
    people = users(svc)
    for row, person in people.iterrows():
        if isinstance(person["location"], str):
            people.loc[row, "location"] = person["location"].strip().replace("Tokio", "Tokyo")
        if isinstance(person["task"], str):
            task = person["task"].strip()
            people.loc[row, "task"] = None if task in ("-", "n/a") else task.replace("&", "and")
    changes = svc.users.diff(people)
    for edit in changes:
        svc.users.update(edit.user_id, **edit.after)
    return {problem.path.split(".")[0] for problem in changes.problems}

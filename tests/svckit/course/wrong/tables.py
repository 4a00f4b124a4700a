"""Lesson 12: what learners write, by the sentence that each of them gets."""

from typing import TYPE_CHECKING, Any

from fakes import FakeService
from svckit.frames import users
from svckit.session.connect import connect
from svckit.session.session import Session

if TYPE_CHECKING:
    import pandas as pd


def edit(people: "pd.DataFrame") -> "pd.DataFrame":
    """Return a frame with tidy columns."""
    people["location"] = people["location"].str.strip().str.replace("Tokio", "Tokyo")
    task = people["task"].str.strip()
    people["task"] = task.mask(task.isin(["-", "n/a"])).str.replace("&", "and")
    return people


def apply_possible(svc: Session, people: "pd.DataFrame") -> list[str]:
    """Apply the changes of a frame without those that have problems."""
    left = [problem.path.partition(".")[0] for problem in svc.users.diff(people).problems]
    svc.users.apply(svc.users.diff(people[~people["user_id"].isin(left)]))
    return left


def edits_index(fake: FakeService) -> list[str]:
    svc = connect(fake)
    people = users(svc)
    people.loc["u-004", "location"] = "Tokyo"
    svc.users.apply(svc.users.diff(people))
    return []


def applies_blindly(fake: FakeService) -> list[str]:
    svc = connect(fake)
    svc.users.apply(svc.users.diff(edit(users(svc))))
    return []


def applies_nothing(fake: FakeService) -> list[str]:
    svc = connect(fake)
    problems = svc.users.diff(edit(users(svc))).problems
    return [problem.path.partition(".")[0] for problem in problems]


def sends_missing(fake: FakeService) -> list[str]:
    svc = connect(fake)
    people = users(svc)
    people["location"] = people["location"].astype(object).map(lambda value: str(value).strip())
    return apply_possible(svc, edit(people))


def shortens(fake: FakeService) -> list[str]:
    svc = connect(fake)
    people = edit(users(svc))
    people["task"] = people["task"].str[:100]
    svc.users.apply(svc.users.diff(people))
    return []


def changes_case(fake: FakeService) -> list[str]:
    svc = connect(fake)
    people = edit(users(svc))
    people["location"] = people["location"].str.title()
    return apply_possible(svc, people)


def clears_hyphens(fake: FakeService) -> list[str]:
    svc = connect(fake)
    people = edit(users(svc))
    people["task"] = people["task"].mask(people["task"].str.contains("-"))
    return apply_possible(svc, people)


def sends_more(fake: FakeService) -> list[str]:
    svc = connect(fake)
    people = edit(users(svc))
    changes = svc.users.diff(people)
    for each in changes:
        row = people[people["user_id"] == each.user_id].astype(object).iloc[0]
        fields: dict[str, Any] = {
            name: row[name] if isinstance(row[name], str) else None for name in ("task", "location")
        }
        svc.users.update(each.user_id, **fields)
    return [problem.path.partition(".")[0] for problem in changes.problems]


def updates_twice(fake: FakeService) -> list[str]:
    svc = connect(fake)
    changes = svc.users.diff(edit(users(svc)))
    for each in changes:
        for name, value in each.after.items():
            svc.users.update(each.user_id, **{name: value})
    return [problem.path.partition(".")[0] for problem in changes.problems]


def forgets_blanks(fake: FakeService) -> list[str]:
    svc = connect(fake)
    people = users(svc)
    people["location"] = people["location"].str.replace("Tokio", "Tokyo")
    people["task"] = people["task"].mask(people["task"].isin(["-", "n/a"])).str.replace("&", "and")
    return apply_possible(svc, people)


def reports_nothing(fake: FakeService) -> list[str]:
    svc = connect(fake)
    apply_possible(svc, edit(users(svc)))
    return []


WRONG = {
    "index": (edits_index,),
    "without looking": (applies_blindly,),
    "not applied": (applies_nothing,),
    "missing as text": (sends_missing,),
    "shortened": (shortens,),
    "others": (changes_case, clears_hyphens),
    "more fields": (sends_more,),
    "repeated": (updates_twice,),
    "untidy": (forgets_blanks,),
    "not reported": (reports_nothing,),
}

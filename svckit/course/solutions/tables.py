"""Lesson 12: tidy up a table of people, with the fewest updates."""

from typing import TYPE_CHECKING

from fakes import FakeService
from svckit.frames import users
from svckit.session.connect import connect

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SOLUTIONS"]


def solution_leaves_rows_out(fake: FakeService) -> list[str]:
    """Edit columns, and apply the changes without the rows that have problems."""
    svc = connect(fake)
    people = edit(users(svc))
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
    for each in changes:
        svc.users.update(each.user_id, **each.after)
    return {problem.path.split(".")[0] for problem in changes.problems}


def edit(people: "pd.DataFrame") -> "pd.DataFrame":
    """Return a frame with tidy columns."""
    people["location"] = people["location"].str.strip().str.replace("Tokio", "Tokyo")
    task = people["task"].str.strip()
    people["task"] = task.mask(task.isin(["-", "n/a"])).str.replace("&", "and")
    return people


SOLUTIONS = (solution_leaves_rows_out, solution_updates_each)

"""What `skip_problems` leaves out: the fields with a problem and what means nothing without them, and no more."""

import pandas as pd
import pytest

from svckit import frames

from .test_sheets import make_book


def diff(svc, *rows):
    return svc.users.diff(pd.DataFrame(rows))


def test_taken_email_does_not_block_the_rest(svc):
    kept = svc.fake.directory["u-003"]["email"]
    changes = diff(svc, {"user_id": "u-002", "email": kept, "task": "Sales"})
    assert [edit.body for edit in changes.sendable] == [{"task": "Sales"}]
    assert len(changes[0].body) == 2


def test_a_user_given_twice_is_left_out_whole(svc):
    rows = [{"user_id": user_id, "task": "Sales"} for user_id in ("u-001", "u-001", "u-002")]
    assert [edit.user_id for edit in diff(svc, *rows).sendable] == ["u-002"]


@pytest.mark.parametrize(
    "cells",
    [
        {"last_name": "x" * 81, "phonetic_last_name": "タナカ"},
        {"org_unit_id": None, "position_id": "p-9"},
        {"user_name": '{"lastName": "Tanaka"}', "first_name": "Mina"},
        {"birthday_calendar_type": "MARS", "birthday": "1990-02-03"},
        {"birthday_calendar_type": "LUNAR", "birthday": "soon"},
    ],
    ids=",".join,
)
def test_no_part_of_a_value_is_sent_without_the_others(svc, cells):
    changes = diff(svc, {"user_id": "u-002", "task": "Sales", **cells})
    assert [edit.body for edit in changes.sendable] == [{"task": "Sales"}]
    assert len(svc.users.apply(changes, skip_problems=True).ok) == 1


@pytest.mark.parametrize("is_formula", [True, False])
def test_edits_that_wait_for_another_are_named(svc, is_formula):
    names = ["user_id", "last_name", "phonetic_last_name", "task"]
    cells = ["u-002", "=A9" if is_formula else "x" * 81, "タナカ", "Sales"]
    changes = svc.users.diff(frames.read_users(make_book(names, cells)))
    assert [edit.body for edit in changes.sendable] == [{"task": "Sales"}]
    assert [problem.path for problem in changes.problems] == [
        "u-002.last_name" if is_formula else "u-002.user_name.last_name",
        "u-002.user_name",
    ]
    assert "u-002: user_name is sent as a whole, so its other edits wait" in changes.problems[1].message


def test_a_single_cell_with_a_problem_is_one_problem(svc):
    changes = diff(svc, {"user_id": "u-002", "last_name": "x" * 81})
    assert (len(changes.problems), len(changes.sendable)) == (1, 0)

"""Edited users that are compared with what was read: records in every form, and those a session does not know."""

from datetime import date, datetime
from typing import Any

import httpx
import pandas as pd
import pytest

from svckit.errors import InvalidInput, Unreachable
from svckit.session.session import Session

from ..conftest import Face, Scripted
from .test_edits import NOW, U1, compared


@pytest.mark.parametrize(
    ("edited", "path", "message"),
    [
        ({"user_id": "u-001", "nickname": "x"}, "u-001.nickname", "did you mean nick_name?"),
        ({"user_id": "u-001", "is_pending": True}, "u-001.is_pending", "read-only"),
        ({"userId": "u-001", "isPending": True}, "u-001.isPending", "read-only"),
        ({"user_id": "u-001", "task": object()}, "u-001.task", "must be a string"),
        (
            {"user_id": "u-001", "email": "hana\uff20example.com"},
            "u-001.email",
            "did you mean hana@example.com?",
        ),
        (
            {"user_id": "u-001", "alias_emails": ["\uff48ana@x.com "]},
            "u-001.alias_emails",
            "did you mean hana@x.com?",
        ),
        ({"nick_name": "x"}, "[0]", "user_id is missing"),
        ({"user_id": 7}, "[0]", "user_id must be a string"),
        ({"user_id": ["u-001"]}, "[0]", "user_id must be a string"),
        ([{"user_id": "u-001"}, {"user_id": "u-001", "task": None}], "u-001", "given more than once"),
    ],
)
def test_problems_of_records(edited: Any, path: str, message: str) -> None:
    ((problem),) = compared(edited).problems
    assert problem.path == path
    assert message in problem.message


def test_records_in_every_form(svc: Session) -> None:
    user = svc.users.read("u-001")
    user.nick_name, user.hired_date = "Mina", date(2020, 4, 1)
    edited = [user, {"user_id": "u-002", "task": None, "activation_date": datetime.fromisoformat(NOW)}]
    changes = svc.users.diff(edited)
    assert [dict(edit.after) for edit in changes] == [
        {"nick_name": "Mina", "hired_date": "2020-04-01"},
        {"task": None, "activation_date": NOW},
    ]
    assert changes[0].before == {"nick_name": "Hana", "hired_date": "2023-06-09"}
    assert changes[0].body == {"nickName": "Mina", "hiredDate": "2020-04-01"}


def test_what_differs_in_read_only_parts_alone_is_a_problem(svc: Session) -> None:
    user = svc.users.read("u-001")
    user.organizations[0].level_name = "King"
    (problem,) = svc.users.diff(user).problems
    assert problem.message == "u-001: organizations: the difference is read-only, only the service writes it"


def test_a_session_reads_whom_it_does_not_know(on_script: Face, scripted: Scripted) -> None:
    missing = httpx.Response(404, json={"code": "NOT_FOUND", "description": "no"})
    scripted.on("PATCH", "https://api.work.test/v1/users/u-009", missing)
    edited = [{"user_id": "u-001", "nick_name": "Mina"}, {"user_id": "u-009", "nick_name": "x"}]
    changes = on_script(lambda svc: svc.users.diff(edited))
    assert [edit.user_id for edit in changes] == ["u-001"]
    assert [problem.message for problem in changes.problems] == ["u-009: no such user"]
    assert sorted(scripted.lines) == [f"PATCH https://api.work.test/v1/users/u-00{n}" for n in (1, 9)]
    on_script(lambda svc: svc.users.diff(edited[0]))
    assert len(scripted.asked) == 2
    on_script(lambda svc: svc.users.diff(edited[0], against="fresh"))
    assert len(scripted.asked) == 3
    assert all(request.content == b"{}" for request in scripted.asked)


def test_a_user_that_cannot_be_read_stops_it(on_script: Face, scripted: Scripted) -> None:
    def gone(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("reset", request=request)

    on_script.session.retries = 0
    scripted.on("PATCH", "https://api.work.test/v1/users/u-001", gone)
    with pytest.raises(Unreachable):
        on_script(lambda svc: svc.users.diff([{"user_id": "u-001", "task": "x"}]))


def test_one_user_by_two_names_is_one_user(on_fake: Face) -> None:
    email = U1["email"]
    given = [{"user_id": "u-001", "task": "a"}, {"user_id": email, "task": "b"}]
    changes = on_fake(lambda svc: svc.users.diff(given))
    assert [problem.path for problem in changes.problems] == ["u-001"]


@pytest.mark.parametrize(
    "given",
    [
        "u-001",
        7,
        ["u-001"],
        pd.DataFrame({"task": ["x"]}),
        pd.DataFrame([["u-001", "x", "y"]], columns=["user_id", "task", "task"]),
        pd.Series({"user_id": "u-001"}),
    ],
    ids=lambda given: type(given).__name__,
)
def test_other_things_cannot_be_compared(given: Any) -> None:
    with pytest.raises(InvalidInput, match=r"users\.diff"):
        compared(given)
    with pytest.raises(InvalidInput, match="against is 'known', 'fresh' or records"):
        compared({"user_id": "u-001"}, against="old")

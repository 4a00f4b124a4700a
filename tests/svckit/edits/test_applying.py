"""Changes on their way: dry run, one call a user, failures reported, conflicts left alone, stopped and resumed."""

import json
import pickle
import threading
from typing import Any

import pytest

from fakes import FakeService
from svckit.edits import Changes, UserEdit
from svckit.edits.applied import ApplyRun
from svckit.errors import Conflict, InvalidInput, NotFound, Refused
from svckit.models.problems import Problem
from svckit.models.user import UserChange
from svckit.session.connect import connect
from svckit.session.session import Session

from ...work import count_steps
from ..conftest import Face

IDS = [f"u-{number:03d}" for number in range(1, 7)]


def nicknames(*user_ids: str, to: str = "Mina") -> list[dict[str, str]]:
    return [{"user_id": user_id, "nick_name": to} for user_id in user_ids]


def nickname(fake: FakeService, user_id: str) -> Any:
    return fake.directory[user_id]["nickName"]


def patches(fake: FakeService) -> list[str]:
    """The users that were changed, in the order of the journal."""
    return [entry.url.rpartition("/")[2] for entry in fake.journal if entry.operation == "users.update"]


def test_each_user_is_changed_by_one_call(on_fake: Face, fake: FakeService) -> None:
    changes = on_fake(lambda svc: svc.users.diff(nicknames(*IDS)))
    result = on_fake(lambda svc: svc.users.apply(changes))
    assert sorted(patches(fake)) == IDS
    assert [outcome.label for outcome in result.ok] == IDS
    assert repr(result) == "users.apply: 6 of 6 done"
    assert {nickname(fake, user_id) for user_id in IDS} == {"Mina"}
    assert result[0].value.nick_name == "Mina"
    assert result.remaining == Changes()
    assert on_fake(lambda svc: svc.users.diff(nicknames(*IDS))) == Changes()


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_what_the_service_is_too_busy_for_is_sent_again(svc: Session, status: int) -> None:
    changes = svc.users.diff(nicknames(*IDS))
    svc.fake.faults.status("users.update", status, times=2)
    assert repr(svc.users.apply(changes)) == "users.apply: 6 of 6 done"
    assert len(patches(svc.fake)) == 8
    svc.fake.faults.status("users.update", status, times=3)
    done = svc.users.apply(svc.users.diff(nicknames(*IDS, to="Petra")), workers=1)
    assert [each.label for each in done.failed] == ["u-001"]
    assert len(patches(svc.fake)) == 8 + 8


def test_change_of_the_name_that_the_user_is_called_by_is_sent_once(svc: Session) -> None:
    email = svc.fake.directory["u-001"]["email"]
    changes = Changes([UserEdit(email, {"email": email}, {"email": "new@example.com"})])
    svc.fake.faults.status("users.update", 503)
    assert len(svc.users.apply(changes).failed) == 1
    assert len(patches(svc.fake)) == 1


def test_what_failed_can_be_made_again_and_changes_are_pickled(svc: Session) -> None:
    changes = Changes([*svc.users.diff(nicknames("u-001")), UserEdit("u-999", {"task": None}, {"task": "x"})])
    result = svc.users.apply(changes)
    assert [each.state for each in svc.users.apply(result.remaining)] == ["failed"]
    assert [each.state for each in svc.users.apply(changes, resume=result)] == ["ok", "failed"]
    copied = pickle.loads(pickle.dumps(changes))
    assert copied == changes
    assert [each.state for each in svc.users.apply(copied)] == ["ok", "failed"]


def test_a_dry_run_changes_nothing_and_shows_what_would_be_sent(on_fake: Face, fake: FakeService) -> None:
    before = [fake.directory[user_id] for user_id in IDS]
    changes = on_fake(lambda svc: svc.users.diff(nicknames("u-001", "u-002")))
    fake.state.users.update("u-002", UserChange(nick_name="Other"))
    gone = Changes([*changes, UserEdit("u-999", {"task": None}, {"task": "x"})])
    result = on_fake(lambda svc: svc.users.apply(gone, dry_run=True))
    assert repr(result).splitlines() == [
        "dry run of users.apply: 1 of 3 would be sent, 2 failed",
        "  item   state   why",
        f"  u-002  failed  {result[1].error}",
        f"  u-999  failed  {result[2].error}",
        "What would be sent",
        "  user   body",
        '  u-001  {"nickName": "Mina"}',
    ]
    assert isinstance(result[1].error, Conflict)
    assert isinstance(result[2].error, NotFound)
    assert fake.directory["u-001"] == before[0]
    assert nickname(fake, "u-002") == "Other"
    assert result.remaining == gone
    frame = result.frame()
    assert frame["state"].tolist() == ["ok", "failed", "failed"]
    assert json.loads(frame["sent"].iloc[0]) == {"nickName": "Mina"}
    assert "would be sent" in result._repr_html_()


def test_failures_are_reported_and_the_others_are_changed(on_fake: Face, fake: FakeService) -> None:
    taken = fake.directory["u-005"]["email"]
    given = [*nicknames("u-001"), {"user_id": "u-002", "email": taken}, *nicknames("u-003")]
    changes = on_fake(lambda svc: svc.users.diff(given))
    gone = Changes([*changes, UserEdit("u-999", {"task": None}, {"task": "x"})])
    result = on_fake(lambda svc: svc.users.apply(gone))
    assert [outcome.state for outcome in result] == ["ok", "failed", "ok", "failed"]
    frame = result.frame()
    assert frame["status"].fillna(0).tolist() == [0, 409, 0, 404]
    assert dict(frame.dtypes.astype("str")) == {
        "user_id": "string",
        "state": "string",
        "status": "Int64",
        "why": "string",
        "sent": "string",
    }
    assert [edit.user_id for edit in result.remaining] == ["u-002", "u-999"]


def test_what_somebody_else_has_changed_is_left_alone(on_fake: Face, fake: FakeService) -> None:
    changes = on_fake(lambda svc: svc.users.diff(nicknames("u-001", "u-002", "u-003")))
    fake.state.users.update("u-001", UserChange(nick_name="Other"))
    fake.state.users.update("u-002", UserChange(task="another field"))
    fake.state.users.update("u-003", UserChange(nick_name="Mina"))
    result = on_fake(lambda svc: svc.users.apply(changes, check=True))
    assert [outcome.state for outcome in result] == ["failed", "ok", "ok"]
    assert 'nick_name is "Other" now, and was "Hana" when it was compared' in str(result[0].error)
    assert nickname(fake, "u-001") == "Other"
    again = on_fake(lambda svc: svc.users.apply(result.remaining))
    assert (len(again.ok), nickname(fake, "u-001")) == (1, "Mina")


def test_a_post_that_is_what_it_is_to_be_is_no_conflict(on_fake: Face) -> None:
    record = on_fake(lambda svc: svc.users.read("u-001")).to_wire()
    record["organizations"][0]["orgUnits"][0]["isManager"] = False
    changes = on_fake(lambda svc: svc.users.diff(record))
    for _ in range(2):
        result = on_fake(lambda svc: svc.users.apply(changes, check=True))
        assert [str(outcome.error) for outcome in result] == ["None"]


def test_stopping_at_a_failure_and_resuming(on_fake: Face, fake: FakeService) -> None:
    changes = on_fake(lambda svc: svc.users.diff(nicknames(*IDS)))
    fake.faults.status("users.update", 400, times=1)
    first = on_fake(lambda svc: svc.users.apply(changes, workers=1, on_error="stop"))
    assert [outcome.state for outcome in first] == ["failed", *["not begun"] * 5]
    assert isinstance(first[0].error, Refused)
    second = on_fake(lambda svc: svc.users.apply(changes[:3], resume=first))
    assert [outcome.state for outcome in second] == ["ok"] * 3
    third = on_fake(lambda svc: svc.users.apply(changes, resume=second))
    assert [outcome.state for outcome in third] == ["ok"] * 6
    assert sorted(patches(fake)) == ["u-001", *IDS]


def test_it_is_cancelled_between_users(on_fake: Face, fake: FakeService) -> None:
    changes = on_fake(lambda svc: svc.users.diff(nicknames(*IDS)))
    cancel = threading.Event()
    cancel.set()
    result = on_fake(lambda svc: svc.users.apply(changes, cancel=cancel))
    assert [outcome.state for outcome in result] == ["not begun"] * 6
    assert result.remaining == changes
    assert patches(fake) == []


def test_changes_with_problems_are_not_begun(on_fake: Face, fake: FakeService) -> None:
    given = [*nicknames("u-001"), {"user_id": "u-002", "nick_name": "x" * 101, "shoe_size": 38}]
    changes = on_fake(lambda svc: svc.users.diff(given))
    with pytest.raises(
        InvalidInput, match=r"shoe_size is not a field.*nick_name must have at most 100"
    ) as caught:
        on_fake(lambda svc: svc.users.apply(changes))
    assert len(caught.value.problems) == 2
    assert patches(fake) == []
    assert "2 problems to fix or skip before anything is applied" in repr(changes)


@pytest.mark.parametrize(
    ("changes", "options", "why"),
    [
        ([{"user_id": "u-001"}], {}, "takes the changes that svc.users.diff gives; given a list of 1"),
        (Changes(), {"on_error": "ignore"}, "on_error is 'continue' or 'stop'"),
        (Changes(), {"workers": 0}, "workers must be a whole number from 1"),
        (
            Changes([UserEdit("u-001", {"task": None}, {"task": each}) for each in ("x", "y")]),
            {},
            "u-001 would be changed more than once",
        ),
        (
            Changes(
                [UserEdit(each, {"task": None}, {"task": "x"}) for each in ("u-001", "externalKey:key-1")]
            ),
            {},
            "u-001 and externalKey:key-1 may be two names of one user.*by user ID or external key",
        ),
        (
            Changes([UserEdit("u-001", {}, {"task": "x", "shoe_size": 38, "nick_name": "x" * 101})]),
            {},
            r"u-001: shoe_size is not a field.*u-001: task: before does not.*u-001: nick_name must have at most 100",
        ),
        (Changes([UserEdit(5, {}, {})]), {}, "5: user_id must be a string; given 5"),  # type: ignore[arg-type]  # by hand
        (Changes(), {"resume": True}, "resume takes the result of an earlier users.apply; given True"),
        (Changes((), [Problem("x", "x is wrong")]), {}, "did not start: x is wrong"),
    ],
)
def test_options_that_make_no_sense(on_fake: Face, changes: Any, options: Any, why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        on_fake(lambda svc: svc.users.apply(changes, **options))


def test_nothing_to_do_is_done(on_fake: Face) -> None:
    result = on_fake(lambda svc: svc.users.apply(Changes()))
    assert (len(result), len(result.frame()), repr(result)) == (0, 0, "users.apply: 0 of 0 done")


def test_a_bar_shows_how_far_it_is(svc: Session, capsys: pytest.CaptureFixture[str]) -> None:
    changes = svc.users.diff(nicknames(*IDS))
    svc.users.apply(changes, progress=True, workers=1)
    shown = capsys.readouterr().err
    assert "users.apply" in shown
    assert "6 of 6" in shown


def test_result_costs_the_same_for_each_user_however_many_there_are() -> None:
    def count_for_each(users: int) -> float:
        svc = connect(FakeService.sample(users=users, now="2026-06-01T09:00:00+09:00"))
        run = ApplyRun(svc.users.diff(nicknames(*(f"u-{n:03d}" for n in range(1, users + 1)))))
        return count_steps(run.result) / users

    count_for_each(100)  # what is loaded at first use
    assert count_for_each(2000) <= 1.1 * count_for_each(100)


@pytest.mark.usefixtures("no_threads")
def test_nothing_to_apply_takes_no_threads() -> None:
    with connect(FakeService.sample()) as svc:
        assert [*svc.users.apply(svc.users.diff([svc.users.read("u-001")]))] == []

"""``df.svc``: what was edited since a frame was read, through whatever became of the frame meanwhile."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import svckit
from fakes import FakeService
from svckit import frames
from svckit.errors import InvalidInput
from svckit.frames.origin import origin_of
from svckit.frames.user_lists import LONG_FRAMES
from svckit.session.session import Session

NOW = "2026-06-01T09:00:00+09:00"
PEOPLE = list(FakeService.sample(users=8, now=NOW).records("users"))


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame,
        lambda frame: frame.copy(),
        copy.deepcopy,
        lambda frame: frame[frame["user_id"] < "u-006"],
        lambda frame: frame.query("user_id < 'u-006'"),
        lambda frame: frame.sort_values("email", ascending=False),
        lambda frame: frame.sample(frac=1, random_state=0),
        lambda frame: frame.reset_index(drop=True).head(6),
        lambda frame: frame.set_index("user_id").loc[["u-003", "u-001"]],
        lambda frame: frame[["user_id", "task"]],
        lambda frame: frame.drop(columns=["display_name"]),
        lambda frame: frame.assign(location=frame["location"]),
        lambda frame: frame.convert_dtypes(),
        lambda frame: frame.astype({"task": object}),
        lambda frame: pd.concat([frame.iloc[4:], frame.iloc[:4]]),
    ],
)
def test_a_frame_remembers(change: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
    frame = change(frames.users(PEOPLE)).copy()
    assert frame.svc.to_patches() == {}
    users = frame.index if frame.index.name == "user_id" else frame["user_id"]
    frame.loc[users == "u-003", "task"] = "Other"
    assert frame.svc.to_patches() == {"u-003": {"task": "Other"}}


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"user_id": ["u-001"], "task": ["x"]}),
        pd.concat([frames.users(PEOPLE[:2]), frames.users(PEOPLE[2:])]),
        pickle.loads(pickle.dumps(frames.users(PEOPLE))),
        frames.statuses([]),
    ],
)
def test_what_remembers_nothing_says_so(frame: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match=r"does not remember.*changes\(against=svc\)"):
        frame.svc.changes()


def test_another_frame_is_compared_with_what_is_given() -> None:
    frame = pd.DataFrame({"user_id": ["u-002"], "task": ["Other"]})
    assert frame.svc.to_patches(against=PEOPLE) == {"u-002": {"task": "Other"}}


def test_a_frame_of_something_else_is_refused_in_a_sentence(svc: Session) -> None:
    svc.users.read("u-001")
    with pytest.raises(InvalidInput, match="this is not a frame of users, so it cannot"):
        frames.journal(svc).svc.changes(against=svc)


def test_a_row_whose_user_was_written_over_says_whose_it_was() -> None:
    people = frames.users(PEOPLE)
    was = people.loc[0, "user_id"]
    people.loc[0, "user_id"] = "u-777"
    (problem,) = people.svc.changes().problems
    assert problem.message.startswith("u-777 is not among the users")
    assert problem.message.endswith(f"the row of {was} is missing, and the ID of a user cannot be edited")
    (filtered,) = people[:1].svc.changes().problems
    assert "gone" not in filtered.message


@pytest.mark.parametrize("kind", LONG_FRAMES)
def test_a_frame_of_a_list_says_what_to_edit_instead(kind: str) -> None:
    frame: pd.DataFrame = getattr(frames, kind)(PEOPLE)
    field = "organizations" if kind == "org_units" else kind
    words = rf"this frame of {kind} shows .* column {field} of svckit\.frames\.users\(svc, lists=True\)"
    svc = svckit.connect(now=NOW)
    for edit in (
        frame.svc.changes,
        frame.svc.to_patches,
        lambda: frame.set_index(["user_id", "number"]).svc.changes(against=PEOPLE),
        lambda: svc.users.diff(frame),
    ):
        with pytest.raises(InvalidInput, match=words):
            edit()
    assert field in frames.users(PEOPLE, lists=True)


def test_a_frame_of_two_says_how_rows_are_added() -> None:
    people = frames.users(PEOPLE)
    with pytest.raises(ValueError, match=r"frame\.loc"):
        pd.concat([people, frames.users(PEOPLE)]).svc.changes()


def test_a_frame_can_forget() -> None:
    frame = frames.users(PEOPLE)
    kept = frame.copy()
    frame.svc.forget()
    assert origin_of(frame) is None
    assert kept.svc.to_patches() == {}


def test_remembering_costs_no_copies_and_no_text() -> None:
    frame = frames.users(PEOPLE)
    assert origin_of(frame.copy().sort_values("email").head(2)) is origin_of(frame)
    assert len(pickle.dumps(frame.head(0))) < len(str(PEOPLE))
    assert "u-001" not in repr(frame.attrs)


def test_a_frame_is_written_to_files_as_ever(tmp_path: Any) -> None:
    frame = frames.users(PEOPLE)
    frame.to_parquet(tmp_path / "users.parquet")
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "users.parquet")[["task"]], frame[["task"]])


def test_user_without_an_id_is_only_a_problem() -> None:
    frame = frames.users([{"email": "b@example.com"}, *PEOPLE])
    frame.loc[1, "task"] = "x"
    changes = frame.svc.changes()
    assert [problem.message for problem in changes.problems] == ["number 0: user_id is missing"]
    assert [edit.user_id for edit in changes] == ["u-001"]


def test_what_cannot_be_sent_is_told_all_at_once() -> None:
    frame = frames.users(PEOPLE)
    frame.loc[0, ["telephone", "display_name"]] = ["none", "Mina"]
    frame.loc[1, "user_id"] = "u-999"
    assert len(frame.svc.changes().problems) == 3
    with pytest.raises(InvalidInput, match=r"(?s)u-999 is not among.*display_name is read-only"):
        frame.svc.to_patches()


def test_a_timeline_is_drawn_of_frames_with_times() -> None:
    assert "Leaves" in frames.users(PEOPLE).svc.timeline().svg
    with pytest.raises(ValueError, match="there are no times"):
        frames.rules([]).svc.timeline()

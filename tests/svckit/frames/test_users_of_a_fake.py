"""A frame of a fake's users is read by columns and from JSON, and the same as one of their records."""

import importlib

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import to_json

from fakes import FakeService
from fakes.data.population import MOST_USERS, Population
from fakes.parts.user_batches import SampleUsers
from svckit import frames
from svckit.session.connect import connect

NEW = "2026-12-01T00:00:00+09:00"
OWN = {"email": "own@example.com", "userName": {"lastName": "Own"}, "customProperties": {"floor": 3}}


@pytest.fixture
def fake():
    return FakeService.sample(users=1_500, seed=3, now="2026-06-01T09:00:00+09:00")


def check(fake):
    """Check that the frame, and the records that it remembers, are those of the fake's records, one by one."""
    records = list(fake.records("users"))
    frame = frames.users(fake)
    pd.testing.assert_frame_equal(frame, frames.users(records))
    pd.testing.assert_frame_equal(frames.users(fake, lists=True), frames.users(records, lists=True))
    pd.testing.assert_frame_equal(frames.relations(frame), frames.relations(records))
    assert list(frames.source.records_of(frame, "users")) == records


def change(fake, user_id, **fields):
    fake.directory.put(fake.directory[user_id] | fields)


@settings(deadline=None, max_examples=10)
@given(st.integers(), st.integers(1, MOST_USERS - 20))
def test_any_users_of_any_sample(seed, start):
    people = SampleUsers(Population(MOST_USERS, seed), range(start, start + 20), {})
    pd.testing.assert_frame_equal(frames.users(frames.source.Batches([people])), frames.users(list(people)))


@pytest.mark.parametrize("start", [1, 995, 9_990, 99_990, MOST_USERS - 20])
def test_users_where_their_numbers_become_longer(start):
    people = SampleUsers(Population(MOST_USERS, 0), range(start, start + 21), {})
    pd.testing.assert_frame_equal(frames.users(frames.source.Batches([people])), frames.users(list(people)))


def test_users_who_were_changed_added_and_removed(fake):
    change(fake, "u-001", task="New")
    change(
        fake, "u-1200", customProperties={"floor": 3}, messenger={"protocol": "MSGR_C", "messengerId": "x"}
    )
    for user_id in ("u-002", "u-1100"):
        fake.directory.remove(user_id)
    fake.directory.put(OWN)
    check(fake)
    fake.clock.to(NEW)  # when messengers have their new name
    check(fake)


def test_users_of_your_own():
    check(FakeService.sample(data=[OWN]))


def test_users_whose_fields_are_hidden_or_replaced(fake):
    fake.settings.property_restrictions = {"task": {"readable": False}}
    check(fake)
    assert frames.users(fake)["task"].isna().all()
    check(FakeService.sample(users=20, assume={"user.suspended-reason": "further"}))


def test_no_user_becomes_an_object(fake, monkeypatch):
    change(fake, "u-003", task="New")
    bodies = [to_json(record) for record in fake.records("users")]
    expected = frames.users(fake)
    monkeypatch.setattr(SampleUsers, "_read", lambda *args: pytest.fail("a user was created"))
    monkeypatch.setattr(frames.source, "from_json", lambda *args: pytest.fail("a body was parsed"))
    pd.testing.assert_frame_equal(frames.users(fake), expected)
    pd.testing.assert_frame_equal(frames.users(bodies), expected)


def test_without_arrow(fake, monkeypatch):
    change(fake, "u-003", task="New")
    expected = frames.users(fake)
    monkeypatch.setattr(importlib.import_module("svckit.frames.arrow"), "pa", None)
    pd.testing.assert_frame_equal(frames.users(fake), expected)


def test_a_frame_remembers_users_as_they_were(fake):
    frame = frames.users(connect(fake))
    change(fake, "u-1300", task="Later")
    frame.loc[frame.user_id == "u-1300", "task"] = "Mine"
    assert [edit.user_id for edit in frame.svc.changes()] == ["u-1300"]
    assert frames.source.records_of(frame, "users")[1299]["task"] != "Later"

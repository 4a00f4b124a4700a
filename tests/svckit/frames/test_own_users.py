"""A frame of users makes the same users again, and says in which state each is."""

import pandas as pd
import pytest

import svckit
from fakes import FakeService

from ...fakes.caller import NOW
from ...fakes.data.test_own_users_given import make
from ...fakes.data.test_putting_users import MINA, STATES


@pytest.mark.parametrize("state", STATES)
def test_the_state_of_a_user_is_named(state):
    fake = make([MINA | {"userId": "mina"} | STATES[state]])
    assert svckit.frames.users(fake)["state"].tolist() == [state]


@pytest.mark.parametrize("lists", [False, True])
def test_the_frame_of_users_makes_the_same_users(lists):
    other = FakeService.sample(users=400, now=NOW)
    fake = make(svckit.frames.users(svckit.connect(other), lists=lists))
    wanted = list(other.records("users"))
    for was, is_now in zip(wanted, fake.records("users"), strict=True):
        if not lists:  # the frame has only the primary post, and no names, relations and so on
            for record in (was, is_now):
                for name in ("i18nNames", "relations", "customFields"):
                    record[name] = []
                for post in record["organizations"]:
                    for name in ("email", "userExternalKey"):
                        post.pop(name, None)
        for record in (was, is_now):
            record["activationDate"] = pd.Timestamp(record["activationDate"]).tz_convert("UTC")
            start = record["leaveOfAbsence"]["startTime"]
            record["leaveOfAbsence"]["startTime"] = start and pd.Timestamp(start).tz_convert("UTC")
        assert is_now == was


def test_larger_samples_have_users_in_each_state():
    frame = svckit.frames.users(svckit.connect(FakeService.sample(users=2000, now=NOW)))
    counts = frame["state"].value_counts()
    assert all(counts[state] >= 10 for state in ("active", *STATES))
    assert set(frame["suspended_reason"].dropna()) == {"MASTER", "LOGIN_FAIL"}
    assert set(frame["state"][:300]) == {"active", "suspended"}

"""The clock stands or runs, and moves forwards only."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.clock import Clock

NOON = "2026-06-01T12:00:00+09:00"


def test_stands_where_it_is_put():
    clock = Clock(NOON)
    assert clock.standing
    assert clock.now() == clock.now() == datetime.fromisoformat(NOON)
    assert clock.now().isoformat() == NOON


@given(st.lists(st.integers(0, 10**7), max_size=5))
def test_moves_add_up(spans):
    clock = Clock(NOON)
    for seconds in spans:
        assert clock.advance(seconds=seconds) == clock.now()
    assert clock.now() - datetime.fromisoformat(NOON) == timedelta(seconds=sum(spans))


@pytest.mark.parametrize("span", [{"seconds": -1}, {"minutes": -1}, {"hours": -1}, {"days": -1}])
def test_never_moves_back(span):
    clock = Clock(NOON)
    with pytest.raises(ValueError, match="moves forwards only"):
        clock.advance(**span)
    assert clock.now().isoformat() == NOON


def test_to_an_instant_of_another_offset():
    clock = Clock(NOON)
    assert clock.to("2026-06-01T03:00:00Z") == datetime.fromisoformat(NOON)
    with pytest.raises(ValueError, match="2026-06-01T02:59:59"):
        clock.to("2026-06-01T02:59:59Z")


@pytest.mark.parametrize("wrong", ["2026-06-01T12:00:00", "noon", ""])
def test_instants_need_an_offset_and_a_form(wrong):
    with pytest.raises(ValueError, match="write it like 2026-06-01T09:00:00"):
        Clock(wrong)
    with pytest.raises(ValueError, match="write it like"):
        Clock(NOON).to(wrong)


def test_runs_with_the_system_and_ahead_of_it():
    clock = Clock()
    assert not clock.standing
    before = datetime.now(UTC)
    assert before <= clock.now() <= datetime.now(UTC)
    clock.advance(days=1)
    assert clock.now() - before >= timedelta(days=1)
    assert repr(clock).startswith("<Clock running, 1 day")

"""The clock stands or runs, and moves forward only."""

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.clock import Clock, ClockData

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
    with pytest.raises(ValueError, match="moves forward only"):
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


@pytest.mark.parametrize(
    "far",
    [
        "9999-12-31T23:59:59+00:00",
        "9999-12-31T23:59:59-14:00",
        "9999-01-01T00:00:00Z",
        "0001-01-01T00:00:00+14:00",
    ],
)
def test_stays_a_year_short_of_the_ends_of_the_calendar(far):
    with pytest.raises(ValueError, match="covers the years 2 to 9998"):
        Clock(far)
    clock = Clock("0002-01-01T00:00:00Z")
    with pytest.raises(ValueError, match=r"covers the years 2 to 9998|moves forward only"):
        clock.to(far)
    assert clock.now().year == 2


@pytest.mark.parametrize("now", [NOON, None])
@pytest.mark.parametrize(
    "span",
    [
        {"days": 10**7},
        {"days": 10**12},
        {"seconds": 1e300},
        {"hours": float("inf")},
        {"minutes": float("nan")},
    ],
)
def test_no_span_leads_beyond_the_calendar(now, span):
    clock = Clock(now)
    with pytest.raises(ValueError, match="covers the years 2 to 9998"):
        clock.advance(**span)
    assert clock.now().year < 9998


@pytest.mark.parametrize(
    "data", [(None, timedelta.max), (None, timedelta(-1)), (datetime.max.replace(tzinfo=UTC), timedelta())]
)
def test_a_saved_clock_is_within_the_calendar_too(data):
    with pytest.raises(ValueError, match=r"ahead|covers the years 2"):
        ClockData(stands_at=data[0], ahead=data[1])


def test_runs_with_the_system_and_ahead_of_it():
    clock = Clock()
    assert not clock.standing
    before = datetime.now(UTC)
    assert before <= clock.now() <= datetime.now(UTC)
    clock.advance(days=1)
    assert clock.now() - before >= timedelta(days=1)
    assert repr(clock).startswith("<Clock running, 1 day")


def test_keeps_its_offset_so_that_its_dates_never_go_back():
    clock = Clock("2026-12-05T00:30:00+09:00")
    assert clock.to("2026-12-04T16:00:00Z").isoformat() == "2026-12-05T01:00:00+09:00"
    assert clock.now().isoformat() == "2026-12-05T01:00:00+09:00"


def test_an_hour_is_an_hour_where_summer_time_ends():
    clock = Clock(datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin")))
    assert clock.advance(hours=2).isoformat() == "2026-10-25T04:30:00+02:00"


@pytest.mark.parametrize("now", [NOON, None])
def test_no_move_of_any_thread_is_lost(now):
    clock, switching = Clock(now), sys.getswitchinterval()
    before = clock.now()

    def work(_):
        for _ in range(500):
            clock.advance(days=1)

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(work, range(4)))
    finally:
        sys.setswitchinterval(switching)
    assert (clock.now() - before).days == 2000

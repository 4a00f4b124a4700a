"""A status ends after it starts; what is said of one that does not is true."""

import pytest

from ..caller import calling, make

START = "2026-06-01T11:00:00+09:00"


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (START, f"endTime must be later than startTime {START}; given {START}"),
        (
            "2026-06-01T02:00:00Z",
            f"endTime must be later than startTime {START}; given 2026-06-01T02:00:00+00:00",
        ),
        (
            "2026-06-01T10:00:00+09:00",
            f"endTime must be later than startTime {START}; given 2026-06-01T10:00:00+09:00",
        ),
    ],
)
def test_a_status_that_does_not_end_after_its_start_is_refused_with_what_is_so(end, told, me):
    answer = me.set_status(startTime=START, endTime=end)
    assert (answer.status_code, answer.json()["description"]) == (400, told)
    assert me.set_status(startTime=START, endTime="2026-06-01T11:00:01+09:00").status_code == 200


@pytest.mark.parametrize(("alternative", "schedule"), [("reserved", "RESERVED"), ("current", "PRESENT")])
def test_a_status_that_starts_in_the_future_may_have_no_end_by_assumption(alternative, schedule):
    with calling(make(assume={"status.open-end": alternative})) as me:
        status = me.set_status(startTime=START).json()
        assert (status["scheduleType"], status["endTime"]) == (schedule, None)
        me.fake.clock.advance(days=30)
        assert [each["scheduleType"] for each in me.fake.statuses.of("u-001")] == ["PRESENT"]

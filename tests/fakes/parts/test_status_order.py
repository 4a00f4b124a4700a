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
def test_a_status_that_does_not_end_after_its_start_is_refused_with_what_is_so(end, told):
    with calling(make()) as me:
        answer = me.set_status(startTime=START, endTime=end)
        assert (answer.status_code, answer.json()["description"]) == (400, told)
        assert me.set_status(startTime=START, endTime="2026-06-01T11:00:01+09:00").status_code == 200


@pytest.mark.parametrize(("alternative", "schedule"), [("reserved", "RESERVED"), ("current", "PRESENT")])
def test_a_status_that_starts_in_the_future_may_have_no_end_by_assumption(alternative, schedule):
    with calling(make(assume={"status.open-end": alternative})) as me:
        status = me.set_status(startTime=START)
        assert (status.status_code, status.json()["scheduleType"]) == (200, schedule)
        assert status.json()["endTime"] is None
        assert "status.open-end" in status.headers["X-Fake-Assumed"]
        me.fake.clock.advance(days=30)
        assert [each["scheduleType"] for each in me.fake.statuses.of("u-001")] == ["PRESENT"]


WRONG_TIMES = {
    "status.order": {"startTime": "2026-06-02T09:00:00+09:00", "endTime": "2026-06-01T10:00:00+09:00"},
    "status.open-end": {"startTime": "2026-06-02T09:00:00+09:00"},
    "status.past": {"endTime": "2026-05-01T10:00:00+09:00"},
}


def register_while_off(times, **assume):
    fake = make(assume=assume)
    fake.settings.profile_status_enabled = False
    with calling(fake) as me:
        response = me.set_status(**times)
    assert response.status_code == 400
    return response.json()["description"], response.headers["X-Fake-Assumed"].split(", ")


@pytest.mark.parametrize("rule_id", WRONG_TIMES)
def test_while_switched_off_wrong_times_are_refused_for_that(rule_id):
    told, assumed = register_while_off(WRONG_TIMES[rule_id])
    assert told != "The status must be enable."
    assert {"status.precedence", rule_id} <= set(assumed)


@pytest.mark.parametrize("rule_id", WRONG_TIMES)
def test_while_switched_off_the_setting_may_come_before_wrong_times(rule_id):
    told, assumed = register_while_off(WRONG_TIMES[rule_id], **{"status.precedence": "setting-first"})
    assert told == "The status must be enable."
    assert "status.precedence" in assumed
    assert rule_id not in assumed


def test_while_switched_off_right_times_rest_on_no_precedence():
    told, assumed = register_while_off({})
    assert told == "The status must be enable."
    assert "status.precedence" not in assumed

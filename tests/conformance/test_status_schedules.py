"""One current and one reserved status for each user, and how they follow the clock."""

import pytest

from .cases import assumed, case, documented
from .test_statuses import HOUR, LATER, SOON, kept, register


@documented("status.one-each")
def test_a_current_and_a_reserved_status_stand_side_by_side(target, me):
    register(target, me, profileStatusId="BUSY")
    register(target, me, profileStatusId="AWAY", startTime=SOON, endTime=LATER)
    assert kept(target) == {"PRESENT": "BUSY", "RESERVED": "AWAY"}


@documented("status.one-each")
@assumed("status.replaced")
@pytest.mark.parametrize(
    ("times", "schedule"),
    [
        case({}, "PRESENT", id="current"),
        case({"startTime": SOON, "endTime": LATER}, "RESERVED", id="reserved"),
    ],
)
def test_second_of_a_kind_replaces_the_first(target, me, times, schedule):
    for status_id in ("BUSY", "AWAY", "ABSENCE"):
        register(target, me, profileStatusId=status_id, **times)
    assert kept(target) == {schedule: "ABSENCE"}


@documented("status.one-each")
def test_statuses_of_other_users_stay(target, me):
    register(target, me, "u-002", profileStatusId="BUSY")
    register(target, me, "u-003", profileStatusId="AWAY")
    assert (kept(target, "u-002"), kept(target, "u-003")) == ({"PRESENT": "BUSY"}, {"PRESENT": "AWAY"})


BY_THE_CLOCK = (
    case(HOUR - 1, {"PRESENT": "BUSY", "RESERVED": "AWAY"}, id="a second before the start"),
    case(HOUR, {"PRESENT": "AWAY"}, id="at the start"),
    case(2 * HOUR - 1, {"PRESENT": "AWAY"}, id="a second before the end"),
    case(2 * HOUR, {}, id="at the end"),
    case(100 * HOUR, {}, id="long after"),
)


@assumed("status.transition")
@pytest.mark.parametrize(("seconds", "statuses"), BY_THE_CLOCK)
def test_reserved_status_moves_with_the_clock(target, me, seconds, statuses):
    register(target, me, profileStatusId="BUSY")
    register(target, me, profileStatusId="AWAY", startTime=SOON, endTime=LATER)
    target.advance(seconds)
    assert kept(target) == statuses


@assumed("status.transition")
def test_current_status_ends_at_its_end(target, me):
    register(target, me, endTime=SOON)
    target.advance(HOUR - 1)
    assert kept(target) == {"PRESENT": "BUSY"}
    target.advance(1)
    assert kept(target) == {}


@assumed("status.transition")
def test_status_without_an_end_stays(target, me):
    register(target, me)
    target.advance(1000 * HOUR)
    assert kept(target) == {"PRESENT": "BUSY"}


@assumed("status.transition", "status.replaced")
def test_another_can_be_reserved_once_the_first_has_begun(target, me):
    register(target, me, profileStatusId="AWAY", startTime=SOON, endTime=LATER)
    target.advance(HOUR)
    tomorrow = {"startTime": "2026-06-02T09:00:00+09:00", "endTime": "2026-06-02T10:00:00+09:00"}
    register(target, me, profileStatusId="ABSENCE", **tomorrow)
    assert kept(target) == {"PRESENT": "AWAY", "RESERVED": "ABSENCE"}

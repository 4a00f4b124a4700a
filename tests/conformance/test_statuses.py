"""The registration of a user profile status."""

import re
from datetime import datetime

import pytest

from .cases import NULLS, RESOURCE_ERRORS, assumed, case, documented, every_door, writes
from .target import Unshown

IDS = ("BUSY", "AWAY", "LEAVE_OFFICE", "ABSENCE", *(f"CUSTOM{number:02d}" for number in range(1, 13)))
# The clock stands at 2026-06-01T09:00:00+09:00.
PAST, NOW, SOON, LATER = (f"2026-06-01T{hour:02d}:00:00+09:00" for hour in (8, 9, 10, 11))
HOUR = 3600


def url(target, user=None):
    return target.api(f"/users/{user or target.other}/user-profile-statuses")


def register(target, me, user=None, **body):
    return target.http.post(url(target, user), json={"profileStatusId": "BUSY"} | body, headers=me).json()


def kept(target, user=None):
    """The statuses of a user by their schedule type."""
    statuses = target.statuses(user or target.other)
    by_type = {status["scheduleType"]: status["profileStatusId"] for status in statuses}
    assert len(by_type) == len(statuses), "more than one of a schedule type"
    return by_type


# -- the response -------------------------------------------------------------------------------------------------


@every_door
@writes("status")
@documented("status.registered")
def test_registration_answers_200_and_the_status(target, me):
    response = target.http.post(url(target), json={"profileStatusId": "BUSY"}, headers=me)
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("application/json")
    status = response.json()
    assert {"userProfileStatusId", "profileStatusId", "scheduleType"} <= set(status)
    assert set(status) <= {
        "userProfileStatusId",
        "profileStatusId",
        "profileStatusName",
        "iconUrl",
        "scheduleType",
        "statusMessage",
        "startTime",
        "endTime",
        "autoReplyMail",
    }


@writes("status")
@documented("status.registered")
@pytest.mark.parametrize("status_id", IDS)
def test_each_status_id_is_taken(target, me, status_id):
    status = register(target, me, profileStatusId=status_id)
    assert status["profileStatusId"] == status_id
    assert status["scheduleType"] == "PRESENT"


@writes("status")
@assumed("status.name", "status.icon")
@pytest.mark.parametrize("status_id", IDS)
@pytest.mark.parametrize("name", ["profileStatusName", "iconUrl"])
def test_each_status_has_a_name_and_an_icon(target, me, status_id, name):
    shown = register(target, me, profileStatusId=status_id).get(name)
    assert isinstance(shown, str)
    assert shown


@documented("status.registered")
def test_each_entry_has_its_own_id(target, me):
    ids = [register(target, me, user)["userProfileStatusId"] for user in ("u-002", "u-003", "u-004")]
    assert all(isinstance(entry, str) for entry in ids)
    assert len(set(ids)) == 3


WRONG_IDS = (
    "busy",
    "BUSY ",
    "ONLINE",
    "CUSTOM",
    "CUSTOM00",
    "CUSTOM1",
    "CUSTOM13",
    "",
    case(None, id="None", marks=assumed(*NULLS)),
    1,
    True,
    ["BUSY"],
)


@writes("status")
@documented("status.not-used")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize("status_id", WRONG_IDS)
def test_invalid_status_is_refused_as_not_used(target, me, status_id):
    response = target.refuses("POST", url(target), 400, json={"profileStatusId": status_id}, headers=me)
    assert response.json()["description"] == "Not used status."


@writes("status")
@assumed(*RESOURCE_ERRORS)
def test_status_id_is_required(target, me):
    target.refuses("POST", url(target), 400, json={"statusMessage": "x"}, headers=me)


@documented("status.must-be-enabled")
@assumed(*RESOURCE_ERRORS)
def test_status_setting_of_the_domain_must_be_enabled(target, me):
    register(target, me, profileStatusId="AWAY")
    target.set_domain(profileStatusEnabled=False)
    response = target.refuses("POST", url(target), 400, json={"profileStatusId": "BUSY"}, headers=me)
    assert response.json()["description"] == "The status must be enable."
    target.set_domain(profileStatusEnabled=True)
    assert kept(target) == {"PRESENT": "AWAY"}
    assert register(target, me)["profileStatusId"] == "BUSY"


@writes("status")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize("content_type", [None, "text/plain"])
def test_content_type_json_is_required(target, me, content_type):
    headers = me if content_type is None else me | {"Content-Type": content_type}
    target.refuses(
        "POST", url(target), Unshown(400, (400, 415)), content=b'{"profileStatusId": "BUSY"}', headers=headers
    )


@assumed(*RESOURCE_ERRORS)
def test_unknown_user_is_not_found(target, me):
    response = target.refuses("POST", url(target, "u-999"), 404, json={"profileStatusId": "BUSY"}, headers=me)
    assert response.json()["code"] == "NOT_FOUND"


@every_door
@documented("status.registered")
def test_user_id_is_url_encoded(target, me):
    register(target, me, "u%2D002")
    assert kept(target) == {"PRESENT": "BUSY"}


@assumed("user.addressing")
def test_user_is_addressed_by_email(target, me):
    email = target.http.patch(target.api(f"/users/{target.other}"), json={}, headers=me).json()["email"]
    register(target, me, email)
    assert kept(target) == {"PRESENT": "BUSY"}


@writes("status")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null"])
def test_body_that_is_no_json_object_is_refused(target, me, body):
    headers = me | {"Content-Type": "application/json"}
    target.refuses("POST", url(target), 400, content=body, headers=headers)


# -- fields -----------------------------------------------------------------------------------------------------


@writes("status")
@documented("status.limits")
@pytest.mark.parametrize("message", [None, "", "x" * 49, "x" * 50, "会議中 " * 10, "𠮷" * 50], ids=repr)
def test_message_within_50_characters(target, me, message):
    assert register(target, me, statusMessage=message)["statusMessage"] == message


@writes("status")
@documented("status.limits")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize("message", ["x" * 51, "𠮷" * 51, 5, ["x"]], ids=lambda value: repr(value)[:10])
def test_message_above_50_characters(target, me, message):
    body = {"profileStatusId": "BUSY", "statusMessage": message}
    target.refuses("POST", url(target), 400, json=body, headers=me)


@writes("status")
@documented("status.registered")
def test_absent_fields_are_null(target, me):
    status = register(target, me)
    assert {status.get(name) for name in ("statusMessage", "startTime", "endTime")} == {None}
    assert status.get("autoReplyMail") is None


@documented("status.registered")
@pytest.mark.parametrize("name", ["statusMessage", "startTime", "endTime", "autoReplyMail"])
def test_field_may_be_null(target, me, name):
    assert register(target, me, **{name: None}).get(name) is None


REPLY = {"content": "Back on Monday", "sentDirectlyToMe": True}


@documented("status.registered")
@pytest.mark.parametrize("side", ["internal", "external"])
def test_auto_reply_of_one_side(target, me, side):
    assert register(target, me, autoReplyMail={side: REPLY})["autoReplyMail"][side] == REPLY


@documented("status.registered")
def test_auto_reply_of_both_sides(target, me):
    sent = {"internal": REPLY, "external": {"content": "Away", "sentDirectlyToMe": False}}
    assert register(target, me, autoReplyMail=sent)["autoReplyMail"] == sent


@documented("status.registered")
@pytest.mark.parametrize("side", ["internal", "external"])
def test_auto_reply_goes_to_all_mail_by_default(target, me, side):
    reply = register(target, me, autoReplyMail={side: {"content": "Away"}})["autoReplyMail"][side]
    assert reply == {"content": "Away", "sentDirectlyToMe": False}


@writes("status")
@documented("status.limits")
@pytest.mark.parametrize(
    "content", ["", "x" * 299, "x" * 300, "留" * 300, "𠮷" * 300], ids=lambda text: text[:1]
)
@pytest.mark.parametrize("side", ["internal", "external"])
def test_auto_reply_within_300_characters(target, me, side, content):
    reply = register(target, me, autoReplyMail={side: {"content": content}})["autoReplyMail"][side]
    assert reply["content"] == content


WRONG_REPLIES = (
    case({"content": "x" * 301}, id="too long"),
    case({"content": "𠮷" * 301}, id="too long beyond 16 bits"),
    case({"content": 5}, id="content a number"),
    case({"content": "x", "sentDirectlyToMe": "true"}, id="sentDirectlyToMe a string"),
    case({"content": "x", "sentDirectlyToMe": 1}, id="sentDirectlyToMe a number"),
    case("Away", id="no object"),
    case([], id="array"),
)


@writes("status")
@documented("status.limits")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize("side", ["internal", "external"])
@pytest.mark.parametrize("reply", WRONG_REPLIES)
def test_wrong_auto_reply_is_refused(target, me, side, reply):
    body = {"profileStatusId": "BUSY", "autoReplyMail": {side: reply}}
    target.refuses("POST", url(target), 400, json=body, headers=me)


# -- times ------------------------------------------------------------------------------------------------------


@documented("status.registered")
@pytest.mark.parametrize("name", ["startTime", "endTime"])
@pytest.mark.parametrize(
    "time", ["2026-06-01T10:30:00+09:00", "2026-06-01T01:30:00Z", "2026-05-31T21:30:00-04:00"]
)
def test_time_returns_as_the_same_instant(target, me, name, time):
    times = {"startTime": NOW, "endTime": LATER} | {name: time}
    answered = register(target, me, **times)[name]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)", answered)
    assert datetime.fromisoformat(answered) == datetime.fromisoformat(time)


WRONG_TIMES = (
    "2026-06-01",
    "2026-06-01T10:00:00",
    "2026-06-01 10:00:00+09:00",
    "2026-06-31T10:00:00Z",
    "10:00",
    "",
    5,
)


@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize("name", ["startTime", "endTime"])
@pytest.mark.parametrize("time", WRONG_TIMES)
def test_wrong_time_is_refused(target, me, name, time):
    body = {"profileStatusId": "BUSY", "startTime": SOON, "endTime": LATER} | {name: time}
    target.refuses("POST", url(target), 400, json=body, headers=me)


SCHEDULES = (
    case({}, "PRESENT", id="no times"),
    case({"endTime": SOON}, "PRESENT", id="only an end"),
    case({"startTime": PAST}, "PRESENT", id="began in the past"),
    case({"startTime": NOW, "endTime": SOON}, "PRESENT", id="begins now"),
    case({"startTime": PAST, "endTime": SOON}, "PRESENT", id="from the past to the future"),
    case({"startTime": SOON, "endTime": LATER}, "RESERVED", id="both in the future"),
)


@documented("status.reserved")
@pytest.mark.parametrize(("times", "schedule"), SCHEDULES)
def test_schedule_type(target, me, times, schedule):
    assert register(target, me, **times)["scheduleType"] == schedule
    assert kept(target) == {schedule: "BUSY"}


@documented("status.reserved")
@assumed("status.open-end", *RESOURCE_ERRORS)
def test_reserved_status_needs_its_end(target, me):
    body = {"profileStatusId": "BUSY", "startTime": SOON}
    target.refuses("POST", url(target), 400, json=body, headers=me)


@assumed("status.order", *RESOURCE_ERRORS)
@pytest.mark.parametrize(
    ("start", "end"),
    [
        (LATER, SOON),
        (NOW, PAST),
        (SOON, NOW),
        case("2099-01-01T10:00:00Z", "2099-01-01T09:00:00Z", id="far ahead", marks=writes("status")),
    ],
)
def test_status_that_ends_before_it_starts_is_refused(target, me, start, end):
    body = {"profileStatusId": "BUSY", "startTime": start, "endTime": end}
    target.refuses("POST", url(target), 400, json=body, headers=me)


@writes("status")
@assumed("status.past", *RESOURCE_ERRORS)
@pytest.mark.parametrize("start", [None, "2026-06-01T07:00:00+09:00"])
def test_status_that_is_over_already_is_refused(target, me, start):
    body = {"profileStatusId": "BUSY", "startTime": start, "endTime": PAST}
    target.refuses("POST", url(target), 400, json=body, headers=me)

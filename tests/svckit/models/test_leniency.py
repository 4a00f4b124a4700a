"""Responses are read whatever the limits of their values; requests are held to them."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from svckit.models import (
    MessageEvent,
    StatusRegistration,
    TokenSet,
    UploadResult,
    User,
    UserChange,
    UserProfileStatus,
    WireModel,
)

RECORD = {"domainId": 1, "email": "mina@example.com", "userName": {"lastName": "Sato"}}
UNIT = {"orgUnitId": "o-1", "primary": True}
BEYOND: list[dict[str, Any]] = [
    {"nickName": "x" * 120},
    {"employeeNumber": ""},
    {"email": "x" * 200},
    {"telephone": "extension, see below"},
    {"timeZone": "JST"},
    {"locale": "fr_FR"},
    {"birthdayCalendarType": "MAYAN"},
    {"suspendedReason": "DORMANT"},
    {"domainId": 2**40},
    {"aliasEmails": ["a@example.com"] * 11},
    {"userName": {"phoneticLastName": "Sato"}},
    {"messenger": {"protocol": "MSGR_D", "messengerId": ""}},
    {"relations": [{"relationUserId": "u-2", "relationName": "x" * 51}] * 11},
    {"organizations": [{"domainId": 1, "primary": True, "orgUnits": [UNIT] * 31}]},
]


@pytest.mark.parametrize("beyond", BEYOND, ids=str)
@pytest.mark.parametrize("written", [dict, json.dumps])
def test_a_record_beyond_a_limit_is_read_as_it_is(beyond: dict[str, Any], written: Any) -> None:
    user = User.from_response(written(RECORD | beyond))
    assert type(user) is User
    shown = user.to_wire()
    assert {name: shown[name] for name in beyond}.keys() == beyond.keys()
    if "organizations" not in beyond:  # whose units show their defaults
        assert {name: shown[name] for name in beyond} == beyond


@pytest.mark.parametrize("beyond", [each for each in BEYOND if "suspendedReason" not in each], ids=str)
def test_a_request_is_held_to_the_same_limits(beyond: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        UserChange.from_wire(beyond)


@pytest.mark.parametrize(
    "wrong",
    [
        {"domainId": True},
        {"domainId": "one"},
        {"userName": "Sato"},
        {"locale": 5},
        {"isPending": 1},
        {"aliasEmails": "a@example.com"},
    ],
)
def test_another_type_is_an_error_in_answers_too(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        User.from_response(RECORD | wrong)


@pytest.mark.parametrize(
    ("given", "name", "read"),
    [
        ({"nickName": 5}, "nick_name", "5"),
        ({"domainId": "1"}, "domain_id", 1),
        ({"email": None}, "email", None),
        ({"messenger": {"protocol": "CUSTOM"}}, "messenger", {"protocol": "CUSTOM"}),
    ],
)
def test_what_can_only_mean_one_thing_is_read(given: dict[str, Any], name: str, read: Any) -> None:
    found = getattr(User.from_response(RECORD | given), name)
    assert (found.to_wire() if isinstance(read, dict) else found) == read


def test_what_was_read_is_held_to_the_limits_where_it_is_changed() -> None:
    user = User.from_response(RECORD | {"nickName": "x" * 120})
    user.task = "desk"
    with pytest.raises(ValidationError):
        user.nick_name = "y" * 120
    assert (user.nick_name, user.task) == ("x" * 120, "desk")


def test_a_status_of_a_new_kind_is_read() -> None:
    record = {"profileStatusId": "CUSTOM13", "scheduleType": "RECURRING", "statusMessage": "x" * 51}
    assert UserProfileStatus.from_response(record).to_wire() == record


def test_only_the_status_has_what_the_service_adds() -> None:
    record = {"profileStatusId": "BUSY", "userProfileStatusId": "s-1", "scheduleType": "PRESENT"}
    assert UserProfileStatus.from_wire(record).to_wire() == record
    assert StatusRegistration.from_wire(record).to_wire() == {"profileStatusId": "BUSY"}


def test_a_token_set_is_read_strictly() -> None:
    record = {"access_token": "at", "scope": "user", "expires_in": "soon", "token_type": "Bearer"}
    with pytest.raises(ValidationError, match="expires_in"):
        TokenSet.from_response(record)


@pytest.mark.parametrize("answer", ['"text"', "[]", "null", "{", b"\xff", b"", "<html>"])
@pytest.mark.parametrize("model", [User, TokenSet])
def test_what_is_no_object_is_an_error(model: type[WireModel], answer: Any) -> None:
    with pytest.raises(ValidationError):
        model.from_response(answer)


def test_a_response_within_the_limits_is_what_is_read_strictly() -> None:
    record = RECORD | {
        "i18nNames": [{"language": "ja_JP"}],
        "organizations": [{"domainId": 1, "primary": True}],
    }
    strict, lenient = User.from_wire(record), User.from_response(record)
    assert (lenient, repr(lenient)) == (strict, repr(strict))
    assert lenient.model_fields_set == strict.model_fields_set
    assert type(lenient.organizations[0]) is type(strict.organizations[0])  # type: ignore[index] # it is given


EVENT = {
    "type": "message",
    "source": {"userId": "u-001", "domainId": 1},
    "issuedTime": "2026-06-01T00:00:00.000Z",
    "content": {"type": "text", "text": "hello"},
}


@pytest.mark.parametrize("written", [dict, json.dumps])
def test_a_null_in_an_optional_field_of_an_event_reads_as_absent(written: Any) -> None:
    nulls = EVENT | {
        "source": {"userId": "u-001", "channelId": None, "domainId": 1},
        "content": {"type": "text", "text": "hello", "postback": None},
    }
    event = MessageEvent.from_response(written(nulls))
    assert (event.source.channel_id, event.to_wire()) == (None, EVENT)
    assert event == MessageEvent.from_wire(EVENT)
    with pytest.raises(ValidationError):
        MessageEvent.from_wire(nulls)  # what a member writes to a fake is still held to the description


@pytest.mark.parametrize("name", ["fileId", "hasPermission", "statuses", "resourceLocation"])
def test_a_null_in_an_optional_field_of_a_response_reads_as_absent(name: str) -> None:
    assert UploadResult.from_response({name: None, "fileSize": 3}).to_wire() == {"fileSize": 3}


def test_a_null_that_the_description_allows_stays_a_null() -> None:
    assert User.from_response(RECORD | {"nickName": None, "isPending": None}).to_wire() == RECORD | {
        "nickName": None
    }


@pytest.mark.parametrize("required", ["type", "source", "issuedTime", "content"])
def test_a_null_in_a_required_field_of_an_event_is_an_error(required: str) -> None:
    with pytest.raises(ValidationError):
        MessageEvent.from_response(EVENT | {required: None})

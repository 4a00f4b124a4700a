"""The partial update of a user."""

import pytest

from .cases import NULLS, RESOURCE_ERRORS, assumed, case, documented, every_door, safe, writes
from .target import Unshown

REFERENCES = assumed("user.references")


def url(target, user=None):
    return target.api(f"/users/{user or target.other}")


def update(target, me, body, user=None):
    return target.http.patch(url(target, user), json=body, headers=me).json()


def read(target, me, user=None):
    """The record, by the empty update."""
    return update(target, me, {}, user)


def refused(target, me, body, path):
    response = target.refuses("PATCH", url(target), 400, json=body, headers=me)
    assert response.json()["code"] == "INVALID_PARAMETER"
    assert path in response.json()["description"]


# -- the response -------------------------------------------------------------------------------------------------


@every_door
@writes("user")
@documented("user.partial")
def test_update_answers_200_and_the_user(target, me):
    response = target.http.patch(url(target), json={"nickName": "Mina"}, headers=me)
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("application/json")
    assert response.json()["userId"] == target.other
    assert response.json()["nickName"] == "Mina"


@safe
@documented("user.partial")
@assumed("empty update")
@pytest.mark.parametrize("name", ["domainId", "email", "userName"])
def test_response_always_has(target, me, name):
    assert all(read(target, me, user)[name] for user in target.facts["users"])


@safe
@documented("user.partial")
@assumed("empty update")
def test_no_field_is_required_in_the_request(target, me):
    before = target.digest()
    assert read(target, me, target.facts["user_id"])["userId"] == target.facts["user_id"]
    assert target.digest() == before


SHAPE = {
    "domainId": int,
    "userId": str,
    "userExternalKey": str,
    "isAdministrator": bool,
    "isPending": bool,
    "isSuspended": bool,
    "isDeleted": bool,
    "isAwaiting": bool,
    "leaveOfAbsence": dict,
    "email": str,
    "userName": dict,
    "i18nNames": list,
    "aliasEmails": list,
    "searchable": bool,
    "organizations": list,
    "locale": str,
    "timeZone": str,
    "customFields": list,
    "customProperties": dict,
    "relations": list,
}


@safe
@documented("user.partial")
@assumed("empty update")
@pytest.mark.parametrize("name", SHAPE)
def test_type_of_a_field_in_the_response(target, me, name):
    for user in target.facts["users"]:
        assert type(read(target, me, user).get(name, SHAPE[name]())) is SHAPE[name]


@documented("user.partial")
def test_suspended_reason_is_one_of_those_shown(target, me):
    reasons = {read(target, me, user)["suspendedReason"] for user in target.facts["users"]}
    assert reasons <= {None, "MASTER", "LOGIN_FAIL"}


@documented("user.partial")
def test_leave_of_absence_is_shown(target, me):
    leave = read(target, me)["leaveOfAbsence"]
    assert set(leave) <= {"startTime", "endTime", "isLeaveOfAbsence"}
    assert leave["isLeaveOfAbsence"] is False


# -- what is sent, and only that, is changed ----------------------------------------------------------------------

UNIT = {
    "orgUnitId": "ou-x",
    "primary": True,
    "positionId": "pos-x",
    "isManager": True,
    "visible": False,
    "useTeamFeature": False,
}
ORGANIZATION = {
    "domainId": 10000001,
    "primary": True,
    "userExternalKey": "key-2",
    "email": "second@example.com",
    "levelId": "level-x",
    "orgUnits": [UNIT],
}
WRITABLE = {
    "domainId": 10000001,
    "userExternalKey": "key-2",
    "email": "second@example.com",
    "userName": {
        "lastName": "山田",
        "firstName": "美奈",
        "phoneticLastName": "ヤマダ",
        "phoneticFirstName": "ミナ",
    },
    "i18nNames": [{"language": "en_US", "firstName": "Mina", "lastName": "Yamada"}],
    "nickName": "Mina 🙂",
    "privateEmail": "mina@home.example",
    "aliasEmails": ["m@example.com", "yamada@example.com"],
    "employmentTypeId": "et-x",
    "userTypeId": "ut-x",
    "searchable": False,
    "organizations": [ORGANIZATION],
    "telephone": "+81-3-1234-5678",
    "cellPhone": "+81-90-1234-5678",
    "location": "大阪, 4F",
    "task": 'accounts & "more"',
    "messenger": {"protocol": "CUSTOM", "customProtocol": "Pigeon", "messengerId": "mina"},
    "birthdayCalendarType": "LUNAR",
    "birthday": "2000-02-29",
    "locale": "ko_KR",
    "hiredDate": "2020-04-01",
    "timeZone": "Asia/Seoul",
    "customFields": [{"customFieldId": "cf-1", "value": "one", "link": "https://example.com/1"}],
    "relations": [{"relationUserId": "u-003", "relationName": "mentor"}],
    "activationDate": "2026-06-01T09:00:00+09:00",
    "employeeNumber": "E-2",
}
HARMLESS = (  # which a throw-away user can do without for a moment
    "userName",
    "i18nNames",
    "nickName",
    "privateEmail",
    "searchable",
    "telephone",
    "cellPhone",
    "location",
    "task",
    "messenger",
    "birthday",
    "locale",
    "hiredDate",
    "timeZone",
    "customFields",
    "relations",
    "employeeNumber",
)


def fields(names):
    """Rows of a table, of which only harmless fields are written to a real user."""
    return [case(name, id=name, marks=marks_of(name)) for name in names]


def marks_of(name):
    if name in HARMLESS:
        return writes("user")
    return assumed("user.usage-permission") if name in NAMES else ()


IDENTIFYING = (
    "email",
    "userExternalKey",
)  # may be shown elsewhere in the record too, such as by organization
NAMES = {
    name: {name.replace("Id", end) for end in ("Name", "ExternalKey", "Code")}
    for name in ("employmentTypeId", "userTypeId")
}
"""Read-only fields that follow an ID."""


def covers(shown, sent):
    """Whether what is shown has all that was sent, with read-only fields beside it."""
    if isinstance(sent, dict):
        return all(name in shown and covers(shown[name], value) for name, value in sent.items())
    if isinstance(sent, list):
        return len(shown) == len(sent) and all(map(covers, shown, sent))
    return type(shown) is type(sent) and shown == sent


@documented("user.partial")
@assumed("user.references")
@pytest.mark.parametrize("name", fields(WRITABLE))
def test_field_is_written_alone(target, me, name):
    before = read(target, me)
    after = update(target, me, {name: WRITABLE[name]})
    assert covers(after[name], WRITABLE[name])
    also = {name} | ({"organizations"} if name in IDENTIFYING else set()) | NAMES.get(name, set())
    assert {field: value for field, value in after.items() if field not in also} == (
        {field: value for field, value in before.items() if field not in also}
    )
    assert read(target, me) == after


@documented("user.partial")
@assumed("user.references")
def test_all_fields_are_written_together(target, me):
    after = update(target, me, WRITABLE)
    assert [name for name, value in WRITABLE.items() if not covers(after[name], value)] == []


@documented("user.partial")
@assumed("user.references")
def test_other_users_are_not_changed(target, me):
    others = [user for user in target.facts["users"] if user != target.other]
    before = [read(target, me, user) for user in others]
    update(target, me, WRITABLE)
    assert [read(target, me, user) for user in others] == before


@writes("user")
@documented("user.partial")
def test_last_of_several_updates_counts(target, me):
    for name in ("one", "two", "three"):
        update(target, me, {"nickName": name})
    update(target, me, {"task": "other"})
    assert read(target, me)["nickName"] == "three"


NULLABLE = (
    "userExternalKey",
    "nickName",
    "privateEmail",
    "employmentTypeId",
    "userTypeId",
    "telephone",
    "cellPhone",
    "location",
    "task",
    "messenger",
    "birthdayCalendarType",
    "birthday",
    "hiredDate",
    "activationDate",
    "employeeNumber",
)
NOT_NULLABLE = [name for name in (*WRITABLE, "customProperties") if name not in NULLABLE]


@documented("user.limits")
@pytest.mark.parametrize("name", fields(NULLABLE))
def test_nullable_field_is_cleared_by_null(target, me, name):
    update(target, me, {name: WRITABLE[name]})
    assert update(target, me, {name: None})[name] is None


@documented("user.limits")
@assumed(*RESOURCE_ERRORS, *NULLS)
@pytest.mark.parametrize("name", fields(NOT_NULLABLE))
def test_other_field_refuses_null(target, me, name):
    response = target.refuses("PATCH", url(target), 400, json={name: None}, headers=me)
    assert response.json()["code"] == "INVALID_PARAMETER"
    assert name in response.json()["description"]


NESTED_NULLS = (
    case({"userName": dict.fromkeys(WRITABLE["userName"])}, id="userName"),
    case({"i18nNames": [{"language": "ja_JP", "firstName": None, "lastName": None}]}, id="i18nNames"),
    case(
        {"organizations": [ORGANIZATION | {"userExternalKey": None}]},
        id="organization userExternalKey",
        marks=REFERENCES,
    ),
    case({"organizations": [ORGANIZATION | {"levelId": None}]}, id="organization levelId", marks=REFERENCES),
    case(
        {"organizations": [ORGANIZATION | {"orgUnits": [UNIT | {"positionId": None}]}]},
        id="positionId",
        marks=REFERENCES,
    ),
    case({"customFields": [{"customFieldId": "cf-1", "value": None, "link": None}]}, id="customFields"),
)


@documented("user.limits")
@pytest.mark.parametrize("body", NESTED_NULLS)
def test_nested_nullable_field_takes_null(target, me, body):
    (name,) = body
    assert covers(update(target, me, body)[name], body[name])


# -- headers and body -------------------------------------------------------------------------------------------


@writes("user")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize(
    "headers",
    [
        case({}, id="missing"),
        case({"Content-Type": "text/plain"}, id="text"),
        case({"Content-Type": "application/x-www-form-urlencoded"}, id="form"),
    ],
)
def test_content_type_json_is_required(target, me, headers):
    target.refuses(
        "PATCH", url(target), Unshown(400, (400, 415)), content=b'{"nickName": "x"}', headers=me | headers
    )


@every_door
@writes("user")
@documented("user.partial")
def test_content_type_may_name_a_character_set(target, me):
    headers = me | {"Content-Type": "application/json; charset=UTF-8"}
    response = target.http.patch(url(target), content='{"nickName": "名前"}'.encode(), headers=headers)
    assert response.json()["nickName"] == "名前"


@writes("user")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize(
    "body",
    [
        case(b"", id="", marks=every_door),
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"5",
        b'{"nickName": "x"',
        b"\xff\xfe",
        b'{"nickName": "\xff"}',
        b"{}{}",
    ],
)
def test_body_that_is_no_json_object_is_refused(target, me, body):
    headers = me | {"Content-Type": "application/json"}
    response = target.refuses("PATCH", url(target), 400, content=body, headers=headers)
    assert response.json()["code"] == "INVALID_PARAMETER"

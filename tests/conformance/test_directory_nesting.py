"""Defaults, nested objects and read-only fields of a user."""

import pytest

from .cases import RESOURCE_ERRORS, assumed, case, documented, writes
from .test_directory import ORGANIZATION, WRITABLE, covers, read, update, url
from .test_directory_limits import custom_field, org_unit, organization, relation


@assumed("user.references")
@pytest.mark.parametrize(
    ("name", "default"), [("isManager", False), ("visible", True), ("useTeamFeature", True)]
)
def test_default_of_an_org_unit(target, me, name, default):
    unit = {"orgUnitId": "ou-x", "primary": True}
    organization = {"domainId": 10000001, "primary": True, "orgUnits": [unit]}
    shown = update(target, me, {"organizations": [organization]})
    assert shown["organizations"][0]["orgUnits"][0][name] is default


@documented("user.partial")
def test_users_are_searchable_by_default(target, me):
    assert read(target, me)["searchable"] is True


@writes("user")
@assumed("user.merge")
def test_nested_object_replaces_the_stored_one_whole(target, me):
    update(target, me, {"userName": WRITABLE["userName"]})
    name = update(target, me, {"userName": {"lastName": "佐藤"}})["userName"]
    assert name["lastName"] == "佐藤"
    assert {name.get(other) for other in ("firstName", "phoneticLastName", "phoneticFirstName")} == {None}


@assumed("user.merge")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        case("aliasEmails", ["only@example.com"], id="aliasEmails"),
        case("relations", [], id="relations emptied"),
        case("customFields", [{"customFieldId": "cf-9", "value": "nine"}], id="customFields"),
        case(
            "i18nNames",
            [{"language": "zh_TW", "firstName": "美", "lastName": "陳"}],
            id="i18nNames",
            marks=writes("user"),
        ),
    ],
)
def test_array_replaces_the_stored_one_whole(target, me, name, value):
    update(target, me, {name: WRITABLE[name]})
    shown = update(target, me, {name: value})[name]
    assert len(shown) == len(value)
    assert covers(shown, value)


READ_ONLY = {
    "userId": "u-999",
    "isAdministrator": True,
    "isPending": True,
    "isSuspended": True,
    "isDeleted": True,
    "isAwaiting": True,
    "leaveOfAbsence": {"isLeaveOfAbsence": True},
    "suspendedReason": "LOGIN_FAIL",
    "employmentTypeExternalKey": "forged",
    "employmentTypeName": "forged",
    "userTypeExternalKey": "forged",
    "userTypeName": "forged",
    "userTypeCode": "forged",
}
NAMES = ("employmentTypeName", "userTypeName")  # which lock nobody out where they are written after all


@documented("user.read-only", "user.permission")
@assumed("api.extra-fields")
@pytest.mark.parametrize(
    "name", [case(name, id=name, marks=writes("user") if name in NAMES else ()) for name in READ_ONLY]
)
def test_read_only_field_is_ignored(target, me, name):
    before = read(target, me)
    assert update(target, me, {name: READ_ONLY[name]}) == before
    assert update(target, me, {name: READ_ONLY[name], "nickName": "x"}) == before | {"nickName": "x"}


OF_ORGANIZATIONS = ("levelExternalKey", "levelName", "organizationName")
OF_UNITS = ("orgUnitName", "orgUnitEmail", "orgUnitExternalKey", "positionName", "positionExternalKey")
NESTED_READ_ONLY = (
    *(case(organization(name)("forged"), id=name) for name in OF_ORGANIZATIONS),
    *(case(org_unit(name)("forged"), id=name) for name in OF_UNITS),
    case(custom_field("customFieldExternalKey")("forged"), id="customFieldExternalKey"),
    case(relation("externalKey")("forged"), id="relation externalKey"),
)


@documented("user.read-only")
@assumed("api.extra-fields")
@pytest.mark.parametrize("body", NESTED_READ_ONLY)
def test_nested_read_only_field_is_ignored(target, me, body):
    assert "forged" not in str(update(target, me, body))


@documented("user.restrictions")
@assumed("user.not-settable", "user.not-readable", *RESOURCE_ERRORS)
def test_property_that_may_not_be_set(target, me):
    target.set_domain(propertyRestrictions={"nickName": {"settable": False}})
    before = read(target, me)
    response = target.refuses("PATCH", url(target), 400, json={"nickName": "x", "task": "y"}, headers=me)
    assert "nickName" in response.json()["description"]
    assert update(target, me, {"task": "y"}) == before | {"task": "y"}


@documented("user.restrictions")
@assumed("user.not-settable", "user.not-readable")
def test_property_that_may_not_be_read(target, me):
    before = read(target, me)
    target.set_domain(propertyRestrictions={"birthday": {"readable": False}})
    shown = update(target, me, {"birthday": "2000-02-29"})
    assert shown == {name: value for name, value in before.items() if name != "birthday"}
    target.set_domain(propertyRestrictions={})
    assert read(target, me)["birthday"] == "2000-02-29"


@documented("user.read-only")
@assumed("api.extra-fields")
def test_officer_flag_is_read_only(target, me):
    shown = update(target, me, {"organizations": [ORGANIZATION | {"executive": True}]})
    assert shown["organizations"][0].get("executive", False) is False


@documented("user.read-only")
@assumed("user.merge")
def test_officer_flag_stays_when_the_organization_is_sent(target, me):
    before = read(target, me, "u-001")["organizations"]
    sent = [{name: organization[name] for name in ORGANIZATION} for organization in before]
    after = update(target, me, {"organizations": sent}, "u-001")["organizations"]
    assert [one.get("executive", False) for one in after] == [one.get("executive", False) for one in before]


@writes("user")
@assumed("api.extra-fields")
@pytest.mark.parametrize("name", ["shoeSize", "nick_name", "NICKNAME", "user_id", "__class__", ""])
def test_unknown_field_is_ignored(target, me, name):
    before = read(target, me)
    assert update(target, me, {name: "x"}) == before

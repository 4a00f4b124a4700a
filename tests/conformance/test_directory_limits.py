"""Every limit of a user's fields: at it, and beyond it."""

import pytest

from .cases import NULLS, RESOURCE_ERRORS, assumed, case, documented, every_door, writes
from .test_directory import ORGANIZATION, REFERENCES, UNIT, refused, update, url


def email(length):
    return "e" * (length - len("@example.com")) + "@example.com"


def name(field):
    return lambda text: {"userName": {field: text}}


def i18n(field):
    return lambda text: {"i18nNames": [{"language": "ja_JP", field: text}]}


def organization(field):
    return lambda value: {"organizations": [ORGANIZATION | {field: value}]}


def messenger(field):
    base = {"protocol": "CUSTOM", "customProtocol": "x", "messengerId": "y"}
    return lambda value: {"messenger": base | {field: value}}


def custom_field(field):
    return lambda value: {"customFields": [{"customFieldId": "cf-1"} | {field: value}]}


def relation(field):
    return lambda value: {"relations": [{"relationUserId": "u-003", "relationName": "x"} | {field: value}]}


def plain(field):
    return lambda value: {field: value}


# path in the body, the longest length, how to build the body
LENGTHS = (
    case("userExternalKey", 100, plain("userExternalKey"), id="userExternalKey"),
    case("userName.lastName", 80, name("lastName"), id="lastName"),
    case("userName.firstName", 80, name("firstName"), id="firstName"),
    case("i18nNames", 100, i18n("firstName"), id="i18n firstName"),
    case("i18nNames", 100, i18n("lastName"), id="i18n lastName"),
    case("nickName", 100, plain("nickName"), id="nickName", marks=writes("user")),
    case("location", 100, plain("location"), id="location", marks=writes("user")),
    case("task", 100, plain("task"), id="task", marks=writes("user")),
    case("employeeNumber", 20, plain("employeeNumber"), id="employeeNumber", marks=writes("user")),
    case(
        "organizations",
        100,
        organization("userExternalKey"),
        id="organization userExternalKey",
        marks=REFERENCES,
    ),
    case("customProtocol", 100, messenger("customProtocol"), id="customProtocol"),
    case("messengerId", 100, messenger("messengerId"), id="messengerId"),
    case("customFields", 100, custom_field("value"), id="custom field value"),
    case("customFields", 300, custom_field("link"), id="custom field link"),
    case("relations", 50, relation("relationName"), id="relationName"),
)


@documented("user.limits")
@pytest.mark.parametrize(
    "letter", [case("x", id="Latin"), case("あ", id="kana"), case("𠮷", id="beyond 16 bits")]
)
@pytest.mark.parametrize(("path", "longest", "body"), LENGTHS)
def test_length_at_the_limit(target, me, path, longest, body, letter):
    assert letter * longest in str(update(target, me, body(letter * longest)))


@documented("user.limits")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize("letter", [case("x", id="Latin"), case("𠮷", id="beyond 16 bits")])
@pytest.mark.parametrize(("path", "longest", "body"), LENGTHS)
def test_length_above_the_limit(target, me, path, longest, body, letter):
    refused(target, me, body(letter * (longest + 1)), path)


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
"""One character as readers see it, of five code points."""


@assumed("text.length", "text.normalization", *RESOURCE_ERRORS)
@every_door
@pytest.mark.parametrize(
    ("longest", "above"),
    [
        case("𠮷" * 100, "𠮷" * 101, id="two UTF-16 units"),
        case(FAMILY * 20, FAMILY * 21, id="five code points"),
        case("e\u0301" * 50, "e\u0301" * 51, id="decomposed"),
        case("あ" * 100, "あ" * 101, id="three bytes"),
    ],
)
def test_length_is_counted_in_code_points(target, me, longest, above):
    assert update(target, me, {"nickName": longest})["nickName"] == longest
    refused(target, me, {"nickName": above}, "nickName")


OTHER_LENGTHS = (
    case("phoneticLastName", 100, lambda n: name("phoneticLastName")("ヤ" * n), id="phoneticLastName"),
    case("phoneticFirstName", 100, lambda n: name("phoneticFirstName")("ヤ" * n), id="phoneticFirstName"),
    case("email", 90, lambda n: {"email": email(n)}, id="email"),
    case(
        "organizations",
        90,
        lambda n: organization("email")(email(n)),
        id="organization email",
        marks=REFERENCES,
    ),
    case("privateEmail", 256, lambda n: {"privateEmail": email(n)}, id="privateEmail"),
    case("telephone", 100, lambda n: {"telephone": "0" * n}, id="telephone"),
    case("cellPhone", 100, lambda n: {"cellPhone": "0" * n}, id="cellPhone"),
    case(
        "aliasEmails",
        10,
        lambda n: {"aliasEmails": [f"a{i}@example.com" for i in range(n)]},
        id="aliasEmails",
    ),
    case(
        "customFields",
        50,
        lambda n: {"customFields": [{"customFieldId": f"c{i}"} for i in range(n)]},
        id="customFields",
    ),
    case(
        "relations",
        10,
        lambda n: {"relations": [{"relationUserId": f"r{i}"} for i in range(n)]},
        id="relations",
        marks=REFERENCES,
    ),
    case(
        "orgUnits",
        30,
        lambda n: organization("orgUnits")(
            [UNIT | {"orgUnitId": f"o{i}", "primary": not i} for i in range(n)]
        ),
        id="orgUnits",
        marks=REFERENCES,
    ),
)


@documented("user.limits")
@pytest.mark.parametrize("below", [0, 1])
@pytest.mark.parametrize(("path", "most", "body"), OTHER_LENGTHS)
def test_at_or_below_the_limit(target, me, path, most, body, below):
    sent = body(most - below)
    (field,) = sent
    shown = update(target, me, sent)[field]
    assert len(str(shown)) >= len(str(sent[field])) - 2  # read-only fields may stand beside


@documented("user.limits")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize(("path", "most", "body"), OTHER_LENGTHS)
def test_above_the_limit(target, me, path, most, body):
    refused(target, me, body(most + 1), path)


EMPTY = (
    case({"aliasEmails": []}, id="aliasEmails"),
    case({"customFields": []}, id="customFields"),
    case({"relations": []}, id="relations"),
    case({"i18nNames": []}, id="i18nNames"),
    case({"organizations": []}, id="organizations"),
    case({"customProperties": {}}, id="customProperties"),
    case({"organizations": [ORGANIZATION | {"orgUnits": []}]}, id="orgUnits", marks=REFERENCES),
    case({"nickName": ""}, id="nickName"),
)


@documented("user.limits")
@pytest.mark.parametrize("body", EMPTY)
def test_no_items_and_no_text_are_allowed(target, me, body):
    (field,) = body
    assert update(target, me, body)[field] is not None


TELEPHONES = (
    "0",
    "0312345678",
    "+81-3-1234-5678",
    "(03)1234-5678",
    "*#0",
    "0P1p2T3t4",
    "03\u30001234",
    "---1",
    "1" * 100,
)
NO_TELEPHONES = (
    case("", id="empty"),
    case("-", id="no digit"),
    case("PTpt", id="letters allowed but no digit"),
    case("03 1234", id="blank"),
    case("03.1234", id="point"),
    case("0a", id="letter"),
    case("\uff10\uff13", id="full-width digits"),
    case("123x", id="letter at the end"),
    case("123\n", id="line end"),
    case("1" * 101, id="too long"),
)


@writes("user")
@documented("user.limits")
@pytest.mark.parametrize("field", ["telephone", "cellPhone"])
@pytest.mark.parametrize("text", TELEPHONES)
def test_telephone_pattern(target, me, field, text):
    assert update(target, me, {field: text})[field] == text


@writes("user")
@documented("user.limits")
@assumed("user.telephone", *RESOURCE_ERRORS)
@pytest.mark.parametrize("field", ["telephone", "cellPhone"])
@pytest.mark.parametrize("text", NO_TELEPHONES)
def test_what_is_no_telephone_number(target, me, field, text):
    refused(target, me, {field: text}, field)


def each(path, body, *values, marks=()):
    """A row for each value: the path it stands at, the body with it there, and the value."""
    return [case(path, body(value), value, id=f"{path} {value!r}", marks=marks) for value in values]


def org_unit(field):
    return lambda value: organization("orgUnits")([UNIT | {field: value}])


LANGUAGES = ("ja_JP", "ko_KR", "en_US", "zh_CN", "zh_TW")
DAYS = ("1970-01-01", "2024-02-29", "2030-12-31")
NO_DAYS = ("2025-02-29", "2025-13-01", "2025-1-1", "01/01/2025", "2025-01-01T00:00:00Z", "20250101", "", 5)
INSTANTS = ("2026-06-01T09:00:00+09:00", "2026-06-01T00:00:00Z", "2026-06-01T00:00:00-03:30")
NO_INSTANTS = (
    "2026-06-01",
    "2026-06-01T09:00:00",
    "2026-06-01 09:00:00+09:00",
    "2026-06-01T25:00:00Z",
    "2026-06-01T09:00:00.000000+09:00",
    "",
    1780272000,
)
ZONES = ("Asia/Tokyo", "Europe/Prague", "America/New_York", "America/Argentina/Buenos_Aires")
KATAKANA = ("ヤマダ", "サトー")
NO_KATAKANA = ("やまだ", "Yamada", "山田", "ヤマダ1", 5)
INT32 = (2**31 - 1, -(2**31))
NO_INT32 = ("10000001", 1.5, True, 2**31, -(2**31) - 1)
NO_FLAGS = ("true", 1, 0, "")

RIGHT = (
    *each("locale", plain("locale"), *LANGUAGES),
    *each("i18nNames", i18n("language"), *LANGUAGES),
    *each("birthdayCalendarType", plain("birthdayCalendarType"), "SOLAR", "LUNAR"),
    *each("messenger", messenger("protocol"), "MSGR_A", "MSGR_B", "CUSTOM"),
    *each("birthday", plain("birthday"), *DAYS),
    *each("hiredDate", plain("hiredDate"), *DAYS),
    *each("timeZone", plain("timeZone"), *ZONES),
    *each("activationDate", plain("activationDate"), *INSTANTS),
    *each("userName", name("phoneticLastName"), *KATAKANA),
    *each("userName", name("phoneticFirstName"), *KATAKANA),
    *each("organizations", organization("domainId"), *INT32, marks=REFERENCES),
)
WRONG = (
    *each("locale", plain("locale"), "ja", "ja-JP", "JA_JP", "fr_FR", "", 5),
    *each("i18nNames", i18n("language"), "de_DE", "", 5),
    *each("birthdayCalendarType", plain("birthdayCalendarType"), "solar", "MAYAN", "", 1),
    *each("messenger", messenger("protocol"), "MSGR_D", "custom", "", None, 1),
    *each("messenger", messenger("messengerId"), "", None, 5),
    *each("birthday", plain("birthday"), *NO_DAYS),
    *each("hiredDate", plain("hiredDate"), *NO_DAYS),
    *each("timeZone", plain("timeZone"), "JST", "Asia", "+09:00", "Asia/", "", 9),
    *each("activationDate", plain("activationDate"), *NO_INSTANTS),
    *each("phoneticLastName", name("phoneticLastName"), *NO_KATAKANA),
    *each("phoneticFirstName", name("phoneticFirstName"), *NO_KATAKANA),
    *each("employeeNumber", plain("employeeNumber"), "", 7),
    *each("domainId", plain("domainId"), *NO_INT32),
    *each("searchable", plain("searchable"), *NO_FLAGS),
    *each("searchable", plain("searchable"), None, marks=assumed(*NULLS)),
    *each("email", plain("email"), 5, ["x@example.com"]),
    *each("nickName", plain("nickName"), 5, True),
    *each("task", plain("task"), 5),
    *each("location", plain("location"), 5),
    *each("privateEmail", plain("privateEmail"), 5),
    *each("telephone", plain("telephone"), 5),
    *each("employmentTypeId", plain("employmentTypeId"), 5),
    *each("userTypeId", plain("userTypeId"), 5),
    *each("aliasEmails", plain("aliasEmails"), {}, [1], "x@example.com"),
    *each("i18nNames", plain("i18nNames"), {}, [1]),
    *each("organizations", plain("organizations"), {}, [1]),
    *each("customFields", plain("customFields"), {}, [1]),
    *each("relations", plain("relations"), {}, [1]),
    *each("userName", plain("userName"), [], "Mina"),
    *each("messenger", plain("messenger"), [], {"messengerId": "x"}, {"protocol": "CUSTOM"}),
    *each("customProperties", plain("customProperties"), [], "x"),
    *each("customFieldId", custom_field("customFieldId"), None, 5),
    *each("customFieldId", plain("customFields"), [{"value": "x"}]),
    *each("relationUserId", relation("relationUserId"), 5),
    *each("organizations", organization("domainId"), *NO_INT32, None),
    *each("organizations", organization("primary"), *NO_FLAGS, None),
    *each("organizations", plain("organizations"), [{"primary": True}], [{"domainId": 1}]),
    *each("orgUnitId", organization("orgUnits"), [{"primary": True}]),
    *each("primary", organization("orgUnits"), [{"orgUnitId": "o"}]),
    *each("primary", org_unit("primary"), *NO_FLAGS, None),
    *each("isManager", org_unit("isManager"), *NO_FLAGS),
    *each("isManager", org_unit("isManager"), None, marks=assumed(*NULLS)),
    *each("visible", org_unit("visible"), *NO_FLAGS),
    *each("visible", org_unit("visible"), None, marks=assumed(*NULLS)),
    *each("useTeamFeature", org_unit("useTeamFeature"), *NO_FLAGS),
    *each("useTeamFeature", org_unit("useTeamFeature"), None, marks=assumed(*NULLS)),
)


def found(shown, value):
    """Whether a value stands somewhere in a record."""
    if isinstance(shown, dict):
        return any(found(inner, value) for inner in shown.values())
    if isinstance(shown, list):
        return any(found(inner, value) for inner in shown)
    return shown == value


@documented("user.limits")
@pytest.mark.parametrize(("field", "body", "value"), RIGHT)
def test_value_is_taken(target, me, field, body, value):
    assert found(update(target, me, body)[field], value)


@documented("user.limits")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize(("path", "body", "value"), WRONG)
def test_wrong_value_is_refused(target, me, path, body, value):
    refused(target, me, body, path)


@assumed("api.invalid")
def test_all_problems_of_a_body_are_told_together(target, me):
    body = {
        "nickName": "x" * 101,
        "task": "fine",
        "locale": "fr_FR",
        "userName": {"lastName": "x" * 81},
        "aliasEmails": ["x@example.com"] * 11,
        "organizations": [ORGANIZATION | {"orgUnits": [UNIT, {"primary": True}]}],
    }
    response = target.refuses("PATCH", url(target), 400, json=body, headers=me)
    told = response.json()["description"]
    paths = (
        "nickName",
        "locale",
        "userName.lastName",
        "aliasEmails",
        "organizations[0].orgUnits[1].orgUnitId",
    )
    assert [path for path in paths if path not in told] == []
    assert "task" not in told


@assumed("api.invalid", "user.domain-change", "user.custom-properties", "user.birthday")
def test_limits_and_rules_of_the_domain_are_told_together(target, me):
    body = {
        "nickName": "x" * 101,
        "domainId": 7,
        "birthday": "2026-02-30",
        "customProperties": {"shoeSize": "x"},
        "task": "fine",
    }
    response = target.refuses("PATCH", url(target), 400, json=body, headers=me)
    told = response.json()["description"]
    assert [path for path in body if path not in told] == ["task"]

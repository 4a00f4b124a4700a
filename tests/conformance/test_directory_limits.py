"""Every limit of a user's fields: at it, and beyond it."""

import pytest

from .cases import assumed, case, section
from .test_directory import ORGANIZATION, UNIT, update, url

USER = section("Resources and their fields › User")
LIMITS = section("Limits")


def refused(target, me, body, path):
    answer = target.refuses("PATCH", url(target), 400, json=body, headers=me)
    assert answer.json()["code"] == "INVALID_PARAMETER"
    assert path in answer.json()["description"]


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
    case("nickName", 100, plain("nickName"), id="nickName"),
    case("location", 100, plain("location"), id="location"),
    case("task", 100, plain("task"), id="task"),
    case("employeeNumber", 20, plain("employeeNumber"), id="employeeNumber"),
    case("organizations", 100, organization("userExternalKey"), id="organization userExternalKey"),
    case("customProtocol", 100, messenger("customProtocol"), id="customProtocol"),
    case("messengerId", 100, messenger("messengerId"), id="messengerId"),
    case("customFields", 100, custom_field("value"), id="custom field value"),
    case("customFields", 300, custom_field("link"), id="custom field link"),
    case("relations", 50, relation("relationName"), id="relationName"),
)


@USER
@LIMITS
@pytest.mark.parametrize(
    "letter", [case("x", id="Latin"), case("あ", id="kana"), case("𠮷", id="beyond 16 bits")]
)
@pytest.mark.parametrize(("path", "longest", "body"), LENGTHS)
def test_length_at_the_limit(target, me, path, longest, body, letter):
    assert letter * longest in str(update(target, me, body(letter * longest)))


@USER
@LIMITS
@assumed("resource errors", "limit errors")
@pytest.mark.parametrize("letter", [case("x", id="Latin"), case("𠮷", id="beyond 16 bits")])
@pytest.mark.parametrize(("path", "longest", "body"), LENGTHS)
def test_length_above_the_limit(target, me, path, longest, body, letter):
    refused(target, me, body(letter * (longest + 1)), path)


OTHER_LENGTHS = (
    case("phoneticLastName", 100, lambda n: name("phoneticLastName")("ヤ" * n), id="phoneticLastName"),
    case("phoneticFirstName", 100, lambda n: name("phoneticFirstName")("ヤ" * n), id="phoneticFirstName"),
    case("email", 90, lambda n: {"email": email(n)}, id="email"),
    case("organizations", 90, lambda n: organization("email")(email(n)), id="organization email"),
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
    ),
    case(
        "orgUnits",
        30,
        lambda n: organization("orgUnits")(
            [UNIT | {"orgUnitId": f"o{i}", "primary": not i} for i in range(n)]
        ),
        id="orgUnits",
    ),
)


@USER
@LIMITS
@pytest.mark.parametrize("below", [0, 1])
@pytest.mark.parametrize(("path", "most", "body"), OTHER_LENGTHS)
def test_at_or_below_the_limit(target, me, path, most, body, below):
    sent = body(most - below)
    (field,) = sent
    shown = update(target, me, sent)[field]
    assert len(str(shown)) >= len(str(sent[field])) - 2  # read-only fields may stand beside


@USER
@LIMITS
@assumed("resource errors", "limit errors")
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
    case({"organizations": [ORGANIZATION | {"orgUnits": []}]}, id="orgUnits"),
    case({"nickName": ""}, id="nickName"),
)


@USER
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


@USER
@pytest.mark.parametrize("field", ["telephone", "cellPhone"])
@pytest.mark.parametrize("text", TELEPHONES)
def test_telephone_pattern(target, me, field, text):
    assert update(target, me, {field: text})[field] == text


@USER
@assumed("telephone", "resource errors", "limit errors")
@pytest.mark.parametrize("field", ["telephone", "cellPhone"])
@pytest.mark.parametrize("text", NO_TELEPHONES)
def test_what_is_no_telephone_number(target, me, field, text):
    refused(target, me, {field: text}, field)


LANGUAGES = ("ja_JP", "ko_KR", "en_US", "zh_CN", "zh_TW")
VALUES = (
    *(case(plain("locale"), value, id=f"locale {value}") for value in LANGUAGES),
    *(case(i18n("language"), value, id=f"language {value}") for value in LANGUAGES),
    *(case(plain("birthdayCalendarType"), value, id=value) for value in ("SOLAR", "LUNAR")),
    *(case(messenger("protocol"), value, id=value) for value in ("MSGR_A", "MSGR_B", "CUSTOM")),
    case(plain("birthday"), "1970-01-01", id="birthday"),
    case(plain("birthday"), "2024-02-29", id="birthday on a leap day"),
    case(plain("hiredDate"), "2030-12-31", id="hiredDate to come"),
    *(
        case(plain("timeZone"), value, id=value)
        for value in ("Asia/Tokyo", "Europe/Prague", "America/New_York")
    ),
    case(plain("timeZone"), "America/Argentina/Buenos_Aires", id="time zone in three parts"),
    case(plain("activationDate"), "2026-06-01T09:00:00+09:00", id="activationDate with an offset"),
    case(plain("activationDate"), "2026-06-01T00:00:00Z", id="activationDate in UTC"),
    case(plain("activationDate"), "2026-06-01T00:00:00-03:30", id="activationDate with an odd offset"),
    case(name("phoneticLastName"), "ヤマダ", id="katakana"),
    case(name("phoneticLastName"), "サトー", id="katakana with a long vowel"),
)
WRONG = (
    *(
        case(plain("locale"), "locale", value, id=f"locale {value!r}")
        for value in ("ja", "ja-JP", "JA_JP", "fr_FR", "", 5)
    ),
    *(case(i18n("language"), "i18nNames", value, id=f"language {value!r}") for value in ("de_DE", "", 5)),
    *(
        case(plain("birthdayCalendarType"), "birthdayCalendarType", value, id=f"calendar {value!r}")
        for value in ("solar", "MAYAN", "", 1)
    ),
    *(
        case(messenger("protocol"), "messenger", value, id=f"protocol {value!r}")
        for value in ("MSGR_D", "custom", "", None, 1)
    ),
    case(messenger("messengerId"), "messenger", "", id="messengerId empty"),
    case(messenger("messengerId"), "messenger", None, id="messengerId null"),
    case(messenger("messengerId"), "messenger", 5, id="messengerId a number"),
    *(
        case(plain(field), field, value, id=f"{field} {value!r}")
        for field in ("birthday", "hiredDate")
        for value in (
            "2025-02-29",
            "2025-13-01",
            "2025-1-1",
            "01/01/2025",
            "2025-01-01T00:00:00Z",
            "20250101",
            "",
            5,
        )
    ),
    *(
        case(plain("timeZone"), "timeZone", value, id=f"timeZone {value!r}")
        for value in ("JST", "Asia", "+09:00", "Asia/", "", 9)
    ),
    *(
        case(plain("activationDate"), "activationDate", value, id=f"activationDate {value!r}")
        for value in (
            "2026-06-01",
            "2026-06-01T09:00:00",
            "2026-06-01 09:00:00+09:00",
            "2026-06-01T25:00:00Z",
            "2026-06-01T09:00:00.000000+09:00",
            "",
            1780272000,
        )
    ),
    *(
        case(name(field), "userName", value, id=f"{field} {value!r}")
        for field in ("phoneticLastName", "phoneticFirstName")
        for value in ("やまだ", "Yamada", "山田", "ヤマダ1", 5)
    ),
    case(plain("employeeNumber"), "employeeNumber", "", id="employeeNumber empty"),
    case(plain("employeeNumber"), "employeeNumber", 7, id="employeeNumber a number"),
    *(
        case(plain("domainId"), "domainId", value, id=f"domainId {value!r}")
        for value in ("10000001", 1.5, True, 2**31, -(2**31) - 1)
    ),
    *(
        case(plain("searchable"), "searchable", value, id=f"searchable {value!r}")
        for value in ("true", 1, 0, "")
    ),
    *(
        case(plain(field), field, 5, id=f"{field} a number")
        for field in (
            "email",
            "nickName",
            "task",
            "location",
            "privateEmail",
            "telephone",
            "employmentTypeId",
            "userTypeId",
        )
    ),
    *(
        case(plain(field), field, {"a": 1}, id=f"{field} an object")
        for field in ("aliasEmails", "i18nNames", "organizations", "customFields", "relations")
    ),
    *(
        case(plain(field), field, [1], id=f"{field} of numbers")
        for field in ("aliasEmails", "i18nNames", "organizations")
    ),
    *(
        case(plain(field), field, [], id=f"{field} an array")
        for field in ("userName", "messenger", "customProperties")
    ),
    case(custom_field("customFieldId"), "customFields", None, id="customFieldId null"),
    case(lambda _: {"customFields": [{"value": "x"}]}, "customFields", None, id="customFieldId missing"),
    case(lambda _: {"messenger": {"messengerId": "x"}}, "messenger", None, id="protocol missing"),
    case(lambda _: {"messenger": {"protocol": "CUSTOM"}}, "messenger", None, id="messengerId missing"),
    *(
        case(organization(field), "organizations", None, id=f"organization {field} null")
        for field in ("domainId", "primary")
    ),
    case(organization("domainId"), "organizations", 2**31, id="organization domainId above int32"),
    case(organization("primary"), "organizations", "true", id="organization primary a string"),
    case(
        lambda _: {"organizations": [{"primary": True}]},
        "organizations",
        None,
        id="organization domainId missing",
    ),
    case(
        lambda _: {"organizations": [{"domainId": 1}]},
        "organizations",
        None,
        id="organization primary missing",
    ),
    case(lambda _: organization("orgUnits")([{"primary": True}]), "orgUnits", None, id="orgUnitId missing"),
    case(
        lambda _: organization("orgUnits")([{"orgUnitId": "o"}]),
        "orgUnits",
        None,
        id="org unit primary missing",
    ),
    *(
        case(
            lambda value, field=field: organization("orgUnits")([UNIT | {field: value}]),
            "orgUnits",
            "true",
            id=f"{field} a string",
        )
        for field in ("primary", "isManager", "visible", "useTeamFeature")
    ),
    case(relation("relationUserId"), "relations", 5, id="relationUserId a number"),
)


def found(shown, value):
    """Whether a value stands somewhere in a record."""
    if isinstance(shown, dict):
        return any(found(inner, value) for inner in shown.values())
    if isinstance(shown, list):
        return any(found(inner, value) for inner in shown)
    return shown == value


@USER
@pytest.mark.parametrize(("body", "value"), VALUES)
def test_value_is_taken(target, me, body, value):
    sent = body(value)
    (field,) = sent
    assert found(update(target, me, sent)[field], value)


@USER
@assumed("resource errors", "limit errors")
@pytest.mark.parametrize(("body", "path", "value"), WRONG)
def test_wrong_value_is_refused(target, me, body, path, value):
    refused(target, me, body(value), path)


@USER
@assumed("limit errors")
def test_all_problems_of_a_body_are_told_together(target, me):
    body = {
        "nickName": "x" * 101,
        "task": "fine",
        "locale": "fr_FR",
        "userName": {"lastName": "x" * 81},
        "aliasEmails": ["x@example.com"] * 11,
        "organizations": [ORGANIZATION | {"orgUnits": [UNIT, {"primary": True}]}],
    }
    answer = target.refuses("PATCH", url(target), 400, json=body, headers=me)
    told = answer.json()["description"]
    paths = (
        "nickName",
        "locale",
        "userName.lastName",
        "aliasEmails",
        "organizations[0].orgUnits[1].orgUnitId",
    )
    assert [path for path in paths if path not in told] == []
    assert "task" not in told


# -- custom properties ------------------------------------------------------------------------------------------

DEFINITIONS = [
    {"name": "text", "propertyType": "STRING", "multiValued": False},
    {"name": "texts", "propertyType": "STRING", "multiValued": True},
    {"name": "size", "propertyType": "STRING", "multiValued": False, "options": ["S", "M", "L"]},
    {"name": "sizes", "propertyType": "STRING", "multiValued": True, "options": ["S", "M", "L"]},
    {"name": "day", "propertyType": "DATE", "multiValued": False},
    {"name": "days", "propertyType": "DATE", "multiValued": True},
    {"name": "count", "propertyType": "INTEGER", "multiValued": False},
    {"name": "counts", "propertyType": "INTEGER", "multiValued": True},
    {"name": "page", "propertyType": "LINK", "multiValued": False},
    {"name": "pages", "propertyType": "LINK", "multiValued": True},
]
LINK = {"text": "home", "link": "https://example.com"}
FITTING = (
    ("text", ""),
    ("text", "x" * 100),
    ("texts", []),
    ("texts", ["x" * 100] * 10),
    ("size", "M"),
    ("sizes", ["S", "L"]),
    ("sizes", ["S"] * 10),
    ("day", "2024-02-29"),
    ("days", ["2024-02-29"] * 10),
    ("count", 0),
    ("count", 2**40),
    ("counts", [0, 1] * 5),
    ("page", LINK),
    ("page", {"text": None, "link": "x" * 300}),
    ("page", {"text": "x" * 100, "link": ""}),
    ("pages", [LINK] * 10),
)
UNFIT = (
    ("text", "x" * 101),
    ("text", 5),
    ("text", ["x"]),
    ("texts", "x"),
    ("texts", ["x"] * 11),
    ("texts", ["x" * 101]),
    ("texts", [5]),
    ("size", "XL"),
    ("size", ["M"]),
    ("sizes", ["S", "XL"]),
    ("sizes", ["S"] * 11),
    ("day", "2025-02-29"),
    ("day", "2025-02-28T00:00:00Z"),
    ("day", 20250228),
    ("days", ["2024-02-29"] * 11),
    ("days", ["tomorrow"]),
    ("count", -1),
    ("count", "5"),
    ("count", 1.5),
    ("count", True),
    ("counts", [1] * 11),
    ("counts", [-1]),
    ("counts", 1),
    ("page", "https://example.com"),
    ("page", {"text": "x" * 101, "link": "l"}),
    ("page", {"text": "x", "link": "l" * 301}),
    ("page", {"text": 5, "link": "l"}),
    ("pages", [LINK] * 11),
    ("pages", LINK),
    ("nowhere", "x"),
)


def shortened(value):
    return repr(value)[:40]


@USER
@assumed("custom properties")
@pytest.mark.parametrize(("prop", "value"), FITTING, ids=shortened)
def test_custom_property_that_fits_its_definition(target, me, prop, value):
    target.set_domain(customProperties=DEFINITIONS)
    assert update(target, me, {"customProperties": {prop: value}})["customProperties"][prop] == value


@USER
@assumed("custom properties", "resource errors")
@pytest.mark.parametrize(("prop", "value"), UNFIT, ids=shortened)
def test_custom_property_that_does_not_fit(target, me, prop, value):
    target.set_domain(customProperties=DEFINITIONS)
    refused(target, me, {"customProperties": {prop: value}}, prop)

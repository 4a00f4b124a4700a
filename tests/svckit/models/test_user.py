"""The fields of a user: every limit at, below and above; what can be null; what a response must have."""

import zoneinfo
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from svckit.models import (
    CustomPropertyLink,
    OrgUnit,
    OrgUnitChange,
    User,
    UserChange,
    UserOrganization,
    UserOrganizationChange,
)
from svckit.models import user as user_module
from svckit.models.problems import list_problems

LEAST = {"domainId": 10000001, "email": "mina@example.com", "userName": {}}
MESSENGER = {"protocol": "CUSTOM", "messengerId": "m"}


def _unit(number):
    return {"orgUnitId": f"o-{number}", "primary": number == 0}


def _organization(**fields):
    return {"organizations": [{"domainId": 1, "primary": True, **fields}]}


def _field(**fields):
    return {"customFields": [{"customFieldId": "c", **fields}]}


def _paths(body, model=UserChange):
    try:
        model.from_wire(body)
    except ValidationError as error:
        return [problem.path for problem in list_problems(error)]
    return []


TEXTS = [  # path, longest, how a text gets into a body
    ("userExternalKey", 100, lambda text: {"userExternalKey": text}),
    ("email", 90, lambda text: {"email": text}),
    ("userName.lastName", 80, lambda text: {"userName": {"lastName": text}}),
    ("userName.firstName", 80, lambda text: {"userName": {"firstName": text}}),
    ("i18nNames[0].firstName", 100, lambda text: {"i18nNames": [{"language": "en_US", "firstName": text}]}),
    ("i18nNames[0].lastName", 100, lambda text: {"i18nNames": [{"language": "en_US", "lastName": text}]}),
    ("nickName", 100, lambda text: {"nickName": text}),
    ("privateEmail", 256, lambda text: {"privateEmail": text}),
    ("organizations[0].userExternalKey", 100, lambda text: _organization(userExternalKey=text)),
    ("organizations[0].email", 90, lambda text: _organization(email=text)),
    ("location", 100, lambda text: {"location": text}),
    ("task", 100, lambda text: {"task": text}),
    ("messenger.customProtocol", 100, lambda text: {"messenger": {**MESSENGER, "customProtocol": text}}),
    ("messenger.messengerId", 100, lambda text: {"messenger": {**MESSENGER, "messengerId": text}}),
    ("customFields[0].value", 100, lambda text: _field(value=text)),
    ("customFields[0].link", 300, lambda text: _field(link=text)),
    ("relations[0].relationName", 50, lambda text: {"relations": [{"relationName": text}]}),
    ("employeeNumber", 20, lambda text: {"employeeNumber": text}),
]


@pytest.mark.parametrize(("path", "longest", "body"), TEXTS, ids=[text[0] for text in TEXTS])
def test_a_text_has_its_longest_length(path, longest, body):
    assert _paths(body("あ" * (longest - 1))) == []
    assert _paths(body("あ" * longest)) == []
    assert _paths(body("あ" * (longest + 1))) == [path]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("employeeNumber", {"employeeNumber": ""}),
        ("messenger.messengerId", {"messenger": {**MESSENGER, "messengerId": ""}}),
    ],
)
def test_some_texts_cannot_be_empty(path, body):
    assert _paths(body) == [path]


ARRAYS = [  # path, most items, an item, how the items get into a body
    ("aliasEmails", 10, lambda n: f"a{n}@example.com", lambda items: {"aliasEmails": items}),
    ("customFields", 50, lambda n: {"customFieldId": f"c-{n}"}, lambda items: {"customFields": items}),
    ("relations", 10, lambda n: {"relationUserId": f"u-{n}"}, lambda items: {"relations": items}),
    ("organizations[0].orgUnits", 30, _unit, lambda items: _organization(orgUnits=items)),
]


@pytest.mark.parametrize(("path", "most", "item", "body"), ARRAYS, ids=[array[0] for array in ARRAYS])
def test_an_array_has_its_most_items(path, most, item, body):
    assert _paths(body([])) == []
    assert _paths(body([item(number) for number in range(most)])) == []
    assert _paths(body([item(number) for number in range(most + 1)])) == [path]


CHOICES = [
    ("locale", ["ja_JP", "ko_KR", "en_US", "zh_CN", "zh_TW"], lambda value: {"locale": value}),
    ("birthdayCalendarType", ["SOLAR", "LUNAR"], lambda value: {"birthdayCalendarType": value}),
    (
        "messenger.protocol",
        ["MSGR_A", "MSGR_B", "MSGR_C_OLD", "MSGR_C", "CUSTOM"],
        lambda value: {"messenger": {**MESSENGER, "protocol": value}},
    ),
    (
        "i18nNames[0].language",
        ["ja_JP", "ko_KR", "en_US", "zh_CN", "zh_TW"],
        lambda value: {"i18nNames": [{"language": value}]},
    ),
]


@pytest.mark.parametrize(("path", "values", "body"), CHOICES, ids=[choice[0] for choice in CHOICES])
def test_a_choice_takes_its_values_alone(path, values, body):
    assert [_paths(body(value)) for value in values] == [[]] * len(values)
    assert _paths(body(values[0].lower())) == [path]
    assert _paths(body("")) == [path]


NULLABLE = [
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
]
NOT_NULLABLE = [
    "domainId",
    "email",
    "userName",
    "i18nNames",
    "aliasEmails",
    "searchable",
    "organizations",
    "locale",
    "timeZone",
    "customFields",
    "customProperties",
    "relations",
]


def test_every_writable_field_is_nullable_or_not():
    wire_names = {field.alias for field in UserChange.model_fields.values()}
    assert wire_names == {*NULLABLE, *NOT_NULLABLE}


@pytest.mark.parametrize("name", NULLABLE)
def test_null_clears_a_nullable_field(name):
    assert UserChange.from_wire({name: None}).to_wire() == {name: None}
    assert User.from_wire({**LEAST, name: None}).to_wire() == {**LEAST, name: None}


@pytest.mark.parametrize("name", NOT_NULLABLE)
def test_null_is_refused_elsewhere(name):
    with pytest.raises(ValidationError) as caught:
        UserChange.from_wire({name: None})
    [problem] = list_problems(caught.value)
    assert problem.path == name
    assert problem.message.endswith("and cannot be null")
    assert problem.given == "null"
    assert _paths({**LEAST, name: None}, User) == [name]


@pytest.mark.parametrize("name", ["telephone", "cellPhone"])
@pytest.mark.parametrize(
    ("number", "fits"),
    [
        ("03-1234-5678", True),
        ("+81-(0)3*#PTpt\u3000", True),
        ("0" * 100, True),
        ("-" * 99 + "1", True),
        ("0" * 101, False),
        ("+-*#", False),
        ("", False),
        ("03 1234 5678", False),
        ("03-1234x", False),
        ("03-1234\n", False),
        ("1\\", False),
        ("u3000", False),
        ("\uff11", False),
    ],
)
def test_a_telephone_number(name, number, fits):
    assert _paths({name: number}) == ([] if fits else [name])


@pytest.mark.parametrize(
    ("reading", "fits"),
    [
        ("", True),
        ("サトー・マリ ア\u3000ヴァン", True),
        ("ｻﾄｳ", True),
        ("ア" * 100, True),
        ("ア" * 101, False),
        ("さとう", False),
        ("佐藤", False),
        ("Sato", False),
        ("サトウ\n", False),
        ("サトウ1", False),
    ],
)
@pytest.mark.parametrize("name", ["phoneticLastName", "phoneticFirstName"])
def test_a_reading_is_in_katakana(name, reading, fits):
    assert _paths({"userName": {name: reading}}) == ([] if fits else [f"userName.{name}"])


@pytest.mark.parametrize(
    ("zone", "fits"),
    [
        ("Asia/Tokyo", True),
        ("America/Argentina/Buenos_Aires", True),
        ("Etc/GMT+9", True),
        ("America/Port-au-Prince", True),
        ("UTC", False),
        ("asia/tokyo", False),
        ("Asia/", False),
        ("Asia/Tokyo\n", False),
        ("../Asia/Tokyo", False),
        ("+09:00", False),
        ("", False),
        ("Mars/Phobos", False),
        ("America/Argentina", False),
    ],
)
def test_a_time_zone_is_known_by_region_and_city(zone, fits):
    assert _paths({"timeZone": zone}) == ([] if fits else ["timeZone"])


def test_time_zone_data_of_the_machine_do_not_matter(tmp_path):
    (tmp_path / "Mars").mkdir()
    tokyo = resources.files("tzdata.zoneinfo.Asia").joinpath("Tokyo").read_bytes()
    (tmp_path / "Mars" / "Phobos").write_bytes(tokyo)
    try:
        zoneinfo.reset_tzpath([tmp_path])
        assert zoneinfo.ZoneInfo.no_cache("Mars/Phobos")
        assert _paths({"timeZone": "Mars/Phobos"}) == ["timeZone"]
        zoneinfo.reset_tzpath([])
        assert _paths({"timeZone": "Asia/Tokyo"}) == []
    finally:
        zoneinfo.reset_tzpath()


def test_an_unknown_time_zone_is_told_with_where_names_come_from():
    with pytest.raises(ValidationError) as caught:
        UserChange(time_zone="Asia/Kyoto")
    assert [str(problem) for problem in list_problems(caught.value)] == [
        "timeZone must be a name of the time zone database (package tzdata), such as Asia/Tokyo; given 'Asia/Kyoto'"
    ]


def test_a_record_is_readable_whatever_the_time_zone_data():
    assert User.from_wire({**LEAST, "timeZone": "Mars/Phobos"}).time_zone == "Mars/Phobos"


@pytest.mark.parametrize("missing", list(LEAST))
def test_a_response_has_three_fields_at_least(missing):
    assert _paths(LEAST, User) == []
    assert _paths({name: value for name, value in LEAST.items() if name != missing}, User) == [missing]


def test_what_a_request_leaves_out_a_response_shows():
    unit = {**_unit(0), "orgUnitName": "Sales", "positionName": None}
    body = _organization(levelName="Senior", executive=False, orgUnits=[unit])
    seen = User.from_wire({**LEAST, **body, "isPending": True, "suspendedReason": "OTHER"})
    assert seen.to_wire() == {**LEAST, **body, "isPending": True, "suspendedReason": "OTHER"}
    assert isinstance(seen.organizations[0], UserOrganization)
    assert isinstance(seen.organizations[0].org_units[0], OrgUnit)
    assert isinstance(seen, UserChange)
    assert UserChange.from_wire(seen.to_wire()).to_wire() == {
        **LEAST,
        **_organization(orgUnits=[_unit(0)]),
    }


READ_ONLY = {
    User: "userId isAdministrator isPending isSuspended isDeleted isAwaiting leaveOfAbsence suspendedReason "
    "employmentTypeExternalKey employmentTypeName userTypeExternalKey userTypeName userTypeCode",
    UserOrganization: "levelExternalKey levelName executive organizationName",
    OrgUnit: "orgUnitExternalKey orgUnitName orgUnitEmail positionExternalKey positionName",
    user_module.UserCustomField: "customFieldExternalKey",
    user_module.UserRelation: "externalKey",
}


@pytest.mark.parametrize("model", READ_ONLY, ids=lambda model: model.__name__)
def test_a_response_adds_the_read_only_fields_and_no_others(model):
    [request] = [base for base in model.__mro__ if base.__name__ == f"{model.__name__}Change"]
    added = model.model_fields.keys() - request.model_fields.keys()
    assert {model.model_fields[name].alias for name in added} == set(READ_ONLY[model].split())


def test_defaults_of_an_org_unit_are_known_but_not_sent():
    unit = OrgUnitChange(org_unit_id="o-1", primary=True)
    assert (unit.is_manager, unit.visible, unit.use_team_feature) == (False, True, True)
    assert unit.to_wire() == {"orgUnitId": "o-1", "primary": True}


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({"organizations": [{}]}, ["organizations[0].domainId", "organizations[0].primary"]),
        (
            _organization(orgUnits=[{}]),
            [f"organizations[0].orgUnits[0].{name}" for name in ("orgUnitId", "primary")],
        ),
        ({"messenger": {}}, ["messenger.protocol", "messenger.messengerId"]),
        ({"customFields": [{}]}, ["customFields[0].customFieldId"]),
        ({"relations": [{}], "i18nNames": [{}], "userName": {}}, []),
    ],
)
def test_parts_have_required_fields(body, paths):
    assert _paths(body) == paths


def test_custom_properties_take_dates_and_links_from_python():
    link = CustomPropertyLink(text=None, link="https://example.com")
    change = UserChange(custom_properties={"site": [link], "rank": 3, "snake_name": "x"})
    assert change.to_wire() == {
        "customProperties": {
            "site": [{"text": None, "link": "https://example.com"}],
            "rank": 3,
            "snake_name": "x",
        }
    }
    with pytest.raises(ValidationError, match="JSON values"):
        UserChange(custom_properties={"rank": object()})


TEXT = st.text(max_size=20)
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "domainId": st.integers(-(2**31), 2**31 - 1),
        "email": TEXT,
        "nickName": st.none() | TEXT,
        "searchable": st.booleans(),
        "aliasEmails": st.lists(TEXT, max_size=10),
        "birthday": st.none() | st.dates().map(str),
        "userName": st.fixed_dictionaries({}, optional={"lastName": st.none() | TEXT}),
        "organizations": st.lists(
            st.fixed_dictionaries(
                {"domainId": st.integers(0, 9), "primary": st.booleans()},
                optional={"levelId": st.none() | TEXT, "orgUnits": st.lists(st.just(_unit(0)), max_size=3)},
            ),
            max_size=3,
        ),
        "customProperties": st.dictionaries(
            TEXT, TEXT | st.integers() | st.lists(TEXT, max_size=3), max_size=3
        ),
    },
)


@given(CHANGES)
def test_a_change_comes_back_as_it_was_sent(body):
    change = UserChange.from_wire(body)
    assert change.to_wire() == body
    assert UserChange.from_wire(change.model_dump_json(by_alias=True, exclude_unset=True)) == change


@given(
    st.dictionaries(
        st.sampled_from(NULLABLE + NOT_NULLABLE), st.none() | TEXT | st.lists(st.none() | TEXT, max_size=2)
    )
)
def test_any_body_is_read_or_refused_with_problems_in_wire_names(body):
    paths = _paths(body)
    assert all(path.partition(".")[0].partition("[")[0] in body for path in paths)


def test_organization_requests_ignore_what_only_the_service_writes():
    change = UserOrganizationChange.from_wire({"domainId": 1, "primary": True, "levelName": "Senior"})
    assert change.to_wire() == {"domainId": 1, "primary": True}

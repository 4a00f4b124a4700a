"""The fields of a user: forms of their values, and what a response must have; `tests/conformance` has the limits."""

import zoneinfo
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from svckit.models import (
    CustomPropertyLink,
    OrgUnit,
    User,
    UserChange,
    UserOrganization,
)
from svckit.models import user as user_module
from svckit.models.problems import list_problems

LEAST = {"domainId": 10000001, "email": "mina@example.com", "userName": {}}
UNIT = {"orgUnitId": "o-0", "primary": True}


def _organization(**fields):
    return {"organizations": [{"domainId": 1, "primary": True, **fields}]}


def _paths(body, model=UserChange):
    try:
        model.from_wire(body)
    except ValidationError as error:
        return [problem.path for problem in list_problems(error)]
    return []


@pytest.mark.parametrize("number", ["1\\", "u3000"])
def test_pattern_delimiters_are_not_a_telephone_number(number):
    assert _paths({"telephone": number}) == ["telephone"]


@pytest.mark.parametrize(
    ("reading", "fits"),
    [
        ("", True),
        ("サトー・マリ ア\u3000ヴァン", True),
        ("ｻﾄｳ", True),
        ("サトウ\n", False),
    ],
)
@pytest.mark.parametrize("name", ["phoneticLastName", "phoneticFirstName"])
def test_a_reading_is_in_katakana(name, reading, fits):
    assert _paths({"userName": {name: reading}}) == ([] if fits else [f"userName.{name}"])


@pytest.mark.parametrize(
    ("zone", "fits"),
    [
        ("Etc/GMT+9", True),
        ("America/Port-au-Prince", True),
        ("UTC", False),
        ("asia/tokyo", False),
        ("Asia/Tokyo\n", False),
        ("../Asia/Tokyo", False),
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
    unit = {**UNIT, "orgUnitName": "Sales", "positionName": None}
    body = _organization(levelName="Senior", executive=False, orgUnits=[unit])
    seen = User.from_wire({**LEAST, **body, "isPending": True, "suspendedReason": "OTHER"})
    assert seen.to_wire() == {**LEAST, **body, "isPending": True, "suspendedReason": "OTHER"}
    assert isinstance(seen.organizations[0], UserOrganization)
    assert isinstance(seen.organizations[0].org_units[0], OrgUnit)
    assert isinstance(seen, UserChange)
    assert UserChange.from_wire(seen.to_wire()).to_wire() == {
        **LEAST,
        **_organization(orgUnits=[UNIT]),
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
                optional={"levelId": st.none() | TEXT, "orgUnits": st.lists(st.just(UNIT), max_size=3)},
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
        st.sampled_from([field.alias for field in UserChange.model_fields.values()]),
        st.none() | TEXT | st.lists(st.none() | TEXT, max_size=2),
    )
)
def test_any_body_is_read_or_refused_with_problems_in_wire_names(body):
    paths = _paths(body)
    assert all(path.partition(".")[0].partition("[")[0] in body for path in paths)

"""Read-only names and keys of a user follow the IDs they stand beside."""

import json

import pytest

EMPLOYMENT = ("employmentTypeName", "employmentTypeExternalKey")
USER_TYPE = ("userTypeName", "userTypeCode", "userTypeExternalKey")
ORGANIZATION = {"domainId": 10000001, "primary": True}
UNIT = {"orgUnitId": "ou-dev", "primary": True}
RELATION = {"relationUserId": "u-003", "relationName": "Mentor"}


def shown(me, user="u-002", **change):
    response = me.patch(user, **change)
    assert response.status_code == 200
    return response.json()


def picked(record, names):
    return {name: record[name] for name in names}


def unit_of(record):
    return record["organizations"][0]["orgUnits"][0]


def with_own_keys(fake, change):
    """Restore a fake with what has other names than the sample domain has."""
    taken = json.loads(json.dumps(fake.snapshot()))
    change(taken["directory"]["users"]["changed"]["u-002"])
    fake.restore(taken)


# -- types ------------------------------------------------------------------------------------------------------------


def test_a_cleared_employment_type_has_no_name(me):
    assert picked(shown(me, employmentTypeId=None), EMPLOYMENT) == dict.fromkeys(EMPLOYMENT)


def test_another_employment_type_has_its_own_name(me):
    assert shown(me)["employmentTypeName"] == "Employee"
    assert shown(me, employmentTypeId="et-2")["employmentTypeName"] == "Part-time employee"
    assert shown(me, employmentTypeId="et-1")["employmentTypeName"] == "Employee"


@pytest.mark.parametrize(
    ("change", "names"), [({"employmentTypeId": "et-x"}, EMPLOYMENT), ({"userTypeId": "ut-x"}, USER_TYPE)]
)
def test_a_type_the_domain_does_not_have_has_no_name(me, change, names):
    assert picked(shown(me, **change), names) == dict.fromkeys(names)


def test_a_user_type_has_its_name_and_code(me):
    record = shown(me, userTypeId="ut-1")
    assert picked(record, ("userTypeName", "userTypeCode")) == {
        "userTypeName": "Office worker",
        "userTypeCode": "OFFICE",
    }
    assert picked(shown(me, userTypeId=None), USER_TYPE) == dict.fromkeys(USER_TYPE)


# -- organizations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["organizations", "relations", "customFields"])
def test_a_list_that_is_written_back_as_it_was_read_stays_as_it_is(me, name):
    shown(me, customFields=[{"customFieldId": "cf-1", "value": "one", "link": None}])
    before = shown(me)
    assert before[name]
    assert shown(me, **{name: before[name]}) == before


def test_a_level_has_its_name(me):
    (organization,) = shown(me, organizations=[ORGANIZATION | {"levelId": "lv-2"}])["organizations"]
    assert (organization["levelName"], organization["levelExternalKey"]) == ("Manager", None)


@pytest.mark.parametrize("level", [{}, {"levelId": None}, {"levelId": "lv-x"}])
def test_without_a_level_of_the_domain_there_is_no_name_of_one(me, level):
    (organization,) = shown(me, organizations=[ORGANIZATION | level])["organizations"]
    assert (organization["levelName"], organization["levelExternalKey"]) == (None, None)


def test_an_org_unit_and_a_position_have_their_names(me):
    unit = UNIT | {"positionId": "pos-senior"}
    assert unit_of(shown(me, organizations=[ORGANIZATION | {"orgUnits": [unit]}])) == unit | {
        "isManager": False,
        "visible": True,
        "useTeamFeature": True,
        "orgUnitExternalKey": None,
        "orgUnitName": "Development",
        "orgUnitEmail": "development@example.com",
        "positionExternalKey": None,
        "positionName": "Senior",
    }


def test_unknown_org_unit_has_null_or_no_names(me):
    unit = unit_of(
        shown(me, organizations=[ORGANIZATION | {"orgUnits": [{"orgUnitId": "ou-x", "primary": True}]}])
    )
    names = {"orgUnitExternalKey": None, "positionExternalKey": None, "positionName": None}
    assert picked(unit, names) == names
    assert {"orgUnitName", "orgUnitEmail"}.isdisjoint(unit)


def test_the_name_of_the_company_is_that_of_its_domain(me):
    other = ORGANIZATION | {"domainId": 7, "primary": False}
    own, foreign = shown(me, organizations=[ORGANIZATION, other])["organizations"]
    assert own["organizationName"] == "Example Works"
    assert "organizationName" not in foreign


# -- custom fields and relations --------------------------------------------------------------------------------------


def test_a_custom_field_has_its_key(me):
    (field,) = shown(me, customFields=[{"customFieldId": "cf-1", "value": "x"}])["customFields"]
    assert field == {"customFieldId": "cf-1", "value": "x", "customFieldExternalKey": None}


def test_a_relation_has_its_key(me):
    (relation,) = shown(me, relations=[RELATION])["relations"]
    assert relation == RELATION | {"externalKey": None}


# -- names that the sample domain does not have -----------------------------------------------------------------------


def own_names(record):
    record |= {"employmentTypeId": "et-own", "employmentTypeName": "Own", "employmentTypeExternalKey": "k-0"}
    (organization,) = record["organizations"]
    organization |= {"levelId": "lv-own", "levelName": "Own", "levelExternalKey": "k-1"}
    organization["orgUnits"][0] |= {
        "orgUnitId": "ou-own",
        "orgUnitName": "Own",
        "orgUnitExternalKey": "k-2",
        "positionExternalKey": "k-3",
    }
    record["relations"] = [RELATION | {"externalKey": "k-4"}]
    record["customFields"] = [{"customFieldId": "cf-1", "customFieldExternalKey": "k-5"}]


LISTS = ("organizations", "relations", "customFields", "employmentTypeId")


def test_names_that_a_user_has_stay_with_their_ids(me):
    shown(me, nickName="x")
    with_own_keys(me.fake, own_names)
    before = shown(me)
    assert shown(me, **picked(before, LISTS)) == before
    unit = before["organizations"][0]["orgUnits"][0] | {"orgUnitId": "ou-dev"}
    changed = [before["organizations"][0] | {"orgUnits": [unit], "levelId": "lv-1"}]
    after = shown(
        me,
        organizations=changed,
        relations=[RELATION | {"relationUserId": "u-004"}],
        customFields=[{"customFieldId": "cf-2"}],
    )
    (organization,) = after["organizations"]
    assert (organization["levelName"], organization["levelExternalKey"]) == ("Director", None)
    assert unit_of(after)["orgUnitExternalKey"] is None
    assert unit_of(after)["positionExternalKey"] == "k-3"
    assert after["relations"][0]["externalKey"] is None
    assert after["customFields"][0]["customFieldExternalKey"] is None

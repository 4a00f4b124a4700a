"""The settings of the domain: what is assigned is checked; and what they keep users from setting and reading."""

import pytest

from ..admin import Admin
from ..caller import calling, make, named

# The settings of the domain: what is assigned is checked, and what is wrong with it is told in a sentence.

RANK = {"name": "rank", "propertyType": "INTEGER", "multiValued": False}


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("domain_name", "", 'domain_name must have a length of at least 1; given ""'),
        ("forbidden_email_words", [""], "forbidden_email_words"),
        ("single_sign_on", "yes", 'single_sign_on must be true or false; given "yes"'),
        ("domain_id", 7, "domain_id cannot be changed; given 7"),
        ("api_calls_per_minute", 0, "api_calls_per_minute must be at least 1; given 0"),
        ("custom_properties", [RANK, RANK], "two custom properties have the name rank"),
        ("retirement_dates", {"x": "2026-12-01"}, "must have the keys custom-fields, .*; given x"),
        ("singel_sign_on", True, "no setting 'singel_sign_on'; did you mean single_sign_on"),
    ],
)
def test_a_wrong_setting_is_told_in_a_sentence_and_changes_nothing(name, value, told):
    settings = make().settings
    before = settings.model_copy(deep=True)
    with pytest.raises((ValueError, AttributeError), match=told) as refused:
        setattr(settings, name, value)
    assert "pydantic" not in str(refused.value)
    assert "input_value" not in str(refused.value)
    assert settings == before


def test_admin_refuses_a_repeated_property(fake):
    told = Admin(fake).refused("PATCH", "/domain", {"customProperties": [RANK, RANK]})
    assert "two custom properties have the name rank" in told


@pytest.mark.parametrize("users", [0, 1_000_001, 10**30])
def test_a_domain_has_no_more_users_than_can_be_listed(users):
    with pytest.raises(ValueError, match=f"a domain must have 1 to 1000000 users; given {users}"):
        make(users=users)


# The management settings and the administrator screen: what an update cannot set, and a response does not show.

UNSETTABLE, UNREADABLE = {"settable": False}, {"readable": False}


def restricted(restrictions, **options):
    fake = make(**options)
    fake.settings.property_restrictions = restrictions
    return fake


def followed(fake):
    return set(fake.journal[-1].rules)


# -- settable ------------------------------------------------------------------------------------------------------


def test_all_problems_are_told_together():
    with calling(restricted({"nickName": UNSETTABLE, "task": UNSETTABLE})) as me:
        answer = me.patch(nickName="x", task="y", domainId=7, location="z" * 101)
        assert answer.status_code == 400
        told = answer.json()["description"]
        assert [name for name in ("nickName", "task", "domainId", "location") if name not in told] == []
        assert "propertyRestrictions" in told
        assert "user.restrictions" in followed(me.fake)


@pytest.mark.parametrize("chosen", ["400", "403", "ignored"])
def test_nothing_is_assumed_where_nothing_unsettable_is_sent(chosen):
    with calling(restricted({"nickName": UNSETTABLE}, assumptions="refuse")) as me:
        assert me.patch(task="Night desk").status_code == 200
        assert me.patch().status_code == 200


def test_an_ignored_property_is_told_as_ignored():
    with calling(restricted({"nickName": UNSETTABLE}, assume={"user.not-settable": "ignored"})) as me:
        answer = me.patch(nickName="x", task="Night desk", shoeSize=38)
        assert answer.headers["X-Fake-Ignored"] == "shoeSize, nickName"
        assert named(answer) == {"api.extra-fields", "user.not-settable"}
        assert answer.json()["task"] == "Night desk"
        assert me.patch(nickName="x" * 101).status_code == 400


# -- readable ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chosen", ["absent", "null"])
def test_what_cannot_be_read_can_be_set(chosen):
    with calling(restricted({"nickName": UNREADABLE}, assume={"user.not-readable": chosen})) as me:
        shown = me.patch(nickName="Hidden").json()
        assert ("nickName" in shown, shown.get("nickName")) == (chosen == "null", None)
        assert me.fake.directory["u-001"]["nickName"] == "Hidden"
        me.fake.settings.property_restrictions = {}
        assert me.patch().json()["nickName"] == "Hidden"


def test_no_alternative_differs_for_what_cannot_be_null():
    with calling(restricted({"searchable": UNREADABLE, "messenger": {}}, assumptions="refuse")) as me:
        messenger = {"protocol": "MSGR_C", "messengerId": "m"}
        shown = me.patch(messenger=messenger).json()
        assert "searchable" not in shown
        assert shown["messenger"]["protocol"] == "MSGR_C_OLD"


def test_records_of_users_are_those_of_responses():
    with calling(
        restricted({"messenger": UNREADABLE, "suspendedReason": UNREADABLE}, assumptions="refuse")
    ) as me:
        for record in me.fake.records("users"):
            assert not {"messenger", "suspendedReason"}.intersection(record)


# -- usage permissions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["employmentTypeId", "userTypeId"])
@pytest.mark.parametrize("chosen", ["settable", "ignored", "refused"])
def test_a_usage_permission_type(name, chosen):
    with calling(make(assume={"user.usage-permission": chosen})) as me:
        before = me.patch("u-002").json()
        unchanged = me.patch("u-002", **{name: before[name]})
        assert (unchanged.json(), named(unchanged)) == (before, set())
        answer = me.patch("u-002", **{name: "x-2"}, nickName="x")
        assert "user.usage-permission" in named(answer)
        assert answer.status_code == (400 if chosen == "refused" else 200)
        assert me.patch("u-002").json()[name] == ("x-2" if chosen == "settable" else before[name])
        assert answer.headers.get("X-Fake-Ignored") == (name if chosen == "ignored" else None)


def test_read_only_fields_follow_documented_rules(me):
    me.patch("u-002", isAdministrator=True)
    assert {"user.permission", "user.read-only"} <= followed(me.fake)
    me.patch("u-002", relations=[{"relationUserId": "u-003", "externalKey": "forged"}])
    assert "user.read-only" in followed(me.fake)
    assert "user.permission" not in followed(me.fake)
    me.patch("u-002", shoeSize=38)
    assert "user.read-only" not in followed(me.fake)


# -- the setting -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"nickname": UNSETTABLE}, "must have user properties as keys; did you mean nickName"),
        ({"userName": UNREADABLE}, "cannot make userName unreadable, as every response has them"),
        ({"nickName": {"writable": False}}, "property_restrictions.nickName.writable is not a known field"),
        ({"nickName": {"settable": "no"}}, 'nickName.settable must be true or false; given "no"'),
    ],
)
def test_a_wrong_restriction_is_no_setting(value, told):
    settings = make().settings
    with pytest.raises(ValueError, match=told):
        settings.property_restrictions = value
    assert settings.property_restrictions == {}

"""The settings of the domain: what is assigned is checked, and what is wrong with it is told in a sentence."""

import pytest

from ..admin import Admin
from ..caller import make

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


def test_two_definitions_of_one_property_are_refused_through_the_admin_interface_too(fake):
    told = Admin(fake).refused("PATCH", "/domain", {"customProperties": [RANK, RANK]})
    assert "two custom properties have the name rank" in told


@pytest.mark.parametrize("users", [0, 1_000_001, 10**30])
def test_a_domain_has_no_more_users_than_can_be_listed(users):
    with pytest.raises(ValueError, match=f"a domain must have 1 to 1000000 users; given {users}"):
        make(users=users)

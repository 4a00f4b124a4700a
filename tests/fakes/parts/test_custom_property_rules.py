"""Custom properties rest on an assumption only where they do not fit their definitions."""

import pytest

from ..caller import calling, make

DEFINITIONS = [
    {"name": "rank", "propertyType": "INTEGER", "multiValued": False},
    {"name": "site", "propertyType": "LINK", "multiValued": False},
]


@pytest.mark.parametrize("values", [{}, {"rank": 3}, {"rank": 3, "site": {"link": "https://example.com"}}])
def test_properties_that_fit_rest_on_nothing(values):
    fake = make(assumptions="refuse")
    fake.settings.custom_properties = DEFINITIONS
    with calling(fake) as me:
        assert me.patch(customProperties=values).json()["customProperties"] == values


@pytest.mark.parametrize(
    "values", [{"rank": "high"}, {"shoeSize": 38}, {"site": {"link": "x", "colour": "red"}}]
)
def test_properties_that_do_not_fit_rest_on_an_assumption(fake, me, values):
    fake.settings.custom_properties = DEFINITIONS
    assert "user.custom-properties" in me.patch(customProperties=values).headers["X-Fake-Assumed"]

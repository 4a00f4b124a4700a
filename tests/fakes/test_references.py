"""The IDs in an update that no user or sample record has are accepted, or refused if references are checked."""

import pytest

from .caller import calling, make

RULE = "user.references"
UNKNOWN = [
    ("employmentTypeId", "et-9"),
    ("userTypeId", "ut-9"),
]


@pytest.mark.parametrize(("name", "given"), UNKNOWN)
def test_unknown_type(name, given):
    with calling(make()) as me:
        response = me.patch("u-002", **{name: given})
        assert (response.status_code, response.json()[name]) == (200, given)
        assert RULE in response.headers["X-Fake-Assumed"]
    with calling(make(assume={RULE: "checked"})) as me:
        response = me.patch("u-002", **{name: given})
        assert response.status_code == 400
        assert (
            f"{name} is not the ID of a usage permission type of this domain"
            in response.json()["description"]
        )
        assert RULE in response.headers["X-Fake-Assumed"]


@pytest.mark.parametrize(
    "change", [{"employmentTypeId": "et-2"}, {"userTypeId": None}, {"userTypeId": "ut-1"}]
)
def test_known_type_or_none(change):
    with calling(make(assume={RULE: "checked"})) as me:
        response = me.patch("u-002", **change)
        assert response.status_code == 200
        assert RULE not in response.headers.get("X-Fake-Assumed", "")


@pytest.mark.parametrize("alternative", ["not-checked", "checked"])
def test_custom_field_ids_are_never_checked(alternative):
    with calling(make(assume={RULE: alternative})) as me:
        response = me.patch(customFields=[{"customFieldId": "cf-9", "value": "x"}])
        assert response.status_code == 200
        assert RULE not in response.headers.get("X-Fake-Assumed", "")

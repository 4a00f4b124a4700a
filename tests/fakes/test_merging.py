"""An object in an update replaces the stored one, or is merged into it at every level; an array always replaces."""

import pytest

from .caller import calling, make

RULE = "user.merge"
DEFINITIONS = [
    {"name": "rank", "propertyType": "INTEGER", "multiValued": False},
    {"name": "site", "propertyType": "LINK", "multiValued": False},
    {"name": "sites", "propertyType": "LINK", "multiValued": True},
]
LINK, PART = {"text": "Team", "link": "https://old.test"}, {"link": "https://new.test"}
MERGED = LINK | PART


def merging(alternative):
    fake = make(assume={RULE: alternative})
    fake.settings.custom_properties = DEFINITIONS
    return calling(fake)


@pytest.mark.parametrize(
    ("alternative", "expected"), [("top-level", {"site": PART}), ("deep", {"rank": 3, "site": MERGED})]
)
def test_object_below_the_first_level(alternative, expected):
    with merging(alternative) as me:
        me.patch(customProperties={"rank": 3, "site": LINK})
        response = me.patch(customProperties={"site": PART})
        assert response.json()["customProperties"] == expected
        assert RULE in response.headers["X-Fake-Assumed"]


@pytest.mark.parametrize("alternative", ["top-level", "deep"])
def test_array_replaces_the_whole_one_and_rests_on_nothing(alternative):
    with merging(alternative) as me:
        me.patch(customProperties={"sites": [LINK, LINK]})
        response = me.patch(customProperties={"sites": [PART]})
        assert response.json()["customProperties"] == {"sites": [PART]}
        assert RULE not in response.headers.get("X-Fake-Assumed", "")


def test_only_the_nested_object_lacks_something():
    with merging("top-level") as me:
        me.patch(customProperties={"site": LINK})
        assert RULE in me.patch(customProperties={"site": PART}).headers["X-Fake-Assumed"]
        assert RULE not in me.patch(customProperties={"site": LINK}).headers.get("X-Fake-Assumed", "")

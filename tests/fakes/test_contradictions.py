"""Values that contradict one another are accepted or refused; others rest on no assumption about that."""

import pytest

from .caller import calling, make

RULE = "user.contradictions"
DOMAIN = {"domainId": 10000001, "primary": True}
BESIDE = {"domainId": 10000001, "primary": False}
UNIT = {"orgUnitId": "ou-dev", "primary": True}
NAMES = [{"language": "ja_JP"}, {"language": "en_US"}]

CONTRADICTORY = {
    "organizations has more than one primary domain": {"organizations": [DOMAIN, BESIDE, DOMAIN]},
    "organizations[1].orgUnits has more than one primary organization": {
        "organizations": [DOMAIN, BESIDE | {"orgUnits": [UNIT, UNIT]}]
    },
    "i18nNames has en_US more than once": {"i18nNames": [*NAMES, NAMES[1]]},
    "relations[1].relationUserId is the user's own ID": {
        "relations": [{"relationUserId": "u-003"}, {"relationUserId": "u-002"}]
    },
}
CONSISTENT = {
    "none": {"organizations": [], "i18nNames": [], "relations": []},
    "no primary domain": {"organizations": [BESIDE]},
    "a primary organization in each domain": {
        "organizations": [DOMAIN | {"orgUnits": [UNIT]}, BESIDE | {"orgUnits": [UNIT]}]
    },
    "languages": {"i18nNames": NAMES},
    "relations": {"relations": [{"relationUserId": "u-003"}] * 2},
}


def names_rule(response):
    return RULE in response.headers.get("X-Fake-Assumed", "").split(", ")


@pytest.mark.parametrize(("message", "change"), CONTRADICTORY.items(), ids=CONTRADICTORY)
def test_contradictions(message, change):
    for alternative, status in (("accepted", 200), ("refused", 400)):
        with calling(make(assume={RULE: alternative})) as me:
            response = me.patch("u-002", **change)
            assert (response.status_code, names_rule(response)) == (status, True)
    assert response.json()["description"] == message


@pytest.mark.parametrize("change", CONSISTENT.values(), ids=CONSISTENT)
def test_what_is_consistent(change):
    with calling(make(assume={RULE: "refused"})) as me:
        response = me.patch("u-002", **change)
        assert (response.status_code, names_rule(response)) == (200, False)


def test_all_are_reported_together():
    with calling(make(assume={RULE: "refused"})) as me:
        relation = {"relations": [{"relationUserId": "u-001"}]}
        response = me.patch(i18nNames=[NAMES[0]] * 3, **relation)
        assert response.json()["description"].count(";") == 1

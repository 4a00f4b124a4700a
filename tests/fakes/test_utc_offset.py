"""The offset of a time is returned as sent, but that of UTC in one form."""

import pytest

from .caller import calling, make, named

RULE = "api.utc-offset"
LETTER, NUMERIC = "2026-06-02T00:00:00Z", "2026-06-02T00:00:00+00:00"
JAPAN = "2026-06-02T09:00:00+09:00"


@pytest.mark.parametrize(("alternative", "expected"), [("letter", LETTER), ("numeric", NUMERIC)])
@pytest.mark.parametrize("sent", [LETTER, NUMERIC, "2026-06-02T00:00:00-00:00"])
def test_utc_has_one_form(alternative, expected, sent):
    with calling(make(assume={RULE: alternative})) as me:
        response = me.patch(activationDate=sent)
        assert (response.json()["activationDate"], RULE in named(response)) == (expected, True)
        assert me.patch().json()["activationDate"] == expected
        response = me.set_status(startTime=sent, endTime="2026-06-03T00:00:00Z")
        assert (response.json()["startTime"], RULE in named(response)) == (expected, True)


@pytest.mark.parametrize("alternative", ["letter", "numeric"])
def test_other_offsets_and_nulls_rest_on_nothing(alternative):
    with calling(make(assume={RULE: alternative})) as me:
        for sent in (JAPAN, None):
            response = me.patch(activationDate=sent)
            assert (response.json()["activationDate"], RULE in named(response)) == (sent, False)
            response = me.set_status(endTime=sent)
            assert (response.json()["endTime"], RULE in named(response)) == (sent, False)

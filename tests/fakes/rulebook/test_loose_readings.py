"""Fields that may be read loosely: each by its own rule, and the others as ever."""

import pytest

from ..caller import calling, make, named

ODD = {"telephone": "03-1234 ext. 7", "cellPhone": "090-1 ext. 7", "timeZone": "Mars/Phobos"}
PREFIX, FORM = {"user.telephone": "prefix"}, {"user.time-zone": "form-only"}


@pytest.mark.parametrize(
    ("assume", "left"),
    [
        ({}, ["telephone", "cellPhone", "timeZone"]),
        (PREFIX, ["timeZone"]),
        (FORM, ["telephone", "cellPhone"]),
        (PREFIX | FORM, []),
    ],
)
def test_each_field_is_read_by_its_own_rule(assume, left):
    with calling(make(assume=assume)) as me:
        answer = me.patch(**ODD)
        assert answer.status_code == (400 if left else 200)
        assert {"user.telephone", "user.time-zone"} <= named(answer)
        told = answer.json()["description"] if left else ""
        assert [name for name in ODD if f"{name} must" in told] == left
        with_another = me.patch(**ODD, locale="fr_FR").json()["description"]
        assert [name for name in ODD if f"{name} must" in with_another] == left
        assert "locale" in with_another


def test_what_is_read_loosely_is_still_held_to_other_rules():
    with calling(make(assume=PREFIX | FORM | {"api.extra-fields": "refused"})) as me:
        answer = me.patch(**ODD, shoeSize=38)
        assert answer.status_code == 400
        assert "shoeSize" in answer.json()["description"]


@pytest.mark.parametrize("text", ["サトウ\u3000ミナ", "ﾐ ﾅ"])
def test_every_problem_of_a_reading_is_told(text):
    with calling(make(assume={"user.katakana": "neither"})) as me:
        told = me.patch(userName={"phoneticFirstName": text}).json()["description"]
    assert "userName.phoneticFirstName must be katakana without spaces" in told
    assert ("full-width katakana" in told) == ("ﾅ" in text)

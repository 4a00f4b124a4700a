"""Deviations are off by default, chosen by name, kept with the state, and reported."""

import json

import pytest

from fakes import FakeService
from fakes.rulebook.deviations import DEVIATIONS
from fakes.rulebook.rules import Rules
from tests.fakes.caller import calling, make

STORED = {"file.stored": "200"}


def test_none_is_chosen_by_default(fake):
    assert fake.facts["deviations"] == {}
    assert fake.rules.deviations.chosen == {}
    assert repr(fake.rules.deviations) == "<Deviations: 0 of 9 chosen>"
    assert "deviat" not in repr(fake.rules)
    assert [each.chosen for each in fake.rules.deviations] == [None] * len(fake.rules.deviations)


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"file.storde": "200"}, "'file.storde' is not a deviation of this fake; did you mean file.stored"),
        ({"file.stored": "201"}, "'201' is not a value of the deviation file.stored; choose from: 200"),
        ({"file.raw": "accepted"}, "'file.raw' is not a deviation"),
    ],
)
def test_unknown_names_and_values_are_refused(fake, chosen, said):
    with pytest.raises(ValueError, match=said):
        make(deviations=chosen)
    with pytest.raises(ValueError, match=said):
        fake.rules.choose({}, deviations=chosen)
    assert fake.rules.deviations.chosen == {}


def test_a_deviation_is_not_an_alternative():
    with pytest.raises(ValueError, match="departs from the service's description") as refused:
        make(assume=STORED)
    assert 'deviations={"file.stored": "200"}' in str(refused.value)


def test_deviations_are_a_mapping():
    with pytest.raises(TypeError, match="deviations must be a mapping"):
        make(deviations=["file.stored"])


def test_they_are_impossible_where_assumptions_are_refused():
    for choose in (
        lambda: make(deviations=STORED, assumptions="refuse"),
        lambda: make(assumptions="refuse").rules.choose({}, deviations=STORED),
        lambda: make(deviations=STORED).rules.choose({}, "refuse"),
    ):
        with pytest.raises(ValueError, match=r"choose one or the other; the deviations are file\.stored=200"):
            choose()
    fake = make(deviations=STORED)
    fake.rules.choose({}, "refuse", deviations={"file.stored": None})
    assert (fake.rules.policy, fake.rules.deviations.chosen) == ("refuse", {})


def test_other_choices_stay():
    rules = Rules({}, "allow", STORED)
    rules.choose({"api.unauthorized": "403"}, deviations={"file.step1-id": "sent"})
    assert rules.deviations.chosen == {"file.stored": "200", "file.step1-id": "sent"}
    rules.choose({})
    assert repr(rules.deviations) == "<Deviations: 2 of 9 chosen: file.stored=200, file.step1-id=sent>"
    assert repr(rules).endswith(", deviating: file.stored=200, file.step1-id=sent>")


def test_a_response_may_have_several():
    with calling(make(deviations={"token.id-token": "always", "token.expires-in": "number"})) as me:
        response = me.exchange()
        assert response.headers["X-Fake-Deviates"] == "token.expires-in=number, token.id-token=always"
        assert me.fake.journal[-1].deviations == ("token.expires-in=number", "token.id-token=always")
        assert [me.fake.rules.deviations[each].used for each in DEVIATIONS if "token" in each] == [0, 0, 1, 1]
        assert "deviates</th>" in me.fake.journal._repr_html_()
        me.patch()
        assert me.fake.journal[-1].deviations == ()
        assert "deviates</th>" not in me.fake.journal.where(operation="users.update")._repr_html_()


@pytest.mark.parametrize("wrong", [{"file.stored": "201"}, {"x": "y"}, STORED])
def test_a_snapshot_with_wrong_ones_is_refused(wrong):
    snapshot = json.loads(json.dumps(make().snapshot()))
    snapshot["rules"]["deviations"] = wrong
    snapshot["rules"]["policy"] = "refuse"
    with pytest.raises(ValueError, match="this snapshot is damaged: rules"):
        make().restore(snapshot)


def test_uses_are_forgotten_with_those_of_rules():
    with calling(make(deviations=STORED)) as me:
        me.upload()
        assert me.fake.rules.deviations["file.stored"].used == 1
        me.fake.reset()
        assert me.fake.rules.deviations["file.stored"].used == 0


def test_lists_show_the_chosen_ones():
    fake = make(deviations=STORED)
    rows = [each for each in fake.records("rules") if each["provenance"] == "deviation"]
    assert [(each["id"], each["chosen"]) for each in rows] == [("file.stored", "200")]
    assert fake.rules._repr_html_().count("<summary>deviations: 1 row</summary>") == 1
    assert "<summary>deviations" not in make().rules._repr_html_()
    assert "Clients that accept only 200" in fake.rules.deviations._repr_html_()
    with pytest.raises(KeyError, match=r"there is no deviation 'file\.raw'"):
        fake.rules.deviations["file.raw"]


def test_the_openapi_document_names_the_chosen_ones():
    assert make(deviations=STORED).openapi()["x-deviations"] == STORED
    assert FakeService.sample().openapi()["x-deviations"] == {}


def test_only_choose_changes_the_policy_and_the_deviations():
    rules = FakeService.sample(deviations=STORED).rules
    with pytest.raises(AttributeError, match="policy"):
        rules.policy = "refuse"
    with pytest.raises(TypeError):
        rules.deviations.chosen["file.step1-id"] = "sent"
    with pytest.raises(AttributeError, match="chosen"):
        rules.deviations.chosen = {}
    assert (rules.policy, rules.deviations.chosen) == ("allow", STORED)


def test_an_assumption_among_the_deviations_is_told_where_it_belongs():
    with pytest.raises(ValueError, match=r"it is an assumption: assume="):
        make(deviations={"token.jwt-bearer": "issued"})

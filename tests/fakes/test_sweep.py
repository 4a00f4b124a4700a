"""A sweep runs a test under each alternative of the assumptions it relies on."""

import pytest

from fakes import AssumptionRefused, sweep
from fakes.engine.alternatives import alternatives, vary
from fakes.rulebook.rule import RULEBOOK

from .caller import calling, make


def not_found(fake):
    with calling(fake) as me:
        assert me.locate("nothing").status_code == 404


def test_only_what_the_test_rests_on_is_varied():
    outcome = sweep(not_found, make=make)
    assert [(o.rule_id, o.alternative) for o in outcome] == [
        ("api.error-body", "oauth2"),
        ("file.not-found", "410"),
    ]
    assert [o.rule_id for o in outcome.broken] == ["file.not-found"]
    assert not outcome


def test_a_sweep_takes_a_test():
    with pytest.raises(TypeError, match="sweep takes a test, a function"):
        sweep(5)


def test_robust_test_holds_everywhere():
    def robust(fake):
        with calling(fake) as me:
            assert me.locate("nothing").is_error

    outcome = sweep(robust, make=make)
    assert outcome
    assert len(outcome) == 2


def test_what_rests_on_nothing_is_not_varied():
    def documented(fake):
        with calling(fake) as me:
            assert me.patch(nickName="Mina").status_code == 200

    assert len(sweep(documented, make=make)) == 0


def test_test_must_pass_as_the_fake_is():
    def wrong(fake):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        sweep(wrong, make=make)


def test_outcomes_show_themselves():
    outcome = sweep(not_found, make=make)
    assert repr(outcome).splitlines()[0] == "<Sweep: 2 alternatives, 1 broke the test>"
    assert "  api.error-body = oauth2: holds" in repr(outcome)
    assert "file.not-found" in outcome._repr_html_()


def test_sweep_under_refused_assumptions_says_so():
    with pytest.raises(AssumptionRefused):
        sweep(not_found, make=lambda **options: make(assumptions="refuse", **options))


ASSUMPTIONS = [rule.id for rule in RULEBOOK.values() if rule.alternatives]
OTHERS = [(rule_id, other) for rule_id in ASSUMPTIONS for other in RULEBOOK[rule_id].alternatives[1:]]


def test_alternatives_are_all_but_the_defaults():
    assert alternatives([make()], *ASSUMPTIONS) == OTHERS


def test_alternatives_are_all_but_what_is_chosen():
    def configured():
        return make(assume={"file.not-found": "410"})

    def gone(fake):
        with calling(fake) as me:
            assert me.locate("nothing").status_code == 410

    outcome = sweep(gone, make=configured)
    assert [(o.rule_id, o.alternative) for o in outcome] == [
        ("api.error-body", "oauth2"),
        ("file.not-found", "404"),
    ]
    assert [o.alternative for o in outcome.broken] == ["404"]


def test_a_fake_that_is_reset_under_an_alternative_keeps_it():
    statuses = []

    def resetting(fake):
        fake.reset()
        with calling(fake) as me:
            statuses.append(me.locate("nothing").status_code)

    sweep(resetting, make=make)
    assert statuses == [404, 404, 410]


def test_alternatives_can_be_chosen_later():
    for rule_id, other in OTHERS:
        later = make()
        vary(later, {rule_id: other})
        made = make(assume={rule_id: other})
        assert later.snapshot() == made.snapshot(), (rule_id, other)
        later.reset()
        assert later.snapshot() == made.snapshot(), (rule_id, other)


@pytest.mark.assumption_sweep
def test_marked_test_runs_under_each_alternative(fake_service):
    """And is robust: an update works whatever is assumed."""
    with calling(fake_service) as me:
        assert me.patch(nickName="Mina").json()["nickName"] == "Mina"


def test_a_fake_tries_copies_of_itself_as_it_is_now_one_at_a_time(fake):
    fake.rules.choose({"file.not-found": "410"})
    before, copies = fake.snapshot(), []

    def gone(copy):
        copies.append(copy)
        with calling(copy) as me:
            assert me.locate("nothing").status_code == 410

    steps, outcomes = fake.sweep_steps(gone), []
    for outcome in steps:
        outcomes.append((outcome.rule_id, outcome.alternative, outcome.broke_with is None))
        assert len(copies) == 1 + len(outcomes)
    assert outcomes == [("api.error-body", "oauth2", True), ("file.not-found", "404", False)]
    assert fake not in copies
    assert len(set(map(id, copies))) == 3
    assert fake.snapshot() == before

"""A sweep runs a test under every alternative of the assumptions it rests on."""

import pytest

from fakes import AssumptionRefused, sweep
from fakes.rules import RULEBOOK
from fakes.sweeping import alternatives

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


def test_alternatives_are_all_but_the_defaults():
    count = sum(len(rule.alternatives) - 1 for rule in RULEBOOK.values() if rule.alternatives)
    assert len(set(alternatives())) == len(alternatives()) == count


@pytest.mark.assumption_sweep
def test_marked_test_runs_under_each_alternative(fake_service):
    """And is robust: an update works whatever is assumed."""
    with calling(fake_service) as me:
        assert me.patch(nickName="Mina").json()["nickName"] == "Mina"

"""Each alternative of an assumption has its outcome, and the response says what it rested on."""

import pytest

from fakes import AssumptionRefused
from fakes.rulebook.rule import RULEBOOK
from fakes.rulebook.rules import Rules

from ..caller import calling, make, read_statuses
from ..scenarios import OUTCOMES, SCENARIOS

ASSUMED = {rule.id: rule for rule in RULEBOOK.values() if rule.provenance == "assumed"}

BESIDE_ANY_EXCHANGE = ("callback.address", "callback.other-content")
"""These decide what `fake.callbacks` accepts, and there is neither an exchange nor a delivery to name them."""

UNMARKED = ("auth.redirect-status", "notification.refused-headers")
"""The defaults of these fit the description, so no response rests on them."""
RESTED_ON = [rule_id for rule_id in ASSUMED if rule_id not in UNMARKED]


def observe(rule_id, fake):
    with calling(fake) as caller:
        return read_statuses(SCENARIOS[rule_id](caller))


def test_the_outcome_of_every_alternative_is_written_down():
    """Each assumption needs a `scenario` in ``tests/fakes/scenarios_*.py``."""
    written = {rule_id: tuple(outcomes) for rule_id, outcomes in OUTCOMES.items()}
    assert written == {rule.id: rule.alternatives for rule in ASSUMED.values()}


@pytest.mark.parametrize(
    ("rule_id", "alternative"), [(rule_id, each) for rule_id, found in OUTCOMES.items() for each in found]
)
def test_an_alternative_has_its_outcome(rule_id, alternative):
    assert observe(rule_id, make(assume={rule_id: alternative})) == OUTCOMES[rule_id][alternative]


def test_default_is_the_first_alternative():
    rules = make().rules
    assert {rule.id: rules[rule.id].chosen for rule in ASSUMED.values()} == {
        rule.id: rule.alternatives[0] for rule in ASSUMED.values()
    }


@pytest.mark.parametrize("rule_id", RESTED_ON)
def test_response_names_the_assumption_it_rested_on(fake, rule_id):
    told = []
    with calling(fake) as caller:
        caller.http.event_hooks["response"] = [
            lambda answer: told.append(answer.headers.get("X-Fake-Assumed"))
        ]
        SCENARIOS[rule_id](caller)
    assert fake.rules[rule_id].used > 0
    assert told == [", ".join(entry.assumed) or None for entry in fake.journal]
    named = {rule for entry in fake.journal for rule in entry.assumed}
    named |= {rule for delivery in fake.callbacks.deliveries for rule in delivery.assumed}
    assert rule_id in named or rule_id in BESIDE_ANY_EXCHANGE


@pytest.mark.parametrize("rule_id", RESTED_ON)
def test_refusing_assumptions_refuses_this_one(rule_id, monkeypatch):
    """Others that the scenario needs on its way are allowed."""
    apply = Rules.apply

    def refuse_this_one(rules, rule):
        rules.choose({}, "refuse" if rule.id == rule_id else "allow")
        return apply(rules, rule)

    monkeypatch.setattr(Rules, "apply", refuse_this_one)
    with pytest.raises(AssumptionRefused, match=f"the assumption {rule_id} "):
        observe(rule_id, make(assumptions="refuse"))

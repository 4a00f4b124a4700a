"""Each assumption has a scenario, and the response says what it rested on."""

from functools import cache

import pytest

from fakes import AssumptionRefused
from fakes.rulebook.rule import RULEBOOK
from fakes.rulebook.rules import Rules

from ..caller import calling, make
from ..scenarios import SCENARIOS

ASSUMED = {rule.id: rule for rule in RULEBOOK.values() if rule.provenance == "assumed"}

BESIDE_ANY_EXCHANGE = ("callback.address", "callback.other-content")
"""These decide what `fake.callbacks` accepts, and there is neither an exchange nor a delivery to name them."""

UNMARKED = ("auth.redirect-status", "notification.refused-headers")
"""The defaults of these fit the description, so no response rests on them."""
RESTED_ON = [rule_id for rule_id in ASSUMED if rule_id not in UNMARKED]


def observed(rule_id, fake):
    with calling(fake) as caller:
        return SCENARIOS[rule_id](caller)


@cache
def usually(rule_id):
    """What is observed under the first alternative; the same again and again, as a test below shows."""
    return observed(rule_id, make())


def test_every_assumption_has_a_scenario_and_every_scenario_an_assumption():
    assert ASSUMED.keys() - SCENARIOS.keys() == set(), "each needs a @scenario in tests/fakes/scenarios_*.py"
    assert SCENARIOS.keys() - ASSUMED.keys() == set(), "no assumption has these names"


def test_assumptions_have_distinct_alternatives():
    alternatives = {rule.id: rule.alternatives for rule in ASSUMED.values()}
    assert {
        rule_id: them for rule_id, them in alternatives.items() if not len(set(them)) == len(them) > 1
    } == {}


@pytest.mark.parametrize("rule_id", ASSUMED)
def test_default_is_the_first_alternative(rule_id):
    default = ASSUMED[rule_id].alternatives[0]
    assert make().rules[rule_id].chosen == default
    usual = usually(rule_id)
    assert observed(rule_id, make(assume={rule_id: default})) == observed(rule_id, make()) == usual


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
    choice = Rules.choice

    def choose(rules, rule):
        rules.choose({}, "refuse" if rule.id == rule_id else "allow")
        return choice(rules, rule)

    monkeypatch.setattr(Rules, "choice", choose)
    with pytest.raises(AssumptionRefused, match=f"the assumption {rule_id} "):
        observed(rule_id, make(assumptions="refuse"))

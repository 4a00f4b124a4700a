"""What the scenario of an assumption shows under each of its alternatives."""

import pytest

from fakes.rulebook.rule import RULEBOOK

from ..caller import calling, make
from ..outcomes import DECIDED
from ..outcomes_left_open import LEFT_OPEN
from ..scenarios import SCENARIOS

OUTCOMES = DECIDED | LEFT_OPEN
"""By rule and alternative."""


def test_the_outcome_of_every_alternative_is_written_down():
    written = {rule_id: tuple(outcomes) for rule_id, outcomes in OUTCOMES.items()}
    assert written == {rule.id: rule.alternatives for rule in RULEBOOK.values() if rule.alternatives}


@pytest.mark.parametrize(
    ("rule_id", "alternative"), [(rule_id, each) for rule_id, found in OUTCOMES.items() for each in found]
)
def test_an_alternative_has_its_outcome(rule_id, alternative):
    with calling(make(assume={rule_id: alternative})) as me:
        assert SCENARIOS[rule_id](me) == OUTCOMES[rule_id][alternative]

"""What the scenario of an assumption shows under each of its alternatives."""

import pytest

from fakes.rulebook.rule import RULEBOOK

from ..caller import calling, make
from ..scenarios import OUTCOMES, SCENARIOS


def test_the_outcome_of_every_alternative_is_written_down():
    written = {rule_id: tuple(outcomes) for rule_id, outcomes in OUTCOMES.items()}
    assert written == {rule.id: rule.alternatives for rule in RULEBOOK.values() if rule.alternatives}


def test_each_alternative_shows():
    for rule_id, outcomes in OUTCOMES.items():
        usual, *others = outcomes.values()
        assert all(other != usual for other in others), rule_id


@pytest.mark.parametrize(
    ("rule_id", "alternative"), [(rule_id, each) for rule_id, found in OUTCOMES.items() for each in found]
)
def test_an_alternative_has_its_outcome(rule_id, alternative):
    with calling(make(assume={rule_id: alternative})) as me:
        assert SCENARIOS[rule_id](me) == OUTCOMES[rule_id][alternative]

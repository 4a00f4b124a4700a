"""Each edge has the outcome that its table says, and names the assumption where an alternative would change that."""

import pytest

from fakes.rulebook.rule import RULEBOOK

from .. import edges_calls, edges_directory, edges_signing_in, edges_transfers  # noqa: F401 - they enter theirs
from ..caller import calling, make, named
from ..edges import EDGES

ROWS = [
    pytest.param(rule_id, *row, id=f"{rule_id}, {name.replace('_', ' ')}")
    for rule_id, rows in EDGES.items()
    for name, row in rows.items()
]


@pytest.mark.parametrize(("rule_id", "call", "outcomes"), ROWS)
def test_an_edge_has_its_outcome_under_each_alternative(rule_id, call, outcomes):
    alternatives = RULEBOOK[rule_id].alternatives
    decides = isinstance(outcomes, tuple)
    for alternative, outcome in zip(
        alternatives, outcomes if decides else [outcomes] * len(alternatives), strict=True
    ):
        with calling(make(assume={rule_id: alternative})) as me:
            response = call(me)
        status, words = split(outcome)
        assert (response.status_code, rule_id in named(response)) == (status, decides), alternative
        assert words in response.headers.get("X-Fake-Reason", "")


def split(outcome):
    """The status of an outcome, and the words of its refusal."""
    if isinstance(outcome, tuple):
        return outcome
    return (400, outcome) if isinstance(outcome, str) else (outcome, "")

"""Under every alternative, each answer has a status that the document lists, and rests on rules listed for it."""

from contextlib import suppress

import pytest

from fakes.rules import RULEBOOK

from ..fakes import scenarios_files, scenarios_people  # noqa: F401 - they enter their scenarios in the table
from ..fakes.caller import calling, make
from ..fakes.documented import DOCUMENTED
from ..fakes.scenarios import SCENARIOS
from .fuzzing import listed

RUNS = [
    (rule_id, alternative)
    for rule_id in (*SCENARIOS, *DOCUMENTED)
    for alternative in (RULEBOOK[rule_id].alternatives or (None,))
]


@pytest.mark.parametrize(("rule_id", "alternative"), RUNS)
def test_the_document_lists_what_an_answer_rests_on(rule_id, alternative):
    fake = make(assume={rule_id: alternative} if alternative else None)
    with (
        calling(fake) as caller,
        suppress(AssertionError),
    ):  # as far as the alternative lets the scenario come
        (SCENARIOS.get(rule_id) or DOCUMENTED[rule_id])(caller)
    document = listed(fake.openapi())
    for entry in fake.journal:
        if entry.operation != "unmatched" and not entry.injected:
            assert set(entry.rules) <= document[entry.operation, entry.status], entry

"""The lessons notice when the product breaks a rule: a sample here, all with ``--all``."""

import pytest

from .mutants import MOST_SURVIVORS, MUTANTS, ROOT, copied, find_reason

SAMPLE = "the reset is a minute away"


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_changes_one_place(mutant) -> None:
    source = (ROOT / mutant.path).read_text("utf-8")
    assert mutant.before != mutant.after
    assert source.count(mutant.before) == 1


def test_there_are_forty_with_names_of_their_own() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 40


def test_a_sample_is_noticed() -> None:
    (mutant,) = (each for each in MUTANTS if each.name == SAMPLE)
    with copied() as tree:
        assert find_reason(mutant, tree)


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_nine_of_ten_are_noticed() -> None:
    with copied() as tree:
        survivors = [mutant.name for mutant in MUTANTS if not find_reason(mutant, tree)]
    assert len(survivors) <= MOST_SURVIVORS * len(MUTANTS), survivors

"""Random operations through random doors, with a fake in each of its homes beside an independent model of the service.

``SVCKIT_MODEL_SEED`` draws other operations: a number that is added to the seeds. A failure writes the operations to a
file, the shortest list that still fails to another, and says how to run them again.
"""

import ast
import os
import sys
from pathlib import Path

import pytest

from .homes import HOMES
from .reporting import describe_slow, report
from .running import run

FIRST_SEED = int(os.environ.get("SVCKIT_MODEL_SEED", "0"))
USUAL = {"memory": 2200, "world": 250, "world in a folder": 200, "state file": 250, "process": 100}
"""Operations in the default run, 3,000 in all."""
LENGTH = 5000
"""Operations of a run in the long lane; after that, another fake starts at the beginning."""
MANY = {"memory": 174, "world": 10, "world in a folder": 6, "state file": 8, "process": 2}
"""Runs in the long lane, a million operations in all."""
PART = 4
"""Tests of each home in the long lane, so that none takes long."""


def play(home: str, seed: int, number: int) -> None:
    """Run operations; a difference fails, slow responses are only told."""
    outcome = run(home, seed, number)
    print(*describe_slow(outcome), sep="\n")
    if outcome.difference is not None:
        pytest.fail(report(outcome), pytrace=False)


@pytest.mark.parametrize("home", HOMES)
def test_a_fake_does_what_the_model_says(home):
    play(home, FIRST_SEED, USUAL[home])


@pytest.mark.long
@pytest.mark.parametrize("first", range(1, PART + 1))
@pytest.mark.parametrize("home", HOMES)
def test_a_million_operations(home, first):
    assert sum(MANY.values()) * LENGTH == 1_000_000
    for seed in range(first, MANY[home] + 1, PART):
        play(home, FIRST_SEED + seed, LENGTH)


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parent / "service").glob("*.py")), ids=lambda path: path.stem
)
def test_model_shares_no_code(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 1 or (
                not node.level and node.module.partition(".")[0] in sys.stdlib_module_names
            )
        if isinstance(node, ast.Import):
            assert {alias.name.partition(".")[0] for alias in node.names} <= sys.stdlib_module_names

"""Draw mutants of both packages, and see which the tests catch.

    python3 binder/run.py python -m tests.mutation --seed 1 --number 100

A hundred take about an hour. The tests most likely to catch one run first, then others that run its module. mutmut and
cosmic-ray do not fit: the one changes only what is inside functions, behind wrappers that show in the frames and
signatures that tests look at, and the other runs one command, here the whole suite, for every mutant.
"""

import argparse
import sys

from .mutants import PACKAGES, drawn
from .running import Tree
from .survivors import EXPLAINED

LEAST = 95  # % of mutants


def main(*arguments: str) -> int:
    """Print a line for each mutant, and how many were caught; the exit code is 1 for too few."""
    parser = argparse.ArgumentParser(prog="tests.mutation", description="See which mutants the tests catch.")
    parser.add_argument("--seed", type=int, default=1, help="draws the same mutants again (%(default)s)")
    parser.add_argument("--number", type=int, default=100, help="how many to draw (%(default)s)")
    parser.add_argument(
        "--under", nargs="+", default=PACKAGES, metavar="PATH", help="folders and modules (both packages)"
    )
    given = parser.parse_args(arguments)
    survivors = []
    with Tree.copied() as tree:
        for mutant in drawn(given.seed, given.number, under=given.under):
            caught = tree.caught_by(mutant)
            survivors += [] if caught else [mutant]
            print(
                f"{'caught  ' if caught else 'survived'} {mutant}{f'  [{caught}]' * bool(caught)}", flush=True
            )
    caught_ones = given.number - len(survivors)
    print(f"{caught_ones} of {given.number} caught, {100 * caught_ones / given.number:.0f} %")
    unexplained = [mutant for mutant in survivors if mutant.key not in EXPLAINED]
    for mutant in survivors:
        print(f"survived: {mutant}\n  {EXPLAINED.get(mutant.key, 'no reason is known')}")
    return int(bool(unexplained) or 100 * caught_ones < LEAST * given.number)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))

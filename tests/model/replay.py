"""Runs a list of operations again: ``python -m tests.model.replay FILE``.

A failing test writes such a file and names it. With ``--draw HOME SEED NUMBER`` the operations are drawn again.
"""

import json
import sys
from pathlib import Path

from .running import Run, run, run_again


def write(outcome: Run, path: Path) -> None:
    """Write the operations of a run, one a line."""
    head = {"home": outcome.home, "seed": outcome.seed, "difference": outcome.difference}
    lines = (json.dumps(each, ensure_ascii=False) for each in (head, *outcome.ops))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def read(path: Path) -> Run:
    """Return the run that a file has."""
    head, *ops = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return Run(head["home"], head["seed"], ops, head["difference"])


def main(arguments: list[str]) -> int:
    """Carry the operations out; 1 if they end in a difference."""
    if arguments[:1] == ["--draw"]:
        outcome = run(arguments[1], int(arguments[2]), int(arguments[3]))
    else:
        saved = read(Path(arguments[0]))
        outcome = run_again(saved.home, saved.ops)
    print(outcome.difference or f"{len(outcome.ops)} operations, no difference")
    return 0 if outcome.difference is None else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What a failing run says: the difference, the shortest way there, how to run it again, and who was slow."""

import json
import tempfile
from pathlib import Path

from .drawing import Op
from .replay import write
from .running import Run, run_again


def report(failed: Run) -> str:
    """Describe a run that ended in a difference, after shortening it."""
    shortest = minimise(failed)
    folder = Path(tempfile.mkdtemp(prefix="model-"))
    write(failed, folder / "all.jsonl")
    write(shortest, folder / "short.jsonl")
    shown = [json.dumps(each, ensure_ascii=False)[:500] for each in shortest.ops[-20:]]
    return "\n".join(
        [
            f"the fake ({failed.home}) and the model differ after {len(failed.ops)} operations of seed {failed.seed}:",
            failed.difference or "",
            f"{len(shortest.ops)} operations ({shortest.home}) lead to: {shortest.difference}",
            *shown,
            "run it again with: python3 binder/run.py python -m tests.model.replay "
            + str(folder / "short.jsonl"),
            f"all operations are in {folder / 'all.jsonl'}; --draw {failed.home!r} {failed.seed} {len(failed.ops)}",
            *describe_slow(failed),
        ]
    )


def minimise(failed: Run, tries: int = 150) -> Run:
    """Leave out operations as long as the rest still ends in a difference, in as many tries.

    It is tried in memory first, where a try costs least; a difference that only another home shows is sought there.

    Args:
        failed: a run that ended in a difference.
        tries: the number of runs.
    """
    ends = "memory" if run_again("memory", failed.ops).difference else failed.home
    tries = tries if ends == "memory" else tries // 3
    best = run_again(ends, failed.ops)
    if best.difference is None:  # it depends on what no operation says
        return failed

    def fails(ops: list[Op]) -> bool:
        nonlocal best, tries
        tries -= 1
        outcome = run_again(ends, ops)
        if outcome.difference is None:
            return False
        best = outcome
        return True

    size = len(best.ops) // 2
    while size and tries > 0:
        start, before = 0, len(best.ops)
        while start < len(best.ops) and tries > 0:
            if not fails(best.ops[:start] + best.ops[start + size :]):
                start += size
        size = size // 2 if size > 1 else int(len(best.ops) < before)
    return best


def describe_slow(outcome: Run) -> list[str]:
    """Name the fake, the door and the operation of each response that took long, a line each."""
    return [
        f"slow: {outcome.home}, seed {outcome.seed}, operation {number} through {door}: {what}"
        for number, door, what in outcome.slow
    ]

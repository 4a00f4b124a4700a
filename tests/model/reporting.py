"""What a failing run says: the difference, the shortest way there, how to run it again, and who was slow."""

import json
import tempfile
from pathlib import Path

from .minimising import minimise
from .replay import write
from .running import Run


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


def describe_slow(outcome: Run) -> list[str]:
    """Name the fake, the door and the operation of each response that took long, a line each."""
    return [
        f"slow: {outcome.home}, seed {outcome.seed}, operation {number} through {door}: {what}"
        for number, door, what in outcome.slow
    ]

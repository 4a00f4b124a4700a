"""Shorter lists of operations that still end in a difference: without halves, quarters, down to single ones."""

from .drawing import Op
from .running import Run, run_again


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

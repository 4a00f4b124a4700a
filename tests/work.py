"""How much work something takes, as a ratio to something else: what a test can say on any machine, however busy."""

import gc
from collections.abc import Callable
from time import process_time
from typing import Any


def ratio(work: Callable[[], Any], to: Callable[[], Any], *, at_most: float, attempts: int = 12) -> float:
    """The processor time of one piece of work in terms of another's, each the least of some attempts.

    The two take turns, and there are no more attempts once the ratio is small enough: whatever else the machine does
    makes work look longer, never shorter. The garbage collector rests, as in `timeit`: late in a test run, a full
    collection takes far longer than the work, and as the two take turns, it can hit the same one every time.
    """
    least = [float("inf"), float("inf")]
    gc.disable()
    try:
        for _ in range(attempts):
            for number, one in enumerate((work, to)):
                begun = process_time()
                one()
                least[number] = min(least[number], process_time() - begun)
            if least[0] <= at_most * least[1]:
                break
    finally:
        gc.enable()
    return least[0] / least[1]

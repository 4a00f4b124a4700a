"""How much work something takes, as a test can say it on any machine, however busy."""

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time
from types import FrameType
from typing import Any


def count_steps(work: Callable[[], Any]) -> int:
    """Count the lines of Python that some work executes and the functions that it calls, those of C included.

    The count is the same in every run. What a function of C does inside, such as to search a text, is not seen: that
    takes `ratio`, in a long test.
    """
    steps = 0

    def see_line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal steps
        steps += 1
        return see_line

    def see_call(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal steps
        steps += event in {"call", "c_call"}

    tracing, profiling = sys.gettrace(), sys.getprofile()  # coverage's, where that is measured
    with resting_collector():
        sys.setprofile(see_call)
        sys.settrace(see_line)
        try:
            work()
        finally:
            sys.settrace(tracing)
            sys.setprofile(profiling)
    return steps


def ratio(work: Callable[[], Any], to: Callable[[], Any], *, at_most: float, attempts: int = 12) -> float:
    """The processor time of one piece of work in terms of another's, each the least of some attempts; for long tests.

    The two take turns, and there are no more attempts once the ratio is small enough: whatever else the machine does
    makes work look longer, never shorter.
    """
    least = [float("inf"), float("inf")]
    with resting_collector():
        for _ in range(attempts):
            for number, one in enumerate((work, to)):
                begun = process_time()
                one()
                least[number] = min(least[number], process_time() - begun)
            if least[0] <= at_most * least[1]:
                break
    return least[0] / least[1]


@contextmanager
def resting_collector() -> Iterator[None]:
    """Measure without the garbage collector, as `timeit` does.

    Late in a test run, a full collection takes far longer than the work, and can come upon the same work every time.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()

"""What an action costs, counted: the bytecode instructions that it runs, and the bytes that it has allocated at once.

Instructions are the same in every run, and see each step of Python code. What runs in C, such as ``list(a_dict)``,
is one instruction, but it allocates: a copy of 10,000 entries is 80 KB.
"""

import gc
import sys
import tracemalloc
from collections import deque
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary, WeakSet, WeakValueDictionary

__all__ = ["Cost", "find_containers", "measure"]

ROUNDS = 2
CONTAINERS = dict, list, set, deque, WeakKeyDictionary, WeakSet, WeakValueDictionary


class Cost(NamedTuple):
    """What an action costs."""

    instructions: int
    allocated: int


def measure(action: Callable[[], object]) -> Cost:
    """Return the lowest cost of some runs: in a few of them a dict grows, or something is read for the first time."""
    count_instructions(action)  # from Python 3.12 on, too few: new code is counted from its second run on
    return Cost(
        min(count_instructions(action) for _ in range(ROUNDS)),
        min(count_bytes(action) for _ in range(ROUNDS)),
    )


def count_instructions(action: Callable[[], object]) -> int:
    """Return how many bytecode instructions this thread runs."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Callable[..., Any]:
        nonlocal count
        if event == "opcode":
            count += 1
        else:
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return trace

    before = sys.gettrace()
    sys._getframe().f_trace_opcodes = True  # from Python 3.12 on, it has to be set before tracing starts
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)
    return count


def count_bytes(action: Callable[[], object]) -> int:
    """Return the most bytes that were allocated at once, beyond those at the beginning."""
    gc.disable()
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.enable()


def find_containers(*roots: object) -> dict[str, object]:
    """Return the containers in the attributes of our own objects, and of those that they hold, by class and name."""
    found: dict[str, object] = {}
    seen: set[int] = set()
    waiting = [*roots]
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        for name, value in list_attributes(each):
            if isinstance(value, CONTAINERS):
                found.setdefault(f"{type(each).__name__}.{name}", value)
            held = value if isinstance(value, tuple) else (value,)
            waiting += (
                inner for inner in held if type(inner).__module__.partition(".")[0] in ("fakes", "svckit")
            )
    return found


def list_attributes(owner: object) -> Iterator[tuple[str, object]]:
    """Yield the attributes that are kept in an object itself."""
    yield from getattr(owner, "__dict__", {}).items()
    for cls in type(owner).__mro__:
        for name in cls.__dict__.get("__slots__", ()):
            if name[:2] != "__" and hasattr(owner, name):
                yield name, getattr(owner, name)

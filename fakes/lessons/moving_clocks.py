"""Python's clocks, as a learner's code sees them: they move with the clock of a fake."""

import datetime
import sys
import threading
import time
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any, Protocol, Self

__all__ = ["MovableClock", "moving_clocks"]

LOOKS = 100
"""The number of looks at a clock, without a request or a sleep, after which it moves by itself."""
STEP = 0.05
"""The seconds by which it then moves with each look, so that loops end which wait for a time."""
TURN = 0.005
"""The real seconds in which other threads may begin to sleep, too."""


class MovableClock(Protocol):
    """The part of a fake's clock that a learner's code uses."""

    def now(self) -> datetime.datetime:
        """Return the current instant."""

    def advance(self, *, seconds: float) -> datetime.datetime:
        """Move forward."""


class LearnerClocks:
    """The clocks of Python for a learner's code, and the sleeps of its threads."""

    def __init__(self, clock: MovableClock, count: Callable[[], int]) -> None:
        self._clock = clock
        self._count = count
        self._began, self._counter = clock.now(), time.perf_counter()
        self._looks, self._counted = 0, 0
        self._threads = threading.active_count()
        self._due: list[datetime.datetime] = []

    def now(self) -> datetime.datetime:
        """Return the instant, after a step if the code has looked at it again and again."""
        if self._count() != self._counted:
            self._looks, self._counted = 0, self._count()
        self._looks += 1
        return self._clock.advance(seconds=STEP) if self._looks > LOOKS else self._clock.now()

    def passed(self) -> float:
        """Return the seconds since an instant in the past."""
        return self._counter + (self.now() - self._began).total_seconds()

    def sleep(self, seconds: float, /) -> None:
        """Move the clock instead of waiting; of several threads, the one that is due first moves it."""
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        self._looks = 0
        due = self._clock.now() + datetime.timedelta(seconds=seconds)
        self._due.append(due)
        try:
            if threading.active_count() > self._threads:
                _sleep(TURN)
            while (left := (due - self._clock.now()).total_seconds()) > 0:
                if due == min(self._due):
                    self._clock.advance(seconds=left)
                else:
                    _sleep(TURN)
        finally:
            self._due.remove(due)

    def wait(self, event: threading.Event, timeout: float | None = None) -> bool:
        """Wait for an event: as long as it takes, or, if that is limited, by the clock."""
        if timeout is None or timeout <= 0 or _wait(event, TURN):
            return _wait(event, timeout)
        self.sleep(timeout)
        return event.is_set()


_sleep, _wait = time.sleep, threading.Event.wait


@contextmanager
def moving_clocks(
    clock: MovableClock, functions: Sequence[FunctionType], count: Callable[[], int]
) -> Iterator[None]:
    """Let Python's clocks move with a fake's in the block, for a learner's functions.

    These are the functions of `time`, ``threading.Event.wait``, ``datetime.now`` and ``date.today``, also under names
    that they were bound to before. All other code has the system's.

    Args:
        clock: the fake's clock.
        functions: the functions.
        count: returns how many requests were sent.
    """
    clocks = LearnerClocks(clock, count)
    namespaces = {id(each.__globals__): each.__globals__ for each in functions}
    seconds = {
        "time": lambda: clocks.now().timestamp(),
        "monotonic": clocks.passed,
        "perf_counter": clocks.passed,
    }
    functions_of_time = seconds | {f"{name}_ns": nanoseconds(read) for name, read in seconds.items()}
    moved: list[tuple[Any, str, Callable[..., Any]]] = [
        (time, "sleep", clocks.sleep),
        (threading.Event, "wait", clocks.wait),
        *((time, name, read) for name, read in functions_of_time.items()),
    ]
    attributes = [(owner, name, getattr(owner, name)) for owner, name, _ in moved]
    new = make_dates(clocks)
    for owner, name, each in moved:
        new[id(getattr(owner, name))] = distinguish(getattr(owner, name), each, namespaces)
    new[id(_sleep)] = new[id(time.sleep)]  # which `Clock.sleeping` may have replaced already
    names = [(namespace, *item) for namespace in namespaces.values() for item in tuple(namespace.items())]
    names = [each for each in names if id(each[2]) in new]
    cells = [
        (cell, cell.cell_contents) for each in functions for cell in each.__closure__ or () if is_set(cell)
    ]
    try:
        for owner, name, old in attributes:
            setattr(owner, name, new[id(old)])
        for namespace, name, old in names:
            namespace[name] = new[id(old)]
        for cell, old in cells:
            if isinstance(old, MethodType) and id(old.__func__) in new:
                cell.cell_contents = MethodType(new[id(old.__func__)], old.__self__)
            elif id(old) in new:
                cell.cell_contents = new[id(old)]
        yield
    finally:
        for owner, name, old in attributes:
            setattr(owner, name, old)
        for namespace, name, old in names:
            namespace[name] = old
        for cell, old in cells:
            cell.cell_contents = old


def is_set(cell: CellType) -> bool:
    """Return whether a cell has a value."""
    return bool(cell != CellType())


def nanoseconds(read: Callable[[], float]) -> Callable[[], int]:
    """Return a function that reads a clock in nanoseconds."""
    return lambda: int(read() * 1e9)


def distinguish(
    real: Callable[..., Any], moved: Callable[..., Any], known: Container[int]
) -> Callable[..., Any]:
    """Return a function that is another one for code whose global names are known."""

    def call(*arguments: Any, **options: Any) -> Any:
        return (moved if id(sys._getframe(1).f_globals) in known else real)(*arguments, **options)

    return call


def make_dates(clocks: LearnerClocks) -> dict[int, Any]:
    """Return what takes the place of the classes `datetime` and `date` and of their module, by its identity."""

    class Kind(type):
        """The type of the new classes: instances of the original ones count as theirs."""

        def __instancecheck__(cls, given: object) -> bool:
            return isinstance(given, cls.__mro__[1])

    class Moment(datetime.datetime, metaclass=Kind):
        """A `datetime` that reads the clock of a fake."""

        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Self:
            now = clocks.now().astimezone(tz)
            return cls.combine(now.date(), now.timetz() if tz else now.time())

        @classmethod
        def today(cls) -> Self:
            return cls.now()

        @classmethod
        def utcnow(cls) -> Self:
            return cls.now(datetime.UTC).replace(tzinfo=None)

    class Day(datetime.date, metaclass=Kind):
        """A `date` that reads the clock of a fake."""

        @classmethod
        def today(cls) -> Self:
            return cls.fromordinal(clocks.now().astimezone().toordinal())

    module = ModuleType(datetime.__name__)
    vars(module).update(vars(datetime), datetime=Moment, date=Day)
    Moment.__name__ = Moment.__qualname__ = "datetime"
    Day.__name__ = Day.__qualname__ = "date"
    return {id(datetime.datetime): Moment, id(datetime.date): Day, id(datetime): module}

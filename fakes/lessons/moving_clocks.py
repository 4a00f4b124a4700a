"""Python's clocks, as a learner's code sees them: they move with the clock of a fake."""

import builtins
import datetime
import sys
import threading
import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any, Self

from fakes.clock import Clock
from fakes.lessons.functions import find_code

__all__ = ["moving_clocks"]

LOOKS = 100
"""The number of looks at a clock, without a request or a sleep, after which it moves by itself."""
STEP = 0.05
"""The seconds by which it then moves with each look, so that loops end which wait for a time."""
TURN = 0.005
"""The real seconds in which other threads may begin to sleep, too."""


class LearnerClocks:
    """The clocks of Python for a learner's code, and the sleeps of its threads."""

    def __init__(self, clock: Clock, count: Callable[[], int]) -> None:
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
        try:
            if seconds < 0:
                raise ValueError("sleep length must be non-negative")
        except TypeError:
            _sleep(seconds)  # raises, and says what it wants
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


Change = tuple[Callable[[Any], object], Any, Any]
"""What sets something, its old value and its new one."""

_sleep, _wait, _import = time.sleep, threading.Event.wait, builtins.__import__


@contextmanager
def moving_clocks(clock: Clock, function: object, count: Callable[[], int], thread: int) -> Iterator[None]:
    """Let Python's clocks move with a fake's in the block, for a learner's function and those beside it.

    These are the functions of `time`, ``threading.Event.wait``, ``datetime.now`` and ``date.today``, also if they were
    bound before: to names, defaults, and arguments of a `partial`. All other code has the system's, and so has an
    attribute of an object, such as ``self.sleep = time.sleep``; but wherever the thread sleeps, the fake's clock moves.

    Args:
        clock: the fake's clock.
        function: the function.
        count: returns how many requests were sent.
        thread: the identifier of the thread that runs it.
    """
    code = find_code(function)
    clocks = LearnerClocks(clock, count)
    namespaces = {id(part.__globals__) for part in code if isinstance(part, FunctionType)}
    seconds = {
        "time": lambda: clocks.now().timestamp(),
        "monotonic": clocks.passed,
        "perf_counter": clocks.passed,
    }
    functions_of_time = seconds | {f"{name}_ns": nanoseconds(read) for name, read in seconds.items()}
    new = make_dates(clocks)
    dates = new[id(datetime)]
    attributes: list[tuple[Any, str, Callable[..., Any]]] = [
        (time, "sleep", clocks.sleep),
        (threading.Event, "wait", clocks.wait),
        (builtins, "__import__", lambda name, *rest: dates if name == "datetime" else _import(name, *rest)),
        *((time, name, read) for name, read in functions_of_time.items()),
    ]
    with clock.sleeping(thread=thread):
        for owner, name, replacement in attributes:
            new[id(getattr(owner, name))] = distinguish(getattr(owner, name), replacement, namespaces)
        new[id(_sleep)] = new[id(time.sleep)]  # which `Clock.sleeping` may have replaced

        changes: list[Change] = [
            (partial(setattr, owner, name), old, new[id(old)])
            for owner, name, old in ((owner, name, getattr(owner, name)) for owner, name, _ in attributes)
        ]
        changes += list_changes(code, new)
        try:
            for change, _, moved_to in changes:
                change(moved_to)
            yield
        finally:
            for change, old, _ in changes:
                change(old)


def list_changes(code: Sequence[FunctionType | partial[Any]], new: Mapping[int, Any]) -> Iterator[Change]:
    """Yield the changes of a learner's code after which it has other clocks, given by the identity of Python's."""

    def replace(value: Any) -> Any:
        if isinstance(value, MethodType) and id(value.__func__) in new:
            return MethodType(new[id(value.__func__)], value.__self__)
        return new.get(id(value), value)

    def replace_all(values: Any) -> Any:
        if isinstance(values, dict):
            return {name: replace(value) for name, value in values.items()}
        return values and tuple(map(replace, values))

    functions = [part for part in code if isinstance(part, FunctionType)]
    for names in {id(function.__globals__): function.__globals__ for function in functions}.values():
        known = [(name, value) for name, value in names.items() if id(value) in new]
        yield from ((partial(names.__setitem__, name), value, replace(value)) for name, value in known)
    for function in functions:
        for name in ("__defaults__", "__kwdefaults__"):
            values = getattr(function, name)
            yield partial(setattr, function, name), values, replace_all(values)
        for cell in filter(is_set, function.__closure__ or ()):
            yield partial(setattr, cell, "cell_contents"), cell.cell_contents, replace(cell.cell_contents)
    partials: list[Any] = [part for part in code if isinstance(part, partial)]
    for part in partials:
        func, given, named, rest = part.func, part.args, part.keywords, vars(part) or None
        moved = replace(func), replace_all(given), replace_all(named), rest
        yield part.__setstate__, (func, given, named, rest), moved


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
        if id(sys._getframe(1).f_globals) in known:
            return moved(*arguments, **options)
        return real(*arguments, **options)

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

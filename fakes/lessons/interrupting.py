"""Abandoning a function that does not return."""

import ctypes
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import copy_context
from time import monotonic, sleep
from typing import Any, TypeVar

__all__ = ["TookTooLong", "call_within", "hide_interruptions"]

POLL = 0.05
GRACE = 1.0
"""The seconds in which a function ends whose budget is spent, unless it catches everything."""
LOOKS = 10
"""The number of looks at a thread that see whether it waits."""
BURST = 100
T = TypeVar("T")


class TookTooLong(BaseException):
    """The function did not return in time.

    Attributes:
        stack: where it was then.
        waits: whether it was waiting, rather than working.
    """

    def __init__(self, stack: traceback.StackSummary | None = None, *, waits: bool = False) -> None:
        super().__init__()
        self.stack = stack
        self.waits = waits


def call_within(
    seconds: float,
    call: Callable[[], T],
    around: Callable[[int], AbstractContextManager[object]],
    is_over: Callable[[], bool] = lambda: False,
    ended: Callable[[], object] = lambda: None,
) -> T | None:
    """Call a function in a thread of its own, and abandon it if it takes longer, also if it catches everything.

    An abandoned thread is interrupted until it ends, which it does not while it waits. In a browser, which has no
    threads, the function is called in this one, and nothing ends it.

    Args:
        seconds: the limit, by the system's clock.
        call: the function.
        around: returns a context for the call, given the identifier of the thread.
        is_over: returns whether the function should have ended already; then it gets a moment more.
        ended: is called when the thread has ended, perhaps long after it was abandoned.

    Returns:
        What the function returns; None if it was abandoned because it should have ended.

    Raises:
        TookTooLong: the function took longer.
        BaseException: what it raised.
    """
    results: list[T] = []
    errors: list[BaseException] = []
    begin = threading.Event()

    def work() -> None:
        begin.wait()
        try:
            results.append(call())
        except BaseException as error:  # noqa: BLE001 - raised again in the other thread
            errors.append(error)

    thread = threading.Thread(target=copy_context().run, args=(work,), name="exercise", daemon=True)
    try:
        thread.start()
    except RuntimeError:  # browsers have no threads
        with around(threading.get_ident()):
            try:
                return call()
            finally:
                ended()
    limit = monotonic() + seconds
    try:
        with around(thread.ident or 0):
            begin.set()
            while thread.is_alive() and monotonic() < limit and not is_over():
                thread.join(POLL)
            thread.join(GRACE if is_over() else 0)
        if thread.is_alive() and not is_over():
            raise make_error(thread)
    finally:
        begin.set()
        if thread.is_alive():
            threading.Thread(target=interrupt, args=(thread, ended), name="interrupt", daemon=True).start()
        else:
            ended()
    if errors:
        raise errors[0]
    return results[0] if results else None


def make_error(thread: threading.Thread) -> TookTooLong:
    """Return the error for a thread, with the place where it is: one that waits does not move."""
    places = set()
    frame = None
    for _ in range(LOOKS):
        frame = sys._current_frames().get(thread.ident or 0)
        places.add(frame and (id(frame), frame.f_lasti))
        sleep(POLL / LOOKS)
    return TookTooLong(frame and traceback.extract_stack(frame), waits=len(places) == 1)


def hide_interruptions() -> None:
    """Report no interruption that nobody could catch: in a finalizer, in garbage collection, or as a thread ends."""
    hooks: list[tuple[Any, str]] = [(sys, "unraisablehook"), (threading, "excepthook")]
    for module, name in hooks:
        report = getattr(module, name)

        def report_others(failure: Any, report: Callable[[Any], object] = report) -> None:
            if not issubclass(failure.exc_type, TookTooLong):
                report(failure)

        if getattr(report, "__code__", None) is not report_others.__code__:
            setattr(module, name, report_others)


def interrupt(thread: threading.Thread, ended: Callable[[], object]) -> None:
    """Raise errors in a thread until it ends, in bursts, so that some come outside of a ``try`` that catches them."""
    hide_interruptions()
    number, error = ctypes.c_ulong(thread.ident or 0), ctypes.py_object(TookTooLong)
    usual = sys.getswitchinterval()
    while thread.is_alive():
        sys.setswitchinterval(1e-6)
        for _ in range(BURST):
            if thread.is_alive():  # or another may have its number
                ctypes.pythonapi.PyThreadState_SetAsyncExc(number, error)
                sleep(0)
        sys.setswitchinterval(usual)
        thread.join(GRACE)
    ended()

"""Stopping a function that does not return."""

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["TookTooLong", "interrupt_after"]

AGAIN = 1.0
"""The seconds after which a function that caught the interruption is interrupted again."""


class TookTooLong(BaseException):
    """The function did not return in time."""


@contextmanager
def interrupt_after(seconds: float) -> Iterator[None]:
    """Interrupt the block if it takes longer, where threads can be started: in CPython, but not in a browser.

    The exception is raised in this thread, as `signal.alarm` would, but on every system, and also where interrupts are
    ignored, as in the background of a shell.

    Args:
        seconds: the limit, by the system's clock.

    Raises:
        TookTooLong: the block took longer.
    """
    lock, ended, interrupted = threading.Lock(), threading.Event(), False
    thread = ctypes.c_ulong(threading.get_ident())

    def interrupt() -> None:
        nonlocal interrupted
        wait = seconds
        while not ended.wait(wait):
            with lock:
                if not ended.is_set():
                    interrupted = True
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(TookTooLong))
            wait = AGAIN

    with suppress(RuntimeError):  # browsers have no threads
        threading.Thread(target=interrupt, name="interrupt-after", daemon=True).start()
    try:
        yield
    finally:
        with lock:
            ended.set()
        # If the block ended at the same moment, the exception comes within the next instructions: here.
        for _ in range(100 if interrupted else 0):
            pass

"""Stopping a function that does not return."""

import threading
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["TookTooLong", "interrupt_after"]


class TookTooLong(BaseException):
    """The function did not return in time."""


@contextmanager
def interrupt_after(seconds: float) -> Iterator[None]:
    """Interrupt the block if it takes longer; only in the main thread, and where threads can be started.

    Args:
        seconds: the limit, by the system's clock.

    Raises:
        TookTooLong: the block took longer.
    """
    lock, ended, interrupted = threading.Lock(), False, False

    def interrupt() -> None:
        nonlocal interrupted
        with lock:
            if not ended:
                interrupted = True
                interrupt_main()

    timer = threading.Timer(seconds, interrupt)
    timer.daemon = True
    try:
        if threading.current_thread() is threading.main_thread():
            timer.start()
    except RuntimeError:  # browsers have no threads
        pass
    try:
        try:
            yield
        finally:
            with lock:
                ended = True
            timer.cancel()
    except KeyboardInterrupt as error:
        if not interrupted:
            raise
        late = TookTooLong(f"it did not return within {seconds:g} seconds")
        raise late.with_traceback(error.__traceback__) from None

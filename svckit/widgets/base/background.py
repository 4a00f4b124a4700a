"""Work that takes long, beside the notebook: a click is answered at once, and the work can be cancelled."""

import asyncio
from collections.abc import Generator
from contextlib import suppress
from contextvars import copy_context
from threading import Event, Thread

__all__ = ["Work"]


class Work:
    """Steps that are taken one after the other: in a thread, else in turns with what else an event loop does.

    Args:
        steps: yields after each step, and handles its own failures. It is begun in any case, and closed after the
            step in which it was cancelled.

    Examples:
        >>> done = []
        >>> def steps():
        ...     for number in range(3):
        ...         done.append(number)
        ...         yield
        >>> work = Work(steps())
        >>> work.start()
        >>> work.wait()
        >>> done, work.is_running
        ([0, 1, 2], False)
    """

    def __init__(self, steps: Generator[None, None, None]) -> None:
        self._steps = steps
        self._cancelled = Event()
        self._ended = Event()
        self._begun = False
        self._thread: Thread | None = None

    @property
    def is_running(self) -> bool:
        """Whether steps are left to take."""
        return not self._ended.is_set()

    def is_set(self) -> bool:
        """Whether it is to stop, for operations that take a ``cancel``."""
        return self._cancelled.is_set()

    def start(self) -> None:
        """Begin, and return at once where there are threads or an event loop runs."""
        # In the context of the caller, which may be recording what is sent.
        thread = Thread(target=copy_context().run, args=(self._take_all,), daemon=True)
        try:
            thread.start()
        except RuntimeError:  # there are none, such as in a browser
            self._take_turns()
        else:
            self._thread = thread

    def cancel(self) -> None:
        """Stop after the step under way."""
        self._cancelled.set()

    def wait(self, timeout: float | None = None) -> None:
        """Wait for the end of what runs in a thread."""
        if self._thread is not None:
            self._thread.join(timeout)

    def _take_all(self) -> None:
        while self._take_one():
            pass

    def _take_turns(self) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # nobody takes turns with it
            self._take_all()
        else:
            self._take_turn(loop)

    def _take_turn(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._take_one():
            loop.call_soon(self._take_turn, loop)

    def _take_one(self) -> bool:
        """Take a step, and say whether there may be another."""
        left = False
        try:
            if self._cancelled.is_set() and self._begun:
                self._steps.close()
            else:
                self._begun = True
                with suppress(StopIteration):
                    next(self._steps)
                    left = True
        finally:
            if not left:
                self._ended.set()
        return left

"""Long-running work in the background: a click returns at once, and the work can be cancelled."""

import asyncio
from collections.abc import Generator, Mapping
from contextlib import suppress
from contextvars import copy_context
from threading import Event, Thread
from typing import Any, Final

__all__ = ["IDLE", "Job", "Work", "Worker"]

Job = Mapping[str, Any]
IDLE: Final[Job] = {"running": False, "words": "", "done": 0, "total": 0}
"""A transfer for a view, while none is under way."""


class Work:
    """Steps that run one after the other: in a thread, or else as callbacks of the event loop.

    Args:
        steps: yields after each step, and handles its own failures. The first step always runs; after a
            cancellation the generator is closed once the current step is done.

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
        self._stopped = Event()
        self._ended = Event()
        self._begun = False
        self._thread: Thread | None = None

    @property
    def is_running(self) -> bool:
        """True if steps remain."""
        return not self._ended.is_set()

    def is_set(self) -> bool:
        """Return whether it was stopped, for operations that take a ``cancel``."""
        return self._stopped.is_set()

    def start(self) -> None:
        """Start the work, and return at once if there are threads or a running event loop."""
        # In the caller's context, which may be tracing requests.
        thread = Thread(target=copy_context().run, args=(self._take_all,), daemon=True)
        try:
            thread.start()
        except RuntimeError:  # no threads, such as in a browser
            self._take_turns()
        else:
            self._thread = thread

    def stop(self) -> None:
        """Stop after the current step."""
        self._stopped.set()

    def wait(self, timeout: float | None = None) -> None:
        """Wait until work that runs in a thread is done."""
        if self._thread is not None:
            self._thread.join(timeout)

    def _take_all(self) -> None:
        while self._take_one():
            pass

    def _take_turns(self) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # no event loop to share with
            self._take_all()
        else:
            self._take_turn(loop)

    def _take_turn(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._take_one():
            loop.call_soon(self._take_turn, loop)

    def _take_one(self) -> bool:
        """Run a step, and return whether another may follow."""
        left = False
        try:
            if self._stopped.is_set() and self._begun:
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


class Worker:
    """Does long work in the background, one task at a time."""

    _work: Work | None = None
    """The latest task; None before the first."""

    def stop(self) -> None:
        """Stop the work after the current step."""
        if self._work is not None:
            self._work.stop()

    def wait(self, timeout: float | None = None) -> None:
        """Wait until the work is finished.

        Args:
            timeout: seconds to wait at most; None waits until then.
        """
        if self._work is not None:
            self._work.wait(timeout)

    def _start(self, steps: Generator[None, None, None]) -> None:
        self._work = Work(steps)
        self._work.start()

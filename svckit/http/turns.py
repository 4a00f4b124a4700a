"""Turns: locks for work that only one thread or task may do at a time."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["Lock", "Turn", "Turns"]


class Lock(Protocol):
    """The common part of ``threading.RLock`` and ``asyncio.Lock``; acquiring the latter is awaited."""

    def acquire(self) -> Any:
        """Wait until the lock is free, and take it."""

    def release(self) -> None:
        """Release the lock."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A step of the driver: acquire a lock, which the steps release themselves."""

    lock: Lock


class Turns:
    """Locks by name, each kept only while somebody holds it or waits for it.

    Args:
        make: makes a lock. A thread's lock is reentrant, so that nested calls do not wait for themselves.

    Attributes:
        locks: the locks in use, each with its number of holders and waiters.

    Examples:
        >>> turns = Turns(threading.RLock)
        >>> with turns.use_lock("u-001") as lock, turns.use_lock("u-001") as same:
        ...     lock is same
        True
        >>> turns.locks
        {}
    """

    def __init__(self, make: Callable[[], Lock]) -> None:
        self._make = make
        self.locks: dict[str, tuple[Lock, int]] = {}
        self._changing = threading.Lock()

    @contextmanager
    def use_lock(self, name: str) -> Iterator[Lock]:
        """Provide the lock of this name, without acquiring it."""
        with self._changing:
            lock, users = self.locks.get(name) or (self._make(), 0)
            self.locks[name] = lock, users + 1
        try:
            yield lock
        finally:
            with self._changing:
                lock, users = self.locks.pop(name)
                if users > 1:
                    self.locks[name] = lock, users - 1

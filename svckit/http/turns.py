"""Turns: what is done once at a time, whichever thread or task it is done by."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

__all__ = ["Lock", "Turn", "Turns"]


class Lock(Protocol):
    """What ``threading.RLock`` and ``asyncio.Lock`` share; to acquire the latter is awaited."""

    def acquire(self) -> Any:
        """Wait until it is free, and take it."""

    def release(self) -> None:
        """Let the next one in."""


class Turn:
    """A step of the driver: acquire a lock, which is released by whoever asked for it."""

    def __init__(self, lock: Lock) -> None:
        self.lock = lock


class Turns:
    """Locks by name, each kept only as long as somebody holds it or waits for it.

    Args:
        make: makes a lock. One of a thread lets that thread in again, so that a call within a call does not wait for
            itself.

    Attributes:
        locks: those that somebody holds or waits for, and how many do.

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
        """Use the lock of this name; it is not acquired by that."""
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

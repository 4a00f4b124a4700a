"""The steps that a session carries out for its driver, one by one, with or without ``await``, and their locks."""

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar

from svckit.http.messages import Response, Wait
from svckit.http.prepare import PreparedRequest
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest, Visitor

__all__ = ["Lock", "Step", "Steps", "Turn", "Turns", "Visit"]

T = TypeVar("T")


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


class Visit:
    """A step of the driver: have a person sign in.

    Attributes:
        visitor: guides the person.
        request: the sign-in.
        code: the authorization code, which the session sets.
    """

    code: Secret

    def __init__(self, visitor: Visitor, request: SignInRequest) -> None:
        self.visitor = visitor
        self.request = request


Step: TypeAlias = PreparedRequest | Wait | Turn | Visit
Steps: TypeAlias = Generator[Step, Response | None, T]


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

"""The steps that a session carries out for its driver, one by one, with or without ``await``."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar

from svckit.http.messages import Response, Wait
from svckit.http.prepare import PreparedRequest
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest, Visitor

__all__ = ["Lock", "Step", "Steps", "Turn", "Visit"]

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

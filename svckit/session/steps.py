"""The steps that a session carries out for its driver, one by one, with or without ``await``."""

from collections.abc import Generator
from typing import TypeAlias, TypeVar

from svckit.http.messages import Response, Wait
from svckit.http.prepare import PreparedRequest
from svckit.http.turns import Turn
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest, Visitor

__all__ = ["Step", "Steps", "Visit"]

T = TypeVar("T")


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

"""The differences from the service's description that a session accepted."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, overload

from svckit.display.card import Shown, quantity, render_table
from svckit.errors import ServiceError
from svckit.http.messages import Response

__all__ = ["Notice", "Notices"]


class Notice(NamedTuple):
    """One difference between a response and its description.

    Attributes:
        operation: the operation whose response it was, such as ``auth.exchange``.
        difference: the difference, without values: ``expires_in must be a string``.
    """

    operation: str
    difference: str

    def __str__(self) -> str:
        return f"{self.operation}: {self.difference}"


class Notices(Shown, Sequence[Notice]):
    """The differences that a session accepted, each once, in the order in which they came.

    Args:
        strict: whether a difference is an error instead.

    Examples:
        >>> import svckit
        >>> from fakes import FakeService
        >>> svc = svckit.connect(FakeService.sample(deviations={"token.expires-in": "number"}))
        >>> svc.notices
        1 notice
          operation      difference
          auth.exchange  expires_in must be a string
    """

    def __init__(self, *, strict: bool = False) -> None:
        self.strict = strict
        self._notices: dict[Notice, None] = {}

    def add(self, response: Response, difference: str) -> None:
        """Keep a difference.

        Raises:
            ServiceError: differences are errors here; the request took effect all the same.
        """
        if self.strict:
            raise ServiceError(
                f"{response.operation} succeeded, but the response is not as the service's description shows it: "
                f"{difference} ({response.status}; {response.request}). Connect without strict=True to accept it.",
                **response.context,
            )
        self._notices[Notice(response.operation, difference)] = None

    @overload
    def __getitem__(self, index: int) -> Notice: ...
    @overload
    def __getitem__(self, index: slice) -> list[Notice]: ...
    def __getitem__(self, index: int | slice) -> Notice | list[Notice]:
        return list(self._notices)[index]

    def __len__(self) -> int:
        return len(self._notices)

    def __iter__(self) -> Iterator[Notice]:
        return iter(list(self._notices))

    def _render(self) -> tuple[str, str]:
        rows = [(notice.operation, notice.difference) for notice in self]
        return render_table(quantity(len(rows), "notice"), ("operation", "difference"), rows)

"""The IDs of a domain's users as a sequence that is not listed until somebody does."""

from collections.abc import Iterator, Sequence
from typing import overload

from fakes.parts.user_store import UserStore

__all__ = ["UserIds"]

SHOWN = 20
"""The number of IDs that its repr shows."""


class UserIds(Sequence[str]):
    """The IDs of all users of a domain: the sample by number, then the others in the order in which they were added.

    It follows the domain, and costs nothing until it is read. It equals a list with the same IDs; `list` makes one,
    such as for JSON, and a copy, a pickle or a sum is one.

    Args:
        users: the users.

    Examples:
        >>> from fakes import FakeService
        >>> ids = FakeService.sample(users=1_000_000, now="2026-06-01T09:00:00+09:00").facts["users"]
        >>> len(ids), ids[0], ids[-1], ids[1:3], "u-020" in ids
        (1000000, 'u-001', 'u-1000000', ['u-002', 'u-003'], True)
    """

    def __init__(self, users: UserStore) -> None:
        self._users = users

    def __len__(self) -> int:
        return len(self._users)

    def __contains__(self, user_id: object) -> bool:
        return user_id in self._users

    def __iter__(self) -> Iterator[str]:
        return iter(self._users)

    def __reversed__(self) -> Iterator[str]:
        yield from [*self][::-1]

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        places = range(len(self))[index]
        if isinstance(places, int):
            return self._users.id_at(places)
        return [self._users.id_at(place) for place in places]

    def __add__(self, others: list[str]) -> list[str]:
        return [*self, *others]

    def __radd__(self, others: list[str]) -> list[str]:
        return [*others, *self]

    def __reduce__(self) -> tuple[type[list[str]], tuple[list[str]]]:
        return list, ([*self],)

    def index(self, value: str, *within: int) -> int:
        """Return the place of an ID.

        Raises:
            ValueError: it is not among them.
        """
        return [*self].index(value, *within)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list | UserIds):
            return NotImplemented
        return len(self) == len(other) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        more = len(self) - SHOWN
        return repr(self[:SHOWN]) if more <= 0 else f"{self[:SHOWN]!r} and {more:,} more"

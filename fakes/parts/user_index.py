"""An index of users by values that users may share, such as an e-mail address, at a constant cost."""

from collections.abc import Collection, Iterable
from heapq import heappop, heappush

from fakes.parts.changes import ChangeLog, Stored

__all__ = ["Index"]


class Owners(Stored[str, None]):
    """The IDs of users who share a value; finding the first costs the same however many there are."""

    __slots__ = ("_heap",)

    def __init__(self, changes: ChangeLog) -> None:
        super().__init__(changes, ordered=False)
        self._heap: list[tuple[int, str]] = []
        """All IDs, and some that were removed."""

    def add(self, user_id: str) -> None:
        """Add a user."""
        if user_id not in self:
            self[user_id] = None
            self._queue((user_id,))

    @property
    def first(self) -> str:
        """The first ID by its number."""
        while self._heap[0][1] not in self:
            heappop(self._heap)
        return self._heap[0][1]

    def restore_places(self, lost: Iterable[str]) -> None:
        """Make restored users findable again."""
        self._queue(lost)

    def _queue(self, user_ids: Iterable[str]) -> None:
        for user_id in user_ids:
            heappush(self._heap, (len(user_id), user_id))
        if len(self._heap) > 2 * len(self) + 8:
            self._heap = sorted((len(user_id), user_id) for user_id in self)


class Index:
    """An index of users by a value: all who share it in any order, or the first of them by ID."""

    def __init__(self, changes: ChangeLog) -> None:
        self._changes = changes
        self._owners: Stored[str, str | Owners] = Stored(changes, ordered=False)

    def of(self, value: str) -> Collection[str]:
        """Return the IDs of the users with a value."""
        owners = self._owners.get(value, ())
        return (owners,) if isinstance(owners, str) else owners

    def first(self, value: str) -> str | None:
        """Return the first ID of the users with a value."""
        owners = self._owners.get(value)
        return owners.first if isinstance(owners, Owners) else owners

    def add(self, value: str, user_id: str) -> None:
        """Add a user to those with a value."""
        owners = self._owners.get(value)
        if owners is None:
            self._owners[value] = user_id
        elif isinstance(owners, Owners):
            owners.add(user_id)
        elif owners != user_id:
            self._owners[value] = both = Owners(self._changes)
            both.add(owners)
            both.add(user_id)

    def remove(self, value: str, user_id: str) -> None:
        """Remove a user from those with a value."""
        owners = self._owners.get(value)
        if isinstance(owners, Owners):
            owners.pop(user_id, None)
        if not owners or owners == user_id:
            self._owners.pop(value, None)

    def clear(self) -> None:
        """Remove all users."""
        self._owners.clear()

"""Changed users, and the index that finds them by values they may share, such as an e-mail address."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any, NamedTuple

from pydantic_core import from_json

from fakes.parts.changes import ChangeLog, Stored

__all__ = ["ChangedUser", "Index"]


class ChangedUser(NamedTuple):
    """A changed or added user: the JSON that the service returns, and the values that find the user.

    The JSON takes a sixth of the memory of a dict.
    """

    body: bytes
    email: str
    external_key: str | None
    aliases: tuple[str, ...]
    is_administrator: bool

    @classmethod
    def of(cls, record: Mapping[str, Any], body: bytes) -> "ChangedUser":
        """Make one from a user's record and its JSON."""
        key, flag = record["userExternalKey"], record["isAdministrator"]
        return cls(body, record["email"], key, tuple(record["aliasEmails"]), flag)

    def read(self) -> dict[str, Any]:
        """Return the user as a record."""
        record: dict[str, Any] = from_json(self.body)
        return record

    def list_keys(self) -> tuple[Sequence[str], ...]:
        """Return the values that find the user: e-mail, external key, that in lower case if it differs, sub e-mails."""
        key = self.external_key
        keys = [] if key is None else [key]
        folded = [] if key is None or key == key.lower() else [key.lower()]
        return [self.email.lower()], keys, folded, [*map(str.lower, self.aliases)]


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
    """An index of users by a value, at a constant cost: all who share it in any order, or the first of them by ID."""

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

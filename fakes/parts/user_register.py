"""The register of users: who is added, removed, active, and administers the domain."""

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from fakes.data.population import Population
from fakes.parts.changes import Stored
from fakes.parts.part import Shared
from fakes.parts.saved_users import UsersData
from fakes.parts.user_index import ChangedUser
from fakes.parts.user_store import UserStore
from svckit.models.problems import Problem

__all__ = ["UserRegister"]

INACTIVE_FLAGS = ("isPending", "isSuspended", "isDeleted", "isAwaiting")


class UserRegister(UserStore):
    """The users of one domain, who can be added and removed as a whole, in any state.

    Attributes:
        known_active: the IDs of users who are known to be active.
        when_removed: functions that forget a removed user, by ID, in other parts.
    """

    def __init__(self, population: Population, shared: Shared) -> None:
        super().__init__(population, shared)
        # Only of those whose link ID is a sub e-mail address.
        self._link_ids: Stored[str, str] = Stored(shared.changes, "directory.link_ids")
        self._administrator: str | None = None
        self._next_first: str | None = None  # who is named in the facts since the chosen user was removed
        self.known_active: set[str] = set()
        self.when_removed: list[Callable[[str], None]] = []

    def find_taken(self, user: Mapping[str, Any]) -> Iterator[Problem]:
        """Yield the e-mail address and the external key of a user if they are another user's."""
        email, key = user["email"], user["userExternalKey"]
        owners = {
            "email": self.by_email(email),
            "userExternalKey": None if key is None else self.by_external_key(key),
        }
        for name, owner in owners.items():
            if owner not in (None, user["userId"]):
                yield Problem(name, f"{name} {user[name]!r} already belongs to {owner}")

    def add(self, user: ChangedUser, user_id: str) -> None:
        """Add a checked user, or replace the one with the same ID."""
        if user_id in self._removed:
            del self._removed[user_id]
            self._removed_numbers.remove(self._population.number(user_id) or 0)
        self._note_if_added(user_id)
        self._index(user_id, user, self._changed.get(user_id))
        self._changed[user_id] = user
        self._forget(user_id)

    def discard(self, user_id: str) -> None:
        """Remove a user, here and in other parts."""
        was = self._changed.pop(user_id, None)
        if was is not None:
            self._unindex(user_id, was)
        if self._added.pop(user_id, ...) is ...:
            self._removed[user_id] = None
            insort(self._removed_numbers, self._population.number(user_id) or 0)
        self._forget(user_id)
        for forget in self.when_removed:
            forget(user_id)

    def _forget(self, user_id: str) -> None:
        """Forget what was derived from a user's earlier record."""
        self._at_work.pop(user_id, None)
        self.known_active.discard(user_id)
        self._administrator = self._next_first = None
        self._link_ids.pop(user_id, None)
        self._decisions.forget(f"link-id/{user_id}")

    def choose_id(self) -> str:
        """Return an ID for a user who is added without one."""
        number = len(self._added) + 1
        while f"user-{number:03d}" in self:
            number += 1
        return f"user-{number:03d}"

    def is_inactive(self, user_id: str) -> bool:
        """Return whether a user is suspended, deleted, pending or awaiting (section "States and transitions", User).

        Args:
            user_id: the user's ID.

        Raises:
            KeyError: the user is not found.
        """
        record = self.record(user_id)
        return any(record[flag] for flag in INACTIVE_FLAGS)

    def is_active(self, user_id: str) -> bool:
        """Return whether a user is not suspended, deleted, pending or awaiting, and remember active users.

        The flags are read-only, so they change only when a user is put or another directory is loaded.
        """
        if user_id in self.known_active:
            return True
        if self.is_inactive(user_id):
            return False
        self.known_active.add(user_id)
        return True

    @property
    def administrator(self) -> str:
        """The ID of the first user who administers the domain, or else of the first user."""
        if self._administrator is None:
            self._administrator = self._find_administrator()
        return self._administrator

    def _find_administrator(self) -> str:
        first = self._population.user_id(1)
        if first in self and self.record(first)["isAdministrator"]:
            return first
        flagged = (user_id for user_id, user in self._changed.items() if user.is_administrator)
        return next(flagged, None) or next(iter(self))

    def administers(self, user_id: str) -> bool:
        """Return whether a user administers the domain."""
        changed = self._changed.get(user_id)
        return bool(changed and changed.is_administrator) or user_id == self.administrator

    @property
    def first(self) -> str:
        """The ID of the user named in the facts, who signs in where nobody else is named.

        It is the first user of your data who is active, or the first of the sample. Once removed, the first active user
        takes the place.
        """
        chosen = self._first or self._population.user_id(1)
        if chosen in self:
            return chosen
        if self._next_first is None:
            self._next_first = self._find_active(iter(self))
        return self._next_first

    def choose_first(self, user_ids: Iterable[str]) -> None:
        """Name the first of some users who is active in the facts."""
        self._first = self._find_active(user_ids)

    def _find_active(self, user_ids: Iterable[str]) -> str:
        """Return the first active user, or the first of all."""
        listed = iter(user_ids)
        first = next(listed)
        return next((user_id for user_id in chain((first,), listed) if not self.is_inactive(user_id)), first)

    def _load_users(self, data: UsersData) -> None:
        super()._load_users(data)
        self._administrator = self._next_first = None
        self.known_active.clear()

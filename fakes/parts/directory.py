"""The user directory as people use it: a mapping of IDs to records, in which whole users are put and removed."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from pydantic_core import to_json

from fakes.data.population import MOST_USERS
from fakes.data.user_records import check_user
from fakes.http.errors import Refusal
from fakes.parts.part import Part, Shared
from fakes.parts.user_index import ChangedUser
from fakes.parts.user_register import UserRegister
from svckit.display.card import quantity, render_table
from svckit.display.suggestions import NoSuchKey, did_you_mean
from svckit.models.problems import join_problems, limit_problems

__all__ = ["Directory"]

SHOWN = 10
"""The most users that a notebook shows of it."""
SEARCHED = 1000
"""The number of users among whose IDs one like an unknown ID is searched."""


class Directory(Part, Mapping[str, dict[str, Any]]):
    """The users of one domain: a mapping of user IDs to copies of the users' records.

    Look for another value with `find`; add, replace and remove whole users with `put` and `remove`.

    Examples:
        >>> from fakes import FakeService
        >>> directory = FakeService.sample(users=20, now="2026-06-01T09:00:00+09:00").directory
        >>> len(directory), "u-003" in directory, list(directory)[:2], directory["u-002"]["userExternalKey"]
        (20, True, ['u-001', 'u-002'], 'emp-00002')
        >>> directory.find(email=directory["u-002"]["email"].upper())["userId"]
        'u-002'
        >>> directory["u-02"]
        Traceback (most recent call last):
        ...
        svckit.display.suggestions.NoSuchKey: there is no user 'u-02'; did you mean u-020?; this domain has the users \
        u-001 to u-020
    """

    def __init__(self, users: UserRegister, shared: Shared) -> None:
        super().__init__(shared)
        self._users = users

    def __getitem__(self, user_id: str) -> dict[str, Any]:
        if user_id not in self:
            near = did_you_mean(str(user_id), islice(self, SEARCHED))
            raise NoSuchKey(f"there is no user {user_id!r}{near}; {self._users.describe()}")
        return self._users.record(user_id)

    def __iter__(self) -> Iterator[str]:
        return iter(self._users)

    def __len__(self) -> int:
        return len(self._users)

    def __contains__(self, user_id: object) -> bool:
        return user_id in self._users

    def __repr__(self) -> str:
        return f"<Directory: {quantity(len(self), 'user')}>"

    def _repr_html_(self) -> str:
        first = [(user_id, self[user_id]["email"]) for user_id in islice(self, SHOWN)]
        more = f", of which these are the first {SHOWN}" if len(self) > SHOWN else ""
        return render_table(f"{quantity(len(self), 'user')}{more}", ("user ID", "e-mail"), first)[0]

    def find(self, *, email: str = "", external_key: str = "") -> dict[str, Any] | None:
        """Return a copy of the record of the user with an e-mail address or an external key; None if nobody has it.

        Args:
            email: the login e-mail address, in any case.
            external_key: the external key, in the same case.

        Raises:
            TypeError: it is not one text that is searched for.

        Examples:
            >>> from fakes import FakeService
            >>> directory = FakeService.sample(now="2026-06-01T09:00:00+09:00").directory
            >>> directory.find(external_key="emp-00002")["userId"], directory.find(email="nobody@example.com")
            ('u-002', None)
        """
        given = [value for value in (email, external_key) if value != ""]
        if len(given) != 1 or not isinstance(given[0], str):
            raise TypeError(f"find takes either email= or external_key=, as text; given {given}")
        user_id = self._users.by_email(email) if email else self._users.by_external_key(external_key)
        return None if user_id is None else self._users.record(user_id)

    def put(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Add a whole user, or replace the one with the same ID; no operation of the service does this.

        The user can be in any state: pending, awaiting, suspended, deleted or on leave. Tokens and statuses of a user
        who is replaced stay.

        Args:
            record: the user with the service's fields; ``email`` and ``userName`` are required. Other fields may be
                left out: then they are null, false or empty, and an ID is issued.

        Returns:
            The user with all fields, as the service returns it.

        Raises:
            Refusal: the record is not valid, or an e-mail address or external key is another user's; all problems are
                reported together, and nothing is changed.

        Examples:
            >>> from fakes import FakeService
            >>> directory = FakeService.sample(now="2026-06-01T09:00:00+09:00").directory
            >>> mina = {"userId": "mina", "email": "mina@example.com", "userName": {"lastName": "Sato"}}
            >>> directory.put(mina | {"isSuspended": True, "suspendedReason": "LOGIN_FAIL"})["isSuspended"]
            True
            >>> "mina" in directory, directory["mina"]["isDeleted"], directory.find(email="mina@example.com")["userId"]
            (True, False, 'mina')
        """
        user, problems = check_user(record, self._settings.custom_properties)
        if user is None:
            raise Refusal("invalid", join_problems(problems), problems=limit_problems(problems))
        with self._lock:
            user["userId"] = user["userId"] or self._users.choose_id()
            taken = [*self._users.find_taken(user)]
            if taken:
                raise Refusal("conflict", join_problems(taken), problems=taken)
            if user["userId"] not in self and len(self) >= MOST_USERS:
                raise Refusal("conflict", f"the domain has {MOST_USERS} users, which is the most")
            self._users.add(ChangedUser.of(user, to_json(user)), str(user["userId"]))
        return user

    def remove(self, user_id: str) -> None:
        """Remove a user, together with their tokens, statuses and client version; no operation does this.

        Their ID is then unknown, which is different from a user whose ``isDeleted`` is true. Files in their places
        stay, and are found again if a user with the same ID is put.

        Args:
            user_id: the user's ID.

        Raises:
            Refusal: no such user, or it is the only one.

        Examples:
            >>> from fakes import FakeService
            >>> directory = FakeService.sample(now="2026-06-01T09:00:00+09:00").directory
            >>> directory.remove("u-002")
            >>> "u-002" in directory, len(directory)
            (False, 19)
        """
        with self._lock:
            if user_id not in self:
                raise Refusal(
                    "not_found", f"there is no user with the ID {user_id!r}; {self._users.describe()}"
                )
            if len(self) == 1:
                raise Refusal(
                    "conflict",
                    f"{user_id} is the only user, and a domain has at least one; put another first",
                )
            self._users.discard(user_id)

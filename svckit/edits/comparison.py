"""Edited users, in whatever form they come, compared with the records that were read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from svckit.batch import Batch, Job, Outcome
from svckit.edits.changes import Changes, UserEdit
from svckit.edits.fields import edited
from svckit.errors import Cancelled, InvalidInput, NotFound
from svckit.models.problems import Problem
from svckit.models.user import User
from svckit.operations import users

__all__ = ["Against", "Comparison", "Edited"]

Record: TypeAlias = Mapping[str, Any]
Edited: TypeAlias = User | Record | Iterable[User | Record] | Any
"""Edited users: a frame, a `User`, a mapping with ``user_id`` and the edited fields, or several of these two."""

Against: TypeAlias = Literal["known", "fresh"] | Iterable[User | Record]
"""What edited users are compared with: what the session knows, what it reads anew, or records kept from before."""


class Comparison:
    """A comparison on its way: it knows whom it has to read, and what differs when they are read.

    Args:
        given: the edited users.
        known: the records that the session knows.
        against: what to compare with.

    Raises:
        InvalidInput: what is given is none of these.
    """

    def __init__(self, given: Edited, known: Iterable[Record], against: Against = "known") -> None:
        self._frame: Any = given if hasattr(given, "dtypes") and hasattr(given, "columns") else None
        self._records = [] if self._frame is not None else _records(given)
        self._problems: list[Problem] = []
        self._ids: list[Any] = self._user_ids()
        named = dict.fromkeys(each for each in self._ids if isinstance(each, str))
        self._befores = _befores(set(named), known, against)
        unread = [user_id for user_id in named if user_id not in self._befores]
        self.reads: Batch[User] = Batch([_reading(user_id) for user_id in unread], settled=self._take)
        self._failure: Exception | None = None

    def changes(self) -> Changes:
        """What differs; to be called when the reads are done.

        Raises:
            ServiceError: a user could not be read for another reason than that there is none.
            Cancelled: the reads were stopped.
        """
        if self._failure is not None:
            raise self._failure
        if self.reads.was_cut_short:
            raise Cancelled("users.diff was stopped before all users were read; nothing was changed")
        return self._changes()

    def offline(self) -> Changes:
        """What differs, without reading anybody: a user who is not among the records is a problem."""
        for user_id in dict.fromkeys(self._ids):
            if isinstance(user_id, str) and user_id not in self._befores:
                words = f"{user_id} is not among the users that the frame is compared with"
                self._problems.append(Problem(user_id, words))
        return self._changes()

    def _changes(self) -> Changes:
        edits = []
        for edit, problems in self._compared():
            self._problems += problems
            if edit is not None:
                edits.append(edit)
        return Changes(edits, self._problems)

    def _user_ids(self) -> list[Any]:
        if self._frame is None:
            return [record.get("user_id", record.get("userId")) for record in self._records]
        from svckit.edits import rows  # pandas is there, as a frame is

        self._problems += rows.unknown_columns(self._frame)
        try:
            return rows.user_ids(self._frame)
        except ValueError as nameless:
            raise InvalidInput(f"users.diff: {nameless}") from None

    def _take(self, outcome: Outcome[User]) -> None:
        if outcome.value is not None:
            self._befores[outcome.label] = outcome.value.to_wire()
        elif isinstance(outcome.error, NotFound):
            self._problems.append(Problem(outcome.label, f"{outcome.label}: there is no such user"))
        elif outcome.error is not None:
            self._failure = self._failure or outcome.error
            self.reads.stop()

    def _compared(self) -> Iterator[tuple[UserEdit | None, list[Problem]]]:
        numbers = list(self._comparable())
        ids = [self._name(number) for number in numbers]
        befores = [self._befores[self._ids[number]] for number in numbers]
        if self._frame is None:
            for number, user_id, before in zip(numbers, ids, befores, strict=True):
                yield edited(user_id, before, self._records[number])
            return
        from svckit.edits.rows import edited_rows

        for row, before in zip(edited_rows(self._frame.iloc[numbers], ids, befores), befores, strict=True):
            edit, problems = edited(row.user_id, before, row.values)
            yield edit, row.problems + problems

    def _comparable(self) -> Iterator[int]:
        """The numbers of those whose records are there, each user once."""
        met: set[str] = set()
        for number, user_id in enumerate(self._ids):
            if not isinstance(user_id, str):
                words = "user_id is missing" if user_id is None else "user_id must be text"
                self._problems.append(Problem(f"[{number}]", f"number {number}: {words}"))
            elif user_id in self._befores:
                name = self._name(number)
                if name in met:
                    self._problems.append(
                        Problem(name, f"{name} is given more than once; give each user once")
                    )
                else:
                    met.add(name)
                    yield number

    def _name(self, number: int) -> str:
        """The user's own ID, also where another name was given, so that one user is not changed side by side."""
        given: str = self._ids[number]
        return str(self._befores[given].get("userId") or given)


def _records(given: Any) -> Sequence[Record]:
    many = [given] if isinstance(given, User | Mapping) else given
    if isinstance(many, str | bytes) or not isinstance(many, Iterable):
        raise InvalidInput(
            "users.diff takes a frame of svckit.frames.users, a User, a mapping with user_id and the edited fields, "
            f"or several of these two; given a {type(given).__name__}"
        )
    return [_record(each) for each in many]


def _record(given: Any) -> Record:
    if isinstance(given, User):
        return given.to_wire()
    if isinstance(given, Mapping):
        return given
    raise InvalidInput(f"users.diff takes users and mappings; among those given is a {type(given).__name__}")


def _befores(wanted: set[Any], known: Iterable[Record], against: Against) -> dict[Any, Record]:
    if isinstance(against, str):
        if against not in ("known", "fresh"):
            raise InvalidInput(f"against is 'known', 'fresh' or records of users; given {against!r}")
        source: Iterable[Record] = known if against == "known" else ()
    else:
        source = _records(against)
    found: dict[Any, Record] = {}
    for record in source:
        if len(found) == len(wanted):
            break
        user_id = record.get("userId", record.get("user_id"))
        if isinstance(user_id, str) and user_id in wanted:
            found[user_id] = record
    return found


def _reading(user_id: str) -> Job[User]:
    return Job(user_id, lambda _: users.read(user_id))

"""Comparison of edited users, in any form, with the records that were read."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from unicodedata import normalize

from svckit.display.normal_form import compose
from svckit.edits.changes import Changes, UserEdit
from svckit.edits.fields import EditedRow, compare_fields
from svckit.edits.sheet import Sheet
from svckit.edits.sheet_cells import is_shortened
from svckit.errors import Cancelled, InvalidInput, NotFound
from svckit.http.messages import Operation
from svckit.models.base import wire_name
from svckit.models.phrases import describe_given
from svckit.models.problems import Problem
from svckit.models.user import User
from svckit.operations import users
from svckit.operations.batch import Batch, Job, Outcome

if TYPE_CHECKING:
    import pandas as pd

    from svckit.edits.rows import FlatRows
    from svckit.frames.origin import FrameOrigin

__all__ = ["Against", "Comparison", "Edited"]

FOREIGN = 5
"""A frame with only IDs of users and this many unknown ones is rejected as a whole, as another kind of frame."""
UNIQUE = {"email": "", "user_external_key": "externalKey:"}
"""The fields whose values no two users share, with the prefix that makes a value a name of the user."""
ADDRESSES = ("email", "private_email", "alias_emails")
LONGEST_NUMBER = 20  # digits of a key for which its lost zeros are looked for
NAMED = 3  # names of users with missing rows

Record: TypeAlias = Mapping[str, Any]
Edited: TypeAlias = User | Record | Iterable[User | Record] | Any
"""Edited users: a frame, a `User`, a mapping with ``user_id`` and the edited fields, or several of the latter two."""

Against: TypeAlias = Literal["known", "fresh"] | Iterable[User | Record]
"""The other side of a comparison: the records that the session knows, those that it reads now, or given ones."""


class Comparison:
    """A comparison in progress: it lists the users to read, and finds the differences once they are read.

    Args:
        given: the edited users.
        known: the records that the session knows.
        against: what to compare with.
        origin: the origin of a frame, if it is what to compare with.
        find: finds the record of any user that the session knows, by login e-mail or ``externalKey:<key>``.

    Raises:
        InvalidInput: the edited users have none of the possible forms.
    """

    def __init__(
        self,
        given: Edited,
        known: Iterable[Record],
        against: Against = "known",
        *,
        origin: "FrameOrigin | None" = None,
        find: Callable[[str], Record | None] = lambda _: None,
    ) -> None:
        self._origin = origin
        self._find = find
        self._given = _open_edits(given)
        self._problems: list[Problem] = []
        self._ids = self._given.ids
        self._named = dict.fromkeys(user for user in self._ids if isinstance(user, str))
        self._by_id: dict[Any, Record] = {}
        self._places: dict[Any, int] = {}  # of the records of the frame's origin
        if origin is None:
            self._by_id |= _find_records(self._named.keys(), known, against)
        else:
            for place, record in enumerate(origin.records):
                user_id = record.get("userId")
                self._by_id[user_id], self._places[user_id] = record, place
        self._unread = [user_id for user_id in self._named if user_id not in self._by_id]
        self.reads: Batch[User] = Batch(list(map(_read_job, self._unread)), on_settled=self._take)
        self._failure: Exception | None = None

    def changes(self) -> Changes:
        """Return the differences; call it when the reads are done.

        Raises:
            ServiceError: a user could not be read, for another reason than that the user does not exist.
            Cancelled: the reads were stopped.
        """
        if self._failure is not None:
            raise self._failure
        if self.reads.was_cut_short:
            raise Cancelled("users.diff was stopped before all users were read; nothing was changed")
        return self._changes()

    def changes_offline(self) -> Changes:
        """Return the differences without reading users; a user missing from the records is a problem."""
        hint = self._explain_missing()
        for user_id in self._unread:
            words = f"{user_id} is not among the users that the frame is compared with"
            self._problems.append(Problem(user_id, words + hint))
        return self._changes()

    def _explain_missing(self) -> str:
        """Name the users with missing rows if the number of rows is unchanged: their IDs were overwritten."""
        origin = self._origin
        if origin is None or origin.kind != "users" or len(self._ids) != len(origin.records):
            return ""
        gone = [user for user in self._by_id if isinstance(user, str) and user not in self._named][:NAMED]
        if not gone:
            return ""
        return f"; the row of {', '.join(gone)} is missing, and the ID of a user cannot be edited"

    def _changes(self) -> Changes:
        edits, found, notices = [], [], []
        for edit, problems, kept in self._compare():
            found += problems
            notices += kept
            if edit is not None:
                edits.append(edit)
        return Changes(
            edits,
            [*self._given.problems, *self._problems, *found, *_find_wide(edits), *self._find_shared(edits)],
            notices=notices,
            sheet=self._locate_rows(),
        )

    def _find_shared(self, edits: Iterable[UserEdit]) -> Iterator[Problem]:
        """Yield the problem of each user who would get the e-mail or external key that another one has or gets."""
        for name, prefix in UNIQUE.items():
            given = {edit.user_id: str(edit.after[name]) for edit in edits if edit.after.get(name)}
            if not given:
                continue
            owning = ((value, self._find(f"{prefix}{compose(value)}")) for value in given.values())
            held = {
                str(record.get("userId") or own): str(record.get(wire_name(name)) or "")
                for own, record in (*self._by_id.items(), *owning)
                if record is not None
            }
            fold = str.lower if name == "email" else compose
            holders: dict[str, dict[str, None]] = {}
            for user_id, value in (*held.items(), *given.items()):
                holders.setdefault(fold(value), {})[user_id] = None
            for user_id, value in given.items():
                others = ", ".join(other for other in holders[fold(value)] if other != user_id)
                if others:  # also if they give it up, as the changes are sent in parallel
                    words = (
                        f"{name} is that of {others}, or would be; each user has a different one. If they give it up, "
                        "apply their changes first, with skip_problems=True, and compare again"
                    )
                    yield Problem(f"{user_id}.{name}", f"{user_id}: {words}", value)

    def _locate_rows(self) -> Sheet | None:
        """Return the rows of the sheet by the users' own IDs."""
        sheet = self._given.sheet
        if sheet is None:
            return None
        rows: dict[str, list[int]] = {}
        for given, numbers in sheet.rows.items():
            own = str(self._by_id.get(given, {}).get("userId") or given)
            rows[own] = sorted([*rows.get(own, ()), *numbers])
        return replace(sheet, rows=rows)

    def _take(self, outcome: Outcome[User]) -> None:
        if outcome.value is not None:
            self._by_id[outcome.label] = outcome.value.to_wire()
        elif isinstance(outcome.error, NotFound):
            folded = normalize("NFKC", outcome.label)
            hint = ("" if folded == outcome.label else f", nor {folded}") + self._suggest(folded)
            self._problems.append(Problem(outcome.label, f"{outcome.label}: no such user{hint}"))
        elif outcome.error is not None:
            self._failure = self._failure or outcome.error
            self.reads.stop()

    def _suggest(self, name: str) -> str:
        """Return the hint that a spreadsheet has taken the zeros from a user's name, or its digits; empty if not."""
        prefix, colon, key = name.rpartition(":")
        if is_shortened(key):
            return ": a spreadsheet has shortened the number; format the cells as text, and type it again"
        padded = (f"{prefix}{colon}{key.zfill(width)}" for width in range(len(key) + 1, LONGEST_NUMBER + 1))
        known = next((user for user in padded if key.isdecimal() and self._find(user) is not None), "")
        return f"; did you mean {known}, whose zeros a spreadsheet removes?" if known else ""

    def _compare(self) -> Iterator[tuple[UserEdit | None, list[Problem], list[Problem]]]:
        """Yield the edit of each user, the problems and the notices."""
        named = dict(self._comparable())
        numbers, ids = list(named), list(named.values())
        records = [self._by_id[self._ids[number]] for number in numbers]
        for place, row in self._given.find_edits(numbers, ids, records, self._frame_as_read(numbers)):
            edit, problems = compare_fields(row.user_id, records[place], row.values)
            row.problems += problems
            row.explain_waiting()
            yield edit, row.problems, row.notices

    def _frame_as_read(self, numbers: Sequence[int]) -> "pd.DataFrame | None":
        """Return the frame of the original records, if available."""
        if self._origin is None or self._origin.kind != "users" or self._origin.original is None:
            return None
        original = self._origin.original
        places = [self._places[self._ids[number]] for number in numbers]
        return original if places == list(range(len(original))) else original.take(places)

    def _comparable(self) -> Iterator[tuple[int, str]]:
        """Yield the rows of the users whose records are available, each user once, with their own IDs."""
        seen: set[str] = set()
        for number, given in enumerate(self._ids):
            if not isinstance(given, str):
                words = "user_id is missing" if given is None else "user_id must be a string"
                self._problems.append(Problem(f"[{number}]", f"number {number}: {words}"))
            elif (before := self._by_id.get(given)) is not None:
                # The user's own ID, even if another name was given, so that no user is changed twice in parallel.
                name = str(before.get("userId") or given)
                if name in seen:
                    self._problems.append(
                        Problem(name, f"{name} is given more than once; give each user once")
                    )
                else:
                    seen.add(name)
                    yield number, name


class Records:
    """Edited users as `User` objects and mappings; `svckit.edits.rows.FlatRows` has those of a frame.

    Attributes:
        ids: the user IDs; a value that is not text is a problem.
        problems: the problems that do not concern a single user.
        sheet: the sheet that they were read from, if they were.
    """

    def __init__(self, given: Any) -> None:
        self._records = _records(given)
        self.ids: list[Any] = [record.get("user_id", record.get("userId")) for record in self._records]
        self.problems: list[Problem] = []
        self.sheet: Sheet | None = None

    def find_edits(
        self, numbers: Sequence[int], ids: Sequence[str], *_: object
    ) -> Iterator[tuple[int, EditedRow]]:
        """Yield all fields of the users, with their positions in ``numbers``; all are compared later."""
        for place, (number, user_id) in enumerate(zip(numbers, ids, strict=True)):
            yield place, EditedRow(user_id, values=dict(self._records[number]))


def _open_edits(given: Edited) -> "Records | FlatRows":
    if not (hasattr(given, "dtypes") and hasattr(given, "columns")):
        return Records(given)
    frame: Any = given
    from svckit.edits.rows import FlatRows  # a frame means that pandas is installed

    try:
        rows = FlatRows(frame)
    except ValueError as wrong:
        raise InvalidInput(f"users.diff: {wrong}") from None
    names = {str(name) for name in frame.columns}
    foreign = [problem.path for problem in rows.problems if problem.path in names]
    if len(foreign) >= FOREIGN and len(foreign) >= len(names - {"user_id"}):
        raise InvalidInput(
            "this is not a frame of users, so it cannot be applied to users: "
            f"it has the columns {', '.join(foreign[:FOREIGN])} …; see svckit.frames.columns('users')"
        )
    return rows


def _records(given: Any) -> Sequence[Record]:
    many = [given] if isinstance(given, User | Mapping) else given
    if isinstance(many, str | bytes) or not isinstance(many, Iterable):
        raise InvalidInput(
            "users.diff takes a frame of svckit.frames.users, a User, a mapping with user_id and the edited fields, "
            f"or several of the latter two; given {describe_given(given)}"
        )
    return [_record(item) for item in many]


def _record(given: Any) -> Record:
    if isinstance(given, User):
        return given.to_wire()
    if isinstance(given, Mapping):
        return given
    raise InvalidInput(f"users.diff takes users and mappings; one of those given is {describe_given(given)}")


def _find_records(wanted: Collection[str], known: Iterable[Record], against: Against) -> dict[Any, Record]:
    """Return the records of some users, by their IDs."""
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


def _find_wide(edits: Iterable[UserEdit]) -> Iterator[Problem]:
    """Yield the problem of each new address with characters in full width, or with blanks around it."""
    for edit in edits:
        for name in filter(edit.after.get, ADDRESSES):
            given = edit.after[name]
            for address in given if isinstance(given, list) else [given]:
                meant = normalize("NFKC", address).strip()
                if meant != address and meant.isascii():
                    words = f"must be in half width, without blanks around it; did you mean {meant}?"
                    yield Problem(f"{edit.user_id}.{name}", f"{edit.user_id}: {name} {words}", address)


def _read_job(user_id: str) -> Job[User]:
    return Job(user_id, lambda _: _read_user(user_id))


def _read_user(user_id: str) -> Operation[User]:
    """Read a user by the name as typed or, if nobody has it, in half width and composed."""
    try:
        return (yield from users.read(user_id))
    except NotFound:
        folded = normalize("NFKC", user_id)
        if folded == user_id:
            raise
        return (yield from users.read(folded))

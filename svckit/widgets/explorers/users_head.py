"""The head of the users explorer: it reads the users of a session, in the background or by their IDs."""

import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any, ClassVar, Final

import pandas as pd

from svckit import frames
from svckit.errors import InvalidInput, NotFound
from svckit.frames.column import Record
from svckit.frames.origin import remember
from svckit.frames.source import Batches
from svckit.session.session import Session
from svckit.widgets.base.background import Work
from svckit.widgets.base.callbacks import button, clear_error
from svckit.widgets.explorers.explorer import Explorer
from svckit.widgets.form.model import FormModel
from svckit.widgets.table.model import TableModel

if TYPE_CHECKING:
    from svckit.widgets.explorers.session_users import SessionUsersExplorer

__all__ = ["FIRST", "UsersHead", "replace_record"]
BETWEEN = re.compile(r"[\s,;\u3001\uff0c\uff1b]+")
"""Separators between pasted IDs, including Japanese ones."""

MAX_IDS = 100

FIRST: Final = 1_000
"""The number of users read at once, which takes a few hundredths of a second."""
STEP = 500


class LongReading(Work):
    """Users being read, and their frame, which `take` returns once.

    Args:
        records: the users to read; all but the first ones are read in another thread.

    Attributes:
        first: the users read at once.
        count: the number of users read so far.
        failure: the error that stopped the reading, or None.

    Examples:
        >>> reading = LongReading({"userId": f"u-{number}"} for number in range(3_000))
        >>> len(reading.first), reading.is_long
        (1000, True)
        >>> reading.start()
        >>> reading.wait()
        >>> records, frame = reading.take()
        >>> len(records), len(frame)
        (3000, 3000)
    """

    def __init__(self, records: Iterable[Record]) -> None:
        self._left = _split(records)
        self.first = next(self._left, [])
        self._next = next(self._left, None)
        self.count: int = len(self.first)
        self.failure: Exception | None = None
        self._read: tuple[Sequence[Record], pd.DataFrame] | None = None
        super().__init__(self._read_others())

    @property
    def is_long(self) -> bool:
        """True if there are more users than the first ones."""
        return self._next is not None

    def take(self) -> tuple[Sequence[Record], pd.DataFrame] | None:
        """Return all users and their frame, once; otherwise, or if the reading was incomplete, None."""
        read, self._read = self._read, None
        return read

    def _read_others(self) -> Generator[None, None, None]:
        batches = [self.first, *([] if self._next is None else [self._next])]
        try:
            for batch in self._left:
                batches.append(batch)
                self.count = sum(map(len, batches))
                yield
            records = Batches(batches)
            self.count = len(records)
            frame = frames.users(records, lists=True)
            self._read = records, frame
        except Exception as failure:  # noqa: BLE001 - a thread has no caller to handle it
            self.failure = failure


def _split(records: Iterable[Record]) -> Iterator[Sequence[Record]]:
    """Return the records in batches, those of the source if it has any."""
    if hasattr(records, "batches"):
        yield from records.batches()
        return
    left = iter(records)
    for size in chain((FIRST, 1), repeat(STEP)):  # one more tells whether there are more
        if not (batch := list(islice(left, size))):
            return
        yield batch


def replace_record(
    records: Sequence[Record], frame: pd.DataFrame, position: int, record: Record
) -> tuple[Sequence[Record], pd.DataFrame]:
    """Return users and their frame with one record replaced; the arguments stay unchanged.

    Examples:
        >>> users = [{"userId": "u-1"}, {"userId": "u-2"}]
        >>> frame = frames.users(users, lists=True)
        >>> changed, frame = replace_record(users, frame, 0, {"userId": "u-1", "task": "Sales"})
        >>> frame["task"].tolist(), len(users[0])
        (['Sales', <NA>], 1)
    """
    changed = (records if isinstance(records, Batches) else Batches([records])).replace(position, record)
    parts = frame.iloc[:position], frames.users([record], lists=True), frame.iloc[position + 1 :]
    return changed, remember(pd.concat(parts, ignore_index=True), "users", changed)


@dataclass(frozen=True, slots=True)
class UsersDraft:
    """The text typed, each user's form draft, the user being changed, and the state of the table."""

    pasted: str = ""
    table: TableModel | None = None
    changing: str = ""
    typed: Mapping[str, FormModel] = field(default_factory=dict)


class UsersHead(Explorer[UsersDraft]):
    """The part of a users explorer that reads: all users of a session in the background, or some by their IDs.

    1. The first users are read at once, when it is created or refreshed.
    2. `start` reads the others, if any, in a thread.
    3. The browser looks each second: `_refresh` shows the progress and, once all are read, shows them.

    Args:
        svc: the session.
        shown: the explorer that shows them.

    Attributes:
        users: the users as they are being read.
        reading: the number of users read so far while there are more to read, or None.
        selected: how many users are selected in the table.
        changing: whether the form that changes all of them is open.
    """

    template = "widgets/explorers/users_head.html"
    make_draft: ClassVar[type[UsersDraft]] = UsersDraft

    def __init__(self, svc: Session, shown: "SessionUsersExplorer") -> None:
        self._shown = shown
        self.users: LongReading = LongReading(svc.records("users"))
        self.reading: int | None = None
        self.selected: int = 0
        self.changing: bool = False
        super().__init__(svc)

    def start(self) -> None:
        """Start to read the other users, if any."""
        if self.users.is_long:
            self.users.start()
            self._show_reading(self.users.count)

    def wait(self, timeout: float | None = None) -> None:
        """Wait until they are read, and show them."""
        if self.reading is not None:
            self.users.wait(timeout)
            self._refresh()

    @clear_error
    def write(self, pasted: str) -> None:
        """Fill in an ID without reading the user yet."""
        self._keep(replace(self.draft, pasted=pasted))

    def keep_table(self, table: TableModel) -> None:
        """Keep the state of the table."""
        self._remember(replace(self.draft, table=table))

    def keep_form(self, user_id: str, typed: FormModel | None = None) -> None:
        """Keep the user whose form is open, if any, and its draft."""
        also = {} if typed is None else {user_id: typed}
        self._remember(replace(self.draft, changing=user_id, typed={**self.draft.typed, **also}))

    @button
    def read(self) -> None:
        """Read the users with the typed IDs, one by one, with updates without fields, which change nothing.

        IDs are separated by blanks, commas, semicolons or line breaks. Other users are read even if one is not found.

        Raises:
            InvalidInput: no ID was typed, or more than 100.
            NotFound: no such user.
            LookupError: some of several users could not be read; the message names them.
        """
        ids = list(dict.fromkeys(user_id for user_id in BETWEEN.split(self.draft.pasted) if user_id))
        if not ids:
            raise InvalidInput("no user was read: enter a user ID, a login e-mail or externalKey:<key>")
        if len(ids) > MAX_IDS:
            raise InvalidInput(f"no user was read: enter at most {MAX_IDS} IDs at a time; given {len(ids)}")
        read, failed = [], dict[str, Exception]()
        try:
            for user_id in ids:
                try:
                    read.append(self.svc.users.read(user_id).user_id or user_id)
                except (NotFound, InvalidInput) as error:
                    failed[user_id] = error
        finally:
            if read:
                self._shown.update_users(read)
                self._shown.select(read[0])
        if failed and len(ids) == 1:
            raise failed[ids[0]]
        if failed:
            why = "; ".join(f"{user_id}: {_explain(error)}" for user_id, error in failed.items())
            raise LookupError(f"{len(read)} of {len(ids)} users were read; failed: {why}")

    @button
    def refresh(self) -> None:
        """Show the users the session knows now."""
        self.users.stop()
        self.users = LongReading(self.svc.records("users"))
        if not self.users.is_long:
            self._shown.replace_users(self.users.first, frames.users(self.users.first, lists=True))
        self.start()

    @button
    def stop(self) -> None:
        """Stop reading users; those shown stay."""
        self.users.stop()
        self._show_reading(None)

    @button
    def toggle_bulk_edit(self) -> None:
        """Show or close the form that changes all selected users."""
        if self._shown.bulk is None:
            self._shown.bulk_edit().focus()
        else:
            self._shown.close_bulk_edit()

    def show_selection(self, count: int, *, changing: bool) -> None:
        """Show how many users are selected, and whether the form that changes them is open."""
        self.selected, self.changing = count, changing
        self._show()

    def _refresh(self) -> None:
        """Show the progress of the reading and, when it is finished, the users.

        The browser calls it periodically, so the reading thread does not touch the table.
        """
        if self.reading is None:
            return
        if self.users.is_running:
            self._show_reading(self.users.count)
            return
        self._show_reading(None)
        if self.users.failure is not None:
            raise self.users.failure
        read = self.users.take()
        if read is not None:
            self._shown.replace_users(*read)

    def _show_reading(self, count: int | None) -> None:
        """Show the number of users read so far, or None if the reading has finished."""
        self.reading = count
        self._show()

    def _end(self) -> None:
        self.users.stop()
        self.users = LongReading([])
        super()._end()

    def _view(self) -> dict[str, Any]:
        """Return the data for the live view."""
        return {
            "reads": self.svc.listing_note is not None,
            "watched": self.reading is not None,
            "reading": "" if self.reading is None else self._describe_reading(self.reading),
            "done": self.reading,
            "total": self._total,
            "selected": self.selected,
            "changing": self.changing,
        }

    @property
    def _total(self) -> int:
        """The number of users, which only an in-process fake knows, or else 0."""
        return 0 if self.svc.local_fake is None else len(self.svc.local_fake.directory)

    def _describe_reading(self, count: int) -> str:
        of = f" of {self._total:,}" if self._total else ""
        return f"Reading users: {count:,}{of}"


def _explain(error: Exception) -> str:
    return "no such user" if isinstance(error, NotFound) else str(error)

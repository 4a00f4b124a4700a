"""The journal: requests and responses, and the rules each response rested on, with secrets masked."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any, NamedTuple, overload

from fakes.faults.targets import explain_no_match, matches_any
from fakes.http.multipart import FormPart
from fakes.parts.journal_entry import JournalEntry, annotate
from svckit.display.arguments import explaining_arguments
from svckit.display.card import quantity, render_table
from svckit.display.har import format_har
from svckit.display.tab import PublicNames

__all__ = ["Journal", "JournalEntries", "JournalMark"]

CAPACITY = 10_000
SIZE = 64 * 1024 * 1024
FEW = 16
"""How many entries to look at first for those after a mark."""


class JournalMark(NamedTuple):
    """A position in a journal, as returned by `Journal.mark`."""

    number: int
    """The number of the latest request before it."""
    numbering: object = field(repr=False)
    """Identifies the journal, and changes when that restarts."""

    def __repr__(self) -> str:
        return f"<Mark after request {self.number}>"


@dataclass(eq=False, repr=False)
class JournalEntries:
    """Entries selected from a journal, oldest first; they stay the same while the journal grows.

    Iterate over them, index them (``entries[-1]``), slice them (``entries[-3:]``), or look at them in a notebook.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> user = svc.users.read("u-001")
        >>> svc.fake.journal.where(operation="users.update")
        <Journal: 1 request>
            4  200  PATCH  users.update  /users/u-001  (by u-001)
    """

    _entries: Sequence[JournalEntry]
    _numbering: object
    _operations: tuple[str, ...] = ()
    _dropped: int = 0

    def __iter__(self) -> Iterator[JournalEntry]:
        return iter(tuple(self._entries))

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, index: int) -> JournalEntry: ...
    @overload
    def __getitem__(self, index: slice) -> list[JournalEntry]: ...
    def __getitem__(self, index: int | slice) -> JournalEntry | list[JournalEntry]:
        if isinstance(index, slice):
            from_the_end = index.stop is index.step is None and index.start is not None and index.start < 0
            return self.latest(-index.start) if from_the_end else list(self._entries)[index]
        try:
            return self._entries[index]
        except IndexError:
            there = "there is only 1 request" if len(self) == 1 else f"there are only {len(self)} requests"
            raise IndexError(there if len(self) else "there are no requests") from None

    def __repr__(self) -> str:
        latest = self.latest()
        operations = max((len(e.operation) for e in latest), default=0)
        lines = [
            f"{e.number:>5}  {e.status or '---'}  {e.method:<6} {e.operation:<{operations}}  {e.path}{annotate(e)}"
            for e in latest
        ]
        return "\n".join([f"<{self._make_title(len(latest))}>", *lines])

    def _repr_html_(self) -> str:
        latest = self.latest()
        columns = {
            "no.": [str(entry.number) for entry in latest],
            "method": [entry.method for entry in latest],
            "URL": [entry.url for entry in latest],
            "status": [str(entry.status or "") for entry in latest],
            "operation": [entry.operation for entry in latest],
            "user": [entry.user_id or "" for entry in latest],
            "assumed": [", ".join(entry.assumed) for entry in latest],
            "deviates": [", ".join(entry.deviations) for entry in latest],
            "ignored": [", ".join(entry.ignored) for entry in latest],
            "injected": [entry.injected or "" for entry in latest],
        }
        if not any(columns["deviates"]):
            del columns["deviates"]  # as few fakes deviate
        return render_table(
            self._make_title(len(latest)), (*columns,), [*zip(*columns.values(), strict=True)]
        )[0]

    def _make_title(self, count: int) -> str:
        earlier = f", the latest {count} shown" if count < len(self) else ""
        return f"Journal: {quantity(len(self), 'request')}{earlier}"

    def latest(self, count: int = 20) -> list[JournalEntry]:
        """Return the latest entries, oldest first.

        Args:
            count: how many at most, from 1.
        """
        return list(islice(reversed(self._entries), count))[::-1]

    @explaining_arguments()
    def to_har(self) -> dict[str, Any]:
        """Return the requests and responses as a HAR 1.2 archive, ready for ``json.dumps``, secrets masked.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> user = svc.users.read("u-001")
            >>> [entry["_operation"] for entry in svc.fake.journal.to_har()["log"]["entries"]][-1]
            'users.update'
        """
        return format_har(entry.to_har() for entry in self)

    def since(self, mark: JournalMark) -> "JournalEntries":
        """Return the entries after a mark, as far as there are any now.

        Args:
            mark: what `Journal.mark` returned.

        Returns:
            The entries, which can be narrowed further. After `Journal.clear` they begin with the first one since then.

        Raises:
            LookupError: the journal was full, and no longer has all entries since the mark.
            ValueError: the mark is of another journal, or of the time before the journal was restarted.
            TypeError: it is not a mark.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> user = svc.users.read("u-001")
            >>> mark = svc.fake.journal.mark()
            >>> mark
            <Mark after request 4>
            >>> user = svc.users.update("u-001", nick_name="Mina")
            >>> [(entry.number, entry.json) for entry in svc.fake.journal.since(mark)]
            [(5, {'nickName': 'Mina'})]
        """
        if not isinstance(mark, JournalMark):
            raise TypeError(f"since() takes a mark, as journal.mark() returns it; given {mark!r}")
        if mark.numbering is not self._numbering:
            raise ValueError(
                f"{mark!r} is of another journal, or of the time before this one was restarted; "
                "call journal.mark() again after creating or resetting a fake"
            )
        dropped = self.find_dropped()
        if mark.number < dropped:
            raise LookupError(
                f"{quantity(dropped - mark.number, 'request')} after {mark!r} made room for others: the journal "
                f"keeps the latest {CAPACITY:,}, and at most 64 MiB of them; look more often, or limit the calls with "
                "fake.budget()"
            )
        return self.after(mark.number)

    def after(self, number: int) -> "JournalEntries":
        """Return the entries after a number, without looking at those before it."""
        count = FEW
        while True:
            latest = self.latest(count)
            if len(latest) < count or latest[0].number <= number:
                return self._select(entry for entry in latest if entry.number > number)
            count *= 2

    @explaining_arguments(
        path='operation=, such as "users.*", or [entry for entry in journal if path in entry.url]'
    )
    def where(self, *, operation: str | None = None, status: int | None = None) -> "JournalEntries":
        """Return the entries of an operation, of a status, or of both.

        Args:
            operation: the name of an operation, such as ``users.update``, or a pattern, such as ``upload.*``.
            status: the HTTP status of the response.

        Returns:
            The entries, which can be narrowed further.

        Raises:
            ValueError: no operation has such a name.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> user = svc.users.read("u-001")
            >>> len(svc.fake.journal.where(operation="auth.*", status=200))
            2
            >>> svc.fake.journal.where(operation="user.update")
            Traceback (most recent call last):
            ...
            ValueError: no operation matches 'user.update'; did you mean users.update?
        """
        if operation is not None and self._operations and not matches_any(operation, self._operations):
            raise ValueError(explain_no_match(operation, self._operations))
        return self._select(
            entry
            for entry in self
            if (operation is None or fnmatchcase(entry.operation, operation))
            and (status is None or entry.status == status)
        )

    def _select(self, entries: Iterable[JournalEntry]) -> "JournalEntries":
        dropped = self.find_dropped()
        return JournalEntries(tuple(entries), self._numbering, self._operations, dropped)

    def find_dropped(self) -> int:
        """Return the number of the latest entry that made room for others; 0 if none did."""
        return self._dropped


class Journal(JournalEntries, PublicNames, internal="after append find_dropped kept_bytes most_bytes"):
    """The latest requests, oldest first: at most 10,000, and at most 64 MiB of them.

    Iterate over it, index it (``journal[-1]``), slice it (``journal[-3:]``), or look at it in a notebook. Select
    entries with `since` and `where`.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> journal = svc.fake.journal
        >>> user = svc.users.read("u-001")
        >>> [(entry.number, entry.operation, entry.status) for entry in journal.latest(2)]
        [(3, 'auth.token', 200), (4, 'users.update', 200)]
        >>> mark = journal.mark()
        >>> user = svc.users.read("u-002")
        >>> [entry.path for entry in journal.since(mark).where(operation="users.update")]
        ['/users/u-002']
        >>> journal.clear()
        >>> user = svc.users.read("u-001")
        >>> journal[-1].number
        6
        >>> journal.restart()
        >>> len(journal)
        0
    """

    _entries: deque[JournalEntry]

    def __init__(self, operations: Iterable[str] = (), *, capacity: int = CAPACITY, size: int = SIZE) -> None:
        super().__init__(deque(), object(), tuple(operations))  # another numbering after each `restart`
        self._capacity = capacity
        self._count = 0  # the number of the latest request
        self._cleared = 0  # the number of the latest request when it was cleared
        self.most_bytes = size
        self.kept_bytes: int = 0

    def append(self, entry: JournalEntry, body: bytes = b"", parts: Sequence[FormPart] = ()) -> None:
        """Record a request; bodies are cut at 64 KiB, and of a streamed response only the head is kept."""
        self._count = entry.number = self._count + 1
        entry.keep(body, parts)
        entries, size = self._entries, self.kept_bytes + entry.kept_bytes
        if len(entries) == self._capacity:
            size -= entries.popleft().kept_bytes
        entries.append(entry)
        while size > self.most_bytes:
            size -= entries.popleft().kept_bytes
        self.kept_bytes = size

    def find_dropped(self) -> int:
        """Return the number of the latest entry that made room for others; 0 if none did."""
        entries = self._entries
        before = entries[0].number - 1 if entries else self._count
        return before if before > self._cleared else 0

    def mark(self) -> JournalMark:
        """Return the current position, for `since`: requests recorded later come after it.

        Examples:
            >>> Journal().mark()
            <Mark after request 0>
        """
        return JournalMark(self._count, self._numbering)

    def clear(self) -> None:
        """Forget all entries; the numbering continues."""
        self._entries.clear()
        self.kept_bytes = 0
        self._cleared = self._count

    def restart(self) -> None:
        """Forget all entries, and restart the numbering at 1; earlier marks are no longer valid."""
        self._count = 0
        self.clear()
        self._numbering = object()

"""Reading many users: the first ones at once, the others in the background."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import chain, islice, repeat
from typing import Final

import pandas as pd

from svckit import frames
from svckit.frames.column import Record
from svckit.frames.origin import remember
from svckit.frames.source import Batches
from svckit.widgets.base.background import Work

__all__ = ["FIRST", "LongReading", "replace_record"]

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

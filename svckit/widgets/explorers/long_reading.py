"""Users of a source that has many: the first at once, and all of them later, read beside the notebook."""

from collections.abc import Generator, Iterable, Sequence
from itertools import islice
from typing import Final

import pandas as pd

from svckit import frames
from svckit.frames.column import Record
from svckit.frames.origin import remember
from svckit.widgets.base.background import Work

__all__ = ["FIRST", "LongReading", "with_record"]

FIRST: Final = 1_000
"""Users that are read at once, in a few hundredths of a second."""
STEP = 500


class LongReading:
    """Users as they are read, and the frame of them.

    Args:
        records: where they come from; read in another thread, after the first.

    Attributes:
        first: those that are there at once.
        count: how many were read by now.
        failure: what ended it before its time, if anything.

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
        self._left = iter(records)
        self.first = list(islice(self._left, FIRST))
        self._next = next(self._left, None)
        self.count = len(self.first)
        self.failure: Exception | None = None
        self._read: tuple[list[Record], pd.DataFrame] | None = None
        self._work = Work(self._steps())

    @classmethod
    def from_list(cls, records: list[Record]) -> "LongReading":
        """Users that are there already."""
        made = cls([])
        made.first, made.count = records, len(records)
        return made

    @property
    def is_long(self) -> bool:
        """Whether there are more than the first."""
        return self._next is not None

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to come."""
        return not self._work.is_running

    def start(self) -> None:
        """Begin to read the others."""
        self._work.start()

    def cancel(self) -> None:
        """Read no more."""
        self._work.cancel()

    def wait(self, timeout: float | None = None) -> None:
        """Wait for the end of it."""
        self._work.wait(timeout)

    def take(self) -> tuple[list[Record], pd.DataFrame] | None:
        """All users and their frame, once; None before and after, or where they were not read to the end."""
        read, self._read = self._read, None
        return read

    def _steps(self) -> Generator[None, None, None]:
        records = [*self.first, *([] if self._next is None else [self._next])]
        try:
            while more := list(islice(self._left, STEP)):
                records += more
                self.count = len(records)
                yield
            frame = frames.users(records)
            self._read = records, frame
        except Exception as failure:  # noqa: BLE001 - there is nobody in a thread to handle it
            self.failure = failure


def with_record(
    records: Sequence[Record], frame: pd.DataFrame, position: int, record: Record
) -> tuple[list[Record], pd.DataFrame]:
    """Users and their frame with one of them as it is now; those that were given stay as they are.

    Examples:
        >>> users = [{"userId": "u-1"}, {"userId": "u-2"}]
        >>> changed, frame = with_record(users, frames.users(users), 0, {"userId": "u-1", "task": "Sales"})
        >>> frame["task"].tolist(), len(users[0])
        (['Sales', <NA>], 1)
    """
    changed = [*records[:position], record, *records[position + 1 :]]
    parts = frame.iloc[:position], frames.users([record]), frame.iloc[position + 1 :]
    return changed, remember(pd.concat(parts, ignore_index=True), "users", changed)

"""The origin of a frame, for finding later edits in it.

The origin holds the records that the frame was built from, and a shallow copy of the frame. Pandas copies a column
before its first edit, so unedited columns are not stored twice.

The frame carries its origin in ``frame.attrs``, which pandas passes on to copies and to filtered, sorted and edited
frames, with a deep copy each time. The origin is its own deep copy, so this is free for any number of users. It is
also text, so code that writes ``attrs`` to a file writes a word and no records. A pickled frame forgets its origin.
"""

from collections.abc import Sequence
from typing import Self

import pandas as pd

from svckit.frames.column import Record

__all__ = ["FrameOrigin", "Remembered", "forget", "origin_of", "remember"]

KEY = "svckit"
COPIES_ON_WRITE = int(pd.__version__.partition(".")[0]) >= 3  # older versions edit a shallow copy too


class Remembered(str):
    """A note that a frame carries in ``attrs``: text outside, never copied, and equal to itself only."""

    __slots__ = ()

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __copy__(self) -> Self:
        return self

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    __hash__ = str.__hash__


class FrameOrigin(Remembered):
    """The origin of a frame; no two are equal.

    Attributes:
        kind: the kind of frame, such as ``users``.
        records: the records of the users.
        original: the original frame; ``None`` if keeping it would double its memory.
    """

    __slots__ = ("kind", "original", "records")
    kind: str
    records: Sequence[Record]
    original: pd.DataFrame | None

    @classmethod
    def of(cls, kind: str, records: Sequence[Record], frame: pd.DataFrame) -> Self:
        """Create the origin of a frame that was just built."""
        made = cls(f"{kind} as read")
        made.kind, made.records = kind, records
        made.original = frame.copy(deep=False) if COPIES_ON_WRITE else None
        return made


def remember(frame: pd.DataFrame, kind: str, records: Sequence[Record]) -> pd.DataFrame:
    """Attach its origin to a frame, and return the frame."""
    frame.attrs[KEY] = FrameOrigin.of(kind, records, frame)
    return frame


def origin_of(frame: pd.DataFrame) -> FrameOrigin | None:
    """Return the origin of a frame, if it remembers it."""
    found = frame.attrs.get(KEY)
    return found if isinstance(found, FrameOrigin) else None


def forget(frame: pd.DataFrame) -> None:
    """Remove the origin of a frame."""
    frame.attrs.pop(KEY, None)

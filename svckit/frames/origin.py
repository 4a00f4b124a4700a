"""What a frame was read as, so that it can be told later what was edited in it.

That is the records it was made of, and the frame itself: a shallow copy, of which pandas copies a column before the
first edit of it, so that what was not edited takes no memory twice.

The frame carries it in ``frame.attrs``, which pandas hands on to copies, filtered, sorted and edited frames, but by
copying it deeply each time. The origin is its own deep copy, so that costs nothing however many users there are; and
it is text, so that what writes ``attrs`` to a file writes a word, and no records. A pickled frame forgets it.
"""

from collections.abc import Sequence
from typing import Self

import pandas as pd

from svckit.frames.column import Record

__all__ = ["FrameOrigin", "forget", "origin_of", "remember"]

KEY = "svckit"
COPIES_ON_WRITE = int(pd.__version__.partition(".")[0]) >= 3  # before, a shallow copy was edited too


class FrameOrigin(str):
    """What a frame was made of; none is equal to another.

    Attributes:
        kind: which frame it was, such as ``users``.
        records: the records of the users.
        shown: the frame as it was made; ``None`` where keeping it would cost its memory twice.
    """

    __slots__ = ("kind", "records", "shown")
    kind: str
    records: Sequence[Record]
    shown: pd.DataFrame | None

    @classmethod
    def of(cls, kind: str, records: Sequence[Record], frame: pd.DataFrame) -> Self:
        """The origin of a frame of that kind, which was just made."""
        made = cls(f"{kind} as read")
        made.kind, made.records = kind, records
        made.shown = frame.copy(deep=False) if COPIES_ON_WRITE else None
        return made

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


def remember(frame: pd.DataFrame, kind: str, records: Sequence[Record]) -> pd.DataFrame:
    """Have a frame remember what it was made of; gives the frame."""
    frame.attrs[KEY] = FrameOrigin.of(kind, records, frame)
    return frame


def origin_of(frame: pd.DataFrame) -> FrameOrigin | None:
    """What a frame was made of, if it remembers that."""
    found = frame.attrs.get(KEY)
    return found if isinstance(found, FrameOrigin) else None


def forget(frame: pd.DataFrame) -> None:
    """Have a frame forget what it was made of."""
    frame.attrs.pop(KEY, None)

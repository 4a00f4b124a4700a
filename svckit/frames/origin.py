"""What a frame was read as, so that it can be told later what was edited in it.

The frame carries it in ``frame.attrs``, which pandas hands on to copies, filtered, sorted and edited frames, but by
copying it deeply each time. The origin is its own deep copy, so that costs nothing however many users there are; and
it is text, so that what writes ``attrs`` to a file writes a word, and no records. A pickled frame forgets it.
"""

from collections.abc import Sequence
from typing import Any, Self

import pandas as pd

from svckit.frames.columns import Record

__all__ = ["Origin", "forget", "origin_of", "remember"]

KEY = "svckit"


class Origin(str):
    """The records that a frame was made of; none is equal to another."""

    __slots__ = ("records",)
    records: Sequence[Record]

    @classmethod
    def of(cls, kind: str, records: Sequence[Record]) -> Self:
        """The origin of a frame of that kind."""
        made = cls(f"{kind} as read")
        made.records = records
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
    frame.attrs[KEY] = Origin.of(kind, records)
    return frame


def origin_of(frame: pd.DataFrame) -> Sequence[Any] | None:
    """The records a frame was made of, if it remembers them."""
    found = frame.attrs.get(KEY)
    return found.records if isinstance(found, Origin) else None


def forget(frame: pd.DataFrame) -> None:
    """Have a frame forget what it was made of."""
    frame.attrs.pop(KEY, None)

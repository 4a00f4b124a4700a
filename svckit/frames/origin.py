"""The notes that a frame carries: the records it was built from, to find later edits, or the sheet it was read from.

The frame carries notes in ``frame.attrs``, which pandas passes on to copies and to filtered, sorted and edited
frames, with a deep copy each time. A note is its own deep copy, so this is free for any number of users. It is
also text, so code that writes ``attrs`` to a file writes a word and no records. A pickled frame forgets its notes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import pandas as pd

from svckit.edits.sheet import Sheet
from svckit.frames.column import Record

__all__ = ["FrameOrigin", "attach_sheet", "forget", "origin_of", "remember", "sheet_of"]

ORIGIN, SHEET = "svckit", "svckit-sheet"
COPIES_ON_WRITE = int(pd.__version__.partition(".")[0]) >= 3  # older versions edit a shallow copy too


class Note(str):
    """A note that a frame carries in ``attrs``: text outside, never copied, and equal to itself only.

    Attributes:
        about: what the frame remembers.
    """

    __slots__ = ("about",)
    about: Any

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


@dataclass(frozen=True, slots=True)
class FrameOrigin:
    """The origin of a frame.

    Attributes:
        kind: the kind of frame, such as ``users``.
        records: the records of the users.
        original: a shallow copy of the frame; ``None`` if that would double its memory. Pandas copies a column before
            its first edit, so unedited columns are not stored twice.
    """

    kind: str
    records: Sequence[Record]
    original: pd.DataFrame | None


def remember(frame: pd.DataFrame, kind: str, records: Sequence[Record]) -> pd.DataFrame:
    """Attach its origin to a frame that was just built, and return the frame."""
    original = frame.copy(deep=False) if COPIES_ON_WRITE else None
    return _attach(frame, ORIGIN, f"{kind} as read", FrameOrigin(kind, records, original))


def origin_of(frame: pd.DataFrame) -> FrameOrigin | None:
    """Return the origin of a frame, if it remembers it."""
    found: FrameOrigin | None = getattr(frame.attrs.get(ORIGIN), "about", None)
    return found


def forget(frame: pd.DataFrame) -> None:
    """Remove the origin of a frame."""
    frame.attrs.pop(ORIGIN, None)


def attach_sheet(frame: pd.DataFrame, sheet: Sheet) -> pd.DataFrame:
    """Attach the sheet that it was read from to a frame, and return the frame."""
    return _attach(frame, SHEET, "sheet as read", sheet)


def sheet_of(frame: pd.DataFrame) -> Sheet | None:
    """Return the sheet that a frame was read from, if it was."""
    found: Sheet | None = getattr(frame.attrs.get(SHEET), "about", None)
    return found


def _attach(frame: pd.DataFrame, key: str, words: str, about: Any) -> pd.DataFrame:
    frame.attrs[key] = note = Note(words)
    note.about = about
    return frame

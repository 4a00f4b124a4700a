"""The sheet that a frame of users was read from: its rows, its headings, and what its blank cells mean."""

from collections.abc import Mapping, Sequence
from typing import Literal, Self

import pandas as pd

from svckit.frames.origin import Remembered

__all__ = ["Blank", "Sheet", "attach_sheet", "sheet_of"]

Blank = Literal["keep", "clear"]
"""Whether a blank cell keeps the value of a user, or clears it."""

KEY = "svckit-sheet"


class Sheet(Remembered):
    """A sheet; the frame carries it in ``attrs``, like its origin.

    Attributes:
        rows: the numbers of the sheet's rows, from 1, by the name of the user in ``user_id``.
        headings: the headings by column.
        blank: what a blank cell means.
        formulas: the cells with a formula whose value the file does not have, as pairs of a user and a column.
    """

    __slots__ = ("blank", "formulas", "headings", "rows")
    rows: Mapping[str, Sequence[int]]
    headings: Mapping[str, str]
    blank: Blank
    formulas: frozenset[tuple[str, str]]

    @classmethod
    def of(
        cls,
        rows: Mapping[str, Sequence[int]],
        headings: Mapping[str, str],
        blank: Blank,
        formulas: frozenset[tuple[str, str]],
    ) -> Self:
        """Create one."""
        made = cls("sheet as read")
        made.rows, made.headings, made.blank, made.formulas = rows, headings, blank, formulas
        return made


def attach_sheet(frame: pd.DataFrame, sheet: Sheet) -> pd.DataFrame:
    """Attach its sheet to a frame, and return the frame."""
    frame.attrs[KEY] = sheet
    return frame


def sheet_of(frame: pd.DataFrame) -> Sheet | None:
    """Return the sheet that a frame was read from, if it was."""
    found = frame.attrs.get(KEY)
    return found if isinstance(found, Sheet) else None

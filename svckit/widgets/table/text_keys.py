"""The text that the rows of a frame are found and sorted by, for the code of a view: as in the table itself."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from svckit.widgets.table.cells import Codes
from svckit.widgets.table.column import column_of

__all__ = ["folded", "sort_keys"]


def folded(frame: pd.DataFrame, *columns: str) -> "pd.Series[str]":
    """Return the text of each row in some columns, by default in all, as a search compares it.

    Examples:
        >>> folded(pd.DataFrame({"id": ["u-1"], "name": ["ｻﾄｳ Mina"]})).tolist()
        ['u-1\\nサトウ mina']
    """
    texts = (_spread(*column_of(frame, name).folded) for name in columns or frame.columns)
    return pd.Series(map("\n".join, zip(*texts, strict=True)), frame.index, dtype="string")


def sort_keys(frame: pd.DataFrame, name: str) -> "pd.Series[str]":
    """Return what the rows are sorted by in a column of text: of names the phonetic form; missing for a blank cell.

    Examples:
        >>> people = pd.DataFrame({"last_name": ["安部", "伊藤"], "phonetic_last_name": ["アベ", "イトウ"]})
        >>> people.loc[sort_keys(people, "last_name").sort_values().index, "last_name"].tolist()
        ['安部', '伊藤']
    """
    return pd.Series(_spread(*column_of(frame, name).sort_keys), frame.index, dtype="string")


def _spread(which: Codes, values: Sequence[Any]) -> list[Any]:
    return [values[at] for at in which.tolist()]

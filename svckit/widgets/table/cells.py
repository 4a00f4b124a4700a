"""Cell values as text: short, the same everywhere, empty for a missing value."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api import types

from svckit.frames.grouping import is_grouped

__all__ = ["Codes", "column_groups", "column_text", "text"]

Codes = npt.NDArray[np.int64]


def text(value: Any) -> str:
    """Format a value as text; an instant keeps its offset, and midnight without an offset is a date.

    Examples:
        >>> text(True), text(None), text(["a", "b"]), text(0.5)
        ('yes', '', 'a, b', '0.5')
        >>> text(pd.Timestamp("2026-06-01T09:00:00.250+00:00")), text(pd.Timestamp("2026-06-01"))
        ('2026-06-01 09:00:00.250Z', '2026-06-01')
    """
    if types.is_scalar(value) and pd.isna(value):
        return ""
    match value:
        case bool():
            return "yes" if value else "no"
        case datetime():
            return _instant(value)
        case float():
            return f"{value:g}"
        case list() | tuple():
            return ", ".join(map(text, value))
        case _:
            return str(value)


def column_text(column: "pd.Series[Any]") -> list[str]:
    """Format the cells of a column as text."""
    codes, texts = column_groups(column)
    return [texts[code] for code in codes.tolist()]


def column_groups(column: "pd.Series[Any]") -> tuple[Codes, list[str]]:
    """Return the distinct texts of a column, and for each cell the index of its text.

    Examples:
        >>> codes, texts = column_groups(pd.Series(["b", "a", None, "b"], dtype="string"))
        >>> codes.tolist(), texts
        ([0, 1, 2, 0], ['b', 'a', ''])
    """
    if not is_grouped(column.dtype):
        return _distinct([text(value) for value in column.astype(object)])
    if isinstance(column.dtype, pd.CategoricalDtype):
        numbers, different = np.asarray(column.cat.codes), column.cat.categories
    else:
        numbers, different = pd.factorize(column)
    # Missing values have the code -1, the last.
    codes, texts = _distinct([*map(text, pd.Index(different).astype(object)), ""])
    return codes[numbers], texts


def _distinct(texts: Sequence[str]) -> tuple[Codes, list[str]]:
    codes, different = pd.factorize(np.array(texts, dtype=object))
    return np.asarray(codes, dtype=np.int64), list(different)


def _instant(value: datetime) -> str:
    if value.tzinfo is None and (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0):
        return value.date().isoformat()
    precision = "milliseconds" if value.microsecond else "seconds"
    return value.isoformat(sep=" ", timespec=precision).replace("+00:00", "Z")

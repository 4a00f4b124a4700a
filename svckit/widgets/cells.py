"""Values as the text of a table's cells: short, the same everywhere, empty where a value is missing."""

from datetime import datetime
from typing import Any
from unicodedata import normalize

import numpy as np
import pandas as pd
from pandas.api import types

__all__ = ["column_text", "folded", "text"]


def text(value: Any) -> str:
    """One value as text. An instant keeps its offset; a time without one that is midnight is a date.

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
    """The cells of a column as text."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        # One text a category; the code of a missing value is -1, the last.
        texts = [*map(text, column.cat.categories), ""]
        return [texts[code] for code in column.cat.codes.tolist()]
    if isinstance(column.dtype, pd.StringDtype):
        return column.fillna("").tolist()
    if types.is_integer_dtype(column.dtype) or types.is_datetime64_any_dtype(column.dtype):
        # One text a value that is different; -1, the last, stands for missing ones again.
        codes, different = pd.factorize(column)
        index = pd.Index(different)
        written = _instants(index) if isinstance(index, pd.DatetimeIndex) else map(text, index.astype(object))
        texts = [*written, ""]
        return [texts[code] for code in codes.tolist()]
    return [text(value) for value in column.astype(object)]


def folded(words: str) -> str:
    """Text as it is compared: without case, and with look-alike forms (full and half width, …) made one.

    Examples:
        >>> folded("Mina"), folded("Straße"), folded("ｶﾅ") == folded("カナ")
        ('mina', 'strasse', True)
    """
    if words.isascii():
        return words.lower()
    return normalize("NFKC", normalize("NFKC", words).casefold())


def _instants(index: pd.DatetimeIndex) -> list[str]:
    """Instants as `text` writes each of them; without an offset, or in UTC, in a tenth of the time."""
    if index.tz is not None and str(index.tz) != "UTC":
        return [text(value) for value in index.astype(object)]
    plain = index if index.tz is None else index.tz_convert(None)
    values, mark = plain.to_numpy(), "" if index.tz is None else "Z"
    seconds = np.datetime_as_string(values, unit="s")
    if index.tz is None:
        days = np.datetime_as_string(values, unit="D")
        seconds = np.where(plain == plain.normalize(), days, seconds)
    precise = np.datetime_as_string(values, unit="ms", casting="unsafe")
    written = np.where(np.asarray(plain.microsecond) != 0, precise, seconds)
    return [each.replace("T", " ") + mark for each in written.tolist()]


def _instant(value: datetime) -> str:
    if value.tzinfo is None and (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0):
        return value.date().isoformat()
    precision = "milliseconds" if value.microsecond else "seconds"
    return value.isoformat(sep=" ", timespec=precision).replace("+00:00", "Z")

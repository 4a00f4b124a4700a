"""Filters of one column, with values checked against the column."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import pandas as pd
from pandas.api import types

from svckit.operations.checks import check_flags

__all__ = ["Bound", "Filter", "bound_text", "is_ordered", "new_filter"]

Bound = int | float | pd.Timestamp
DAY = pd.Timedelta(days=1)
FEW = 12  # choices that are named; of more the number is


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter that keeps the rows whose cell meets every condition; made by `new_filter`.

    Attributes:
        choices: the cell, as text, is one of these; empty text stands for a blank cell.
        contains: the cell's text contains this; case and full or half width do not matter.
        low: the cell is this or more.
        high: the cell is this or less, or on this day.
        whole_day: whether ``high`` is a day, which includes all of it.
        missing: the cell is blank; with False, it is not.
    """

    choices: tuple[str, ...] | None = None
    contains: str | None = None
    low: Bound | None = None
    high: Bound | None = None
    whole_day: bool = False
    missing: bool | None = None

    @property
    def limits(self) -> list[tuple[str, Any]]:
        """The comparisons that a cell has to pass: operators of Python, and what to compare with."""
        end: tuple[str, Any] = ("<=", self.high)
        if isinstance(self.high, pd.Timestamp) and self.whole_day:
            end = ("<", self.high + DAY)
        return [(sign, bound) for sign, bound in ((">=", self.low), end) if bound is not None]

    @property
    def conditions(self) -> dict[str, Any]:
        """The arguments of `new_filter` that make it.

        Examples:
            >>> days = pd.Series(pd.to_datetime(["2026-06-01"]))
            >>> new_filter(days, high="2026-06-01").conditions["high"]
            '2026-06-01'
        """
        high = bound_text(self.high) if self.high is not None and self.whole_day else self.high
        return {
            "choices": self.choices,
            "contains": self.contains,
            "low": self.low,
            "high": high,
            "missing": self.missing,
        }

    @property
    def words(self) -> str:
        """The filter in words.

        Examples:
            >>> Filter(choices=("active", ""), low=3).words
            'active or blank, from 3'
        """
        parts = [
            _list_choices(self.choices or ()),
            f"contains “{self.contains}”" if self.contains else "",
            f"from {bound_text(self.low)}" if self.low is not None else "",
            f"to {bound_text(self.high)}" if self.high is not None else "",
            "" if self.missing is None else "blank" if self.missing else "not blank",
        ]
        return ", ".join(filter(None, parts))


def new_filter(
    column: "pd.Series[Any]",
    *,
    choices: Iterable[str] | None = None,
    contains: str | None = None,
    low: Any = None,
    high: Any = None,
    missing: bool | None = None,
) -> Filter | None:
    """Make a filter for a column; return None if no condition is given, so all rows stay.

    Args:
        column: the column to filter.
        choices: texts of cells to keep, empty text for blank ones.
        contains: text to look for in the cells.
        low: the smallest number, or the first day or instant, as a value or as text.
        high: the largest; a day without a time includes the whole day.
        missing: whether to keep only blank cells; with False, only the others.

    Raises:
        ValueError: a condition does not fit the column; the message says which values do.

    Examples:
        >>> new_filter(pd.Series([1, 2, 3]), low="2")
        Filter(choices=None, contains=None, low=2, high=None, whole_day=False, missing=None)
        >>> new_filter(pd.Series(["a"], name="task"), low=2)
        Traceback (most recent call last):
        ...
        ValueError: task holds neither numbers nor times, so it has no range; filter it by choices or contains
    """
    check_flags("the table was not filtered", missing=missing)
    if isinstance(choices, str):
        raise ValueError(f"choices are a list of texts; given the text {choices!r}: put it into a list")
    texts = None if choices is None else tuple(dict.fromkeys(choices))
    if texts is not None and not all(isinstance(text, str) for text in texts):
        raise ValueError(f"choices are texts of cells, such as {'yes'!r}; given {texts!r}")
    first = None if low in (None, "") else _bound(column, low)
    last = None if high in (None, "") else _bound(column, high)
    whole_day = isinstance(last, pd.Timestamp) and _is_day(high)
    if isinstance(last, pd.Timestamp) and whole_day:
        last = last.normalize()
    found = Filter(texts, contains or None, low=first, high=last, whole_day=whole_day, missing=missing)
    match found.limits:
        case [(_, start), (sign, end)] if start > end or (start == end and sign == "<"):
            raise ValueError(f"a range goes from low to high; {low} comes after {high}")
    return None if found == Filter() else found


def _list_choices(choices: Sequence[str]) -> str:
    if len(choices) > FEW:
        return f"one of {len(choices):,}"
    return " or ".join(choice or "blank" for choice in choices)


def is_ordered(column: "pd.Series[Any]") -> bool:
    """Return whether a column holds numbers or times, so that it has a range."""
    dtype = column.dtype
    return types.is_datetime64_any_dtype(dtype) or (
        types.is_numeric_dtype(dtype) and not types.is_bool_dtype(dtype) and not types.is_complex_dtype(dtype)
    )


def _bound(column: "pd.Series[Any]", value: Any) -> Bound:
    name = column.name
    if not is_ordered(column):
        raise ValueError(
            f"{name} holds neither numbers nor times, so it has no range; filter it by choices or contains"
        )
    if types.is_datetime64_any_dtype(column.dtype):
        return _instant(column, value)
    try:
        number = value if isinstance(value, int) and not isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is filtered by numbers, such as 10; given {value!r}") from None
    if not isfinite(number):
        raise ValueError(f"{name} is filtered by numbers, such as 10; given {value!r}")
    return int(number) if float(number).is_integer() else number


def _instant(column: "pd.Series[Any]", value: Any) -> pd.Timestamp:
    zone = getattr(column.dtype, "tz", None)
    example = "2026-06-01" if zone is None else "2026-06-01 or 2026-06-01T09:00:00+09:00"
    try:
        instant: pd.Timestamp | None = pd.Timestamp(value)
    except (TypeError, ValueError, OverflowError):
        instant = None
    if isinstance(value, int | float) or instant is None or pd.isna(instant):
        raise ValueError(f"{column.name} is filtered by days or times, such as {example}; given {value!r}")
    if zone is None and instant.tzinfo is not None:
        raise ValueError(f"{column.name} holds times without an offset, such as {example}; given {value!r}")
    if zone is None:
        return instant
    return instant.tz_localize(zone) if instant.tzinfo is None else instant.tz_convert(zone)


def _is_day(value: Any) -> bool:
    """Return whether a bound is a day without a time."""
    if isinstance(value, str):
        return ":" not in value and "T" not in value.upper()
    return not hasattr(value, "hour")


def bound_text(bound: Bound) -> str:
    """Format the end of a range.

    Examples:
        >>> bound_text(pd.Timestamp("2026-06-01")), bound_text(0.5)
        ('2026-06-01', '0.5')
    """
    if isinstance(bound, pd.Timestamp):
        return bound.date().isoformat() if bound == bound.normalize() else bound.isoformat(sep=" ")
    return f"{bound:g}" if isinstance(bound, float) else str(bound)

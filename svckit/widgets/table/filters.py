"""What a filter of one column keeps, in values that have been checked against the column."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Any

import pandas as pd
from pandas.api import types

__all__ = ["Bound", "Filter", "bound_text", "is_ordered", "new_filter"]

Bound = int | float | pd.Timestamp
DAY = pd.Timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Filter:
    """Keeps the rows whose cell meets every condition that is given; made by `new_filter`.

    Attributes:
        choices: the cell, as text, is one of these; empty text stands for a blank cell.
        contains: the cell's text holds this; neither case nor full and half width counts.
        low: the cell is this or more.
        high: the cell is this or less.
        before: the cell is earlier than this; what a ``high`` that is a whole day comes to.
        missing: the cell is blank, or with False it is not.
    """

    choices: tuple[str, ...] | None = None
    contains: str | None = None
    low: Bound | None = None
    high: Bound | None = None
    before: pd.Timestamp | None = None
    missing: bool | None = None

    @property
    def last(self) -> Bound | None:
        """The end of the range as it was given: of a whole day, that day."""
        return self.high if self.before is None else self.before - DAY

    @property
    def words(self) -> str:
        """The filter as one says it.

        Examples:
            >>> Filter(choices=("active", ""), low=3).words
            'active or blank, from 3'
        """
        said = [
            " or ".join(each or "blank" for each in self.choices) if self.choices is not None else "",
            f"contains “{self.contains}”" if self.contains else "",
            f"from {bound_text(self.low)}" if self.low is not None else "",
            f"to {bound_text(self.last)}" if self.last is not None else "",
            "" if self.missing is None else "blank" if self.missing else "not blank",
        ]
        return ", ".join(filter(None, said))


def new_filter(
    column: "pd.Series[Any]",
    *,
    choices: Iterable[str] | None = None,
    contains: str | None = None,
    low: Any = None,
    high: Any = None,
    missing: bool | None = None,
) -> Filter | None:
    """A filter for a column; None where no condition is given, so that all rows stay.

    Args:
        column: what is filtered.
        choices: texts of cells to keep, empty text for blank ones.
        contains: text to look for in the cells.
        low: the least number or the first day or instant, as a value or as text.
        high: the greatest; a day without a time counts to its end.
        missing: whether only blank cells are kept, or only others.

    Raises:
        ValueError: a condition does not fit the column; says which values do.

    Examples:
        >>> new_filter(pd.Series([1, 2, 3]), low="2")
        Filter(choices=None, contains=None, low=2, high=None, before=None, missing=None)
        >>> new_filter(pd.Series(["a"], name="task"), low=2)
        Traceback (most recent call last):
        ...
        ValueError: task holds neither numbers nor times, so it has no range; filter it by choices or contains
    """
    if isinstance(choices, str):
        raise ValueError(f"choices are several texts; given the text {choices!r}: put it into a list")
    kept = None if choices is None else tuple(dict.fromkeys(choices))
    if kept is not None and not all(isinstance(each, str) for each in kept):
        raise ValueError(f"choices are texts of cells, such as {'yes'!r}; given {kept!r}")
    first: Bound | None = None
    last: Bound | None = None
    before: pd.Timestamp | None = None
    if low not in (None, ""):
        first = _bound(column, low)
    if high not in (None, ""):
        last = _bound(column, high)
    if first is not None and last is not None and first > last:  # type: ignore[operator] # both are of the column's kind
        raise ValueError(f"a range goes from low to high; {low} comes after {high}")
    if isinstance(last, pd.Timestamp) and _is_day(high):
        before, last = last.normalize() + DAY, None
    if (
        kept is None
        and not contains
        and first is None
        and last is None
        and before is None
        and missing is None
    ):
        return None
    return Filter(kept, contains or None, first, last, before, missing)


def is_ordered(column: "pd.Series[Any]") -> bool:
    """Whether a column has a range: it holds numbers or times."""
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
    """Whether a bound says a day and no time of it."""
    if isinstance(value, str):
        return ":" not in value and "T" not in value.upper()
    return not hasattr(value, "hour")


def bound_text(bound: Bound) -> str:
    """The end of a range as one writes it.

    Examples:
        >>> bound_text(pd.Timestamp("2026-06-01")), bound_text(0.5)
        ('2026-06-01', '0.5')
    """
    if isinstance(bound, pd.Timestamp):
        return bound.date().isoformat() if bound == bound.normalize() else bound.isoformat(sep=" ")
    return f"{bound:g}" if isinstance(bound, float) else str(bound)

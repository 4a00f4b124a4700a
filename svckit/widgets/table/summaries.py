"""Summaries of columns: how many cells are filled, how many values differ, and how they are distributed."""

from collections.abc import Callable
from math import ceil
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api import types

from svckit.widgets.table.cells import Codes
from svckit.widgets.table.column import Choice, Positions, TableColumn
from svckit.widgets.table.filters import bound_text, is_ordered

__all__ = ["Summary", "summarize"]

BARS = 8
DAY = 86_400  # seconds


class Summary(NamedTuple):
    """A summary of a column's cells.

    Attributes:
        filled: the number of cells that are not blank.
        blank: the number of cells that are missing or empty text.
        distinct: the number of different values.
        bars: for numbers and times, ranges of equal size and their rows; else the most frequent values, if any occurs
            more than once.

    Examples:
        >>> Summary(filled=1_003, blank=1, distinct=2, bars=()).words
        '1,003 filled, 1 blank, 2 distinct'
    """

    filled: int
    blank: int
    distinct: int
    bars: tuple[Choice, ...]

    @property
    def words(self) -> str:
        """The numbers in words."""
        return f"{self.filled:,} filled, {self.blank:,} blank, {self.distinct:,} distinct"


def summarize(column: TableColumn, rows: Positions) -> Summary:
    """Summarize some cells of a column.

    Args:
        column: the column.
        rows: the positions of the cells.

    Examples:
        >>> summarize(TableColumn(pd.Series(["b", "a", None, "b"], dtype="string")), np.arange(4))
        Summary(filled=3, blank=1, distinct=2, bars=(Choice(text='b', rows=2), Choice(text='a', rows=1)))
        >>> summarize(TableColumn(pd.Series([1, 2, 20])), np.arange(3)).bars[0]
        Choice(text='1 to 3', rows=2)
    """
    codes, texts = column.groups
    counts = np.bincount(codes[rows], minlength=len(texts))
    empty = [at for at, text in enumerate(texts) if not text]
    blank = int(counts[empty].sum())
    counts[empty] = 0
    bars = (
        _ranges(column.series.iloc[rows].dropna()) if is_ordered(column.series) else _frequent(counts, texts)
    )
    return Summary(len(rows) - blank, blank, int(np.count_nonzero(counts)), bars)


def _frequent(counts: Codes, texts: list[str]) -> tuple[Choice, ...]:
    if counts.max(initial=0) < 2:
        return ()
    most = np.argsort(-counts, kind="stable")[:BARS].tolist()
    return tuple(Choice(texts[at], int(counts[at])) for at in most if counts[at])


def _ranges(cells: "pd.Series[Any]") -> tuple[Choice, ...]:
    """Count numbers or times in ranges of equal size."""
    if types.is_datetime64_any_dtype(cells.dtype):
        seconds = cells.dt.tz_localize(None).to_numpy("datetime64[s]").astype(np.int64)
        unit = DAY if seconds.size and np.ptp(seconds) >= BARS * DAY else 1
        return _count(seconds // unit, lambda number: bound_text(pd.Timestamp(int(number) * unit, unit="s")))
    numbers = cells.to_numpy(dtype=np.float64)
    if types.is_integer_dtype(cells.dtype):
        return _count(numbers, lambda number: str(int(number)))
    return _count(numbers[np.isfinite(numbers)], bound_text, whole=False)


def _count(
    numbers: npt.NDArray[Any], write: Callable[[float], str], *, whole: bool = True
) -> tuple[Choice, ...]:
    if not numbers.size:
        return ()
    low, high = float(numbers.min()), float(numbers.max())
    size = max(1, ceil((high - low + 1) / BARS)) if whole else high / BARS - low / BARS or 1
    places = (numbers - low) // size if whole else np.floor(numbers / size - low / size)
    counts = np.bincount(np.clip(places, 0, BARS - 1).astype(np.intp))
    starts = [low + at * size for at in range(len(counts))]
    ends = [min(start + size - 1, high) if whole else start + size for start in starts]
    words = [
        " to ".join(dict.fromkeys([write(start), write(end)]))
        for start, end in zip(starts, ends, strict=True)
    ]
    return tuple(Choice(text, int(count)) for text, count in zip(words, counts, strict=True))

"""The rows of a frame that match a search and filters, sorted."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from svckit.frames.source import check_frame
from svckit.operations.checks import check_flags
from svckit.widgets.base.folding import fold_words
from svckit.widgets.table.column import Choice, Mask, Positions, TableColumn, check_names, column_of
from svckit.widgets.table.filters import Filter, new_filter

__all__ = ["MatchingRows"]


class MatchingRows:
    """The positions of the rows that match a search and filters, sorted.

    The data for search, sorting and filters is computed on first use.

    Args:
        frame: the rows.
        columns: the columns that come first; the others follow in the frame's order.
        key: the column that identifies a row, if any.

    Attributes:
        columns: all columns of the frame, in order.
        query: the words searched for.
        filters: the filters by column; see :meth:`filter`.
        sorted_by: the column to sort by, or None.
        ascending: whether small values come first.

    Examples:
        >>> rows = MatchingRows(pd.DataFrame({"id": ["u-1", "u-2"], "name": ["Mori", "Abe"]}), ["name"])
        >>> rows.sort("name")
        >>> rows.positions.tolist(), rows.columns
        ([1, 0], ('name', 'id'))
    """

    def __init__(self, frame: pd.DataFrame, columns: Sequence[str] = (), *, key: str | None = None) -> None:
        check_names(check_frame(frame, "a table"))
        missing = [name for name in (*columns, *([key] if key else [])) if name not in frame.columns]
        if missing:
            there = ", ".join(map(str, frame.columns))
            raise ValueError(f"the frame has no column {', '.join(map(repr, missing))}; it has {there}")
        self.frame = frame
        self.key = key
        self.columns: tuple[str, ...] = tuple(dict.fromkeys([*columns, *frame.columns]))
        self.query: str = ""
        self.filters: dict[str, Filter] = {}
        self.sorted_by: str | None = None
        self.ascending: bool = True
        self._columns: dict[str, TableColumn] = {}
        self._masks: dict[str, Mask] = {}
        self._order: Positions = np.arange(len(frame))
        self._found: Mask | None = None
        self.positions: Positions = self._order

    @property
    def total(self) -> int:
        """The number of rows in the frame."""
        return len(self.frame)

    @property
    def matched(self) -> int:
        """The number of rows that match the search and the filters."""
        return len(self.positions)

    def search(self, query: str) -> None:
        """Keep the rows in which every word of the query occurs in some column, visible or not, and go to page 1.

        Case, width and other ways to type the same do not matter, as `fold` has them, and a name is found by its
        phonetic form too. An empty query keeps all rows.
        """
        found: Mask | None = None
        for word in fold_words(query):
            hits = np.logical_or.reduce([self.column(name).search(word) for name in self.columns])
            found = hits if found is None else found & hits
        self.query = query
        self._found = found
        self._arrange()

    def filter(self, column: str, **conditions: Any) -> None:
        """Keep the rows whose cell in a column meets all conditions, and go to page 1; without any, keep all.

        The conditions are those of :func:`~svckit.widgets.table.filters.new_filter`. A filter still applies while
        its column is hidden.

        Raises:
            ValueError: the column is unknown, or a condition does not fit it. The filters stay as they were.
        """
        self._check(column)
        self.set_filter(column, new_filter(self.frame[column], **conditions))

    def set_filter(self, column: str, column_filter: Filter | None) -> None:
        """Apply an existing filter to a column, or with None remove the column's filter."""
        if column_filter is None:
            self.filters.pop(column, None)
            self._masks.pop(column, None)
        else:
            self._masks[column] = self.column(column).mask(column_filter)
            self.filters[column] = column_filter
        self._arrange()

    def choices(self, column: str) -> list[Choice]:
        """Count a column's distinct values among the rows that all other filters keep."""
        self._check(column)
        return self.column(column).choices(self._matches(leaving_out=column))

    def sort(self, column: str | None, *, ascending: bool = True) -> None:
        """Sort by a column, or with None restore the frame's order, and go to page 1.

        Equal rows keep the frame's order, and blank cells come last in both directions. Names are compared
        by their phonetic form where the frame has one, other text without case and marks, an ordered categorical by
        its order.

        Raises:
            ValueError: the table has no such column.
        """
        check_flags("the table was not sorted", ascending=ascending)
        if column is None:
            self._order = np.arange(self.total)
        else:
            self._check(column)
            codes = self.column(column).ranks
            blank_last = np.where(codes < 0, self.total, codes if ascending else -codes)
            self._order = np.argsort(blank_last, kind="stable")
        self.sorted_by = column
        self.ascending = ascending
        self._arrange()

    def column(self, name: str) -> TableColumn:
        """Return a column of the table."""
        if name not in self._columns:
            self._columns[name] = column_of(self.frame, name)
        return self._columns[name]

    def keep_columns(self, before: "MatchingRows") -> None:
        """Keep what another table has computed for the columns that are the same here, instead of doing so again."""
        for name in before._columns.keys() & {*self.columns}:
            column, known = self.column(name), before._columns[name]
            self._columns[name] = known if column.is_same(known) else column

    def _check(self, column: str) -> None:
        if column not in self.columns:
            there = ", ".join(map(str, self.columns))
            raise ValueError(f"{column!r} is not a column of this table; its columns are {there}")

    def _matches(self, *, leaving_out: str | None = None) -> Mask | None:
        """Return the mask of rows that search and filters keep; None for all."""
        masks = [mask for name, mask in self._masks.items() if name != leaving_out]
        masks += [] if self._found is None else [self._found]
        return np.logical_and.reduce(masks) if masks else None

    def _arrange(self) -> None:
        mask = self._matches()
        self.positions = self._order if mask is None else self._order[mask[self._order]]

"""The engine of a table: search, sort, pages and a selection over a frame, without any widget."""

from collections.abc import Sequence
from functools import cached_property
from math import ceil
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api import types

from svckit.widgets.cells import column_text, folded

__all__ = ["Row", "TableModel"]

Positions = npt.NDArray[np.intp]


class Row(NamedTuple):
    """A row of a page: its key and its cells as text, a missing value as empty text."""

    key: str
    cells: tuple[str, ...]


class TableModel:
    """A frame as one looks at it: the rows that match a search, in an order, a page at a time.

    Every step takes milliseconds at 100,000 rows; what searching and sorting need is computed when they are
    first used. The frame itself is never changed.

    Args:
        frame: the rows.
        key: the column whose text names a row, so that a selection survives every step. A row without one
            goes by its number, ``#1`` being the first; where a key is taken, the number is put after it.
        columns: the columns to show and to search, in order; all by default.
        page_size: rows on a page.

    Raises:
        ValueError: a column is not in the frame, or the page size is below 1.

    Examples:
        >>> frame = pd.DataFrame({"id": ["u-1", "u-2", "u-3"], "name": ["Mori", "Abe", "Kato"]})
        >>> table = TableModel(frame, key="id", columns=["name"], page_size=2)
        >>> table.sort("name")
        >>> [row.key for row in table.page_rows()], table.page_count
        (['u-2', 'u-3'], 2)
        >>> table.search("MO")
        >>> table.page_rows()
        [Row(key='u-1', cells=('Mori',))]
    """

    def __init__(
        self,
        frame: pd.DataFrame,
        *,
        key: str | None = None,
        columns: Sequence[str] | None = None,
        page_size: int = 10,
    ) -> None:
        self.columns = tuple(frame.columns if columns is None else columns)
        missing = [name for name in (*self.columns, *([key] if key else [])) if name not in frame.columns]
        if missing:
            there = ", ".join(map(str, frame.columns))
            raise ValueError(f"the frame has no column {', '.join(map(repr, missing))}; it has {there}")
        if page_size < 1:
            raise ValueError(f"a page has at least 1 row, not {page_size}")
        self.frame = frame
        self.key = key
        self.page_size = page_size
        self.query = ""
        self.sorted_by: str | None = None
        self.ascending = True
        self.page = 1
        self.selected: str | None = None
        self._sort_codes: dict[str, npt.NDArray[np.int64]] = {}
        self._order: Positions = np.arange(len(frame))
        self._matches: npt.NDArray[np.bool_] | None = None
        self._rows = self._order

    @property
    def total(self) -> int:
        """How many rows the frame has."""
        return len(self.frame)

    @property
    def matched(self) -> int:
        """How many rows match the search."""
        return len(self._rows)

    @property
    def page_count(self) -> int:
        """How many pages there are; one at least, if an empty one."""
        return max(1, ceil(self.matched / self.page_size))

    @property
    def first(self) -> int:
        """The number of the page's first row among the matching ones, from 1; 0 where nothing matches."""
        return min((self.page - 1) * self.page_size + 1, self.matched)

    @property
    def last(self) -> int:
        """The number of the page's last row."""
        return min(self.page * self.page_size, self.matched)

    def page_rows(self) -> list[Row]:
        """The rows of the page as text."""
        positions = self._rows[(self.page - 1) * self.page_size : self.page * self.page_size]
        cells = zip(*(column_text(self.frame[name].iloc[positions]) for name in self.columns), strict=True)
        return [Row(self.keys[at], row) for at, row in zip(positions, cells, strict=True)]

    def search(self, query: str) -> None:
        """Keep the rows in which every word of the query occurs in some shown column, and go to page 1.

        Case does not count, nor do full and half width. An empty query keeps all rows.
        """
        words = folded(query).split()
        matches: npt.NDArray[np.bool_] | None = None
        for word in words:
            found = np.fromiter((word in row for row in self._row_texts), dtype=np.bool_, count=self.total)
            matches = found if matches is None else matches & found
        self.query = query
        self._matches = matches
        self._arrange()

    def sort(self, column: str | None, *, ascending: bool = True) -> None:
        """Sort by a column, or with None go back to the frame's order, and go to page 1.

        Rows that are equal there keep the frame's order, and blank cells come last in both directions. Text
        is compared without case, an ordered categorical by its order.

        Raises:
            ValueError: the column is not shown.
        """
        if column is not None and column not in self.columns:
            raise ValueError(f"{column!r} is not shown; the columns are {', '.join(self.columns)}")
        if column is None:
            self._order = np.arange(self.total)
        else:
            codes = self._codes(column)
            blank_last = np.where(codes < 0, self.total, codes if ascending else -codes)
            self._order = np.argsort(blank_last, kind="stable")
        self.sorted_by = column
        self.ascending = ascending
        self._arrange()

    def go_to(self, page: int) -> None:
        """Go to a page, counted from 1; beyond the ends, to the nearest there is."""
        self.page = min(max(page, 1), self.page_count)

    def select(self, key: str | None) -> None:
        """Select the row of this key, or with None no row. The page stays; see :meth:`reveal`.

        Raises:
            KeyError: there is no such row.
        """
        if key is not None:
            self.position(key)
        self.selected = key

    def reveal(self, key: str) -> bool:
        """Go to the page that holds the row; False where the search leaves it out, and the page stays."""
        (places,) = np.nonzero(self._rows == self.position(key))
        if not places.size:
            return False
        self.page = int(places[0]) // self.page_size + 1
        return True

    def position(self, key: str) -> int:
        """Where in the frame the row of this key is, from 0.

        Raises:
            KeyError: there is no such row.
        """
        if key not in self:
            raise KeyError(f"no row has the key {key!r}; there are {self.total} rows")
        return self._position[key]

    def __contains__(self, key: object) -> bool:
        return key in self._position

    @cached_property
    def keys(self) -> list[str]:
        """The keys of the frame's rows, all different."""
        keys: dict[str, None] = {}
        for number, name in enumerate(self._key_texts, start=1):
            key = name or f"#{number}"
            while key in keys:
                key = f"{key}#{number}"
            keys[key] = None
        return list(keys)

    @property
    def _key_texts(self) -> list[str]:
        return [""] * self.total if self.key is None else column_text(self.frame[self.key])

    @cached_property
    def _position(self) -> dict[str, int]:
        return {key: position for position, key in enumerate(self.keys)}

    @cached_property
    def _row_texts(self) -> list[str]:
        """What is searched: a row's cells, folded. No word of a query can reach over the line breaks."""
        columns = (column_text(self.frame[name]) for name in self.columns)
        return [folded("\n".join(cells)) for cells in zip(*columns, strict=True)]

    def _codes(self, column: str) -> npt.NDArray[np.int64]:
        """The rank of each row's cell in its column; -1 where it is blank."""
        if column not in self._sort_codes:
            self._sort_codes[column] = _ranks(self.frame[column])
        return self._sort_codes[column]

    def _arrange(self) -> None:
        self._rows = self._order if self._matches is None else self._order[self._matches[self._order]]
        self.page = 1


def _ranks(column: "pd.Series[Any]") -> npt.NDArray[np.int64]:
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered:
        return np.asarray(column.cat.codes, dtype=np.int64)
    if types.is_numeric_dtype(dtype) or types.is_datetime64_any_dtype(dtype):
        comparable = column
    else:
        comparable = pd.Series([folded(cell) or None for cell in column_text(column)], dtype=object)
    codes, _ = pd.factorize(comparable, sort=True)
    return np.asarray(codes, dtype=np.int64)

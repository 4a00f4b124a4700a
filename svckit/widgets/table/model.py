"""The engine of a table: search, filters, sorting, paging and selection over a frame, without a widget."""

from collections.abc import Generator, Iterable, Sequence
from math import ceil
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from svckit.frames.source import check_frame
from svckit.models.flags import check_flags
from svckit.widgets.base.folding import fold
from svckit.widgets.table.cells import column_text
from svckit.widgets.table.column import (
    Choice,
    Mask,
    TableColumn,
    check_names,
)
from svckit.widgets.table.filters import Filter, new_filter
from svckit.widgets.table.row_keys import RowKeys
from svckit.widgets.table.row_selection import RowSelection

__all__ = ["Row", "TableModel"]

Positions = npt.NDArray[np.intp]
ONE_COLUMN = "a table shows at least one column"


class Row(NamedTuple):
    """A row of a page: its key and its cells as text, empty for a missing value."""

    key: str
    cells: tuple[str, ...]


class TableModel:
    """A view of a frame: the rows that match a search and filters, sorted, a page at a time.

    Every step takes milliseconds at 100,000 rows; the data for search, sorting and filters is computed on first use.
    The frame itself is never changed.

    Args:
        frame: the rows.
        key: the column whose text identifies a row, so that a selection survives every step; see
            :class:`~svckit.widgets.table.row_keys.RowKeys`.
        columns: the columns available to show and to filter, in order; all by default.
        page_size: rows on a page.
        many: whether several rows can be selected.

    Attributes:
        shown: the visible columns, which are searched; see :meth:`show`.
        filters: the filters by column; see :meth:`filter`.

    Raises:
        TypeError: it is not given a frame.
        ValueError: there is no column, a column is not in the frame or its name is not a unique text, or the page
            size is below 1.

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
        many: bool = False,
    ) -> None:
        check_flags("the table was not built", many=many)
        check_names(check_frame(frame, "a table"))
        self.columns = tuple(frame.columns if columns is None else columns)
        missing = [name for name in (*self.columns, *([key] if key else [])) if name not in frame.columns]
        if missing:
            there = ", ".join(map(str, frame.columns))
            raise ValueError(f"the frame has no column {', '.join(map(repr, missing))}; it has {there}")
        if not self.columns:
            raise ValueError(ONE_COLUMN)
        self.frame = frame
        self.key = key
        self.many = many
        self._keys = RowKeys(frame, key)
        self._selection = RowSelection(self._keys, many=many)
        self.query = ""
        self.sorted_by: str | None = None
        self.ascending = True
        self.shown = self.columns
        self.filters: dict[str, Filter] = {}
        self._columns: dict[str, TableColumn] = {}
        self._masks: dict[str, Mask] = {}
        self._order: Positions = np.arange(len(frame))
        self._found: Mask | None = None
        self._rows = self._order
        self.page = 1
        self.page_size = page_size

    @property
    def page_size(self) -> int:
        """The rows on a page; when it changes, the first row of the page stays on it."""
        return self._page_size

    @page_size.setter
    def page_size(self, rows: int) -> None:
        if not isinstance(rows, int) or isinstance(rows, bool) or rows < 1:
            raise ValueError(f"a page has at least 1 row; given {rows!r}")
        start = (self.page - 1) * getattr(self, "_page_size", rows)
        self._page_size = rows
        self.page = start // rows + 1

    @property
    def total(self) -> int:
        """The number of rows in the frame."""
        return len(self.frame)

    @property
    def matched(self) -> int:
        """The number of rows that match the search and the filters."""
        return len(self._rows)

    @property
    def page_count(self) -> int:
        """The number of pages; at least one, even if it is empty."""
        return max(1, ceil(self.matched / self.page_size))

    @property
    def first(self) -> int:
        """The number of the page's first row among the matching ones, from 1; 0 if nothing matches."""
        return min((self.page - 1) * self.page_size + 1, self.matched)

    @property
    def last(self) -> int:
        """The number of the page's last row."""
        return min(self.page * self.page_size, self.matched)

    def page_rows(self) -> list[Row]:
        """Return the rows of the page as text."""
        positions = self._rows[(self.page - 1) * self.page_size : self.page * self.page_size]
        cells = zip(*(column_text(self.frame[name].iloc[positions]) for name in self.shown), strict=True)
        return [Row(self.keys[at], row) for at, row in zip(positions, cells, strict=True)]

    def rows(self) -> pd.DataFrame:
        """Return all matching rows in order, with the visible columns."""
        return self.frame.iloc[self._rows][list(self.shown)]

    def search(self, query: str) -> None:
        """Keep the rows in which every word of the query occurs in some visible column, and go to page 1.

        Case and full or half width do not matter. An empty query keeps all rows.
        """
        found: Mask | None = None
        for word in fold(query).split():
            hits = np.logical_or.reduce([self.column(name).search(word) for name in self.shown])
            found = hits if found is None else found & hits
        self.query = query
        self._found = found
        self._arrange()

    def prepare(self) -> Generator[None, None, None]:
        """Compute what the first search in the visible columns needs, one column per step, in the background.

        Examples:
            >>> table = TableModel(pd.DataFrame({"name": ["Mori", "Abe"]}))
            >>> for _ in table.prepare():
            ...     pass
        """
        for name in self.shown:
            self.column(name).prepare()
            yield

    def filter(
        self,
        column: str,
        *,
        choices: Iterable[str] | None = None,
        contains: str | None = None,
        low: Any = None,
        high: Any = None,
        missing: bool | None = None,
    ) -> None:
        """Keep the rows whose cell in a column meets all conditions, and go to page 1; without any, keep all.

        The conditions are those of :func:`~svckit.widgets.table.filters.new_filter`. A filter still applies while
        its column is hidden.

        Raises:
            ValueError: the column is unknown, or a condition does not fit it. The filters stay as they were.
        """
        self._check(column)
        column_filter = new_filter(
            self.frame[column], choices=choices, contains=contains, low=low, high=high, missing=missing
        )
        self.set_filter(column, column_filter)

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

    def show(self, columns: Sequence[str]) -> None:
        """Show only these columns, in the table's order; the search covers only them.

        Raises:
            ValueError: a column is unknown, or none is given.
        """
        for name in columns:
            self._check(name)
        if not columns:
            raise ValueError(ONE_COLUMN)
        self.shown = tuple(name for name in self.columns if name in columns)
        if self.query:
            self.search(self.query)

    def sort(self, column: str | None, *, ascending: bool = True) -> None:
        """Sort by a column, or with None restore the frame's order, and go to page 1.

        Equal rows keep the frame's order, and blank cells come last in both directions. Text is compared without
        case, an ordered categorical by its order.

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

    def go_to(self, page: int) -> None:
        """Go to a page, counted from 1; out of range, to the nearest page."""
        self.page = min(max(page, 1), self.page_count)

    @property
    def selection(self) -> tuple[str, ...]:
        """The keys of the selected rows, in the order of selection."""
        return tuple(self._selection)

    @property
    def selected(self) -> str | None:
        """The key of the row that was selected last."""
        return self._selection.last

    @property
    def selected_count(self) -> int:
        """The number of selected rows."""
        return len(self._selection)

    def is_selected(self, key: str) -> bool:
        """Return whether a row is selected."""
        return key in self._selection

    def select(self, *keys: str) -> None:
        """Select the rows with these keys and no others; without keys, none. The page stays; see :meth:`reveal`.

        Raises:
            KeyError: no row has this key.
            ValueError: several keys, but the table allows one selected row.
        """
        self._selection.set(*keys)

    def toggle(self, key: str) -> None:
        """Add a row to the selection, or remove it if it is selected."""
        self._selection.toggle(key)

    def select_range(self, key: str) -> None:
        """Add the rows from the last selected one to this one, in the current order, to the selection."""
        start = self._place(self.selected) if self.selected else None
        end = self._place(key)
        if start is None or end is None or not self.many:
            self.select(key)
            return
        step = 1 if start <= end else -1
        self._selection.add(self.keys[at] for at in self._rows[np.arange(start, end + step, step)])

    def select_all(self) -> None:
        """Add all matching rows to the selection."""
        if not self.many:
            raise ValueError("only one row can be selected, not all: create the table with many=True")
        found = [self.keys[at] for at in self._rows.tolist()]
        self._selection.add(key for key in found if key not in self._selection)

    def selected_rows(self) -> pd.DataFrame:
        """Return the selected rows in the frame's order, with all columns."""
        return self.frame.iloc[sorted(map(self.position, self._selection))]

    def resume(self, before: "TableModel") -> None:
        """Resume the state of another table with the same columns; drop selected rows that no longer exist."""
        self.show(before.shown)
        for name, column_filter in before.filters.items():
            self.set_filter(name, column_filter)
        self.search(before.query)
        self.sort(before.sorted_by, ascending=before.ascending)
        self.go_to(before.page)
        self.select(*(key for key in before.selection if key in self))

    def reveal(self, key: str) -> bool:
        """Go to the page with the row; return False if search or filters exclude it, and stay."""
        place = self._place(key)
        if place is None:
            return False
        self.page = place // self.page_size + 1
        return True

    def position(self, key: str) -> int:
        """Return the position of a row in the frame, from 0.

        Raises:
            KeyError: no row has this key.
        """
        return self._keys.position(key)

    def column(self, name: str) -> TableColumn:
        """Return a column of the table."""
        if name not in self._columns:
            self._columns[name] = TableColumn(self.frame[name])
        return self._columns[name]

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    @property
    def keys(self) -> list[str]:
        """The unique keys of the frame's rows."""
        return self._keys.names

    def _place(self, key: str) -> int | None:
        """Return the position of a row among the matching ones, from 0, or None."""
        (places,) = np.nonzero(self._rows == self.position(key))
        return int(places[0]) if places.size else None

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
        self._rows = self._order if mask is None else self._order[mask[self._order]]
        self.page = 1

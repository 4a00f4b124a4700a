"""The engine of a table: search, filters, sorting, paging and selection over a frame, without a widget."""

from collections.abc import Generator, Mapping, Sequence
from functools import cached_property
from math import ceil
from typing import NamedTuple

import numpy as np
import pandas as pd

from svckit.operations.checks import check_flags
from svckit.widgets.table.cells import column_text
from svckit.widgets.table.column import Positions
from svckit.widgets.table.matching import MatchingRows
from svckit.widgets.table.summaries import Summary, summarize

__all__ = ["PAGE_SIZES", "Row", "TableModel"]

PAGE_SIZES = (10, 20, 50, 100, 500)
"""The page sizes to choose from."""

ONE_COLUMN = "a table shows at least one column"


class Row(NamedTuple):
    """A row of a page: its key and its cells as text, empty for a missing value."""

    key: str
    cells: tuple[str, ...]


class TableModel(MatchingRows):
    """A view of a frame: the rows that match a search and filters, sorted, a page at a time.

    Every step takes milliseconds at 100,000 rows. The frame itself is never changed.

    Args:
        frame: the rows.
        key: the column whose text identifies a row, so that a selection survives every step; see
            :attr:`keys`.
        columns: the columns to show first, in order; all by default. Any other can be shown, sorted and filtered.
        page_size: rows on a page.
        many: whether several rows can be selected.

    Attributes:
        shown: the visible columns in order; see :meth:`show`. The search covers all columns.
        pinned: those of them that stay in sight when the others are scrolled.
        widths: widths in pixels by column; others are as wide as their cells.
        page: the page, from 1; see :meth:`go_to`.

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
        super().__init__(frame, columns or (), key=key)
        self.shown: tuple[str, ...] = ()
        self.pinned: tuple[str, ...] = ()
        self.widths: Mapping[str, int] = {}
        self.show(self.columns if columns is None else columns)
        self.many = many
        self._selected: dict[str, None] = {}  # the keys of the selected rows, in the order of selection
        self.page: int = 1
        self.page_size = page_size

    @property
    def page_size(self) -> int:
        """The rows on a page; when it changes, the first row of the page stays on it."""
        return self._page_size

    @page_size.setter
    def page_size(self, rows: int) -> None:
        if not isinstance(rows, int) or isinstance(rows, bool) or rows < 1:
            raise ValueError(f"a page has at least 1 row; given {rows!r}")
        start = (self.page - 1) * getattr(self, "_page_size", rows)  # `__init__` sets it for the first time
        self._page_size = rows
        self.page = start // rows + 1

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
        cells = zip(*(column_text(self.frame[name].iloc[self._page]) for name in self.shown), strict=True)
        return [Row(self.keys[at], row) for at, row in zip(self._page, cells, strict=True)]

    def page_locales(self) -> list[str]:
        """Return the locale of each row of the page, such as ``ja_JP``; empty text where the frame has none."""
        if "locale" not in self.columns:
            return [""] * len(self._page)
        return column_text(self.frame["locale"].iloc[self._page])

    def rows(self) -> pd.DataFrame:
        """Return all matching rows in order, with the visible columns."""
        return self.frame.iloc[self.positions][list(self.shown)]

    def rows_to_copy(self) -> pd.DataFrame:
        """Return the selected rows or, without any, those of the page, in order, with the visible columns.

        Examples:
            >>> table = TableModel(pd.DataFrame({"id": ["c", "b", "a"]}), key="id", page_size=2)
            >>> table.sort("id")
            >>> table.rows_to_copy()["id"].tolist()
            ['a', 'b']
        """
        selected = [self.position(key) for key in self._selected]
        rows = self._order[np.isin(self._order, selected)] if selected else self._page
        return self.frame.iloc[rows][list(self.shown)]

    def show(
        self,
        columns: Sequence[str],
        *,
        pinned: Sequence[str] | None = None,
        widths: Mapping[str, int] | None = None,
    ) -> None:
        """Show only these columns, in this order, but pinned ones first; pins and widths stay unless given.

        Raises:
            ValueError: a column is unknown, or none is given.

        Examples:
            >>> table = TableModel(pd.DataFrame({"id": ["u-1"], "name": ["Mori"], "age": [41]}))
            >>> table.show(["name", "id"], pinned=["id"])
            >>> table.shown
            ('id', 'name')
        """
        pins = tuple(self.pinned if pinned is None else pinned)
        sizes = {**(self.widths if widths is None else widths)}
        for name in (*columns, *pins, *sizes):
            self._check(name)
        if not columns:
            raise ValueError(ONE_COLUMN)
        self.pinned, self.widths = pins, sizes
        self.shown = tuple(sorted(dict.fromkeys(columns), key=lambda name: name not in pins))

    def prepare(self) -> Generator[None, None, None]:
        """Compute what searches, and sorting by a visible column, need, one column per step, in the background.

        Examples:
            >>> for _ in TableModel(pd.DataFrame({"name": ["Mori", "Abe"]})).prepare():
            ...     pass
        """
        for name in self.columns:
            self.column(name).prepare(sort=name in self.shown)
            yield

    def summaries(self) -> dict[str, Summary]:
        """Summarize the matching rows, by visible column.

        Examples:
            >>> table = TableModel(pd.DataFrame({"state": ["active", "ended", "active"]}))
            >>> table.summaries()["state"].bars[0]
            Choice(text='active', rows=2)
        """
        return {name: summarize(self.column(name), self.positions) for name in self.shown}

    def go_to(self, page: int) -> None:
        """Go to a page, counted from 1; out of range, to the nearest page."""
        self.page = min(max(page, 1), self.page_count)

    @property
    def selection(self) -> tuple[str, ...]:
        """The keys of the selected rows, in the order of selection."""
        return tuple(self._selected)

    @property
    def selected(self) -> str | None:
        """The key of the row that was selected last."""
        return next(reversed(self._selected), None)

    @property
    def selected_count(self) -> int:
        """The number of selected rows."""
        return len(self._selected)

    def is_selected(self, key: str) -> bool:
        """Return whether a row is selected."""
        return key in self._selected

    def select(self, *keys: str) -> None:
        """Select the rows with these keys and no others; without keys, none. The page stays; see :meth:`reveal`.

        Raises:
            KeyError: no row has this key.
            ValueError: several keys, but the table allows one selected row.
        """
        self.check_selection(*keys)
        self._selected = dict.fromkeys(keys)

    def check_selection(self, *keys: str) -> None:
        """Check that the rows with these keys can be selected together; raise as :meth:`select` does."""
        for key in keys:
            self.position(key)
        if len(keys) > 1 and not self.many:
            raise ValueError(
                f"only one row can be selected; given {len(keys)}. Create the table with many=True"
            )

    def toggle(self, key: str) -> None:
        """Add a row to the selection, or remove it if it is selected."""
        self.position(key)
        if not self.many:
            self.select(key)
        elif key in self._selected:
            del self._selected[key]
        else:
            self._selected[key] = None

    def select_range(self, key: str) -> None:
        """Add the rows from the last selected one to this one, in the current order, to the selection."""
        start = self._place(self.selected) if self.selected else None
        end = self._place(key)
        if start is None or end is None or not self.many:
            self.select(key)
            return
        step = 1 if start <= end else -1
        for at in self.positions[np.arange(start, end + step, step)]:
            self._selected.pop(self.keys[at], None)  # the last row becomes the one selected last
            self._selected[self.keys[at]] = None

    def select_all(self) -> None:
        """Add all matching rows to the selection."""
        if not self.many:
            raise ValueError("only one row can be selected, not all: create the table with many=True")
        self._selected |= dict.fromkeys(self.keys[at] for at in self.positions.tolist())

    def selected_rows(self) -> pd.DataFrame:
        """Return the selected rows in the frame's order, with all columns."""
        return self.frame.iloc[sorted(map(self.position, self._selected))]

    def resume(self, before: "TableModel") -> None:
        """Resume the state of another table with the same columns; drop selected rows that no longer exist."""
        self.keep_columns(before)
        self.show(before.shown, pinned=before.pinned, widths=before.widths)
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
        if key not in self:
            raise KeyError(f"no row has the key {key!r}; there are {self.total} rows")
        return self._positions[key]

    def __contains__(self, key: object) -> bool:
        return key in self._positions

    @cached_property
    def keys(self) -> list[str]:
        """The unique keys of the frame's rows: the texts of the key column.

        A row without text is keyed by its number, starting at ``#1``; a key that is taken gets the number appended.
        Without a key column, all rows are keyed by number.

        Examples:
            >>> TableModel(pd.DataFrame({"id": ["a", None, "a"]}), key="id").keys
            ['a', '#2', 'a#3']
        """
        texts = [""] * self.total if self.key is None else column_text(self.frame[self.key])
        keys = dict.fromkeys(texts)
        if len(keys) == len(texts) and "" not in keys:
            return texts
        keys = {}
        for number, name in enumerate(texts, start=1):
            key = name or f"#{number}"
            while key in keys:
                key = f"{key}#{number}"
            keys[key] = None
        return list(keys)

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {key: position for position, key in enumerate(self.keys)}

    @property
    def _page(self) -> Positions:
        """The positions of the rows of the page."""
        return self.positions[(self.page - 1) * self.page_size : self.page * self.page_size]

    def _place(self, key: str) -> int | None:
        """Return the position of a row among the matching ones, from 0, or None."""
        (places,) = np.nonzero(self.positions == self.position(key))
        return int(places[0]) if places.size else None

    def _arrange(self) -> None:
        super()._arrange()
        self.page = 1

"""The steps of a table that people take in code: search, filter, sort, choose columns, page."""

from collections.abc import Iterable, Sequence
from typing import Any

from svckit.frames.export import copy
from svckit.widgets.base.callbacks import clear_error
from svckit.widgets.table.model import TableModel
from svckit.widgets.table.summaries import Summary

__all__ = ["TableControls"]


class TableControls:
    """A widget whose methods take the steps of its table, and show the outcome.

    Examples:
        >>> import pandas as pd
        >>> from svckit.widgets import PagedTable
        >>> table = PagedTable(pd.DataFrame({"name": ["Mori", "Abe", "Kato"], "age": [41, 35, 28]}), page_size=2)
        >>> table.search("o")
        >>> table.filter("age", low=20)
        >>> table.sort("age", ascending=False)
        >>> table.show_columns(["name"])
        >>> table.go_to(1)
        >>> table
        Table
        Filters: Age from 20
          Name
          Mori
          Kato
        Rows 1–2 of 2 that match, 3 in all
        >>> table.summaries()["name"].words
        '2 filled, 0 blank, 2 distinct'
        >>> table.copy()
        'name\\nMori\\nKato\\n'
        >>> table.close()
    """

    model: TableModel
    error: Any

    def _show(self) -> None:
        raise NotImplementedError

    @clear_error
    def search(self, query: str) -> None:
        """Keep the rows in which every word of the query occurs in some column, visible or not, and go to page 1.

        Args:
            query: the words, in any case; an empty query keeps all rows.
        """
        self.model.search(query)
        self._show()

    @clear_error
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
        """Keep the rows whose cell in a column meets all conditions; without any, remove the filter.

        Args:
            column: one of the table's columns.
            choices: texts of cells to keep, empty text for blank ones.
            contains: text to look for in the cells, in any case.
            low: the smallest number, or the first day or time, such as ``"2026-06-01"``.
            high: the largest; a day without a time includes the whole day.
            missing: whether to keep only blank cells; with False, only the others.

        Raises:
            ValueError: the column is unknown, or a condition does not fit it. The filters stay as they were.
        """
        self.model.filter(column, choices=choices, contains=contains, low=low, high=high, missing=missing)
        self._show()

    @clear_error
    def sort(self, column: str | None, *, ascending: bool = True) -> None:
        """Sort by a column, and go to page 1.

        Args:
            column: the column; None restores the frame's order.
            ascending: whether small values come first; blank cells come last in any case.

        Raises:
            ValueError: the table has no such column.
        """
        self.model.sort(column, ascending=ascending)
        self._show()

    @clear_error
    def show_columns(self, columns: Sequence[str]) -> None:
        """Show some of the frame's columns and hide the others, which are still searched.

        Args:
            columns: the columns to show, at least one.

        Raises:
            ValueError: a column is unknown, or none is given.
        """
        self.model.show(columns)
        self._show()

    @clear_error
    def go_to(self, page: int) -> None:
        """Go to a page.

        Args:
            page: its number, from 1; out of range, the nearest page is shown.
        """
        self.model.go_to(page)
        self._show()

    def copy(self) -> str:
        """Return the selected rows, or without any the rows of the page, as text to paste into a spreadsheet.

        Returns:
            Headings and rows, with the visible columns and with tabs between cells; formulas are defused.
        """
        return copy(self.model.rows_to_copy())

    def summaries(self) -> dict[str, Summary]:
        """Summarize the matching rows of all pages.

        Returns:
            The summary of each visible column: filled and blank cells, distinct values, and their distribution.
        """
        return self.model.summaries()

"""A table with the steps that people take in code: search, filter, sort, choose columns, page."""

from collections.abc import Iterable, Mapping, Sequence
from threading import RLock
from typing import Any

import pandas as pd
import traitlets

from svckit.frames.export import copy
from svckit.widgets.base.background import IDLE, Job, Work
from svckit.widgets.base.callbacks import clear_error
from svckit.widgets.base.labels import in_words
from svckit.widgets.base.template_widget import TemplateWidget
from svckit.widgets.base.untyped import AnyWidget
from svckit.widgets.table.download import Download
from svckit.widgets.table.model import TableModel
from svckit.widgets.table.summaries import Summary
from svckit.widgets.table.view import Panel, panel_view, table_view

__all__ = ["TableControls", "start_preparing"]

LARGE = 20_000
"""From this number of rows on, the first search is prepared in the background."""


class TableControls(TemplateWidget, AnyWidget):
    """A table as a widget: each step changes the model, and shows it.

    `PagedTable`, which people create, adds what they do in the browser, and describes the arguments.

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

    making: "traitlets.Dict[str, Any]" = traitlets.Dict(dict(IDLE))
    selected: "traitlets.Unicode[str | None, str | bytes | None]" = traitlets.Unicode(None, allow_none=True)
    selection: Any = traitlets.Tuple()
    caption: "traitlets.Unicode[str, str | bytes]" = traitlets.Unicode("Table")
    badge: "traitlets.Unicode[str, str | bytes]" = traitlets.Unicode("")
    note: "traitlets.Unicode[str, str | bytes]" = traitlets.Unicode("")
    page_size: "traitlets.Int[int, int]" = traitlets.Int(10, min=1)
    summarize: "traitlets.Bool[bool, bool | int]" = traitlets.Bool(False)

    def __init__(
        self,
        frame: pd.DataFrame,
        *,
        key: str | None = None,
        columns: Sequence[str] | None = None,
        labels: Mapping[str, str] | None = None,
        caption: str = "Table",
        badge: str = "",
        note: str = "",
        page_size: int = 10,
        many: bool = False,
        summarize: bool = False,
        source: str = "",
    ) -> None:
        self.model: TableModel = TableModel(frame, key=key, columns=columns, page_size=page_size, many=many)
        self.labels: dict[str, str] = {name: in_words(name) for name in self.model.columns} | dict(
            labels or {}
        )
        self._first_shown = self.model.shown
        self._open: tuple[Panel, str] = ("", "")  # the panel above the rows, and the column it filters
        self._typed: dict[str, str] = {}  # in the open panel, as far as the filters do not have it
        self._showing = RLock()  # a background thread shows the progress of a file
        self._source = source
        self._preparing = start_preparing(self.model)
        self._download = Download(self._report_progress, self._fail)
        super().__init__(caption=caption, badge=badge, note=note, page_size=page_size, summarize=summarize)
        self.observe(self._show, ["caption", "badge", "note", "making", "summarize"])
        self._show()

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
    def show_columns(
        self,
        columns: Sequence[str],
        *,
        pinned: Sequence[str] | None = None,
        widths: Mapping[str, int] | None = None,
    ) -> None:
        """Show some of the frame's columns, in this order, and hide the others, which are still searched.

        Args:
            columns: the columns to show, at least one.
            pinned: those that stay in sight when the others are scrolled; they come first. By default as before.
            widths: widths in pixels by column; the others are as wide as their cells. By default as before.

        Raises:
            ValueError: a column is unknown, or none is given.
        """
        self.model.show(columns, pinned=pinned, widths=widths)
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

    @traitlets.observe("selected", "selection")
    def _apply_selection(self, change: Mapping[str, Any]) -> None:
        wanted = change["new"]
        if change["name"] == "selection" and wanted != self.model.selection:
            self.model.select(*wanted)
        elif change["name"] == "selected" and wanted != self.model.selected:
            self.model.select(*([] if wanted is None else [wanted]))
        else:
            return  # the model has it already
        self._report_selection()

    @traitlets.validate("selected")
    def _check_key(self, proposal: Mapping[str, Any]) -> str | None:
        key: str | None = proposal["value"]
        if key is not None:
            self.model.check_selection(key)
        return key

    @traitlets.validate("selection")
    def _check_keys(self, proposal: Mapping[str, Any]) -> tuple[str, ...]:
        keys: tuple[str, ...] = proposal["value"]
        if keys != self.model.selection:  # which may be long, and can be selected
            self.model.check_selection(*keys)
        return keys

    @traitlets.observe("page_size")
    def _apply_page_size(self, change: Mapping[str, Any]) -> None:
        self.model.page_size = change["new"]
        self._show()

    def _report_progress(self, job: Job) -> None:
        self.making = dict(job)

    def _report_selection(self) -> None:
        """Report the model's selection."""
        self.selection = self.model.selection
        self.selected = self.model.selected
        self._show()

    def _show(self, _change: object = None) -> None:
        with self._showing:
            texts = {"caption": self.caption, "badge": self.badge, "note": self.note}
            view = table_view(self.model, self.labels, **texts, summarize=self.summarize)
            panel = panel_view(self.model, *self._open, self.labels, self._source, self._typed)
            self.view = {**view, "panel": panel, "making": dict(self.making)}


def start_preparing(model: TableModel) -> Work:
    """Prepare the first search; start at once if there are many rows."""
    work = Work(model.prepare())
    if model.total >= LARGE:
        work.start()
    return work

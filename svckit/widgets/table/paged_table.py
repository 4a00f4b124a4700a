"""A table to search, filter, sort, page through and select from: live, as static HTML and as text."""

from collections.abc import Mapping, Sequence
from os import PathLike
from threading import RLock
from typing import Any

import anywidget
import pandas as pd
import traitlets

from svckit.display.tab import PublicNames
from svckit.frames.export import Format, save
from svckit.frames.source import check_frame
from svckit.operations.batch import Cancel
from svckit.widgets.base.assets import style
from svckit.widgets.base.background import Work
from svckit.widgets.base.callbacks import clear_error, show_errors
from svckit.widgets.base.labels import in_words
from svckit.widgets.base.template_widget import TemplateWidget
from svckit.widgets.table.browser_requests import TableRequests
from svckit.widgets.table.code import code_of
from svckit.widgets.table.download import IDLE, Download, Job
from svckit.widgets.table.model import TableModel
from svckit.widgets.table.panel import Panel, panel_view
from svckit.widgets.table.view import table_view

__all__ = ["PagedTable"]

LARGE = 20_000
"""From this number of rows on, the first search is prepared in the background."""


class PagedTable(
    TableRequests,
    PublicNames,
    TemplateWidget,
    anywidget.AnyWidget,
    internal="resume",
):
    """A paged table of a frame.

    The frame stays in Python: one page of text goes to the browser at a time. In the browser, type to search,
    press a heading to sort and the mark beside it to filter, and select rows by click or by keyboard: arrows,
    Home, End, Page Up, Page Down, then Enter or the space bar. If several rows can be selected, Shift selects all
    up to a row, Ctrl+A all and Escape none. "Columns" shows and hides columns, "Code" shows the view as pandas code,
    "Summaries" counts the cells of each column, "Copy" copies the selected rows or the page, and "CSV", "Excel" and
    "JSON" save the matching rows as a file. Without a browser, the page is rendered as HTML and as text.

    Args:
        frame: the rows.
        key: the column that identifies a row; see :class:`~svckit.widgets.table.model.TableModel`.
        columns: the columns to show first, in order; all by default. Any other column of the frame can be shown,
            filtered and sorted as well, and is searched.
        labels: headings by column; by default the column's name in words.
        caption: the title of the table.
        badge: a word beside the caption, such as FAKE.
        note: a line below the caption.
        page_size: rows on a page.
        summarize: whether the headings have summaries of their columns.
        many: whether several rows can be selected.
        source: an expression for the frame, for the first line of "Code".

    Attributes:
        selected: the key of the last selected row, or None; can be observed and set.
        selection: the keys of all selected rows; can be observed and set.
        caption, badge, note, page_size, summarize: as above; can be set.
        making: the progress of the file that the browser requested, while it is being made.

    Examples:
        >>> frame = pd.DataFrame({"id": ["u-1", "u-2", "u-3"], "name": ["Mori", "Abe", "Kato"]})
        >>> table = PagedTable(frame, key="id", caption="People")
        >>> table.filter("name", contains="o")
        >>> table.sort("name")
        >>> table.selected = "u-1"
        >>> table
        People
        Filters: Name contains “o”
             ID   Name ▲
             u-3  Kato
          >  u-1  Mori
        Rows 1–2 of 2 that match, 3 in all
        >>> table.rows["id"].tolist(), table.selected_rows["name"].tolist()
        (['u-3', 'u-1'], ['Mori'])
        >>> table.replace(frame.iloc[:1])
        >>> table.code("people").splitlines()[-1]
        'rows = rows.sort_values("name", ...'
        >>> table.select(None)
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     table.export(f"{folder}/people.csv")
        >>> table.wait()
        >>> table.close()
    """

    _css = style("explorers/explorer.css", "table/table.css")
    template = "widgets/table/table.html"

    making = traitlets.Dict(dict(IDLE))
    selected = traitlets.Unicode(None, allow_none=True)
    selection = traitlets.Tuple()
    caption = traitlets.Unicode("Table")
    badge = traitlets.Unicode("")
    note = traitlets.Unicode("")
    page_size = traitlets.Int(10, min=1)
    summarize = traitlets.Bool(False)

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
        frame = check_frame(frame, "a table")
        self.model = TableModel(frame, key=key, columns=columns, page_size=page_size, many=many)
        self.labels = {name: in_words(name) for name in self.model.columns} | dict(labels or {})
        self._open: tuple[Panel, str] = ("", "")
        self._typed: dict[str, str] = {}  # in the open panel, as far as the filters do not have it
        self._showing = RLock()  # a background thread shows the progress of a file
        self._source = source
        self._preparing = _start_preparing(self.model)
        self._download = Download(self._report_progress, self._report_failure)
        super().__init__(caption=caption, badge=badge, note=note, page_size=page_size, summarize=summarize)
        self.observe(self._show, ["caption", "badge", "note", "making", "summarize"])
        self._show()

    @property
    def rows(self) -> pd.DataFrame:
        """The matching rows of all pages in order, with the visible columns."""
        return self.model.rows()

    @property
    def selected_rows(self) -> pd.DataFrame:
        """The selected rows, in the frame's order, with all columns of the frame."""
        return self.model.selected_rows()

    @clear_error
    def select(self, key: str | None) -> None:
        """Select a row and go to its page, unless search or filters exclude it.

        Args:
            key: the row's key; None selects no row.

        Raises:
            KeyError: no row has this key.
        """
        if key is not None:
            self.model.reveal(key)
        if key == self.selected:
            self._show()
        else:
            self.selected = key  # and show it

    def code(self, frame: str = "frame") -> str:
        """Return pandas code that gives the same rows.

        Args:
            frame: the variable that holds the frame.
        """
        return code_of(self.model, frame)

    @clear_error
    def export(
        self,
        to: str | PathLike[str],
        *,
        format: Format | None = None,  # noqa: A002 - as in pandas
        progress: bool | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        """Write the matching rows of all pages, with the visible columns, to a file.

        If that fails or is cancelled, an existing file stays as it was. In CSV and Excel, text that a
        spreadsheet would run as a formula is defused; see `svckit.frames.export`.

        Args:
            to: a path; ``.json`` is written as JSON, ``.xlsx`` for Excel, any other suffix as CSV.
            format: ``csv``, ``xlsx`` or ``json``, whatever the suffix.
            progress: ``True`` or ``False`` for a bar or none; by default one appears after a second, if interactive.
            cancel: a ``threading.Event`` or another object with ``is_set()``; when set, the export stops.

        Raises:
            Cancelled: it was cancelled.
        """
        save(self.rows, to, format, progress=progress, cancel=cancel)

    def wait(self, timeout: float | None = None) -> None:
        """Wait until the file that the browser requested is done.

        Args:
            timeout: seconds to wait at most; None waits until then.
        """
        self._download.wait(timeout)

    @clear_error
    def replace(self, frame: pd.DataFrame) -> None:
        """Show another frame with the same columns; search, filters, order, page, columns and selection stay.

        A selected row that no longer exists is dropped from the selection.

        Args:
            frame: the rows.
        """
        old = self.model
        new = TableModel(frame, key=old.key, columns=old.columns, page_size=old.page_size, many=old.many)
        new.resume(old)
        self._preparing.stop()
        self.model, self._preparing = new, _start_preparing(new)
        self._report_selection()

    def resume(self, before: TableModel) -> None:
        """Resume the state of another table, by its model; ignore one with other columns."""
        if before.columns == self.model.columns:
            self.model.resume(before)
            self._report_selection()

    def close(self) -> None:
        """Free the widget, here and in the browser."""
        if "_preparing" in vars(self):  # else __init__ rejected its arguments
            self._preparing.stop()
            self._download.stop()
        super().close()

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

    @show_errors
    def _report_failure(self, failure: Exception) -> None:
        raise failure

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


def _start_preparing(model: TableModel) -> Work:
    """Prepare the first search; start at once if there are many rows."""
    work = Work(model.prepare())
    if model.total >= LARGE:
        work.start()
    return work

"""A table to search, filter, sort, page through and select from: live, as static HTML and as text."""

from os import PathLike

import pandas as pd

from svckit.display.tab import PublicNames
from svckit.frames.export import Format, save
from svckit.operations.batch import Cancel
from svckit.widgets.base.callbacks import clear_error
from svckit.widgets.table.browser_requests import TableRequests
from svckit.widgets.table.code import code_of
from svckit.widgets.table.controls import start_preparing
from svckit.widgets.table.model import TableModel

__all__ = ["PagedTable"]


class PagedTable(PublicNames, TableRequests, internal="resume"):
    """A paged table of a frame.

    The frame stays in Python: one page of text goes to the browser at a time. In the browser, type to search,
    press a heading to sort and the mark beside it to filter, and select rows by click or by keyboard: arrows,
    Home, End, Page Up, Page Down, then Enter or the space bar. If several rows can be selected, Shift selects all
    up to a row, Ctrl+A all and Escape none; the buttons below the rows do the same, and show the selected rows alone.
    Drag a heading to move its column, and its right edge to make it wider; "Columns" shows, hides, moves, pins and
    sizes columns without a mouse. "Code" shows the view as pandas code, "Summaries" counts the cells of each column,
    "Copy" copies the selected rows or the page, and "CSV", "Excel" and "JSON" save the matching rows as a file.
    Without a browser, the page is rendered as HTML and as text.

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

    template = "widgets/table/table.html"
    model: TableModel

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
        self.model, self._preparing = new, start_preparing(new)
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

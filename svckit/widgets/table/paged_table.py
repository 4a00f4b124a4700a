"""A table to search, filter, sort, page through and select from: live, as static HTML and as text."""

import re
from os import PathLike

import pandas as pd

from svckit.display.tab import PublicNames
from svckit.frames.export import TYPES, Format, save
from svckit.local_files import clean_file_name
from svckit.widgets.base.callbacks import clear_error
from svckit.widgets.table.code import code_of
from svckit.widgets.table.controls import TableControls, start_preparing
from svckit.widgets.table.filters import Filter
from svckit.widgets.table.model import TableModel
from svckit.widgets.table.view import TITLES, Panel

__all__ = ["PagedTable"]

MISSING = {"only": True, "without": False}


class PagedTable(PublicNames, TableControls, internal="resume"):
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
    ) -> None:
        """Write the matching rows of all pages, with the visible columns, to a file.

        If that fails or is interrupted, an existing file stays as it was. In CSV and Excel, text that a
        spreadsheet would run as a formula is defused; see `svckit.frames.export`.

        Args:
            to: a path; ``.json`` is written as JSON, ``.xlsx`` for Excel, any other suffix as CSV.
            format: ``csv``, ``xlsx`` or ``json``, whatever the suffix.
            progress: ``True`` or ``False`` for a bar or none; by default one appears after a second, if interactive.
        """
        save(self.rows, to, format, progress=progress)

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

    def _write(self, field: str, entry: str | bool) -> None:
        kind, _, name = field.partition(" ")
        match kind, entry:
            case "query", str():
                self.search(entry)
            case "page_size", str():
                self.page_size = int(entry)
            case "wanted", str():
                self._typed["wanted"] = entry
                self._show()
            case "column", bool():
                self._place(name, len(self.model.shown) if entry else None)
            case "pin", bool():
                others = [column for column in self.model.pinned if column != name]
                self.show_columns(self.model.shown, pinned=[*others, name] if entry else others)
            case "width", str():
                self._do_resize(name, int(float(entry or 0)))
            case "choice" | "contains" | "low" | "high" | "missing", _:
                self._write_filter(kind, name, entry)
            case _:
                raise ValueError(f"a table has no field {field!r} that takes {entry!r}")

    def _write_filter(self, condition: str, choice: str, entry: str | bool) -> None:
        """Change one condition of the filter whose panel is open."""
        column = self._open[1]
        conditions = self.model.filters.get(column, Filter()).conditions
        match condition:
            case "choice":
                chosen = {*(conditions["choices"] or ())} - {choice} | ({choice} if entry else set())
                offered = [choice.text for choice in self.model.choices(column) if choice.text in chosen]
                conditions["choices"] = offered or None
            case "missing":
                conditions["missing"] = MISSING.get(str(entry))
            case _:
                conditions[condition] = str(entry).strip() or None
        self._typed.pop(condition, None)
        try:
            self.filter(column, **conditions)
        except ValueError:
            self._typed |= {condition: entry} if isinstance(entry, str) and condition != "missing" else {}
            self._show()  # with the text, to be corrected
            raise

    def _do_select(self, key: str | None) -> None:
        self.selected = key
        self._report_selection()

    def _do_toggle(self, key: str) -> None:
        self.model.toggle(key)
        self._report_selection()

    def _do_through(self, key: str) -> None:
        self.model.select_range(key)
        self._report_selection()

    def _do_all(self) -> None:
        self.model.select_all()
        self._report_selection()

    def _do_only_selected(self) -> None:
        """Keep the selected rows, with a filter of their keys."""
        self.filter(str(self.model.key), choices=self.selection)

    def _place(self, column: str, to: int | None) -> None:
        """Show a column at a place among the others, from 0, or with None nowhere."""
        shown = [name for name in self.model.shown if name != column]
        self.show_columns(shown if to is None else [*shown[:to], column, *shown[to:]])

    def _do_move(self, column: str, before: str = "", by: int = 0) -> None:
        """Move a column to the place of another one, or by a number of places."""
        shown = self.model.shown
        self._place(column, max(0, shown.index(before or column) + by))

    def _do_resize(self, column: str, width: int) -> None:
        """Set the width of a column; 0 makes it as wide as its cells."""
        others = {name: pixels for name, pixels in self.model.widths.items() if name != column}
        self.show_columns(self.model.shown, widths={**others, column: width} if width > 0 else others)

    def _do_show_columns(self, every: bool) -> None:
        """Show all columns, or those of the beginning as they were."""
        if every:
            self.show_columns([*self.model.shown, *self.model.columns])
        else:
            self.show_columns(self._first_shown, pinned=(), widths={})

    def _do_page(self, page: int) -> None:
        self.go_to(page)

    def _do_sort(self, column: str) -> None:
        """Cycle a heading through ascending, descending and the frame's order."""
        if self.model.sorted_by != column:
            self.sort(column)
        elif self.model.ascending:
            self.sort(column, ascending=False)
        else:
            self.sort(None)

    def _do_unfilter(self, column: str) -> None:
        self._typed = {}
        self.filter(column)

    def _do_open(self, panel: Panel, column: str = "") -> None:
        """Open a panel, in place of the one before; without a name, none."""
        if panel not in TITLES or (panel == "filter") != (column in self.labels):
            raise ValueError(f"a table has no panel {panel!r} of column {column!r}")
        self._open, self._typed = (panel, column), {}
        self._show()

    def _do_summarize(self) -> None:
        self.summarize = not self.summarize

    def _do_copy(self, view: str) -> None:
        """Send rows to the requesting view, which copies them; nothing leaves the machine."""
        self.send({"view": view, "text": self.copy()})

    def _do_export(self, format: Format, view: str) -> None:  # noqa: A002 - as in pandas
        """Send a file of rows to the requesting view, which saves it."""
        name = "-".join(re.findall(r"\w+", self.caption.lower())) or "table"
        head = {"file": clean_file_name(f"{name}.{format}"), "type": TYPES[format], "view": view}
        self._download.start(self.model.rows(), format, lambda file: self.send(head, [file]))

    def _do_stop(self) -> None:
        self._download.stop()

"""Requests from the browser to a table, when something is pressed or typed."""

import re

from svckit.frames.export import TYPES, Format
from svckit.local_files import clean_file_name
from svckit.widgets.table.controls import TableControls
from svckit.widgets.table.filters import Filter
from svckit.widgets.table.panel import TITLES, Panel

__all__ = ["TableRequests"]

MISSING = {"only": True, "without": False}


class TableRequests(TableControls):
    """A table that handles the requests of its views."""

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
                others = [each for each in self.model.pinned if each != name]
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
        others = {name: each for name, each in self.model.widths.items() if name != column}
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

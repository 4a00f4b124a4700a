"""Requests from the browser to a table, when something is pressed or typed."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from svckit.frames.export import TYPES, Format
from svckit.local_files import clean_file_name
from svckit.widgets.base.entries import ListeningWidget
from svckit.widgets.table.controls import TableControls
from svckit.widgets.table.download import Download
from svckit.widgets.table.filters import Filter
from svckit.widgets.table.panel import TITLES, Panel

__all__ = ["TableRequests"]

MISSING = {"only": True, "without": False}


class TableRequests(TableControls, ListeningWidget):
    """A table that handles the requests of its views."""

    caption: Any
    page_size: Any
    selected: Any
    summarize: Any
    labels: Mapping[str, str]
    send: Callable[..., None]
    _open: tuple[Panel, str]
    _typed: dict[str, str]
    _download: Download

    def _report_selection(self) -> None:
        raise NotImplementedError

    def _handle(self, content: Mapping[str, Any]) -> None:
        match content:
            case {"do": "sort", "column": str(column)}:
                self._press_heading(column)
            case {"do": "page", "page": int(page)}:
                self.go_to(page)
            case {"do": "select" | "toggle" | "through" | "all"}:
                self._choose(content)
            case {"do": "filter", "column": str(column), "conditions": dict(conditions)}:
                self._typed = {}
                self.filter(column, **conditions)
            case {"do": "open", "panel": str(panel)} if panel in TITLES:
                self._open_panel(panel, content.get("column", ""))
            case {"do": "summarize"}:
                self.summarize = not self.summarize
            case {"do": "copy" | "export" | "stop"}:
                self._deliver(content)
            case _:
                raise _refuse(content)

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
                shown = {*self.model.shown} - {name}
                self.show_columns([*shown, name] if entry else [*shown])
            case "choice" | "contains" | "low" | "high" | "missing", _:
                self._write_filter(kind, name, entry)
            case _:
                raise _refuse({"field": field, "text": entry})

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

    def _choose(self, content: Mapping[str, Any]) -> None:
        match content:
            case {"do": "select", "key": str() | None as key}:
                self.selected = key
            case {"do": "toggle", "key": str(key)}:
                self.model.toggle(key)
            case {"do": "through", "key": str(key)}:
                self.model.select_range(key)
            case {"do": "all"}:
                self.model.select_all()
            case _:
                raise _refuse(content)
        self._report_selection()

    def _press_heading(self, column: str) -> None:
        """Cycle a heading through ascending, descending and the frame's order."""
        if self.model.sorted_by != column:
            self.sort(column)
        elif self.model.ascending:
            self.sort(column, ascending=False)
        else:
            self.sort(None)

    def _open_panel(self, panel: Panel, column: str) -> None:
        if (panel == "filter") != (column in self.labels):
            raise _refuse({"panel": panel, "column": column})
        self._open, self._typed = (panel, column), {}
        self._show()

    def _deliver(self, content: Mapping[str, Any]) -> None:
        """Send rows to the requesting view, which copies or saves them; nothing leaves the machine."""
        match content:
            case {"do": "copy", "view": str(view)}:
                self.send({"view": view, "text": self.copy()})
            case {"do": "export", "format": "csv" | "xlsx" | "json" as kind, "view": str(view)}:
                self._make_file(kind, view)
            case {"do": "stop"}:
                self._download.stop()
            case _:
                raise _refuse(content)

    def _make_file(self, kind: Format, view: str) -> None:
        name = "-".join(re.findall(r"\w+", self.caption.lower())) or "table"
        head = {"file": clean_file_name(f"{name}.{kind}"), "type": TYPES[kind], "view": view}
        self._download.start(self.model.rows(), kind, lambda file: self.send(head, [file]))


def _refuse(content: object) -> ValueError:
    return ValueError(f"a table does not understand {content!r}")

"""A table one searches, sorts, pages through and selects from: live, as static HTML and as text."""

from collections.abc import Mapping, Sequence
from typing import Any

import anywidget
import pandas as pd
import traitlets
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from svckit.card import TEMPLATES
from svckit.widgets import plain
from svckit.widgets.assets import script, style
from svckit.widgets.callbacks import shown
from svckit.widgets.faces import Faces
from svckit.widgets.labels import in_words
from svckit.widgets.table_model import TableModel

__all__ = ["PagedTable"]


class PagedTable(Faces, anywidget.AnyWidget):
    """A frame as a table of pages.

    The frame stays in Python: one page of text goes to the browser at a time. In the browser, type to search,
    press a heading to sort, and select a row by click or by keyboard: arrows, Home, End, Page Up, Page Down,
    then Enter or the space bar. Where there is no browser, the page is shown as HTML and as text.

    Args:
        frame: the rows.
        key: the column that names a row; see :class:`~svckit.widgets.table_model.TableModel`.
        columns: the columns to show and to search, in order; all by default.
        labels: headings by column; by default the column's name in words.
        caption: what the table shows.
        badge: a word beside the caption, such as FAKE.
        note: a line below the caption.
        page_size: rows on a page.

    Attributes:
        selected: the key of the selected row, or None; observe it, or set it.
        error: what the last request from the browser failed with, or empty text.

    Examples:
        >>> frame = pd.DataFrame({"id": ["u-1", "u-2"], "name": ["Mori", "Abe"]})
        >>> table = PagedTable(frame, key="id", caption="People")
        >>> table.sort("name")
        >>> table.selected = "u-1"
        >>> table
        People
          ID   Name ▲
          u-2  Abe
        > u-1  Mori
        Rows 1–2 of 2
        >>> table.close()
    """

    _esm = script("paged_table.js")
    _css = style("paged_table.css")

    view = traitlets.Dict().tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)
    selected = traitlets.Unicode(None, allow_none=True)

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
    ) -> None:
        self.model = TableModel(frame, key=key, columns=columns, page_size=page_size)
        self.labels = dict(labels or {})
        self.caption = caption
        self.badge = badge
        self.note = note
        super().__init__(view=self._view())
        self.on_msg(self._receive)

    def search(self, query: str) -> None:
        """Keep the rows in which every word of the query occurs; an empty query keeps all."""
        self.model.search(query)
        self._show()

    def sort(self, column: str | None, *, ascending: bool = True) -> None:
        """Sort by a column that is shown, or with None go back to the frame's order."""
        self.model.sort(column, ascending=ascending)
        self._show()

    def go_to(self, page: int) -> None:
        """Go to a page, counted from 1; beyond the ends, to the nearest there is."""
        self.model.go_to(page)
        self._show()

    def select(self, key: str | None) -> None:
        """Select a row and go to its page, unless the search leaves it out; with None select none.

        Raises:
            KeyError: there is no such row.
        """
        self.selected = key
        if key is not None:
            self.model.reveal(key)
            self._show()

    def replace(self, frame: pd.DataFrame) -> None:
        """Show another frame of the same columns; the search, the order, the page and the selection stay.

        A selected row that is gone is no longer selected.
        """
        old = self.model
        new = TableModel(frame, key=old.key, columns=old.columns, page_size=old.page_size)
        new.search(old.query)
        new.sort(old.sorted_by, ascending=old.ascending)
        new.go_to(old.page)
        self.model = new
        self.selected = self.selected if self.selected in new else None
        new.selected = self.selected
        self._show()

    def to_html(self) -> str:
        """The page as static HTML."""
        return TEMPLATES.get_template("table.html").render(self.view)

    @traitlets.observe("selected")
    def _selection_changed(self, change: Mapping[str, Any]) -> None:
        self.model.select(change["new"])
        self._show()

    @traitlets.validate("selected")
    def _existing(self, proposal: Mapping[str, Any]) -> str | None:
        key: str | None = proposal["value"]
        if key is not None:
            self.model.position(key)
        return key

    @shown
    def _receive(self, _widget: object, content: Mapping[str, Any], _buffers: object) -> None:
        """Do what the browser asks for."""
        match content:
            case {"do": "search", "query": str(query)}:
                self.search(query)
            case {"do": "sort", "column": str(column)}:
                self._press(column)
            case {"do": "page", "page": int(page)}:
                self.go_to(page)
            case {"do": "select", "key": str(key)}:
                self.selected = key
            case _:
                raise ValueError(f"a table does not understand {content!r}")

    def _press(self, column: str) -> None:
        """Pressing a heading sorts ascending, then descending, then as the frame was, and round again."""
        if self.model.sorted_by != column:
            self.sort(column)
        elif self.model.ascending:
            self.sort(column, ascending=False)
        else:
            self.sort(None)

    def _show(self) -> None:
        self.view = self._view()

    def _view(self) -> dict[str, Any]:
        """All three faces are made from this."""
        model = self.model
        return {
            "caption": self.caption,
            "badge": self.badge,
            "note": self.note,
            "columns": [self._column(name) for name in model.columns],
            "rows": [{"key": row.key, "cells": row.cells} for row in model.page_rows()],
            "selected": model.selected,
            "query": model.query,
            "first": model.first,
            "matched": model.matched,
            "page": model.page,
            "pageCount": model.page_count,
            "status": _status(model),
        }

    def _column(self, name: str) -> dict[str, Any]:
        dtype = self.model.frame[name].dtype
        order = "ascending" if self.model.ascending else "descending"
        return {
            "name": name,
            "label": self.labels.get(name, in_words(name)),
            "numeric": is_numeric_dtype(dtype) and not is_bool_dtype(dtype),
            "sort": order if name == self.model.sorted_by else "none",
        }

    def __repr__(self) -> str:
        view = self.view
        heading = f"{view['caption']} [{view['badge']}]" if view["badge"] else view["caption"]
        marks = {"ascending": " ▲", "descending": " ▼", "none": ""}
        rows = [
            tuple(column["label"] + marks[column["sort"]] for column in view["columns"]),
            *(row["cells"] for row in view["rows"]),
        ]
        keys = [None, *(row["key"] for row in view["rows"])]
        table = [
            f"{'>' if key and key == view['selected'] else ' '} {line}"
            for key, line in zip(keys, plain.columns(rows), strict=True)
        ]
        lines = [heading, view["note"], *table, view["status"]]
        return "\n".join(line for line in lines if line)


def _status(model: TableModel) -> str:
    if not model.total:
        return "No rows"
    if not model.matched:
        return f"No row of {model.total} matches “{model.query}”"
    rows = f"Rows {model.first}–{model.last} of {model.matched}"
    return rows if model.matched == model.total else f"{rows} that match, {model.total} in all"

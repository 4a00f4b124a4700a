"""A table of plain records to search, sort and select from, for where pandas is missing, such as in a browser."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import traitlets

from svckit.display.card import quantity
from svckit.models.base import wire_name
from svckit.widgets.base.callbacks import button, clear_error
from svckit.widgets.base.template_widget import TemplateWidget
from svckit.widgets.base.untyped import AnyWidget

__all__ = ["PlainTable"]

SHOWN = 200
"""The most rows that are shown; a search finds the others."""

Record = Mapping[str, Any]


class PlainTable(TemplateWidget, AnyWidget):
    """A table of records: what explorers show instead of a `svckit.widgets.PagedTable`, which needs pandas.

    Args:
        records: the records, with wire names.
        columns: the headings by column, such as ``user_id``, in order.
        key: the column that identifies a row; without one, the number of the row does.
        caption: the title of the table.
        badge: a word beside the caption, such as FAKE.
        note: a line below the caption.
        on_refresh: what a button "Refresh" does; without it there is none.

    Attributes:
        selected: the key of the selected row, or None; can be observed.

    Examples:
        >>> people = [{"userId": "u-1", "name": "Mori"}, {"userId": "u-2", "name": "Abe"}]
        >>> table = PlainTable(people, {"user_id": "ID", "name": "Name"}, key="user_id", caption="People")
        >>> table.sort("Name")
        >>> table.select("u-2")
        >>> table
        People
        Rows
             ID   Name
          >  u-2  Abe
             u-1  Mori
        2 rows
        >>> table.selected_record["name"]
        'Abe'
        >>> table.search("mo")
        >>> [record["name"] for record in table.rows]
        ['Mori']
        >>> table.close()
    """

    template = "widgets/table/plain_table.html"

    selected: "traitlets.Unicode[str | None, str | bytes | None]" = traitlets.Unicode(None, allow_none=True)

    def __init__(
        self,
        records: Iterable[Record],
        columns: Mapping[str, str],
        *,
        key: str = "",
        caption: str,
        badge: str = "",
        note: str = "",
        on_refresh: Callable[[], None] | None = None,
    ) -> None:
        self._columns = {label: wire_name(name) for name, label in columns.items()}
        self._key, self._on_refresh = wire_name(key), on_refresh
        self._words = {"caption": caption, "badge": badge, "note": note, "refreshes": on_refresh is not None}
        self._query = self._sorted_by = ""
        self._is_ascending = True
        self._filters: dict[str, Callable[[Any], bool]] = {}
        self._records: dict[str, Record] = {}
        super().__init__()
        self.replace(records)

    @property
    def rows(self) -> list[Record]:
        """The records that match the search and the filters, in order."""
        return [record for _, record in self._find()]

    @property
    def selected_record(self) -> Record | None:
        """The record of the selected row; None without one."""
        return None if self.selected is None else self._records[self.selected]

    @button
    def select(self, key: str | None) -> None:
        """Select a row by its key; None selects none.

        Raises:
            KeyError: no row has this key.
        """
        if key is not None and key not in self._records:
            raise KeyError(f"no row has the key {key!r}; there are {quantity(len(self._records), 'row')}")
        self.selected = key
        self._show()

    @button
    def sort(self, column: str) -> None:
        """Sort by the column with this heading, or the other way round if it is sorted by that."""
        self._is_ascending = column != self._sorted_by or not self._is_ascending
        self._sorted_by = column
        self._show()

    @clear_error
    def search(self, query: str) -> None:
        """Show only rows that have all these words."""
        self._query = query
        self._show()

    def filter(
        self,
        column: str,
        *,
        choices: Collection[str] | None = None,
        contains: str | None = None,
        low: float | None = None,
        high: float | None = None,
    ) -> None:
        """Show only rows with such a value of a column; what is left out does not restrict them."""

        def fits(value: Any) -> bool:
            return (
                (choices is None or value in choices)
                and (contains is None or contains.casefold() in str(value).casefold())
                and (low is None or (value is not None and value >= low))
                and (high is None or (value is not None and value <= high))
            )

        self._filters[wire_name(column)] = fits
        self._show()

    def replace(self, records: Iterable[Record]) -> None:
        """Show other records; the search, the order and the selection stay."""
        # Without a key, or if two records share one, the number of the row tells them apart.
        found: dict[str, Record] = {}
        for number, record in enumerate(records, 1):
            key = format_cell(record.get(self._key)) or f"#{number}"
            found[key if key not in found else f"{key}#{number}"] = record
        self._records = found
        if self.selected not in found:
            self.selected = None
        self._show()

    def _find(self) -> list[tuple[str, Record]]:
        """Return the matching records with their keys, in order."""
        words = self._query.casefold().split()
        found = []
        for key, record in self._records.items():
            text = " ".join(self._list_cells(record)).casefold()
            if all(word in text for word in words) and all(
                fits(record.get(name)) for name, fits in self._filters.items()
            ):
                found.append((key, record))
        if self._sorted_by:
            name = self._columns[self._sorted_by]
            found.sort(key=lambda row: _rank(row[1].get(name)), reverse=not self._is_ascending)
        return found

    def _list_cells(self, record: Record) -> tuple[str, ...]:
        return tuple(format_cell(record.get(name)) for name in self._columns.values())

    def _do_refresh(self) -> None:
        if self._on_refresh is not None:
            self._on_refresh()

    def _write(self, name: str, entry: str | bool) -> None:
        if name == "query":
            self.search(str(entry))

    def _show(self) -> None:
        found = self._find()
        more = f", the first {SHOWN} of them shown" if len(found) > SHOWN else ""
        of = "" if len(found) == len(self._records) else f" of {len(self._records):,} match"
        self.view = self._words | {
            "query": self._query,
            "columns": [*self._columns],
            "rows": [
                {"key": key, "cells": self._list_cells(record), "selected": key == self.selected}
                for key, record in found[:SHOWN]
            ],
            "sort": self._sorted_by,
            "ascending": self._is_ascending,
            "status": f"{quantity(len(found), 'row')}{of}{more}",
        }


def format_cell(value: Any) -> str:
    """Return a value as the text of a cell."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case list() | tuple():
            return ", ".join(map(format_cell, value))
        case _:
            return str(value)


def _rank(value: Any) -> tuple[bool, float, str]:
    """Return what a value is sorted by: numbers as such, and nothing at the end."""
    number = value if isinstance(value, int | float) else 0
    return value is None, number, format_cell(value).casefold()

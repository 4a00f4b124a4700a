"""The panels above a table: the filter of a column, the columns to show, the code for the view."""

from collections.abc import Mapping
from typing import Any, Literal

from pandas.api.types import is_numeric_dtype

from svckit.widgets.base.folding import fold
from svckit.widgets.table.code import code_of
from svckit.widgets.table.column import is_compared_by_value
from svckit.widgets.table.filters import Filter, bound_text, is_ordered
from svckit.widgets.table.model import TableModel

__all__ = ["TITLES", "Panel", "panel_view"]

Panel = Literal["", "filter", "columns", "code"]
TITLES: dict[Panel, str] = {"": "", "filter": "Filter ", "columns": "Columns", "code": "Code for this view"}


def panel_view(
    table: TableModel,
    panel: Panel,
    column: str,
    labels: Mapping[str, str],
    source: str,
    typed: Mapping[str, str],
) -> dict[str, Any]:
    """Return the open panel as data for the template; ``panel`` is empty if none is open.

    Args:
        table: the table.
        panel: the open panel.
        column: the column of a filter panel.
        labels: headings by column.
        source: an expression for the frame, for the first line of the code.
        typed: what was typed in it: the end of a range that was rejected, or what columns are ``wanted``, by a part of
            their label or name.
    """
    view = {"panel": panel, "column": column, "title": f"{TITLES[panel]}{labels.get(column, '')}"}
    match panel:
        case "filter":
            return {**view, "label": labels[column], **_filter(table, column, typed)}
        case "columns":
            wanted = typed.get("wanted", "")
            columns = [
                {
                    "name": name,
                    "label": labels[name],
                    "shown": name in table.shown,
                    "last": table.shown == (name,),
                    "pinned": name in table.pinned,
                    "width": table.widths.get(name, ""),
                }
                for name in dict.fromkeys([*table.shown, *table.columns])
                if fold(wanted) in fold(f"{labels[name]} {name}")
            ]
            return {**view, "columns": columns, "wanted": wanted, "total": len(table.columns)}
        case "code":
            return {**view, "code": code_of(table, source=source)}
        case _:
            return view


def _filter(table: TableModel, name: str, typed: Mapping[str, str]) -> dict[str, Any]:
    column, column_filter = table.column(name), table.filters.get(name, Filter())
    chosen = column_filter.choices or ()
    choices = table.choices(name) if column.offers_choices else []
    view: dict[str, Any] = {
        "choices": [
            {"text": choice.text, "count": choice.rows, "on": choice.text in chosen} for choice in choices
        ],
        "contains": None if is_compared_by_value(column.series) else column_filter.contains or "",
        "range": None,
        "missing": None,
    }
    if is_ordered(column.series):
        view["range"] = {**_range(table, name, column_filter), **typed}
    if column.blank.any() and not choices:
        view["missing"] = {None: "", True: "only", False: "without"}[column_filter.missing]
    return view


def _range(table: TableModel, name: str, column_filter: Filter) -> dict[str, Any]:
    cells = table.frame[name].dropna()
    first, last = ("", "") if cells.empty else (bound_text(cells.min()), bound_text(cells.max()))
    return {
        "low": "" if column_filter.low is None else bound_text(column_filter.low),
        "high": "" if column_filter.high is None else bound_text(column_filter.high),
        "hint": f"{first} to {last}" if first else "no values",
        "numbers": is_numeric_dtype(cells.dtype),
    }

"""The panels above a table: the filter of a column, the columns to show, the code for the view."""

from typing import Any, Literal

from pandas.api.types import is_numeric_dtype

from svckit.widgets.table.code import code_of
from svckit.widgets.table.column import is_compared_by_value
from svckit.widgets.table.filters import Filter, bound_text, is_ordered
from svckit.widgets.table.model import TableModel

__all__ = ["Panel", "panel_view"]

Panel = Literal["", "filter", "columns", "code"]


def panel_view(
    table: TableModel, panel: Panel, column: str, labels: dict[str, str], source: str = ""
) -> dict[str, Any]:
    """Return the open panel for the browser; empty if none is open.

    Args:
        table: the table.
        panel: the open panel.
        column: the column of a filter panel.
        labels: headings by column.
        source: an expression for the frame, for the first line of the code.
    """
    match panel:
        case "filter":
            return {"panel": panel, "column": column, "label": labels[column], **_filter(table, column)}
        case "columns":
            columns = [
                {"name": name, "label": labels[name], "shown": name in table.shown} for name in table.columns
            ]
            return {"panel": panel, "columns": columns}
        case "code":
            return {"panel": panel, "code": code_of(table, source=source)}
        case _:
            return {}


def _filter(table: TableModel, name: str) -> dict[str, Any]:
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
        view["range"] = _range(table, name, column_filter)
    if column.blank.any() and not choices:
        view["missing"] = {None: "", True: "only", False: "without"}[column_filter.missing]
    return view


def _range(table: TableModel, name: str, column_filter: Filter) -> dict[str, Any]:
    cells = table.frame[name].dropna()
    first, last = ("", "") if cells.empty else (bound_text(cells.min()), bound_text(cells.max()))
    return {
        "low": "" if column_filter.low is None else bound_text(column_filter.low),
        "high": "" if column_filter.last is None else bound_text(column_filter.last),
        "hint": f"{first} to {last}" if first else "no values",
        "numbers": is_numeric_dtype(cells.dtype),
    }

"""A page of a table: the data of the live widget, and the same as text."""

from collections.abc import Mapping
from typing import Any

from pandas.api.types import is_bool_dtype, is_numeric_dtype

from svckit.widgets.base import plain
from svckit.widgets.table.model import TableModel

__all__ = ["table_text", "table_view"]

LONGEST = 1_000  # characters of a cell; the view has room for about twenty, a tooltip for a few hundred
MARKS = {"ascending": " ▲", "descending": " ▼", "none": ""}


def table_view(
    model: TableModel, labels: Mapping[str, str], *, caption: str, badge: str, note: str
) -> dict[str, Any]:
    """Return a table's page as data for all its renderings.

    Args:
        model: the table.
        labels: headings by column.
        caption: the title of the table.
        badge: a word beside the caption.
        note: a line below the caption.
    """
    return {
        "caption": caption,
        "badge": badge,
        "note": note,
        "columns": [_column(model, name, labels[name]) for name in model.shown],
        "filters": [
            {"column": name, "label": labels[name], "words": column_filter.words}
            for name, column_filter in model.filters.items()
        ],
        "rows": [
            {
                "key": row.key,
                "cells": tuple(map(_shorten, row.cells)),
                "selected": model.is_selected(row.key),
            }
            for row in model.page_rows()
        ],
        "many": model.many,
        "query": model.query,
        "first": model.first,
        "matched": model.matched,
        "page": model.page,
        "pageCount": model.page_count,
        "status": _describe_rows(model),
    }


def _shorten(cell: str) -> str:
    return cell if len(cell) <= LONGEST else f"{cell[:LONGEST]}…"


def _column(model: TableModel, name: str, label: str) -> dict[str, Any]:
    dtype = model.frame[name].dtype
    order = "ascending" if model.ascending else "descending"
    return {
        "name": name,
        "label": label,
        "numeric": is_numeric_dtype(dtype) and not is_bool_dtype(dtype),
        "sort": order if name == model.sorted_by else "none",
        "filtered": name in model.filters,
    }


def table_text(view: Mapping[str, Any]) -> str:
    """Format a table's page as text."""
    heading = f"{view['caption']} [{view['badge']}]" if view["badge"] else view["caption"]
    filters = "; ".join(f"{each['label']} {each['words']}" for each in view["filters"])
    rows = [
        tuple(column["label"] + MARKS[column["sort"]] for column in view["columns"]),
        *(row["cells"] for row in view["rows"]),
    ]
    chosen = [False, *(row["selected"] for row in view["rows"])]
    table = [
        f"{'>' if marked else ' '} {line}" for marked, line in zip(chosen, plain.columns(rows), strict=True)
    ]
    lines = [heading, view["note"], f"Filters: {filters}" if filters else "", *table, view["status"]]
    return "\n".join(line for line in lines if line)


def _describe_rows(model: TableModel) -> str:
    """Return the status line: the rows shown, their total, and the number selected.

    Examples:
        >>> import pandas as pd
        >>> table = TableModel(pd.DataFrame({"name": ["Mori", "Abe", "Kato"]}))
        >>> table.search("o")
        >>> _describe_rows(table)
        'Rows 1–2 of 2 that match, 3 in all'
    """
    rows = f"Rows {model.first:,}–{model.last:,} of {model.matched:,}"
    if not model.total:
        rows = "No rows"
    elif not model.matched:
        query = f" “{model.query}”" if model.query else ""
        filters = " the filters" if model.filters else ""
        rows = f"No row of {model.total:,} matches{query}{' and' if query and filters else ''}{filters}"
    elif model.matched != model.total:
        rows = f"{rows} that match, {model.total:,} in all"
    many = model.selected_count
    return f"{rows}; {many:,} selected" if many and model.many else rows

"""A page of a table, and the panel above it, as data for their templates."""

from collections.abc import Mapping
from math import ceil
from typing import Any, Literal

from pandas.api.types import is_bool_dtype, is_datetime64_any_dtype, is_numeric_dtype

from svckit.widgets.base.badges import is_badged
from svckit.widgets.base.folding import fold
from svckit.widgets.base.labels import in_words
from svckit.widgets.table.code import code_of
from svckit.widgets.table.column import is_compared_by_value
from svckit.widgets.table.filters import Filter, bound_text, is_ordered
from svckit.widgets.table.model import PAGE_SIZES, TableModel
from svckit.widgets.table.summaries import Summary

__all__ = ["TITLES", "Panel", "panel_view", "table_view"]

Panel = Literal["", "filter", "columns", "code"]
TITLES: dict[Panel, str] = {"": "", "filter": "Filter ", "columns": "Columns", "code": "Code for this view"}

LONGEST = 1_000  # characters of a cell; the view has room for about twenty, a tooltip for a few hundred
TALLEST = 16  # units of a bar


def table_view(
    model: TableModel, labels: Mapping[str, str], *, caption: str, badge: str, note: str, summarize: bool
) -> dict[str, Any]:
    """Return a table's page as data for its template.

    Args:
        model: the table.
        labels: headings by column.
        caption: the title of the table.
        badge: a word beside the caption.
        note: a line below the caption.
        summarize: whether the headings have summaries of their columns.
    """
    summaries = model.summaries() if summarize else {}
    return {
        "caption": caption,
        "badge": badge,
        "note": note,
        "columns": [_column(model, name, labels[name], summaries.get(name)) for name in model.shown],
        "filters": [
            {"column": name, "label": labels[name], "words": column_filter.words}
            for name, column_filter in model.filters.items()
        ],
        "rows": [
            {
                "key": row.key,
                "cells": tuple(map(_shorten, row.cells)),
                "selected": model.is_selected(row.key),
                "locale": locale,
            }
            for row, locale in zip(model.page_rows(), model.page_locales(), strict=True)
        ],
        "many": model.many,
        "keyed": model.key is not None,
        "query": model.query,
        "first": model.first,
        "matched": model.matched,
        "page": model.page,
        "page_count": model.page_count,
        "place": f"Page {model.page:,} of {model.page_count:,}",
        "page_size": model.page_size,
        "page_sizes": sorted({*PAGE_SIZES, model.page_size}),
        "summarize": summarize,
        "selected": model.selected_count,
        "status": _describe_rows(model),
    }


def _shorten(cell: str) -> str:
    return cell if len(cell) <= LONGEST else f"{cell[:LONGEST]}…"


def _column(model: TableModel, name: str, label: str, summary: Summary | None) -> dict[str, Any]:
    dtype = model.frame[name].dtype
    order = "ascending" if model.ascending else "descending"
    return {
        "name": name,
        "label": label,
        "numeric": is_numeric_dtype(dtype) and not is_bool_dtype(dtype),
        "sort": order if name == model.sorted_by else "none",
        "filtered": name in model.filters,
        "badged": is_badged(in_words(name)),
        "time": is_datetime64_any_dtype(dtype),
        "pinned": name in model.pinned,
        "width": model.widths.get(name, 0),
        "summary": summary and {"words": summary.words, "bars": _bars(summary)},
    }


def _bars(summary: Summary) -> list[dict[str, Any]]:
    most = max((bar.rows for bar in summary.bars), default=0)
    return [
        {"words": f"{bar.text}: {bar.rows:,}", "height": ceil(TALLEST * bar.rows / most)}
        for bar in summary.bars
    ]


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

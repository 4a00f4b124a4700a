"""Pandas code that gives the rows of a table's view."""

from collections.abc import Iterator
from typing import Any

import pandas as pd
from pandas.api import types

from svckit.display.python_code import write_value
from svckit.widgets.base.folding import fold, fold_words
from svckit.widgets.table.column import is_compared_by_value
from svckit.widgets.table.filters import Bound, Filter
from svckit.widgets.table.model import TableModel

__all__ = ["code_of"]

FRAME = "frame"
PANDAS = "import pandas as pd"
SVCKIT = "import svckit"
TEXT = "from svckit.widgets.table.cells import text"
KEYS = "from svckit.widgets.table.text_keys import "


def code_of(table: TableModel, frame: str = FRAME, *, source: str = "") -> str:
    """Return code for the rows that a table shows, on all pages and in order.

    Args:
        table: the table.
        frame: the variable that holds the frame.
        source: an expression for the frame, such as ``svckit.frames.users(svc)``; without it, the variable must exist.

    Examples:
        >>> people = pd.DataFrame({"name": ["Mori", "Abe"], "age": [30, 20]})
        >>> table = TableModel(people)
        >>> table.filter("age", low=25)
        >>> table.sort("age", ascending=False)
        >>> print(code_of(table, "people"))
        rows = people
        rows = rows[rows["age"] >= 25]
        rows = rows.sort_values("age", ascending=False, kind="stable", na_position="last")
        >>> exec(code_of(table, "people"))
        >>> rows["name"].tolist()
        ['Mori']
        >>> print(code_of(TableModel(people), source="svckit.frames.users(svc)"))
        import svckit
        <BLANKLINE>
        frame = svckit.frames.users(svc)
        rows = frame
        >>> print(code_of(TableModel(people)))
        rows = frame  # the table's frame
    """
    given = "" if source or frame != FRAME else "  # the table's frame"
    steps = [f"{frame} = {source}"] if source else []
    steps += [f"rows = {frame}{given}", *_write_search(table)]
    for name, column_filter in table.filters.items():
        steps += [
            f"rows = rows[{condition}]" for condition in _write_conditions(table.frame[name], column_filter)
        ]
    if table.sorted_by is not None:
        steps.append(_write_sort(table.frame[table.sorted_by], ascending=table.ascending))
    if table.shown != tuple(table.frame.columns):
        steps.append(f"rows = rows[{write_value(list(table.shown))}]")
    body = "\n".join(steps)
    imports = [PANDAS] if "pd." in body else []
    imports += [SVCKIT] if "svckit." in source else []
    imports += [TEXT] if "map(text)" in body else []
    keys = [name for name in ("folded", "sort_keys") if f"{name}(" in body]
    imports += [KEYS + ", ".join(keys)] if keys else []
    return "\n\n".join(filter(None, ["\n".join(imports), body]))


def _write_search(table: TableModel) -> Iterator[str]:
    words = fold_words(table.query)
    if words:
        yield "words = folded(rows)"
        hits = [f"words.str.contains({write_value(word)}, regex=False)" for word in words]
        yield f"rows = rows[{' & '.join(hits)}]"


def _write_conditions(column: "pd.Series[Any]", column_filter: Filter) -> Iterator[str]:
    cell = f"rows[{write_value(column.name)}]"
    if column_filter.choices is not None:
        plain = _is_text(column) and "" not in column_filter.choices
        yield f"{cell if plain else _write_text(column)}.isin({write_value(list(column_filter.choices))})"
    if column_filter.contains is not None:
        words = write_value(fold(column_filter.contains))
        yield f"folded(rows, {write_value(column.name)}).str.contains({words}, regex=False)"
    for sign, bound in column_filter.limits:
        yield f"{cell} {sign} {_write_bound(bound)}"
    if column_filter.missing is not None:
        yield f'{_write_text(column)} {"==" if column_filter.missing else "!="} ""'


def _write_sort(column: "pd.Series[Any]", *, ascending: bool) -> str:
    options = [write_value(column.name)]
    ordered = isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered
    if not ordered and not is_compared_by_value(column):
        options.append("key=lambda cells: sort_keys(rows, cells.name)")
    if not ascending:
        options.append("ascending=False")
    return f'rows = rows.sort_values({", ".join(options)}, kind="stable", na_position="last")'


def _write_text(column: "pd.Series[Any]") -> str:
    """Return an expression for a column's cells as the table formats them."""
    cell = f"rows[{write_value(column.name)}]"
    if isinstance(column.dtype, pd.StringDtype):
        return f'{cell}.fillna("")'
    if _is_text(column):
        return f'{cell}.astype("string").fillna("")'
    return f"{cell}.astype(object).map(text)"


def _is_text(column: "pd.Series[Any]") -> bool:
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return types.infer_dtype(dtype.categories, skipna=False) == "string"
    return isinstance(dtype, pd.StringDtype)


def _write_bound(bound: Bound) -> str:
    if isinstance(bound, pd.Timestamp):
        return f"pd.Timestamp({write_value(bound.isoformat())})"
    return repr(bound)

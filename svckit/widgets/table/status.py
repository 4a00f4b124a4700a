"""The status line below a table."""

from svckit.widgets.table.model import TableModel

__all__ = ["status_of"]


def status_of(model: TableModel) -> str:
    """Return the status line: the rows shown, their total, and the number selected.

    Examples:
        >>> import pandas as pd
        >>> table = TableModel(pd.DataFrame({"name": ["Mori", "Abe", "Kato"]}))
        >>> table.search("o")
        >>> status_of(table)
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

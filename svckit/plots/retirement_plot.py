"""The retirement dates of features (section "Versioning")."""

import pandas as pd

from svckit.plots.figure import Figure
from svckit.plots.lanes import Lane, Mark, Span, lanes_figure
from svckit.plots.table import Drawable, rows_of
from svckit.retirements import Table, table

__all__ = ["retirements"]

COLUMNS = ("what", "status", "date", "replacement")


def retirements(source: Drawable | Table | None = None) -> Figure:
    """Plot the retirement calendar: retired (filled), planned (hollow) and undecided (open) features.

    Args:
        source: a session or a ``FakeService``, whose clock gives the day, ``svckit.lifecycle.table(day)``, or a frame
            of `svckit.frames.lifecycle`; by default, today's table.

    Returns:
        The figure; displayed as a picture with a table, and in a terminal as text.

    Raises:
        TypeError: the source is of another type.

    Examples:
        >>> from datetime import date
        >>> figure = retirements(table(date(2026, 6, 1)))
        >>> print(figure.description)
        On 2026-06-01, 7 are retired, 3 have a planned date, and 2 are undecided.
    """
    rows = list(rows_of(table() if source is None else source, "lifecycle"))
    dated = sorted((row for row in rows if row.date is not None), key=lambda row: row.date)
    undecided = [row for row in rows if row.date is None]
    facts = [(row.item, row.status, row.date_wording, row.replacement) for row in (*dated, *undecided)]
    if not dated:
        return lanes_figure("Retirements", "No retirement has a date.", [], facts=(COLUMNS, facts))
    today = dated[0].date - pd.Timedelta(days=dated[0].days_left)
    retired = sum(row.stage == "retired" for row in rows)
    lanes = [
        Lane(
            row.item,
            row.status if row.stage != "retired" else f"retired {row.date:%Y-%m-%d}",
            marks=[Mark(row.date, "diamond", f"{row.item}: {row.date_wording}", row.stage != "retired")],
            spans=[] if row.stage == "retired" else [Span(today, row.date, row.status, faded=True)],
        )
        for row in dated
    ]
    lanes += [
        Lane(row.item, "undecided", spans=[Span(today, None, "day undecided", faded=True)])
        for row in undecided
    ]
    return lanes_figure(
        "Retirements",
        f"On {today:%Y-%m-%d}, {retired} are retired, {len(dated) - retired} have a planned date, "
        f"and {len(undecided)} are undecided.",
        lanes,
        facts=(COLUMNS, facts),
        headings=("Feature", "Status"),
        now=today,
        now_label=f"{today:%Y-%m-%d}",
    )

"""The source of a plot: a frame of `svckit.frames`, or the source of such a frame."""

from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from svckit.display.axis import zone_of
from svckit.frames.column import build
from svckit.frames.source import Kind, Source, records_of
from svckit.frames.tables import TABLES
from svckit.frames.zones import in_zone, name_zone

__all__ = ["Drawable", "rows_of", "text", "with_zone"]

Drawable = pd.DataFrame | Source


def rows_of(source: Drawable, kind: Kind) -> Iterator[Any]:
    """Yield the rows as named tuples, missing values as ``None``.

    The times of a session are in the zone of its clock; those of a frame keep their own.

    Raises:
        ValueError: the frame lacks a required column; the message names it.
    """
    columns = TABLES[kind]
    if isinstance(source, pd.DataFrame):
        frame = source
    else:
        frame = in_zone(build(columns, records_of(source, kind)), name_zone(source))
    missing = [column.name for column in columns if column.name not in frame.columns]
    if missing:
        raise ValueError(
            f"this is not a frame of {kind}: it has no column {missing[0]}; use svckit.frames.{kind}(…), "
            "some of its rows or a copy of it"
        )
    plain = frame[[column.name for column in columns]].astype(object)
    yield from plain.where(plain.notna(), None).itertuples(index=False)


def text(value: object) -> str:
    """Format a value of a frame: an instant in its own zone, which a heading names, and empty for ``None``.

    Examples:
        >>> text(pd.Timestamp("2026-06-01T09:00:00+09:00"))
        '2026-06-01 09:00:00'
    """
    if isinstance(value, pd.Timestamp):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return "" if value is None else str(value)


def with_zone(heading: str, values: Iterable[object]) -> str:
    """Return the heading of a column with the zone of its times, if it has any.

    Examples:
        >>> with_zone("at", [None, pd.Timestamp("2026-06-01T09:00:00+09:00")]), with_zone("user", ["u-001"])
        ('at (+09:00)', 'user')
    """
    zone = next((zone_of(value) for value in values if isinstance(value, pd.Timestamp)), "")
    return f"{heading} ({zone})" if zone else heading

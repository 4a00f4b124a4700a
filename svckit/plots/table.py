"""The source of a plot: a frame of `svckit.frames`, or the source of such a frame."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from svckit.frames.column import Column, build
from svckit.frames.source import Kind, Source, records_of

__all__ = ["Drawable", "rows_of", "text"]

Drawable = pd.DataFrame | Source


def rows_of(source: Drawable, kind: Kind, columns: Sequence[Column]) -> Iterator[Any]:
    """Yield the rows as named tuples, missing values as ``None``.

    Raises:
        ValueError: the frame lacks a required column; the message names it.
    """
    frame = source if isinstance(source, pd.DataFrame) else build(columns, records_of(source, kind))
    missing = [column.name for column in columns if column.name not in frame.columns]
    if missing:
        raise ValueError(
            f"this is not a frame of {kind}: it has no column {missing[0]}; use svckit.frames.{kind}(…), "
            "some of its rows or a copy of it"
        )
    plain = frame[[column.name for column in columns]].astype(object)
    yield from plain.where(plain.notna(), None).itertuples(index=False)


def text(value: object) -> str:
    """Format a value of a frame: an instant in UTC, and empty for ``None``.

    Examples:
        >>> text(pd.Timestamp("2026-06-01T09:00:00+09:00"))
        '2026-06-01 00:00:00'
    """
    if isinstance(value, pd.Timestamp):
        return f"{value.tz_convert('UTC') if value.tz else value:%Y-%m-%d %H:%M:%S}"
    return "" if value is None else str(value)

"""What a plot is drawn from: a frame of `svckit.frames`, or whatever such a frame is made of."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from svckit.frames.column import Column, build
from svckit.frames.source import Kind, Source, records_of

__all__ = ["Drawable", "instant", "rows_of", "text"]

Drawable = pd.DataFrame | Source


def rows_of(source: Drawable, kind: Kind, columns: Sequence[Column]) -> Iterator[Any]:
    """The rows by name, what is missing as ``None``.

    Raises:
        ValueError: a frame lacks a column that is needed; names it.
    """
    frame = source if isinstance(source, pd.DataFrame) else build(columns, records_of(source, kind))
    missing = [column.name for column in columns if column.name not in frame.columns]
    if missing:
        raise ValueError(
            f"this is no frame of {kind}: it has no column {missing[0]}; take svckit.frames.{kind}(…), "
            "some of its rows or a copy of it"
        )
    plain = frame[[column.name for column in columns]].astype(object)
    yield from plain.where(plain.notna(), None).itertuples(index=False)


def instant(time: pd.Timestamp | None) -> str:
    """An instant for people, in UTC.

    Examples:
        >>> instant(pd.Timestamp("2026-06-01T09:00:00+09:00"))
        '2026-06-01 00:00:00'
    """
    return "" if time is None else f"{time.tz_convert('UTC') if time.tz else time:%Y-%m-%d %H:%M:%S}"


def text(value: object) -> str:
    """A value for a table; nothing for what is missing."""
    return "" if value is None else str(value)

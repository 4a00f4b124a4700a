"""A frame is a table of columns; the table drives extraction, the documentation and the empty frame alike."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Literal

import pandas as pd
from pydantic_core import to_json

from svckit.frames import arrow

__all__ = ["Column", "Dtype", "Record", "build", "describe", "primary", "to_array"]

Record = Mapping[str, Any]
"""A record as it goes over the wire: camelCase names, JSON values."""

Dtype = Literal["string", "boolean", "Int64", "Float64", "category", "datetime64[us, UTC]", "datetime64[us]"]

# Sweeps over all records at once fall out of the processor's cache; chunks of this size stay in it.
CHUNK = 500


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a frame.

    Attributes:
        name: the column's name, snake_case.
        dtype: its pandas dtype; what is absent, null or an empty list to join is missing: ``<NA>``, ``NaN``, ``NaT``.
        path: where it comes from on the wire. ``a.b`` is a field of a nested object, ``a[primary]`` the item
            of a list that is marked primary (else the first), ``a[count]`` the length of a list,
            ``a[joined]`` its items with commas between, ``a[json]`` a list or an object as JSON.
        meaning: one line for people.
        categories: of a categorical column, the values that are known, in their order, so that each is less than
            the next. Others are kept, after these.
        derive: for a column of our own making, how it is made from the record; ``path`` names what it uses.
    """

    name: str
    dtype: Dtype
    path: str
    meaning: str
    categories: tuple[str, ...] = ()
    derive: Callable[[Record], object] | None = None


def build(columns: Sequence[Column], records: Iterable[Record]) -> pd.DataFrame:
    """The frame of the records, in their order, whatever is missing in them.

    Raises:
        ValueError: a value does not fit its column; names the column, its wire path and its dtype.
    """
    packed: dict[str, list[Any]] = {column.name: [] for column in columns}
    reader = arrow.Reader({column.path: column.dtype for column in columns if not column.derive})
    for chunk in _chunks(records):
        read = reader.read(chunk)
        reached: dict[str, Sequence[Any]] = {"": chunk}
        for column in columns:
            if column.derive:
                values: Any = [column.derive(record) for record in chunk]
            else:
                values = read[column.path] if column.path in read else _reach(column.path, reached)
            packed[column.name].append(arrow.pack(column.dtype, values))
    return pd.DataFrame(
        {column.name: _assemble(column, packed.pop(column.name)) for column in columns}, copy=False
    )


def describe(columns: Sequence[Column]) -> pd.DataFrame:
    """The table of columns, itself as a frame."""
    rows = [(c.name, c.dtype, c.path, c.meaning, " < ".join(c.categories) or None) for c in columns]
    return pd.DataFrame(rows, columns=["column", "dtype", "wire", "meaning", "values"], dtype="string")


def _chunks(records: Iterable[Record]) -> Iterator[list[Record]]:
    remaining = iter(records)
    while chunk := list(islice(remaining, CHUNK)):
        yield chunk


def _reach(path: str, reached: dict[str, Sequence[Any]]) -> Sequence[Any]:
    """The values at a path, one for each record; columns under one parent share the way there."""
    if path not in reached:
        parent, _, step = path.rpartition(".")
        reached[path] = _step(step, _reach(parent, reached))
    return reached[path]


def _step(step: str, items: Sequence[Any]) -> list[Any]:
    key, _, how = step.removesuffix("]").partition("[")
    found = [item.get(key) if item else None for item in items]
    match how:
        case "primary":
            return [primary(many) if many else None for many in found]
        case "count":
            return [None if many is None else len(many) for many in found]
        case "joined":
            return [", ".join(map(str, many)) if many else None for many in found]
        case "json":
            return [None if each is None else to_json(each).decode() for each in found]
        case _:
            return found


def primary(many: Sequence[Record]) -> Record:
    """The item of a list that is marked primary, else the first."""
    for each in many:
        if each.get("primary"):
            return each
    return many[0]


def _assemble(column: Column, chunks: Sequence[Any]) -> Any:
    made = arrow.unpack(column.dtype, column.categories, chunks)
    if made is not None:
        return _in_range(made) if column.dtype.startswith("datetime64") else made
    return to_array(column, [value for chunk in chunks for value in arrow.to_list(chunk)])


def _in_range(times: pd.DatetimeIndex) -> pd.DatetimeIndex:
    """Times without those before the year 1 or after 9999, which pandas holds but cannot show.

    ``9999-12-31T23:59:59-09:00``, which people write for an open end, is one in UTC.
    """
    outside = (times < pd.Timestamp(datetime.min, tz=times.tz)) | (
        times > pd.Timestamp(datetime.max, tz=times.tz)
    )
    return pd.DatetimeIndex(times.where(~outside)) if outside.any() else times


def to_array(column: Column, values: list[Any]) -> Any:
    """The values of a column as an array of its dtype.

    Raises:
        ValueError: one does not fit.
    """
    try:
        match column.dtype:
            case "datetime64[us, UTC]":
                # Offsets differ from value to value; UTC keeps the instant. What is no time is missing.
                return _in_range(
                    pd.to_datetime(values, format="ISO8601", errors="coerce", utc=True).as_unit("us")
                )
            case "datetime64[us]":
                return _in_range(pd.to_datetime(values, format="%Y-%m-%d", errors="coerce").as_unit("us"))
            case "category":
                known = dict.fromkeys((*column.categories, *(v for v in values if v is not None)))
                categories = pd.Index(list(known), dtype="str")
                return pd.Categorical(values, categories=categories, ordered=True)
            case dtype:
                return pd.array(values, dtype=dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(
            f"column {column.name!r} is {column.dtype}, but a record holds something else "
            f"at {column.path!r}: {error}"
        ) from error

"""Tables of columns, which drive extraction, documentation and the empty frame."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final, Literal

import pandas as pd
from pydantic_core import to_json

from svckit.display.card import render_groups
from svckit.frames import arrow
from svckit.models.base import wire_name

__all__ = ["DAY", "TIME", "Column", "Dtype", "Record", "build", "describe", "primary", "to_array"]

Record = Mapping[str, Any]
"""A record as it goes over the wire: camelCase names, JSON values."""

Dtype = Literal["string", "boolean", "Int64", "Float64", "category", "datetime64[us, UTC]", "datetime64[us]"]

DAY: Final = "datetime64[us]"
TIME: Final = "datetime64[us, UTC]"

# Chunks of this size stay in the processor's cache; all records at once do not.
CHUNK = 500


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a frame.

    Attributes:
        name: the column's name, snake_case.
        dtype: its pandas dtype; absent, null and an empty list to join are missing: ``<NA>``, ``NaN``, ``NaT``.
        meaning: a one-line description.
        path: its path on the wire; by default, the field of the same name. ``a.b`` is a field of a nested object,
            ``a[primary]`` the item of a list that is marked primary (else the first), ``a[count]`` the length of a
            list, ``a[joined]`` its items separated by commas, ``a[json]`` a list or an object as JSON.
        categories: for a categorical column, the known values in ascending order. Other values follow them.
        derive: for a derived column, a function of the record; ``path`` names the fields that it uses.
        combine: the same as a function of Arrow arrays by path, of all records at once; it may read the paths of other
            columns. Without it, all records become objects.
    """

    name: str
    dtype: Dtype
    meaning: str
    path: str = ""
    categories: tuple[str, ...] = ()
    derive: Callable[[Record], object] | None = None
    combine: Callable[[Mapping[str, Any]], Any] | None = None

    def __post_init__(self) -> None:
        if not self.path:
            object.__setattr__(self, "path", wire_name(self.name))  # the class is frozen


def build(columns: Sequence[Column], records: Iterable[Record]) -> pd.DataFrame:
    """Build a frame from records, in their order; fields may be missing.

    Raises:
        ValueError: a value does not fit its column; the message names the column, its wire path and its dtype.
    """
    packed: dict[str, list[Any]] = {column.name: [] for column in columns}
    reader = arrow.Reader({column.path: column.dtype for column in columns if not column.derive})
    for chunk in _chunks(records):
        read = reader.read(chunk)
        reached: dict[str, Sequence[Any]] = {}
        for column in columns:
            values = _take(column, read)
            if values is None:
                reached = reached or {"": list(chunk)}  # read only now, if they are JSON
                values = _reach_column(column, reached)
            packed[column.name].append(arrow.pack(column.dtype, values))
    return pd.DataFrame(
        {column.name: _assemble(column, packed.pop(column.name)) for column in columns}, copy=False
    )


def _take(column: Column, read: Mapping[str, Any]) -> Any:
    """Return the values of a column that Arrow has read or can combine, or ``None``."""
    if not column.derive:
        return read.get(column.path)
    try:
        return column.combine(read) if column.combine and read else None
    except KeyError:  # without a column that it follows from
        return None


def _reach_column(column: Column, reached: dict[str, Sequence[Any]]) -> Sequence[Any]:
    if column.derive:
        return [column.derive(record) for record in reached[""]]
    return _reach(column.path, reached)


class ColumnTable(pd.DataFrame):
    """The columns of a frame, shown in a notebook by the field of the record that they come from."""

    def _repr_html_(self) -> str:
        groups: dict[str, list[tuple[str, ...]]] = {"single fields": []}
        rows = [tuple(row) for row in self.fillna("").itertuples(index=False)]
        fields = [re.split(r"[.\[]", row[2])[0] for row in rows]
        for row, field in zip(rows, fields, strict=True):
            groups.setdefault("single fields" if fields.count(field) == 1 else field, []).append(row)
        return render_groups("", tuple(self.columns), groups)


def describe(columns: Sequence[Column]) -> ColumnTable:
    """Return the table of columns as a frame."""
    rows = [(c.name, c.dtype, c.path, c.meaning, " < ".join(c.categories) or None) for c in columns]
    return ColumnTable(rows, columns=["column", "dtype", "wire", "meaning", "values"], dtype="string")


def _chunks(records: Iterable[Record]) -> Iterator[Sequence[Record]]:
    if (batches := getattr(records, "batches", None)) is not None:
        yield from batches()
        return
    remaining = iter(records)
    while chunk := list(islice(remaining, CHUNK)):
        yield chunk


def _reach(path: str, reached: dict[str, Sequence[Any]]) -> Sequence[Any]:
    """Return the values at a path, one per record; columns with the same parent share its values."""
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
            return [None if value is None else to_json(value).decode() for value in found]
        case _:
            return found


def primary(many: Sequence[Record]) -> Record:
    """Return the item of a list that is marked primary, else the first."""
    for item in many:
        if item and item.get("primary"):
            return item
    return many[0]


def _assemble(column: Column, chunks: Sequence[Any]) -> Any:
    made = arrow.unpack(column.dtype, column.categories, chunks)
    if made is not None:
        return _in_range(made) if column.dtype.startswith("datetime64") else made
    return to_array(column, [value for chunk in chunks for value in arrow.to_list(chunk)])


def _in_range(times: pd.DatetimeIndex) -> pd.DatetimeIndex:
    """Drop times before the year 1 or after 9999, which pandas can store but not format.

    In UTC, ``9999-12-31T23:59:59-09:00``, a common value for an open end, is such a time.
    """
    outside = (times < pd.Timestamp(datetime.min, tz=times.tz)) | (
        times > pd.Timestamp(datetime.max, tz=times.tz)
    )
    return pd.DatetimeIndex(times.where(~outside)) if outside.any() else times


def to_array(column: Column, values: list[Any]) -> Any:
    """Convert the values of a column to an array of its dtype.

    Raises:
        ValueError: a value does not fit.
    """
    try:
        match column.dtype:
            case "datetime64[us, UTC]":
                # Offsets vary by value; UTC keeps the instant. Values that are not times become missing.
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

"""Frames of many users from the JSON lines of a service, with the same columns and types."""

import gc
from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json
from pydantic_core import from_json, to_json

from fakes import FakeService
from svckit import frames
from svckit.frames.column import Column
from svckit.frames.user_columns import USERS
from tests.benchmarks.frame_ratio import normalized

from .sampling import OURS, Row, compare

# Polars and pyarrow are let off the columns that are computed from others, and off counting the keys of an object.
COLUMNS = [column for column in USERS if not column.derive and column.name != "custom_property_count"]
POLARS = {"boolean": pl.Boolean, "Int64": pl.Int64, "string": pl.String, "category": pl.Categorical}
ARROW = {"boolean": pa.bool_(), "Int64": pa.int64(), "string": pa.string()}
ARROW |= {"datetime64[us, UTC]": pa.timestamp("us", "UTC"), "datetime64[us]": pa.timestamp("us")}


def lines(count: int) -> bytes:
    """Return as many users, each a line of JSON."""
    sample = [to_json(record) for record in FakeService.sample(users=1000).records("users")]
    return b"\n".join(sample[number % len(sample)] for number in range(count))


def parse(body: bytes) -> list[Any]:
    """Return the records of the lines."""
    return [from_json(line) for line in body.splitlines()]


def polars(body: bytes) -> Any:
    """Return the frame of polars."""
    read = pl.read_ndjson(body, infer_schema_length=1000)
    return read.select(polars_column(column, read.schema).alias(column.name) for column in COLUMNS)


def polars_column(column: Column, schema: Any) -> Any:
    """Return the expression of a column; a path that no record has is null."""
    path, _, how = column.path.removesuffix("]").rpartition("[")
    if how in {"count", "joined"}:
        found = pl.col(path) if path in schema else pl.lit(None, pl.List(pl.String))
        return found.list.len().cast(pl.Int64) if how == "count" else found.list.join(", ")
    found, fields = None, dict(schema)
    for part in column.path.split("."):
        name = part.removesuffix("[primary]")
        if fields.get(name, pl.Null) == pl.Null:
            return pl.lit(None)
        found = pl.col(name) if found is None else found.struct.field(name)
        kind = fields[name]
        if name != part:
            found = found.list.filter(pl.element().struct.field("primary")).list.first()
            kind = kind.inner
        fields = dict(kind) if isinstance(kind, pl.Struct) else {}
    match column.dtype:
        case "datetime64[us, UTC]":
            return found.str.to_datetime(time_unit="us", time_zone="UTC", strict=False)
        case "datetime64[us]":
            return found.str.to_date(strict=False)
        case dtype:
            return found.cast(POLARS[dtype])


def arrow(body: bytes) -> Any:
    """Return the table of pyarrow; of posts and org units the first, as it has no filter for the items of lists."""
    read = pyarrow.json.read_json(pa.BufferReader(body))
    return pa.table({column.name: arrow_column(column, read) for column in COLUMNS})


def arrow_column(column: Column, table: Any) -> Any:
    """Return a column; a path that no record has is null."""
    path, _, how = column.path.removesuffix("]").rpartition("[")
    if how == "count":
        return pc.list_value_length(table[path]) if path in table.column_names else pa.nulls(len(table))
    found = None
    for part in column.path.replace("[joined]", "").split("."):
        name = part.removesuffix("[primary]")
        kind = table.schema if found is None else found.type
        if name not in getattr(kind, "names", ()):
            return pa.nulls(len(table))
        found = table[name] if found is None else pc.struct_field(found, name)
        if name != part:
            found = pc.list_element(pc.list_slice(found, 0, 1, return_fixed_size_list=True), 0)
    if how == "joined":
        return pc.binary_join(found, ", ")
    return found.dictionary_encode() if column.dtype == "category" else found.cast(ARROW[column.dtype])


BODIES: dict[str, Callable[[bytes], Any]] = {
    OURS: frames.users,
    "pyarrow.json.read_json alone": lambda body: pyarrow.json.read_json(pa.BufferReader(body)),
}
"""The frame of the lines as bytes, beside the reading of the same lines without any typing."""
SIDES: dict[str, Callable[[bytes], Any]] = {
    OURS: lambda body: frames.users(parse(body)),
    "pandas.json_normalize": lambda body: normalized(parse(body)),
    "polars": polars,
    "pyarrow": arrow,
}


def measure(rounds: int, users: int) -> Iterator[Row]:
    """Yield the rows of frames; the sides take turns."""
    body = lines(users)
    for case, sides in {f"{users:,} users, typed": SIDES, f"{users:,} users, bytes": BODIES}.items():
        costs: dict[str, list[float]] = {peer: [] for peer in sides}
        for _ in range(rounds + 1):
            for peer, make in sides.items():
                gc.collect()
                begun = process_time()
                make(body)
                costs[peer].append(process_time() - begun)
        rest = {peer: taken[1:] for peer, taken in costs.items()}
        yield from compare("frames", case, rest)

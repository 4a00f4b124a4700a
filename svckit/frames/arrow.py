"""Columns built with Apache Arrow, if installed: twice as fast as lists of Python objects, and smaller.

Arrow reads the records of a chunk with a schema, made from the columns' paths, while they are in the processor's
cache. It reads response bodies too, so that nothing becomes a Python object. Where Arrow is stricter than pandas,
pandas decides, so that frames and errors are the same with and without Arrow.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from pydantic_core import from_json, to_json

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import json
except ModuleNotFoundError:
    pa = pc = None

__all__ = ["UNITS", "Reader", "pa", "pack", "pc", "to_list", "unpack"]

PRIMARY = "[primary]"
NATIVE: dict[str, Any] = {
    "string": pd.StringDtype,
    "boolean": pd.BooleanDtype,
    "Int64": pd.Int64Dtype,
    "Float64": pd.Float64Dtype,
}
READABLE = {"string", "boolean", "category", "datetime64[us]", "datetime64[us, UTC]"}
PROPERTIES = "customProperties"
UNITS = "organizations.orgUnits[count]"
EMPTY = re.compile(rb"\s*:\s*(?:\{\s*\}|null)")
REFUSALS = (TypeError, ValueError, OverflowError, NotImplementedError)
"""The errors of Arrow's, which have these bases."""


class Items(dict[str, Any]):
    """The fields of the objects in a list; a dict has those of an object."""


class Reader:
    """A reader of columns that are fields of records, of nested objects and of primary list items.

    Args:
        fields: the dtypes of the columns, by path.
    """

    def __init__(self, fields: Mapping[str, str]) -> None:
        self._types: dict[str, Any] = {}
        self._tree: dict[str, Any] = {}
        self._json_tree: dict[str, Any] = {}
        if pa is not None:
            self._types = {path: _plain_type(dtype) for path, dtype in fields.items()}
            self._tree = _grow({path: dtype for path, dtype in fields.items() if dtype in READABLE})
            self._json_tree = _grow(fields)  # of JSON, Arrow reads only whole numbers as such

    def read(self, records: Sequence[Any]) -> dict[str, Any]:
        """Read the values at the paths as Arrow arrays; return nothing if Arrow cannot read the records."""
        if not self._types:
            return {}
        try:
            if hasattr(records, "bodies"):
                return _read_json(self._json_tree, records.bodies)
            if hasattr(records, "columns"):
                return self._read_columns(records)
            return dict(_leaves(self._tree, pa.array(records, _struct(self._tree)))) if self._tree else {}
        except REFUSALS:
            return {}

    def _read_columns(self, records: Any) -> dict[str, Any]:
        """Read records that are known by columns, and the JSON of those that were changed."""
        columns, types = records.columns(), {**self._types, UNITS: pa.int64()}
        read = {
            path: _spread(columns[path], kind) if path in columns else pa.nulls(len(records), kind)
            for path, kind in types.items()
        }
        if not records.changed:
            return read
        bodies = [*records.changed.values()]
        changed = _read_json(self._json_tree, bodies) | self._read_parts(bodies)
        order = np.arange(len(records))
        order[[*records.changed]] = len(records) + np.arange(len(records.changed))
        return {
            path: pa.concat_arrays([read[path], changed[path]]).take(order)
            for path in read
            if path in changed
        }

    def _read_parts(self, bodies: Sequence[bytes]) -> dict[str, Any]:
        """Read the parts of response bodies that stay JSON."""
        parts = {path: path.removesuffix("[json]") for path in self._types if path.endswith("[json]")}
        objects = [*map(from_json, bodies)] if parts else []
        found = {path: [record.get(name) for record in objects] for path, name in parts.items()}
        return {
            path: pa.array([None if item is None else to_json(item).decode() for item in values], pa.string())
            for path, values in found.items()
        }


def pack(dtype: str, values: Any) -> Any:
    """Convert a chunk of a column to an Arrow array; to a list if Arrow is missing or rejects the values."""
    if pa is None:
        return values
    if dtype == "Int64" and not all(isinstance(value, int | None) for value in values):
        return values  # Arrow would truncate fractions
    try:
        array = values if isinstance(values, pa.Array) else pa.array(values, _plain_type(dtype))
        return _convert(dtype, array)
    except REFUSALS:
        return to_list(values)


def unpack(dtype: str, categories: Sequence[str], chunks: Sequence[Any]) -> Any:
    """Convert the chunks of a column to pandas; return ``None`` if a chunk is not an Arrow array, or without chunks."""
    if pa is None or not chunks or not all(isinstance(chunk, pa.Array) for chunk in chunks):
        return None
    whole = pa.chunked_array(chunks)
    if dtype in NATIVE:
        # In one piece: selecting rows from hundreds of chunks takes a millisecond per column.
        return NATIVE[dtype]().__from_arrow__(whole.combine_chunks())
    if dtype == "category":
        return _categorical(whole, categories)
    # Arrow's memory is read-only, but frames are edited.
    return pd.DatetimeIndex(whole.to_pandas(), copy=True)


def to_list(values: Any) -> list[Any]:
    """Convert a chunk back to a list."""
    return values.to_pylist() if pa is not None and isinstance(values, pa.Array) else list(values)


def _convert(dtype: str, array: Any) -> Any:
    """Convert text to the times that it stands for."""
    match dtype:
        case "datetime64[us]":
            return array.cast(pa.date32()).cast(pa.timestamp("us"))
        case "datetime64[us, UTC]":
            return array.cast(pa.timestamp("us", "UTC"))
        case _:
            return array


def _plain_type(dtype: str) -> Any:
    """Return the Arrow type of the values in JSON, where times and enumerations are text."""
    return {"boolean": pa.bool_(), "Int64": pa.int64(), "Float64": pa.float64()}.get(dtype, pa.string())


def _grow(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields at the paths: types by name, and nested objects as further dicts."""
    tree: dict[str, Any] = {}
    for path, dtype in fields.items():
        *parents, leaf = path.split(".")
        branch = tree
        for step in parents:
            branch = branch.setdefault(step.removesuffix(PRIMARY), Items() if step.endswith(PRIMARY) else {})
        name, _, how = leaf.removesuffix("]").partition("[")
        match how:
            case "":
                branch[name] = _plain_type(dtype)
            case "joined":
                branch[name] = pa.list_(pa.string())
            case "count":
                branch.setdefault(name, {} if name == PROPERTIES else Items())
    return tree


def _type(below: Any) -> Any:
    """Return the Arrow type of a field."""
    if isinstance(below, Items):
        return pa.list_(_struct({"primary": pa.bool_(), **below} if below else below))
    return _struct(below) if isinstance(below, dict) else below


def _struct(tree: Mapping[str, Any]) -> Any:
    return pa.struct([pa.field(name, _type(below)) for name, below in tree.items()])


def _spread(parts: Sequence[Any], kind: Any) -> Any:
    """Return the value of each record, given different values and which of them is whose; join several parts."""
    arrays = [
        part if isinstance(part, str) else pa.array(part[0], kind).take(pa.array(part[1])) for part in parts
    ]
    return pc.binary_join_element_wise(*arrays, "") if len(arrays) > 1 else arrays[0]


def _read_json(tree: Mapping[str, Any], bodies: Sequence[bytes]) -> dict[str, Any]:
    """Read response bodies; return nothing if one of them is not a JSON object."""
    # Arrow reads values wherever lines end, and crashes if the first is null. No value goes on from } to {, so there
    # is one in each body if there are as many as bodies.
    if {body[:1] for body in bodies} != {b"{"} or {body.rstrip()[-1:] for body in bodies} != {b"}"}:
        return {}
    text = b"\n".join(bodies)
    text.decode()  # raises if it is not UTF-8: the reader takes any encoding
    table = json.read_json(
        pa.BufferReader(text),
        json.ReadOptions(use_threads=False, block_size=len(text) + 1),
        json.ParseOptions(explicit_schema=pa.schema(_struct(tree)), unexpected_field_behavior="ignore"),
    )
    if len(table) != len(bodies):
        return {}
    (batch,) = table.to_batches()
    read = dict(_leaves(tree, batch.to_struct_array()))
    if PROPERTIES in tree and _has_no_properties(text):
        read[f"{PROPERTIES}[count]"] = pc.if_else(batch[PROPERTIES].is_valid(), 0, None)
    return read


def _has_no_properties(text: bytes) -> bool:
    """Return whether no body has custom properties, the number of which Arrow does not know."""
    if b"\\" in text and b"\\u00" in text:  # a Latin letter, maybe of the name
        return False
    return all(map(EMPTY.match, text.split(b'"customProperties"')[1:]))


def _leaves(tree: Mapping[str, Any], structs: Any, parent: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the arrays of all fields with their paths."""
    names = [field.name for field in structs.type]
    found = dict(zip(names, structs.flatten(), strict=True))
    for name, below in tree.items():
        path, array = f"{parent}{name}", found[name]
        if isinstance(below, Items):
            yield f"{path}[count]", _count(array)
            yield from [
                (f"{path}.{field}[count]", _sum(array, field))
                for field in below
                if isinstance(below[field], Items)
            ]
            if below:
                yield from _leaves(below, _primary(array), f"{path}{PRIMARY}.")
        elif isinstance(below, dict):
            yield from _leaves(below, array, f"{path}.")
        elif pa.types.is_list(below):
            yield f"{path}[count]", _count(array)
            yield f"{path}[joined]", _join(array)
        else:
            yield path, array


def _count(lists: Any) -> Any:
    return pc.list_value_length(lists).cast(pa.int64())


def _sum(lists: Any, name: str) -> Any:
    """Return how many items the lists have that are a field of each list's items."""
    ends = np.concatenate(
        [[0], np.cumsum(pc.list_value_length(pc.struct_field(lists.flatten(), name)).fill_null(0))]
    )
    stops = np.cumsum(pc.list_value_length(lists).fill_null(0))
    return pc.if_else(lists.is_valid(), pa.array(np.diff(ends[stops], prepend=0)), None)


def _join(lists: Any) -> Any:
    """Join the texts of each list; null for an empty list."""
    if lists.flatten().null_count:
        raise ValueError("a list of texts has null")
    return pc.if_else(pc.greater(pc.list_value_length(lists), 0), pc.binary_join(lists, ", "), None)


def _primary(lists: Any) -> Any:
    """Take the primary item of each list, else the first; null for an empty list."""
    items = lists.flatten()
    lengths = pc.list_value_length(lists).fill_null(0).to_numpy()
    filled = lengths > 0
    starts = (np.cumsum(lengths) - lengths)[filled]
    marked = pc.struct_field(items, "primary").fill_null(False).to_numpy(zero_copy_only=False)
    chosen = np.full(len(lists), -1)
    if len(starts):
        first_marked = np.minimum.reduceat(np.where(marked, np.arange(len(items)), len(items)), starts)
        chosen[filled] = np.where(first_marked < len(items), first_marked, starts)
    return items.take(pa.array(chosen, mask=chosen < 0))


def _categorical(whole: Any, categories: Sequence[str]) -> pd.Categorical:
    """Build a categorical with the known values first, then others in the order in which they occur."""
    met = whole.unique().drop_null().to_pylist()
    known = pd.Index(list(dict.fromkeys([*categories, *met])), dtype="str")
    return pd.Categorical(whole.to_pandas(), categories=known, ordered=True)

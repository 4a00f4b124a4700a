"""Columns built with Apache Arrow, if installed: twice as fast as lists of Python objects, and smaller.

Arrow reads the records of a chunk with a schema, made from the columns' paths, while they are in the processor's
cache. Where Arrow is stricter than pandas, pandas decides, so that frames and errors are the same with and without
Arrow.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ModuleNotFoundError:
    pa = None

__all__ = ["Reader", "pack", "to_list", "unpack"]

PRIMARY = "[primary]"
NATIVE = {
    "string": pd.StringDtype,
    "boolean": pd.BooleanDtype,
    "Int64": pd.Int64Dtype,
    "Float64": pd.Float64Dtype,
}
READABLE = {"string", "boolean", "category", "datetime64[us]", "datetime64[us, UTC]"}


class Reader:
    """A reader of columns that are fields of records, of nested objects and of primary list items.

    Args:
        fields: the dtypes of the columns, by path.
    """

    def __init__(self, fields: Mapping[str, str]) -> None:
        readable = {p: d for p, d in fields.items() if d in READABLE and "[" not in p.replace(PRIMARY, "")}
        self._tree: dict[str, Any] = {}
        if pa is None:
            return
        for path, dtype in readable.items():
            *parents, leaf = path.split(".")
            branch = self._tree
            for step in parents:
                branch = branch.setdefault(step, {})
            branch[leaf] = _plain_type(dtype)
        self._schema = _struct(self._tree)

    def read(self, records: Sequence[Any]) -> dict[str, Any]:
        """Read the values at the paths as Arrow arrays; return nothing if Arrow cannot read the records."""
        if not self._tree:
            return {}
        try:
            return dict(_leaves(self._tree, pa.array(records, self._schema)))
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            return {}


def pack(dtype: str, values: Any) -> Any:
    """Convert a chunk of a column to an Arrow array; to a list if Arrow is missing or rejects the values."""
    if pa is None:
        return values
    if dtype == "Int64" and not all(isinstance(value, int | None) for value in values):
        return values  # Arrow would truncate fractions
    try:
        array = values if isinstance(values, pa.Array) else pa.array(values, _plain_type(dtype))
        return _convert(dtype, array)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return to_list(values)


def unpack(dtype: str, categories: Sequence[str], chunks: Sequence[Any]) -> Any:
    """Convert the chunks of a column to pandas; return ``None`` if a chunk is not an Arrow array, or without chunks."""
    if pa is None or not chunks or not all(isinstance(chunk, pa.Array) for chunk in chunks):
        return None
    whole = pa.chunked_array(chunks)
    if dtype == "string":
        # In one piece: selecting rows from hundreds of chunks takes a millisecond per column.
        return NATIVE[dtype]().__from_arrow__(whole.combine_chunks())
    if dtype in NATIVE:
        return NATIVE[dtype]().__from_arrow__(whole)
    if dtype == "category":
        return _categorical(whole, categories)
    # Arrow's memory is read-only, but frames are edited.
    return pd.DatetimeIndex(whole.to_pandas(), copy=True)


def to_list(values: Any) -> list[Any]:
    """Convert a chunk back to a list."""
    return values.to_pylist() if pa is not None and isinstance(values, pa.Array) else list(values)


def _convert(dtype: str, array: Any) -> Any:
    """Convert text to the categories or times that it stands for."""
    match dtype:
        case "category":
            return array.dictionary_encode()
        case "datetime64[us]":
            return array.cast(pa.date32()).cast(pa.timestamp("us"))
        case "datetime64[us, UTC]":
            return array.cast(pa.timestamp("us", "UTC"))
        case _:
            return array


def _plain_type(dtype: str) -> Any:
    """Return the Arrow type of the values in JSON, where times and enumerations are text."""
    match dtype:
        case "boolean":
            return pa.bool_()
        case "Int64":
            return pa.int64()
        case "Float64":
            return pa.float64()
        case _:
            return pa.string()


def _struct(tree: Mapping[str, Any]) -> Any:
    fields = []
    for step, below in tree.items():
        kind = _struct(below) if isinstance(below, dict) else below
        if step.endswith(PRIMARY):
            kind = pa.list_(pa.struct([pa.field("primary", pa.bool_()), *kind]))
        fields.append(pa.field(step.removesuffix(PRIMARY), kind))
    return pa.struct(fields)


def _leaves(tree: Mapping[str, Any], structs: Any, parent: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the arrays of all fields with their paths."""
    names = [field.name for field in structs.type]
    found = dict(zip(names, structs.flatten(), strict=True))
    for step, below in tree.items():
        array = found[step.removesuffix(PRIMARY)]
        if step.endswith(PRIMARY):
            array = _primary(array)
        if isinstance(below, dict):
            yield from _leaves(below, array, f"{parent}{step}.")
        else:
            yield f"{parent}{step}", array


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
    """Build a categorical with the known values first; Arrow numbers values by occurrence."""
    encoded = whole.unify_dictionaries().combine_chunks()
    met = encoded.dictionary.to_pylist()
    known = list(dict.fromkeys(chain(categories, met)))
    place = pa.array([known.index(value) for value in met], pa.int32())
    codes = place.take(encoded.indices).fill_null(-1).to_numpy(zero_copy_only=False)
    return pd.Categorical.from_codes(codes, categories=pd.Index(known, dtype="str"), ordered=True)

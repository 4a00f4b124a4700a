"""Columns whose cells repeat, so that each distinct value is handled once."""

from typing import Any

import pandas as pd
from pandas.api import types

__all__ = ["is_grouped", "repeats"]

PROBE, MOSTLY = 1_000, 0.5
"""Sample size, and share of distinct values above which most cells of a column count as distinct."""


def is_grouped(dtype: Any) -> bool:
    """Return whether equal cells of a column have equal text, so that each value is formatted once.

    Examples:
        >>> is_grouped(pd.Series(["a"], dtype="string").dtype), is_grouped(pd.Series([0.5]).dtype)
        (True, False)
    """
    return (
        isinstance(dtype, pd.CategoricalDtype | pd.StringDtype)
        or types.is_integer_dtype(dtype)
        or types.is_datetime64_any_dtype(dtype)
        or types.is_bool_dtype(dtype)
    )


def repeats(column: "pd.Series[Any]") -> bool:
    """Return whether most cells occur several times, so that handling each distinct value once saves time.

    Examples:
        >>> repeats(pd.Series(["a", "b"] * 1_000, dtype="string")), repeats(pd.Series(range(1_000)))
        (True, False)
    """
    return is_grouped(column.dtype) and column.iloc[:PROBE].nunique() <= PROBE * MOSTLY

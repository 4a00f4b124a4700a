"""The different cells of two columns, found by comparing whole columns."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

__all__ = ["Positions", "find_different_cells"]

Positions = npt.NDArray[np.intp]


def find_different_cells(now: "pd.Series[Any]", then: "pd.Series[Any]") -> Positions:
    """Return the positions at which two columns of equal length may differ; elsewhere they are equal.

    For columns of different dtypes, whose cells must be compared one by one, these are all positions.

    Examples:
        >>> now, then = (pd.Series(cells, dtype="string") for cells in (["a", None, "b"], ["a", None, None]))
        >>> find_different_cells(now, then).tolist()
        [2]
    """
    if not _are_alike(now.dtype, then.dtype):
        return np.arange(len(now))
    if isinstance(now.dtype, pd.CategoricalDtype):
        return np.flatnonzero(now.cat.codes.to_numpy() != then.cat.codes.to_numpy())
    missing, was_missing = now.isna().to_numpy(), then.isna().to_numpy()
    compared: Any = now.array != then.array
    unequal = compared if isinstance(compared, np.ndarray) else compared.to_numpy(dtype=bool, na_value=False)
    return np.flatnonzero((unequal | (missing != was_missing)) & ~(missing & was_missing))


def _are_alike(now: Any, then: Any) -> bool:
    """Return whether whole columns of these dtypes can be compared; objects may compare in any way."""
    if now != then or pd.api.types.is_object_dtype(now):
        return False
    return not isinstance(now, pd.CategoricalDtype) or now.categories.equals(then.categories)

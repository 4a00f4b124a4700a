"""Which cells of two columns differ, told by comparing whole columns."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

__all__ = ["Positions", "find_different_cells"]

Positions = npt.NDArray[np.intp]


def find_different_cells(now: "pd.Series[Any]", then: "pd.Series[Any]") -> Positions:
    """The positions at which two columns of one length may differ; at all others they are equal.

    Where the columns are of different dtypes, so that their cells have to be looked at one by one, that is everywhere.

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
    """Whether columns of these dtypes compare as wholes; any objects may compare as they like."""
    if now != then or pd.api.types.is_object_dtype(now):
        return False
    return not isinstance(now, pd.CategoricalDtype) or now.categories.equals(then.categories)

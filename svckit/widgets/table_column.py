"""A column of a table, with what searching, sorting, filtering and counting need, computed on first use."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api import types

from svckit.widgets.cells import column_text, folded
from svckit.widgets.filters import Filter

__all__ = ["Choice", "Codes", "Mask", "TableColumn", "is_compared_by_value"]

Mask = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int64]

MOST_CHOICES = {"category": 100, "text": 12}
"""How many different cells a column has at most for them to be offered as choices."""


class Choice(NamedTuple):
    """A cell to choose: its text, empty for blank ones, and how many rows have it."""

    text: str
    rows: int


class TableColumn:
    """A column of a table.

    Args:
        series: its cells.

    Examples:
        >>> column = TableColumn(pd.Series(["b", "a", None, "b"], dtype="string"))
        >>> column.ranks.tolist(), column.choices(np.array([True, True, True, False]))
        ([1, 0, -1, 1], [Choice(text='a', rows=1), Choice(text='b', rows=1), Choice(text='', rows=1)])
    """

    def __init__(self, series: "pd.Series[Any]") -> None:
        self.series = series

    @cached_property
    def texts(self) -> list[str]:
        """The cells as text."""
        return column_text(self.series)

    @cached_property
    def folded(self) -> list[str]:
        """The cells as they are searched."""
        codes, texts = self._groups
        different = [folded(text) for text in texts]
        return [different[code] for code in codes.tolist()]

    @cached_property
    def ranks(self) -> Codes:
        """The rank of each cell in its column; -1 where it is blank."""
        if isinstance(self.series.dtype, pd.CategoricalDtype) and self.series.dtype.ordered:
            return np.asarray(self.series.cat.codes, dtype=np.int64)
        comparable = self.series
        if not is_compared_by_value(self.series):
            comparable = pd.Series([text or None for text in self.folded], dtype=object)
        codes, _ = pd.factorize(comparable, sort=True)
        return np.asarray(codes, dtype=np.int64)

    @cached_property
    def _groups(self) -> tuple[Codes, list[str]]:
        """The number of each cell's text among those that are different, and these texts."""
        dtype = self.series.dtype
        if isinstance(dtype, pd.CategoricalDtype):
            texts = column_text(pd.Series(self.series.cat.categories))
            if len({*texts, ""}) == len(texts) + 1:
                codes = np.asarray(self.series.cat.codes, dtype=np.int64)
                return np.where(codes < 0, len(texts), codes), [*texts, ""]
        codes, different = pd.factorize(np.array(self.texts, dtype=object))
        return np.asarray(codes, dtype=np.int64), list(different)

    @cached_property
    def blank(self) -> Mask:
        """Where cells are missing or empty text."""
        codes, texts = self._groups
        empty = np.array([not text for text in texts], dtype=np.bool_)
        return empty[codes]

    @property
    def offers_choices(self) -> bool:
        """Whether the column has so few different cells that one can choose from them."""
        dtype = self.series.dtype
        named = isinstance(dtype, pd.CategoricalDtype) or types.is_bool_dtype(dtype)
        if not named and is_compared_by_value(self.series):
            return False
        return len(self._groups[1]) <= MOST_CHOICES["category" if named else "text"]

    def choices(self, among: Mask | None = None) -> list[Choice]:
        """The column's different cells with their counts among some of the rows, blank ones last.

        A category's stand in its order, others by the alphabet. One that no row has now is there, with 0.
        """
        codes, texts = self._groups
        counted = np.bincount(codes if among is None else codes[among], minlength=len(texts))
        found = [Choice(text, int(count)) for text, count in zip(texts, counted, strict=True)]
        if not isinstance(self.series.dtype, pd.CategoricalDtype):
            found.sort(key=lambda choice: (folded(choice.text), choice.text))
        filled = [choice for choice in found if choice.text]
        return [*filled, *(choice for choice in found if not choice.text and self.blank.any())]

    def mask(self, kept: Filter) -> Mask:
        """Where the cells meet a filter."""
        found = np.ones(len(self.series), dtype=np.bool_)
        if kept.choices is not None:
            codes, texts = self._groups
            found &= np.array([text in kept.choices for text in texts], dtype=np.bool_)[codes]
        if kept.contains is not None:
            words = folded(kept.contains)
            found &= np.fromiter((words in text for text in self.folded), dtype=np.bool_, count=len(found))
        if kept.low is not None:
            found &= _true(self.series >= kept.low)
        if kept.high is not None:
            found &= _true(self.series <= kept.high)
        if kept.before is not None:
            found &= _true(self.series < kept.before)
        if kept.missing is not None:
            found &= self.blank == kept.missing
        return found


def is_compared_by_value(series: "pd.Series[Any]") -> bool:
    """Whether cells sort as the numbers or times they are, and not by their text."""
    return types.is_numeric_dtype(series.dtype) or types.is_datetime64_any_dtype(series.dtype)


def _true(compared: "pd.Series[Any]") -> Mask:
    """A comparison as a mask; what is missing compares to nothing."""
    return (
        compared.to_numpy(dtype=np.bool_, na_value=False) if compared.hasnans else compared.to_numpy(np.bool_)
    )

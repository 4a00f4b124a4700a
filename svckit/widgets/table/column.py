"""A column of a table; the data for search, sort, filters and counts is computed on first use."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import repeat
from operator import contains, ge, le, lt
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api import types

from svckit.widgets.base.folding import fold, fold_all, sort_key
from svckit.widgets.table.cells import Codes, column_groups, column_text
from svckit.widgets.table.filters import Filter

__all__ = [
    "Choice",
    "Mask",
    "Positions",
    "TableColumn",
    "check_names",
    "column_of",
    "is_compared_by_value",
]

Mask = npt.NDArray[np.bool_]
Positions = npt.NDArray[np.intp]

COMPARISONS: Mapping[str, Callable[..., Any]] = {">=": ge, "<=": le, "<": lt}
MOST_CHOICES = {"category": 100, "text": 12}
"""The most distinct values for which a column offers choices."""
READINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "display_name": ("phonetic_last_name", "phonetic_first_name"),
    "last_name": ("phonetic_last_name",),
    "first_name": ("phonetic_first_name",),
}
"""By column of names, the columns with their phonetic form."""


class Choice(NamedTuple):
    """A value to choose: its text, empty for blank cells, and the number of rows that have it."""

    text: str
    rows: int


class TableColumn:
    """A column of a table.

    A column often repeats a few texts, so work is done once for each distinct one: ``codes`` has the index of each
    cell's text among them, and ``found[codes]`` spreads what was found over the cells.

    Args:
        series: its cells.
        phonetic: the parts of the cells' phonetic form, if they are names; it is searched and sorted by too.

    Examples:
        >>> column = TableColumn(pd.Series(["b", "a", None, "b"], dtype="string"))
        >>> column.ranks.tolist(), column.choices(np.array([True, True, True, False]))
        ([1, 0, -1, 1], [Choice(text='a', rows=1), Choice(text='b', rows=1), Choice(text='', rows=1)])
    """

    def __init__(self, series: "pd.Series[Any]", phonetic: Sequence["pd.Series[Any]"] = ()) -> None:
        self.series = series
        self._phonetic = phonetic

    def is_same(self, other: "TableColumn") -> bool:
        """Return whether another column has the same cells, and phonetic forms."""
        own, others = (self.series, *self._phonetic), (other.series, *other._phonetic)
        return len(own) == len(others) and all(map(pd.Series.equals, own, others))

    def search(self, words: str) -> Mask:
        """Return which cells contain the folded words."""
        which, texts = self.folded
        return np.fromiter(map(contains, texts, repeat(words)), dtype=np.bool_, count=len(texts))[which]

    def prepare(self, *, sort: bool) -> None:
        """Compute what the first search needs, and for columns that are sorted the first sort."""
        _ = self.folded, sort and self.ranks

    @cached_property
    def ranks(self) -> Codes:
        """The rank of each cell in its column; -1 for a blank cell."""
        if isinstance(self.series.dtype, pd.CategoricalDtype) and self.series.dtype.ordered:
            return np.asarray(self.series.cat.codes, dtype=np.int64)
        if is_compared_by_value(self.series):
            codes, _ = pd.factorize(self.series, sort=True)
            return np.asarray(codes, dtype=np.int64)
        codes, keys = self.sort_keys
        ranks, _ = pd.factorize(pd.Series(keys, dtype=object), sort=True)  # -1 for None
        return np.asarray(ranks, dtype=np.int64)[codes]

    @property
    def sort_keys(self) -> tuple[Codes, list[str | None]]:
        """Each cell's index among the keys to sort text by, and these: names by their phonetic form, None if blank."""
        codes, texts, readings = self._names
        keys = [sort_key(reading or text) or None for text, reading in zip(texts, readings, strict=True)]
        return codes, keys

    @cached_property
    def folded(self) -> tuple[Codes, list[str]]:
        """Each cell's index among the texts to search, and these texts."""
        codes, texts, readings = self._names
        return codes, fold_all(add_readings(texts, readings) if self._phonetic else texts)

    @property
    def _names(self) -> tuple[Codes, list[str], list[str]]:
        """Each cell's index among the distinct texts with their phonetic forms, these texts, and these forms."""
        if not self._phonetic:
            codes, texts = self.groups
            return codes, texts, [""] * len(texts)
        forms = zip(column_text(self.series), *map(column_text, self._phonetic), strict=True)
        names = [(text, " ".join(filter(None, parts))) for text, *parts in forms]
        places = {name: place for place, name in enumerate(dict.fromkeys(names))}
        codes = np.fromiter(map(places.__getitem__, names), dtype=np.int64, count=len(names))
        return codes, [text for text, _ in places], [reading for _, reading in places]

    @cached_property
    def groups(self) -> tuple[Codes, list[str]]:
        """Each cell's index among the distinct texts of the column, and these texts."""
        return column_groups(self.series)

    @cached_property
    def blank(self) -> Mask:
        """The mask of cells that are missing or empty text."""
        codes, texts = self.groups
        empty = np.array([not text for text in texts], dtype=np.bool_)
        return empty[codes]

    @property
    def offers_choices(self) -> bool:
        """True if the column has few enough distinct values to choose from."""
        dtype = self.series.dtype
        named = isinstance(dtype, pd.CategoricalDtype) or types.is_bool_dtype(dtype)
        if not named and is_compared_by_value(self.series):
            return False
        return len(self.groups[1]) <= MOST_CHOICES["category" if named else "text"]

    def choices(self, among: Mask | None = None) -> list[Choice]:
        """Count the column's distinct values among some of the rows, blank ones last.

        Categories keep their order, other values are sorted alphabetically. A value without rows has the count 0.
        """
        codes, texts = self.groups
        counted = np.bincount(codes if among is None else codes[among], minlength=len(texts))
        found = [Choice(text, int(count)) for text, count in zip(texts, counted, strict=True)]
        if not isinstance(self.series.dtype, pd.CategoricalDtype):
            found.sort(key=lambda choice: (sort_key(choice.text), choice.text))
        # Blank is a choice if any cell of the column is, even if none of the counted rows has one.
        filled = [choice for choice in found if choice.text]
        return [*filled, *(choice for choice in found if not choice.text and self.blank.any())]

    def mask(self, column_filter: Filter) -> Mask:
        """Return which cells pass a filter."""
        found = np.ones(len(self.series), dtype=np.bool_)
        if column_filter.choices is not None:
            (codes, texts), chosen = self.groups, {*column_filter.choices}
            found &= np.array([text in chosen for text in texts], dtype=np.bool_)[codes]
        if column_filter.contains is not None:
            found &= self.search(fold(column_filter.contains))
        for sign, bound in column_filter.limits:
            found &= _to_mask(COMPARISONS[sign](self.series, bound))
        if column_filter.missing is not None:
            found &= self.blank == column_filter.missing
        return found


def column_of(frame: pd.DataFrame, name: str) -> TableColumn:
    """Return a column of a frame; one of names with their phonetic form, where the frame has that.

    Nobody can sort kanji by themselves, so names are found and sorted by it.
    """
    phonetic = READINGS.get(name, ())
    known = {*phonetic} <= {*frame.columns}
    return TableColumn(frame[name], [frame[reading] for reading in phonetic] if known else ())


def add_readings(texts: list[str], readings: list[str]) -> list[str]:
    """Return the texts of names with what they are found by too: the phonetic forms, and the given name first.

    Words of a search are found in any order, but names of Chinese characters or kana are typed without a blank.

    Examples:
        >>> add_readings(["佐藤 太郎", "Mina Sato"], ["サトウ タロウ", ""])
        ['佐藤 太郎\\n太郎 佐藤\\nサトウ タロウ', 'Mina Sato']
    """
    return [
        "\n".join(filter(None, (text, "" if text.isascii() else _swap(text), reading)))
        for text, reading in zip(texts, readings, strict=True)
    ]


def _swap(name: str) -> str:
    last, _, first = name.partition(" ")
    return first and f"{first} {last}"


def is_compared_by_value(series: "pd.Series[Any]") -> bool:
    """Return whether cells sort as numbers or times, and not as text."""
    return types.is_numeric_dtype(series.dtype) or types.is_datetime64_any_dtype(series.dtype)


def _to_mask(compared: "pd.Series[Any]") -> Mask:
    """Convert a comparison to a mask; missing values never match."""
    return (
        compared.to_numpy(dtype=np.bool_, na_value=False) if compared.hasnans else compared.to_numpy(np.bool_)
    )


def check_names(frame: pd.DataFrame) -> None:
    """Check that each column has a name of its own.

    Raises:
        ValueError: a name is not text, or two columns share one.
    """
    names = list(frame.columns)
    if not all(isinstance(name, str) for name in names):
        other = next(name for name in names if not isinstance(name, str))
        raise ValueError(
            f"a table's column names must be a string; this frame has {other!r}: "
            "pass frame.rename(columns=str), or join the levels of a MultiIndex"
        )
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise ValueError(f"the frame has more than one column {twice!r}; give each a name of its own")

"""Text that rows are found and sorted by; the code for a view uses it too, so that it gives the same rows.

A name is found and sorted by its phonetic form as well, where the frame has that: nobody can sort kanji by themselves.
"""

from collections.abc import Mapping
from typing import Any, Final

import pandas as pd

from svckit.widgets.base.folding import fold_all, sort_key
from svckit.widgets.table.cells import column_text

__all__ = ["add_readings", "find_phonetic", "folded", "sort_keys"]

_READINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "display_name": ("phonetic_last_name", "phonetic_first_name"),
    "last_name": ("phonetic_last_name",),
    "first_name": ("phonetic_first_name",),
}
"""By column of names, the columns with their phonetic form."""


def find_phonetic(frame: pd.DataFrame, name: str) -> list["pd.Series[Any]"]:
    """Return the columns with the phonetic form of the names in a column; of any other column none.

    Examples:
        >>> people = pd.DataFrame({"last_name": ["佐藤", "Sato"], "phonetic_last_name": ["サトウ", None]})
        >>> len(find_phonetic(people, "last_name")), len(find_phonetic(people, "phonetic_last_name"))
        (1, 0)
    """
    columns = _READINGS.get(name, ())
    return [frame[each] for each in columns] if {*columns} <= {*frame.columns} else []


def _list_readings(frame: pd.DataFrame, name: str) -> list[str] | None:
    """Return the phonetic form of each name in a column, empty where there is none; None for any other column."""
    columns = find_phonetic(frame, name)
    if not columns:
        return None
    return [" ".join(filter(None, parts)) for parts in zip(*map(column_text, columns), strict=True)]


def folded(frame: pd.DataFrame, *columns: str) -> "pd.Series[Any]":
    """Return the text of each row in some columns, by default in all, as a search compares it.

    Examples:
        >>> folded(pd.DataFrame({"id": ["u-1"], "name": ["ｻﾄｳ Mina"]})).tolist()
        ['u-1\\nサトウ mina']
    """
    texts = (_fold(frame, name) for name in columns or frame.columns)
    return pd.Series(map("\n".join, zip(*texts, strict=True)), frame.index, dtype="string")


def _fold(frame: pd.DataFrame, name: str) -> list[str]:
    texts, readings = column_text(frame[name]), _list_readings(frame, name)
    return fold_all(texts if readings is None else add_readings(texts, readings))


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


def sort_keys(frame: pd.DataFrame, name: str) -> "pd.Series[Any]":
    """Return what the rows are sorted by in a column of text: of names the phonetic form; missing for a blank cell.

    Examples:
        >>> people = pd.DataFrame({"last_name": ["安部", "伊藤"], "phonetic_last_name": ["アベ", "イトウ"]})
        >>> people.loc[sort_keys(people, "last_name").sort_values().index, "last_name"].tolist()
        ['安部', '伊藤']
    """
    texts, readings = column_text(frame[name]), _list_readings(frame, name)
    shown = (
        texts
        if readings is None
        else [reading or text for text, reading in zip(texts, readings, strict=True)]
    )
    return pd.Series([sort_key(text) or None for text in shown], frame.index, dtype="string")

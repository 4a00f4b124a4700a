"""The sample users by columns: thousands are described at once, with arrays of what was chosen for each."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from pydantic_core import to_json

from fakes.data.population import MOST_USERS, Population, describe_user, draw_bytes
from fakes.data.sample_values import STATES

__all__ = ["draw_columns"]

Parts = tuple[Any, ...]
"""A column: texts that are joined for each user. Each is the same text for all, or a pair: the different values, of any
kind if nothing is joined, and for each user the index of theirs."""
MARK = "\0"
MARKED = r'"\u0000"'
"""The mark in JSON."""


class Column:
    """A field of many users."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts

    def __add__(self, text: "Column | str") -> "Column":
        return Column(*self.parts, *(text.parts if isinstance(text, Column) else (text,)))

    def __radd__(self, text: str) -> "Column":
        return Column(text, *self.parts)

    def write(self) -> Parts:
        """Return the field's JSON."""
        if len(self.parts) > 1:
            return '"', *self.parts, '"'
        ((values, which),) = self.parts
        return (([to_json(value).decode() for value in values], which),)


class Lists(Column):
    """A field that is a list."""

    def count(self) -> Column:
        """Return how many items the lists have; a text is the only item of its list."""
        (values, which), *_ = self.parts
        counts = [len(value) if isinstance(value, list) else int(value is not None) for value in values]
        return Column((counts, which))


class Many:
    """The functions of `fakes.data.population.One`, for the columns of many users."""

    @staticmethod
    def pick(these: Sequence[Any], which: Any) -> Column:
        """Return the values that were chosen."""
        return Column((these, which.astype(np.intp)))

    @staticmethod
    def pick_list(these: Sequence[Any], which: Any) -> Lists:
        """Return the lists that were chosen."""
        return Lists((these, which.astype(np.intp)))

    @staticmethod
    def list_if(condition: Any, text: Column) -> Lists:
        """Return lists of a text, or empty ones."""
        return Lists(*Many.only_if(condition, text).parts)

    @staticmethod
    def only_if(condition: Any, text: Column | str) -> Column:
        """Return a text or None."""
        return Column((["", None], 1 - condition)) + text

    @staticmethod
    def write(number: Any, form: str) -> Column:
        """Return numbers in a format: their thousands, and the last three digits."""
        thousands = [format(first, form)[:-3] for first in range(0, MOST_USERS + 1, 1000)]
        return Column((thousands, number // 1000), ([f"{rest:03d}" for rest in range(1000)], number % 1000))

    @staticmethod
    def find_state(number: Any) -> Any:
        """Return the states of users, as their places in `STATES`."""
        fits = [(number % share == 0) & (number >= first) for _, share, first in STATES]
        return np.select(fits, range(len(STATES)), len(STATES))


def draw_columns(people: Population, numbers: Sequence[int]) -> dict[str, Parts]:
    """Return the fields of sample users by their paths, as columns of a frame have them.

    Examples:
        >>> columns = draw_columns(Population(20), [1, 2, 3])
        >>> prefix, (thousands, _), (units, places) = columns["userId"]
        >>> [prefix + thousands[0] + units[place] for place in places]
        ['u-001', 'u-002', 'u-003']
    """
    drawn = b"".join([draw_bytes(people.seed, number) for number in numbers])
    words = np.frombuffer(drawn, "<u2").reshape(len(numbers), -1).T.astype(np.int64)
    user = describe_user(np.array(numbers), words, Many)
    same = np.zeros(len(numbers), np.intp)
    fields = [*_flatten(user), ("organizations.orgUnits[count]", 1)]
    return {path: field.parts if isinstance(field, Column) else (([field], same),) for path, field in fields}


def _flatten(fields: Mapping[str, Any], parent: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the fields of a user with their paths; of lists their lengths, and the one post and its org unit."""
    for name, field in fields.items():
        path = f"{parent}{name}"
        if isinstance(field, Lists):
            yield f"{path}[count]", field.count()
            how, listed = ("joined", field.parts) if len(field.parts) > 1 else ("json", field.write())
            yield f"{path}[{how}]", Column(*listed)
        elif isinstance(field, list) or name == "customProperties":
            yield f"{path}[count]", len(field)
            yield f"{path}[json]", _write(field)
            for only in field:
                yield from _flatten(only, f"{path}[primary].")
        elif isinstance(field, dict):
            yield from _flatten(field, f"{path}.")
        else:
            yield path, _to_column(field)


def _to_column(field: Any) -> Any:
    """Return flags as a column; anything else as it is."""
    return Column(((False, True), field.astype(np.intp))) if isinstance(field, np.ndarray) else field


def _write(field: Any) -> Column | str:
    """Return the JSON of a field: a column if there are columns in it."""
    columns: list[Column] = []

    def mark(column: Any) -> str:
        columns.append(_to_column(column))
        return MARK

    first, *texts = to_json(field, fallback=mark).decode().split(MARKED)
    parts = [part for column, text in zip(columns, texts, strict=True) for part in (*column.write(), text)]
    return Column(first, *parts) if parts else first

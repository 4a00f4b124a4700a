"""The sample users by columns: thousands are described at once, with arrays of what was chosen for each."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from pydantic_core import to_json

from fakes.data.population import MOST_USERS, Population
from fakes.data.sample_user import describe_user, draw_bytes

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
    """The functions of `fakes.data.sample_user.One`, for the columns of many users."""

    @staticmethod
    def pick(these: Sequence[Any], which: Any) -> Column:
        """Return the values that were chosen."""
        return Column((these, which.astype(np.intp)))

    @staticmethod
    def pick_list(these: Sequence[Any], which: Any) -> Lists:
        """Return the lists that were chosen."""
        return Lists((these, which.astype(np.intp)))

    @staticmethod
    def join(*parts: Column | str) -> Column:
        """Return parts as one text for each user; None if the first is None."""
        columns = [part if isinstance(part, Column) else Column(part) for part in parts]
        return Column(*(part for column in columns for part in column.parts))

    @staticmethod
    def list_one(text: Column) -> Lists:
        """Return lists of a text; an empty one for None."""
        return Lists(*text.parts)

    @staticmethod
    def write(number: Any, width: int) -> Column:
        """Return numbers with at least so many digits: their thousands, and the last three digits."""
        thousands = [f"{first:0{width}d}"[:-3] for first in range(0, MOST_USERS + 1, 1000)]
        return Column((thousands, number // 1000), ([f"{rest:03d}" for rest in range(1000)], number % 1000))


def draw_columns(people: Population, numbers: Sequence[int]) -> dict[str, Parts]:
    """Return the fields of sample users by their paths, as columns of a frame have them.

    Examples:
        >>> columns = draw_columns(Population(20), [1, 2, 3])
        >>> prefix, (thousands, _), (units, places) = columns["userId"]
        >>> [prefix + thousands[0] + units[place] for place in places]
        ['u-001', 'u-002', 'u-003']
    """
    drawn = b"".join([draw_bytes(people.seed, number) for number in numbers])
    words = np.frombuffer(drawn, "<u4").reshape(len(numbers), -1).T.astype(np.int64)
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
            yield (
                (f"{path}[joined]", field)
                if len(field.parts) > 1
                else (f"{path}[json]", Column(*field.write()))
            )
        elif isinstance(field, list) or name == "customProperties":
            yield f"{path}[count]", len(field)
            yield f"{path}[json]", _write(field)
            for only in field:
                yield from _flatten(only, f"{path}[primary].")
        elif isinstance(field, dict):
            yield from _flatten(field, f"{path}.")
        else:
            yield path, field


def _write(field: Any) -> Column | str:
    """Return the JSON of a field: a column if there are columns in it."""
    columns: list[Column] = []

    def mark(column: Column) -> str:
        columns.append(column)
        return MARK

    first, *texts = to_json(field, fallback=mark).decode().split(MARKED)
    parts = [part for column, text in zip(columns, texts, strict=True) for part in (*column.write(), text)]
    return Column(first, *parts) if parts else first

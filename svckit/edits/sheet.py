"""The sheet that edits come from: its rows and headings, what its blank cells mean, and which cells it has lost."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from svckit.models.base import python_name

__all__ = ["Blank", "Sheet", "list_owners", "name_field"]

Blank = Literal["keep", "clear"]
"""Whether a blank cell keeps the value of a user, or clears it."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sheet that edits come from.

    Attributes:
        rows: the numbers of the rows, from 1, by the name of the user.
        headings: the headings by column.
        blank: what a blank cell means.
        formulas: the cells with a formula whose value the file does not have, as pairs of a user and a column.
        numbers: the telephone numbers that the file has as numbers, which have no leading zeros, as such pairs.
        encoding: the encoding of a CSV file that does not have all characters.
    """

    rows: Mapping[str, Sequence[int]]
    headings: Mapping[str, str]
    blank: Blank = "clear"
    formulas: frozenset[tuple[str, str]] = frozenset()
    numbers: frozenset[tuple[str, str]] = frozenset()
    encoding: str | None = None

    def locate(self, path: str) -> tuple[str, Sequence[int], str]:
        """Return the user that the path of a problem names, the rows, and the heading; empty where unknown."""
        user = next((owner for owner in list_owners(path) if owner in self.rows), "")
        field = path.removeprefix(user).lstrip(".")
        parts = [python_name(part) for part in re.split(r"[.\[\]]+", field) if part]
        column = next((part for part in reversed(parts) if part in self.headings), "")
        return user, self.rows.get(user, ()), self.headings.get(column, field)


def name_field(path: str, user: str) -> str:
    """Return the field of a user that the path of a problem names; empty if the problem is that of the whole user.

    Examples:
        >>> name_field("u-001.userName.lastName", "u-001"), name_field("u-001", "u-001")
        ('user_name', '')
    """
    return python_name(re.split(r"[.\[]", path[len(user) + 1 :])[0])


def list_owners(path: str) -> list[str]:
    """Return what the user in the path of a problem may be called, the longest first; IDs may contain dots.

    Examples:
        >>> list_owners("mina@example.com.email")
        ['mina@example.com.email', 'mina@example.com', 'mina@example']
    """
    return [path, *(path[:at] for at in range(len(path) - 1, 0, -1) if path[at] == ".")]

"""What a notebook falls short in, and the one way its cells are named."""

from dataclasses import dataclass
from typing import Literal

from svckit.display.terminal import escape_controls

__all__ = ["Finding"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a notebook.

    Attributes:
        message: what is wrong, in words; further lines show it.
        kind: ``unreadable``; ``stored``, of what the file holds; or, of what came when it was run again, ``differs``,
            ``raises``, ``unended``, ``stopped`` or ``leaves``, of files.
        cell: the number of the cell, from 1, all cells counted as JupyterLab shows them; None for the whole notebook.
        id: the id of the cell, where it has one.
        remedy: what to do about it, in words.

    Examples:
        >>> print(Finding("an error", "stored", 5, "c3", remedy="mend what fails"))
        cell 5 (c3): an error; mend what fails
    """

    message: str
    kind: Literal["unreadable", "stored", "differs", "raises", "unended", "stopped", "leaves"]
    cell: int | None = None
    id: str | None = None
    remedy: str = ""

    def __str__(self) -> str:
        heading, colon, details = self.message.partition(":\n")
        told = "; ".join(filter(None, (heading, self.remedy))) + colon + details
        where = "" if self.cell is None else f"cell {self.cell}{f' ({self.id})' if self.id else ''}: "
        return escape_controls(where + told)

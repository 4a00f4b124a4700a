"""Findings: the problems of a notebook, each with the cell it is in."""

from dataclasses import dataclass
from typing import Literal

from svckit.display.masking import mask
from svckit.display.terminal import escape_controls
from svckit.jupyter.secret_scanning import cover

__all__ = ["Finding", "mask_message"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem of a notebook.

    Attributes:
        message: the problem in words; further lines show details, such as a traceback. It has no secrets.
        kind: ``unreadable``; ``stored`` for the content of the file; or, from running it again, ``differs``,
            ``raises``, ``unended`` (a timeout), ``stopped`` or ``leaves`` (files).
        cell: the number of the cell, from 1, counting all cells as in JupyterLab; None for the whole notebook.
        id: the ID of the cell, if it has one.
        remedy: what to do about it, in words.

    Examples:
        >>> print(Finding("an error", "stored", 5, "c3", remedy="fix what fails"))
        cell 5 (c3): an error; fix what fails
    """

    message: str
    kind: Literal["unreadable", "stored", "differs", "raises", "unended", "stopped", "leaves"]
    cell: int | None = None
    id: str | None = None
    remedy: str = ""

    def __str__(self) -> str:
        heading, colon, details = self.message.partition(":\n")
        text = "; ".join(filter(None, (heading, self.remedy))) + colon + details
        prefix = "" if self.cell is None else f"cell {self.cell}{f' ({self.id})' if self.id else ''}: "
        return escape_controls(prefix + text)


def mask_message(*lines: str) -> str:
    """Return a message that quotes a notebook, a traceback or an output, with the secrets in it masked.

    Examples:
        >>> print(mask_message("it does not run to its end:", "POST /message/Zk3 failed"))
        it does not run to its end:
        POST /message/*** failed
    """
    return cover(mask("\n".join(lines)))

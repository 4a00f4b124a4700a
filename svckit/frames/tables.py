"""The columns of all frames, by the names of the frames, and in their docstrings."""

import inspect
from collections.abc import Callable, Sequence
from textwrap import indent
from typing import TypeVar

import pandas as pd

from svckit.display.suggestions import did_you_mean
from svckit.frames.column import Column, describe
from svckit.frames.record_columns import RECORD_FRAMES
from svckit.frames.user_columns import USERS
from svckit.frames.user_lists import LONG_FRAMES

__all__ = ["KINDS", "TABLES", "columns", "document", "find_table"]

TABLES: dict[str, Sequence[Column]] = {
    "users": USERS,
    **{kind: table for kind, (table, _) in LONG_FRAMES.items()},
    **RECORD_FRAMES,
}

KINDS: tuple[str, ...] = tuple(TABLES)
"""The names of the frames."""

Frame = TypeVar("Frame", bound=Callable[..., pd.DataFrame])


def columns(kind: str) -> pd.DataFrame:
    """Describe the columns of a frame: ``column``, ``dtype``, ``wire`` (the source), ``meaning``, ``values``.

    As text, pandas omits what does not fit on a line: ``print(columns("statuses").to_string())`` shows everything.

    The values are the known values of an enumeration, in order; for other columns they are missing.

    Args:
        kind: the name of the frame, one of `KINDS`.

    Returns:
        A frame with a row for each column.

    Raises:
        ValueError: no such frame; the message lists the frames.

    Examples:
        >>> columns("files")[["column", "dtype"]].head(3).values.tolist()
        [['place', 'string'], ['file_id', 'string'], ['file_name', 'string']]
        >>> columns("statuses").set_index("column").loc["schedule_type", "values"]
        'PRESENT < RESERVED'
    """
    return describe(find_table(kind))


def find_table(kind: str) -> Sequence[Column]:
    """Return the columns of a frame.

    Raises:
        ValueError: no such frame; the message lists the frames.
    """
    if kind not in TABLES:
        hint = did_you_mean(kind, TABLES) or f"; the frames are {', '.join(TABLES)}"
        raise ValueError(f"no such frame: {kind!r}{hint}")
    return TABLES[kind]


SOURCE = """\
Args:
    source: a session, a ``FakeService``, or records: mappings with wire names, or models of `svckit.models`.

Returns:
    A new frame with the columns below, one row per record.

Raises:
    TypeError: the source is of another type.
"""


def document(frame: Frame) -> Frame:
    """Add the source, unless it is described, and the columns to the docstring of a function that builds a frame.

    Examples:
        >>> def statuses(source): "Build the frame."
        >>> print(document(statuses).__doc__[:45])
        Build the frame.
        <BLANKLINE>
        Args:
            source: a session
    """
    table = TABLES[frame.__name__]
    text, examples, code = inspect.cleandoc(frame.__doc__ or "").partition("Examples:\n")
    if "Args:\n" not in text:
        text = f"{text.rstrip()}\n\n{SOURCE}\n"
    lines = [f"{c.name} ({c.dtype}): {c.meaning}; ``{c.path}``{_order(c)}." for c in table]
    columns = indent("\n".join(lines), "    ")
    frame.__doc__ = f"{text}{examples}{code.rstrip()}\n\nColumns:\n{columns}\n"
    return frame


def _order(column: Column) -> str:
    return f"; {' < '.join(column.categories)}" if column.categories else ""

"""A frame as a CSV or JSON file, for a download or for a spreadsheet.

Cells are values and not what the table shows: ``true``, ``2026-06-01T09:00:00Z``. In CSV, text that a spreadsheet
would run as a formula is defused the way `svckit.frames.write_users` does.
"""

import csv
from datetime import datetime
from io import StringIO
from math import isfinite
from typing import Any, Literal

import numpy as np
import pandas as pd
from pydantic_core import to_json

from svckit.frames.spreadsheets import defused

__all__ = ["TYPES", "Format", "exported"]

Format = Literal["csv", "json"]
TYPES: dict[Format, str] = {"csv": "text/csv", "json": "application/json"}
"""Media types by format."""


def exported(frame: pd.DataFrame, format: Format) -> bytes:  # noqa: A002 - as in pandas
    """A frame as the content of a file.

    Args:
        frame: the rows; the index is left out.
        format: ``csv``, in UTF-8 with a mark that Excel knows it by, or ``json``, an array of objects.

    Raises:
        ValueError: there is no such format.

    Examples:
        >>> frame = pd.DataFrame({"id": ["u-1", "u-2"], "task": ["=1+1", None]})
        >>> exported(frame, "csv").decode("utf-8-sig")
        "id,task\\r\\nu-1,'=1+1\\r\\nu-2,\\r\\n"
        >>> exported(frame, "json")
        b'[{"id":"u-1","task":"=1+1"},{"id":"u-2","task":null}]'
    """
    if format not in TYPES:
        raise ValueError(f"a table is exported as {' or '.join(TYPES)}; given {format!r}")
    columns = {str(name): _values(frame[name]) for name in frame.columns}
    if format == "json":
        return to_json([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])
    file = StringIO()
    lines = csv.writer(file, lineterminator="\r\n")
    lines.writerow(map(defused, columns))
    lines.writerows(zip(*(map(_cell, values) for values in columns.values()), strict=True))
    return file.getvalue().encode("utf-8-sig")


def _values(column: "pd.Series[Any]") -> list[Any]:
    """The cells as JSON has them, None where they are missing."""
    missing = column.isna().tolist()
    values = column.astype(object).tolist()
    return [None if gone else _plain(value) for gone, value in zip(missing, values, strict=True)]


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    match value:
        case float() if not isfinite(value):
            plain: Any = str(value)  # JSON has no such numbers
        case None | str() | bool() | int() | float():
            plain = value
        case datetime():
            plain = value.isoformat().replace("+00:00", "Z")
        case list() | tuple():
            plain = [_plain(each) for each in value]
        case dict():
            plain = {str(name): _plain(each) for name, each in value.items()}
        case _:
            plain = str(value)
    return plain


def _cell(value: Any) -> str | None:
    match value:
        case None:
            return None
        case str():
            return defused(value)
        case bool():
            return "true" if value else "false"
        case list() | dict():
            return defused(to_json(value).decode())
        case _:
            return str(value)

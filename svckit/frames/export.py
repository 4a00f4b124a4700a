"""A frame as a CSV, Excel or JSON file, or as text to paste, for a download or for a spreadsheet.

Cells hold values, not the text that the table shows: ``true``, ``2026-06-01T09:00:00Z``. Text that a spreadsheet
would run as a formula is defused as in `svckit.frames.write_users`, in headings too. A CSV file is UTF-8 with a byte
order mark for Excel, separated by commas, with CR LF line ends. If Excel expects semicolons (Windows in German
or French), or must keep leading zeros, open the file with Data, From Text/CSV; LibreOffice asks by itself.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, time
from importlib import import_module
from io import BytesIO
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from pandas.api import types
from pydantic_core import to_json

from svckit.display.formulas import defuse, defuse_all
from svckit.display.progress import progress_bar
from svckit.extras import needing
from svckit.frames.grouping import repeats
from svckit.local_files import write_atomically
from svckit.operations.checks import check_flags

__all__ = ["TYPES", "ExportedPiece", "Format", "copy", "export_to_bytes", "pieces", "save"]

PIECE, BLOCK = 2_000, 100_000  # rows written, and rows whose distinct values are looked up, at a time
MOST_ROWS, MOST_COLUMNS, LONGEST_CELL = 1_048_576, 16_384, 32_767  # of a sheet of Excel
EXACT = 2**53  # the largest whole number up to which Excel's numbers are exact

Format = Literal["csv", "xlsx", "json"]
TYPES: dict[Format, str] = {
    "csv": "text/csv;charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json;charset=utf-8",
}
"""Media types by format."""


class ExportedPiece(NamedTuple):
    """A piece of a file's content, and the number of rows in it."""

    content: bytes
    rows: int


def export_to_bytes(frame: pd.DataFrame, format: Format, worksheet: str = "rows") -> bytes:  # noqa: A002 - as in pandas
    """Return a frame as the content of a file.

    Args:
        frame: the rows; the index is left out.
        format: ``csv``, in UTF-8 with a byte order mark for Excel, ``xlsx``, or ``json``, an array of objects.
        worksheet: the name of the worksheet of an Excel file.

    Raises:
        ValueError: the format is unknown.

    Examples:
        >>> frame = pd.DataFrame({"id": ["u-1", "u-2"], "task": ["=1+1", None]})
        >>> export_to_bytes(frame, "csv").decode("utf-8-sig")
        "id,task\\r\\nu-1,'=1+1\\r\\nu-2,\\r\\n"
        >>> export_to_bytes(frame, "json")
        b'[{"id":"u-1","task":"=1+1"},{"id":"u-2","task":null}]'
    """
    return b"".join(piece.content for piece in pieces(frame, format, worksheet))


def save(
    frame: pd.DataFrame,
    to: str | PathLike[str],
    format: Format | None = None,  # noqa: A002 - as in pandas
    *,
    worksheet: str = "rows",
    progress: bool | None = None,
) -> None:
    """Write a frame to a file; if that fails or is interrupted, an existing file stays as it was.

    Args:
        frame: as in `export_to_bytes`.
        to: a path; ``.json`` is written as JSON, ``.xlsx`` for Excel, any other suffix as CSV.
        format: ``csv``, ``xlsx`` or ``json``, whatever the suffix.
        worksheet: as in `export_to_bytes`.
        progress: as in ``svc.files.download``.

    Raises:
        ValueError: the format is unknown.
        OSError: the file cannot be written.
    """
    check_flags("nothing was exported", progress=progress)
    path = Path(to)
    suffix: Any = path.suffix[1:].lower()
    found = pieces(frame, format or (suffix if suffix in TYPES else "csv"), worksheet)
    bar = progress_bar(f"export {path.name}", len(frame), unit="items", shown=progress)
    with write_atomically(path) as file, bar as advance:
        for piece in found:
            file.write(piece.content)
            advance(piece.rows)


def pieces(
    frame: pd.DataFrame,
    format: Format,  # noqa: A002 - as in pandas
    worksheet: str = "rows",
) -> Iterator[ExportedPiece]:
    """Yield the content of a file piece by piece, so that the caller can stop.

    Args:
        frame: as in `export_to_bytes`.
        format: as in `export_to_bytes`.
        worksheet: as in `export_to_bytes`.
    """
    if format not in TYPES:
        raise ValueError(f"a table is exported as {', '.join(TYPES)}; given {format!r}")
    return _excel(frame, worksheet) if format == "xlsx" else {"csv": _csv, "json": _json}[format](frame)


def copy(frame: pd.DataFrame) -> str:
    """Return a frame as text to paste into a spreadsheet: headings and rows, with tabs between cells.

    Args:
        frame: the rows; the index is left out.

    Examples:
        >>> print(copy(pd.DataFrame({"id": ["u-1"], "task": ["=1+1"]})).replace("\\t", " | "))
        id | task
        u-1 | '=1+1
        <BLANKLINE>
    """
    columns = [_texts(frame[name], "\t") for name in frame]
    return _heading(frame, "\t", "\n") + _join(columns, "\t", "\n")


def _csv(frame: pd.DataFrame) -> Iterator[ExportedPiece]:
    yield ExportedPiece(("\ufeff" + _heading(frame)).encode(), 0)
    for block in _parts(frame, BLOCK):
        columns: list[list[str]] = []
        for name in block:
            columns.append(_texts(block[name]))
            yield ExportedPiece(b"", 0)
        for start in range(0, len(block), PIECE):
            part = [texts[start : start + PIECE] for texts in columns]
            yield ExportedPiece(_join(part).encode(), len(part[0]))


def _excel(frame: pd.DataFrame, worksheet: str) -> Iterator[ExportedPiece]:
    """Yield an Excel file of one sheet, which is written row by row, in little memory."""
    with needing("An Excel file"):
        openpyxl = import_module("openpyxl")
    headings, file = _names(frame), BytesIO()
    for given, limit, what in ((len(headings), MOST_COLUMNS, "columns"), (len(frame) + 1, MOST_ROWS, "rows")):
        if given > limit:
            raise ValueError(
                f"a sheet of Excel holds at most {limit:,} {what}; given {given:,}: write a .csv file"
            )
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet(worksheet)
    try:
        _check_lengths(headings, headings)
        sheet.append(headings)
        for part in _parts(frame, PIECE):
            for row in zip(*(_excel_cells(_values(part[name])) for name in part), strict=True):
                _check_lengths(headings, row)
                sheet.append(row)
            yield ExportedPiece(b"", len(part))
        book.save(file)
    finally:
        if not sheet.closed:
            book.save(BytesIO())  # only this removes openpyxl's temporary file
    yield ExportedPiece(file.getvalue(), 0)


def _check_lengths(headings: Sequence[str], row: Sequence[Any]) -> None:
    for heading, cell in zip(headings, row, strict=True):
        if isinstance(cell, str) and len(cell) > LONGEST_CELL:
            raise ValueError(
                f"a cell of Excel holds at most {LONGEST_CELL:,} characters; one of {heading} has {len(cell):,}: "
                "write a .csv file, or leave the column out"
            )


def _json(frame: pd.DataFrame) -> Iterator[ExportedPiece]:
    names, between = [str(name) for name in frame.columns], b"["
    for part in _parts(frame, PIECE):
        columns = [_values(part[name]) for name in part]
        rows = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
        yield ExportedPiece(between + to_json(rows)[1:-1], len(rows))
        between = b","
    yield ExportedPiece(b"[]" if between == b"[" else b"]", 0)


def _parts(frame: pd.DataFrame, rows: int) -> Iterator[pd.DataFrame]:
    for start in range(0, len(frame), rows):
        yield frame.iloc[start : start + rows]


def _names(frame: pd.DataFrame) -> list[str]:
    return [defuse(str(name)) for name in frame]


def _heading(frame: pd.DataFrame, between: str = ",", end: str = "\r\n") -> str:
    return _join([[name] for name in _quote(_names(frame), between)], between, end)


def _join(columns: list[list[str]], between: str = ",", end: str = "\r\n") -> str:
    """Join the texts of columns to lines, none of which is blank."""
    if len(columns) == 1:
        columns = [[text or '""' for text in columns[0]]]
    return "".join([between.join(row) + end for row in zip(*columns, strict=True)])


def _texts(column: "pd.Series[Any]", between: str = ",") -> list[str]:
    """Return the cells of a column as defused and quoted text; each distinct value is written once."""
    if not repeats(column):
        return _quote(_cells(_values(column)), between)
    codes, different = pd.factorize(column)  # missing values have the code -1, the last
    texts = np.array([*_quote(_cells(_values(pd.Series(different))), between), ""], dtype=object)
    found: list[str] = texts[codes].tolist()
    return found


def _quote(cells: Sequence[str | None], between: str) -> list[str]:
    """Put text in quotes where it has to be; for most columns, one search finds out that it hasn't."""
    texts, special = [cell or "" for cell in cells], {between, '"', "\n"}
    together = " ".join(texts)
    if not any(sign in together for sign in special):
        return texts
    doubled = [text.replace('"', '""') for text in texts]
    return [text if special.isdisjoint(text) else f'"{text}"' for text in doubled]


def _values(column: "pd.Series[Any]") -> list[Any]:
    """Return the cells as JSON values, None for missing ones."""
    if isinstance(column.dtype, pd.StringDtype | pd.BooleanDtype) or (
        types.is_integer_dtype(column.dtype) and types.is_extension_array_dtype(column.dtype)
    ):
        array: Any = column  # pandas' stubs do not know na_value=None
        found: list[Any] = array.to_numpy(dtype=object, na_value=None).tolist()
        return found
    if isinstance(column.dtype, pd.CategoricalDtype) or types.is_datetime64_any_dtype(column.dtype):
        codes, different = pd.factorize(column)
        # Missing values have the code -1, the last.
        written = [*map(_plain, different.astype(object)), None]
        return [written[code] for code in codes.tolist()]
    missing = column.isna().tolist()
    values = column.astype(object).tolist()
    return [None if gone else _plain(value) for gone, value in zip(missing, values, strict=True)]


def _cells(values: list[Any]) -> list[Any]:
    """Convert values to CSV cells; the texts of most columns are checked all at once."""
    kinds = set(map(type, values)) - {type(None)}
    if kinds <= {str}:
        return defuse_all(values)
    return [_cell(value) for value in values]


def _excel_cells(values: list[Any]) -> list[Any]:
    """Convert values to cells of Excel: numbers that it keeps exactly, flags and text."""
    kinds = set(map(type, values)) - {type(None)}
    exact = kinds <= {bool, int, float} and all(abs(value or 0) <= EXACT for value in values)
    return values if exact else _cells(values)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    match value:
        case float() if not isfinite(value):
            plain: Any = str(value)  # JSON has no such numbers
        case None | str() | bool() | int() | float():
            plain = value
        case datetime() if value.tzinfo is None and value.time() == time.min:
            plain = value.date().isoformat()  # pandas stores dates as midnights
        case datetime():
            plain = value.isoformat().replace("+00:00", "Z")
        case list() | tuple():
            plain = [_plain(item) for item in value]
        case dict():
            plain = {str(name): _plain(item) for name, item in value.items()}
        case _:
            plain = str(value)
    return plain


def _cell(value: Any) -> str | None:
    match value:
        case None:
            return None
        case str():
            return defuse(value)
        case bool():
            return "true" if value else "false"
        case list() | dict():
            return defuse(to_json(value).decode())
        case _:
            return str(value)

"""The cells of an Excel file, as people see them: with the zeros of their formats, and the values of formulas."""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from svckit.extras import needing

__all__ = ["LOST", "read_cells"]

MOST_CELLS = 5_000_000
"""The most cells that are looked at, with those that have a format only; 250,000 rows of 20 columns."""

LOST = "\0lost"
"""Stands for a formula whose value was never computed, or an error such as ``#N/A``; no cell can hold it itself."""

_ZEROS = re.compile(r"(?:\[\$[^]]*])?(0+)(?:_.)*(?:;.*)?")
"""A format of zeros alone, also with a language, with room at the end, or with others for negative numbers and text."""


def read_cells(source: str | Path | IO[Any], header: int = 1) -> list[list[Any]]:
    """Read the rows of the first worksheet from the headings to the last value, ``None`` where a cell is empty.

    Memory does not grow with cells that have formats only.

    Args:
        source: the path of an Excel file, or an open one.
        header: the row of the headings, from 1.

    Raises:
        ValueError: it is not a workbook that can be read, there are too many cells, or a heading has no usable value.

    Examples:
        >>> from io import BytesIO
        >>> import openpyxl
        >>> book, file = openpyxl.Workbook(), BytesIO()
        >>> book.active.append(["No.", "Age"])
        >>> book.active.append([42, "=1+1"])
        >>> book.active["A2"].number_format = book.active["A9"].number_format = "00000"
        >>> book.save(file)
        >>> read_cells(file) == [["No.", "Age"], ["00042", LOST]]
        True
    """
    # Read as a whole, so that Excel can save the file while an error with these frames is kept.
    file = BytesIO(Path(source).read_bytes()) if isinstance(source, str | Path) else source
    rows: list[list[Any]] = []
    formulas: set[tuple[int, int]] = set()
    seen = 0
    for number, cells in enumerate(_read_rows(file), 1):
        seen += len(cells) or 1
        if seen > MOST_CELLS:
            raise ValueError(
                f"a worksheet may have up to {MOST_CELLS:,} cells with a value or a format; this one has more: the "
                f"last value so far is in row {len(rows):,}, and formats go on to row {number:,} and beyond. "
                "Delete the empty rows and columns around the values, or save the sheet as CSV"
            )
        if not cells:  # one of up to a million, above a format far below
            continue
        formulas |= {(number, column) for column, cell in enumerate(cells) if cell.data_type == "f"}
        values = [_read(cell) for cell in cells]
        while values and values[-1] is None:
            values.pop()
        if values:
            rows += [[]] * (number - 1 - len(rows))
            rows.append(values)
    if formulas:  # openpyxl reads either that there are some, or their values
        _fill_in_values(rows, formulas, file)
    headings = rows[header - 1] if len(rows) >= header else []
    if LOST in headings:
        letter = import_module("openpyxl.utils").get_column_letter(headings.index(LOST) + 1)
        raise ValueError(
            f"the heading in {letter}{header} is a formula without its value, or an error: open the file in Excel, "
            "save it, and read it again"
        )
    width = max(map(len, rows), default=0)
    return [cells + [None] * (width - len(cells)) for cells in rows[header - 1 :]]


def _fill_in_values(rows: list[list[Any]], formulas: set[tuple[int, int]], file: IO[Any]) -> None:
    """Replace formulas, which are at these rows and columns, by their values, if they have any."""
    for number, cells in enumerate(_read_rows(file, data_only=True), 1):
        for column, cell in enumerate(cells):
            if (number, column) in formulas and cell.value is not None:
                rows[number - 1][column] = _read(cell)


def _read_rows(file: IO[Any], *, data_only: bool = False) -> Iterator[Sequence[Any]]:
    """Yield the cells of each row; with ``data_only``, those with a formula have its value."""
    with needing("An Excel file"):
        openpyxl = import_module("openpyxl")
    try:
        with closing(openpyxl.load_workbook(file, read_only=True, data_only=data_only)) as book:
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # else each row is as wide as the sheet, whose size a file can claim
            yield from sheet.iter_rows()
    except Exception as error:  # of the archive, its XML, or what openpyxl makes of it
        raise ValueError(
            "the file cannot be read as .xlsx: it is of another format, was cut off, or has a password. Open it in "
            "Excel and save it again, as .xlsx without a password or as CSV"
        ) from error


def _read(cell: Any) -> Any:
    """Return the value of a cell; a number as Excel shows it if its format is of zeros, such as 00042 for 42."""
    if cell.data_type in "ef":
        return LOST
    if type(cell.value) is int and cell.value >= 0 and (zeros := _ZEROS.fullmatch(cell.number_format)):
        return str(cell.value).zfill(len(zeros[1]))
    return cell.value

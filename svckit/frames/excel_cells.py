"""The cells of an Excel file that pandas reads otherwise: where values end, zeros, and formulas without a value."""

import re
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NamedTuple

from svckit.extras import needing

__all__ = ["ExcelCells", "read_cells"]

MOST_CELLS = 5_000_000
"""The most cells that are looked at, with those that have a format only; 250,000 rows of 20 columns."""

_ZEROS = re.compile(r"(?:\[\$[^]]*])?(0+)(?:_.)*(?:;.*)?")
"""A format of zeros alone, also with a language, with room at the end, or with others for negative numbers and text."""


class ExcelCells(NamedTuple):
    """Cells of the first worksheet, by row and column, from 1.

    Attributes:
        last_row: the last row with a value; ``None`` if that is not known.
        zeros: numbers as Excel shows them, where the format has leading zeros, such as 00042 for 42.
        lost: the cells without a usable value: with a formula whose value was never computed, or an error as ``#N/A``.
    """

    last_row: int | None
    zeros: dict[tuple[int, int], str]
    lost: set[tuple[int, int]]


def read_cells(source: str | Path | IO[Any], header: int = 1) -> ExcelCells:
    """Look through the cells, row by row; memory does not grow with rows that have formats only.

    Args:
        source: the path of an Excel file, or an open one.
        header: the row of the headings.

    Raises:
        ValueError: there are too many cells, or a heading has no usable value.

    Examples:
        >>> from io import BytesIO
        >>> import openpyxl
        >>> book, file = openpyxl.Workbook(), BytesIO()
        >>> book.active.append(["No.", "Age"])
        >>> book.active.append([42, "=1+1"])
        >>> book.active["A2"].number_format = book.active["A9"].number_format = "00000"
        >>> book.save(file)
        >>> read_cells(file)
        ExcelCells(last_row=2, zeros={(2, 1): '00042'}, lost={(2, 2)})
    """
    last_row = 0
    zeros: dict[tuple[int, int], str] = {}
    lost: set[tuple[int, int]] = set()
    for row, column, cell in _list_values(source, data_only=False):
        last_row = row
        if cell.data_type in ("e", "f"):
            lost.add((row, column))
        elif shown := _show_zeros(cell):
            zeros[row, column] = shown
    if lost:  # openpyxl reads the values of formulas only if the file is opened for them
        for row, column, cell in _list_values(source, data_only=True):
            if (row, column) in lost and cell.data_type != "e":
                lost.remove((row, column))
                if shown := _show_zeros(cell):
                    zeros[row, column] = shown
    for row, column in sorted(lost):
        if row == header:
            place = f"{import_module('openpyxl.utils').get_column_letter(column)}{row}"
            raise ValueError(
                f"the heading in {place} is a formula without its value, or an error: open the file in Excel, save it, "
                "and read it again"
            )
    return ExcelCells(last_row, zeros, lost)


def _show_zeros(cell: Any) -> str:
    """Return a number as Excel shows it, if its format is of zeros."""
    if type(cell.value) is not int or cell.value < 0:
        return ""
    zeros = _ZEROS.fullmatch(cell.number_format)
    return str(cell.value).zfill(len(zeros[1])) if zeros else ""


def _list_values(source: str | Path | IO[Any], *, data_only: bool) -> Iterator[tuple[int, int, Any]]:
    """Yield the cells with a value, or their formulas, with row and column, from 1."""
    with needing("An Excel file"):
        openpyxl = import_module("openpyxl")
    if not isinstance(source, str | Path):
        source.seek(0)
    last_row, seen = 0, 0
    with closing(openpyxl.load_workbook(source, read_only=True, data_only=data_only)) as book:
        sheet = book.worksheets[0]  # which pandas reads too
        sheet.reset_dimensions()  # else each row is as wide as the sheet, whose size a file can claim
        for number, cells in enumerate(sheet.iter_rows(), 1):
            seen += len(cells) or 1
            if seen > MOST_CELLS:
                raise ValueError(
                    f"a worksheet may have up to {MOST_CELLS:,} cells with a value or a format; this one has more: the "
                    f"last value so far is in row {last_row:,}, and formats go on to row {number:,} and beyond. Delete "
                    "the empty rows and columns around the values, or save the sheet as CSV"
                )
            for column, cell in enumerate(cells, 1):
                if cell.value is not None:
                    last_row = number
                    yield number, column, cell

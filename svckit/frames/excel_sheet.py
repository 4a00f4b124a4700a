"""Excel files, written row by row."""

from collections.abc import Iterable, Sequence
from importlib import import_module
from io import BytesIO
from typing import IO, Any, Self

from svckit.extras import needing

__all__ = ["ExcelSheet"]

MOST_ROWS, MOST_COLUMNS, LONGEST_CELL = 1_048_576, 16_384, 32_767  # of a sheet of Excel


class ExcelSheet:
    """An Excel file of one sheet, written row by row in little memory; leaving the context frees it.

    Args:
        name: the name of the sheet.
        headings: the headings; like all texts, they must be defused already.

    Raises:
        ModuleNotFoundError: openpyxl is missing.
        ValueError: there are more columns than a sheet holds.

    Examples:
        >>> file = BytesIO()
        >>> with ExcelSheet("people", ["name", "age"]) as sheet:
        ...     sheet.extend([("Mori", 41), ("Abe", None)])
        ...     sheet.save(file)
        >>> file.getvalue()[:2]
        b'PK'
    """

    def __init__(self, name: str, headings: Sequence[str]) -> None:
        with needing("An Excel file"):
            openpyxl = import_module("openpyxl")
        _check_size(len(headings), MOST_COLUMNS, "columns")
        self._headings = headings
        self._book = openpyxl.Workbook(write_only=True)
        self._sheet = self._book.create_sheet(name)
        self._rows = 0
        self.extend([headings])

    def extend(self, rows: Iterable[Sequence[Any]]) -> None:
        """Append rows; numbers and flags keep their types.

        Raises:
            ValueError: a text is too long for a cell, or there are more rows than a sheet holds.
        """
        for row in rows:
            self._rows += 1
            _check_size(self._rows, MOST_ROWS, "rows")
            self._check_lengths(row)
            self._sheet.append(row)

    def save(self, to: IO[bytes]) -> None:
        """Write the file."""
        self._book.save(to)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._sheet.closed:
            self.save(BytesIO())  # only this removes openpyxl's temporary file

    def _check_lengths(self, row: Sequence[Any]) -> None:
        for heading, cell in zip(self._headings, row, strict=True):
            if isinstance(cell, str) and len(cell) > LONGEST_CELL:
                raise ValueError(
                    f"a cell of Excel holds at most {LONGEST_CELL:,} characters; one of {heading} has {len(cell):,}: "
                    "write a .csv file, or leave the column out"
                )


def _check_size(given: int, limit: int, what: str) -> None:
    if given > limit:
        raise ValueError(
            f"a sheet of Excel holds at most {limit:,} {what}; given {given:,}: write a .csv file"
        )

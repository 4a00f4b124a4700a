"""A report of the rows of a sheet that cannot be sent or were refused, as an Excel file with the cells marked."""

from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any

from svckit.display.formulas import defuse
from svckit.extras import needing
from svckit.local_files import write_atomically

if TYPE_CHECKING:
    from svckit.edits.applied import Applied
    from svckit.edits.changes import Changes

__all__ = ["write_report"]

RED = "FFFFC7CE"
COLUMNS = ("row", "user_id", "column", "value", "limit", "problem")


def write_report(changes: "Changes | Applied", to: str | PathLike[str]) -> None:
    """Write the problems of changes to an Excel file, a row each; with the result of applying them, also what failed.

    The value is marked, or the row number if there is no value, and explained in a comment.

    Args:
        changes: the result of ``svc.users.diff`` or, for the users whose change was not made as well, of
            ``svc.users.apply``.
        to: the path of the file.

    Raises:
        ModuleNotFoundError: openpyxl is missing; it comes with the extra ``lab``.
        OSError: the file cannot be written.

    Examples:
        >>> import svckit, tempfile
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> changes = svc.users.diff({"user_id": "u-002", "telephone": "none"})
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     write_report(changes, f"{folder}/problems.xlsx")
    """
    with needing("An Excel file"):
        openpyxl = import_module("openpyxl")
        comments, styles = import_module("openpyxl.comments"), import_module("openpyxl.styles")

    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "problems"
    sheet.append(COLUMNS)
    red = styles.PatternFill("solid", fgColor=RED)
    found = changes.problems_frame().astype(object)
    for line in found.where(found.notna(), None).itertuples(index=False):
        sheet.append([defuse(cell) if isinstance(cell, str) else cell for cell in line])
        marked = "value" if isinstance(line.value, str) else "row"
        cell = sheet.cell(sheet.max_row, 1 + COLUMNS.index(marked))
        cell.fill = red
        cell.comment = comments.Comment(str(line.problem), "svckit")
    with write_atomically(to) as file:
        book.save(file)

"""Excel files with formats far from their values are read like others, in little memory, or refused."""

import tracemalloc
from functools import partial
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import openpyxl
import pytest
from openpyxl.styles import Font

from svckit import frames
from svckit.frames import excel_cells
from svckit.frames.origin import sheet_of

MEBIBYTE = 1024 * 1024


def make_file(*formatted, rows=(["user_id", "task"], ["u-001", "a"], [None, None], ["u-002", None])):
    """Return an Excel file with some values, and with formats in other cells."""
    book, file = openpyxl.Workbook(), BytesIO()
    for row in rows:
        book.active.append(row)
    for place in formatted:
        book.active[place].font = Font(bold=True)
    book.save(file)
    return file


@pytest.mark.parametrize("place", ["B262144", "XFD3", "XFD1"])
def test_format_far_from_the_values_costs_no_memory(place):
    file = make_file(place)
    frames.read_users(make_file(), format="xlsx")  # loads what it needs
    tracemalloc.start()
    people = frames.read_users(file, format="xlsx")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert people["user_id"].tolist() == ["u-001", "u-002"]
    assert people.columns.tolist() == ["user_id", "task"]
    assert peak < MEBIBYTE


def test_formats_of_too_many_cells_are_refused(monkeypatch):
    monkeypatch.setattr(excel_cells, "MOST_CELLS", 100)
    assert len(frames.read_users(make_file("A90"), format="xlsx")) == 2
    message = (
        "a worksheet may have up to 100 cells with a value or a format; this one has more: the last value so far is "
        "in row 4, and formats go on to row 99 and beyond. Delete the empty rows and columns around the values, or "
        "save the sheet as CSV"
    )
    with pytest.raises(ValueError, match=message):
        frames.read_users(make_file("A200"), format="xlsx")


def test_row_of_a_cell_below_a_gap_is_its_own():
    file = make_file(rows=[["user_id", "task"], *[[None, None]] * 500, ["u-001", "=1+1"]])
    people = frames.read_users(file, format="xlsx")
    assert people["user_id"].tolist() == ["u-001"]
    sheet = sheet_of(people)
    assert (sheet.rows, sheet.formulas) == ({"u-001": [502]}, {("u-001", "task")})


def test_values_of_a_column_without_a_heading_are_left_out():
    file = make_file(rows=[["user_id", "task"], ["u-001", "a", None, "=1+1"]])
    assert frames.read_users(file, format="xlsx").columns.tolist() == ["user_id", "task"]


def change_members(content, **changed):
    """Return a zip file with other members, by their names without the folder and the suffix; None leaves one out."""
    file = BytesIO()
    with ZipFile(BytesIO(content)) as before, ZipFile(file, "w") as after:
        for name in before.namelist():
            text = changed.get(Path(name).stem, before.read(name))
            if text is not None:
                after.writestr(name, text)
    return file.getvalue()


BOOK = make_file().getvalue()
EMPTY_ZIP = b"PK\x05\x06" + bytes(18)
TYPES = b"<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'/>"
UNREADABLE = {
    "csv": b"user_id,task\nu-001,Reception\n",
    "empty": b"",
    "with a password, or .xls": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504),
    "cut off": BOOK[: len(BOOK) // 2],
    "an empty zip": EMPTY_ZIP,
    "of another office program": change_members(BOOK, **{"[Content_Types]": TYPES}),
    "without its sheet": change_members(BOOK, sheet1=None),
    "with a sheet cut off": change_members(BOOK, sheet1=b"<worksheet><sheetData><row>"),
    "with a member changed": BOOK.replace(b"xl/workbook.xml", b"xl/workbBok.xml", 1),
}


@pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("read", [frames.read_users, partial(frames.read, kind="users")], ids=["edit", "any"])
def test_a_file_that_is_no_workbook_is_refused_with_what_to_do(content, read, tmp_path):
    file = tmp_path / "people.xlsx"
    file.write_bytes(content)
    message = (
        r"the file cannot be read as \.xlsx: it is of another format, was cut off, or has a password\. Open it in "
        r"Excel and save it again, as \.xlsx without a password or as CSV"
    )
    with pytest.raises(ValueError, match=f"^{message}$"):
        read(file)


def test_a_file_that_cannot_be_opened_says_so_itself(tmp_path, monkeypatch):
    file = tmp_path / "people.xlsx"
    with pytest.raises(FileNotFoundError, match=r"people\.xlsx"):
        frames.read(file, "users")

    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    file.write_bytes(BOOK)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(PermissionError, match=r"people\.xlsx"):
        frames.read_users(file)


@pytest.mark.parametrize(("rows", "header"), [((["user_id"], ["u-001"]), 3), ((), 1)])
def test_a_file_that_ends_before_its_headings_is_refused(rows, header):
    with pytest.raises(ValueError, match=f"^there are no headings: the file ends before row {header}$"):
        frames.read_users(make_file(rows=rows), format="xlsx", header=header)

"""Excel files with formats far from their values are read like others, in little memory, or refused."""

import tracemalloc
from io import BytesIO

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

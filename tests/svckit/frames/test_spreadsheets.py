"""Users to CSV and Excel and back: nothing is lost, nothing runs as a formula, nothing is guessed."""

from datetime import datetime
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import FakeService
from svckit import frames

TEXTS = [
    *("=1+1", "+81-3", "-1", "@x", "'=1", "''+", "'", "=", "\t=1", "\uff1d1", "'tis"),
    *("0312345678", "NA", "None", "null", "nan", "TRUE", "1.0", "2026-06-01", "1e5"),
    *(" padded ", "a,b", 'say "hi"', "two\nlines", "carriage\rreturn", "both\r\nends", "nul\x00", "bell\x07"),
    *("_x000D_", "_x0041_x0041_", "_x005F_", "佐藤", "\ufeffmark"),
]
TWO = ["user_id", "task"]
RECORDS = [{"userId": f"u-{number}", "nickName": text} for number, text in enumerate(TEXTS)]


def there_and_back(frame: pd.DataFrame, format: Any) -> pd.DataFrame:  # noqa: A002 - as the parameter it is for
    file = BytesIO()
    frames.write_users(frame, file, format=format)
    return frames.read_users(BytesIO(file.getvalue()))


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return frames.users(FakeService.sample(users=50, now="2026-06-01T09:00:00+09:00"), lists=True)


@pytest.mark.parametrize("name", ["people.csv", "people.xlsx", "PEOPLE.XLSX"])
def test_the_frame_comes_back_as_it_went(people: pd.DataFrame, tmp_path: Path, name: str) -> None:
    frames.write_users(people, tmp_path / name)
    pd.testing.assert_frame_equal(frames.read_users(tmp_path / name), people)


def test_what_pandas_writes_is_read_too(people: pd.DataFrame, tmp_path: Path) -> None:
    people.to_csv(tmp_path / "people.csv")
    pd.testing.assert_frame_equal(frames.read_users(tmp_path / "people.csv"), people)


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_every_text_comes_back(format: Any) -> None:  # noqa: A002 - as the parameter it is for
    frame = frames.users(RECORDS)
    assert there_and_back(frame, format)["nick_name"].tolist() == TEXTS


ANY = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
SPECIAL = st.text("'=+-@_x05FD\t\r\n a,\"\u3000\ufeff\uff1d", min_size=1, max_size=14)


@settings(deadline=None, max_examples=100)
@given(st.lists(ANY | SPECIAL, min_size=1, max_size=6))
def test_any_text_comes_back(texts: list[str]) -> None:
    frame = frames.users([{"userId": f"u-{n}", "task": text} for n, text in enumerate(texts)])[TWO]
    for format in ("csv", "xlsx"):  # noqa: A001 - as the parameter it is for
        assert there_and_back(frame, format)["task"].tolist() == texts


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_each_heading_comes_back(format: Any) -> None:  # noqa: A002 - as the parameter it is for
    names = ["user_id", *(text for text in TEXTS if text.strip())]
    frame = pd.DataFrame([["u-1", *("x" for _ in names[1:])]], columns=names, dtype="string")
    assert there_and_back(frame, format).columns.tolist() == names


def test_a_file_that_cannot_be_written_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "users.xlsx"
    path.write_text("before")
    wide = pd.DataFrame([["u-1"] * 16_385], columns=["user_id", *(f"c{number}" for number in range(16_384))])
    with pytest.raises(ValueError, match="at most 16,384 columns; given 16,385"):
        frames.write_users(wide, path)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("users.xlsx", "before")]


def test_what_a_spreadsheet_makes_of_what_people_type(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    names = [
        "user_id",
        "employee_number",
        "hired_date",
        "birthday",
        "searchable",
        "domain_id",
        "task",
        "notes",
    ]
    sheet.append(names)
    day = datetime(2020, 4, 1)
    sheet.append(["u-1", 12345, day, day, True, 10000001.0, None, 5])
    book.save(tmp_path / "typed.xlsx")
    row = frames.read_users(tmp_path / "typed.xlsx").iloc[0]
    assert row[["employee_number", "birthday", "notes"]].tolist() == ["12345", "2020-04-01", "5"]
    assert (row["hired_date"], row["searchable"], row["domain_id"]) == (pd.Timestamp(day), True, 10000001)
    assert pd.isna(row["task"])


def test_a_column_with_a_cell_that_does_not_fit_keeps_its_text() -> None:
    text = "user_id,hired_date,searchable\nu-1,2020-04-01,yes\nu-2,soon,NO\n"
    frame = frames.read_users(StringIO(text))
    assert frame["hired_date"].tolist() == ["2020-04-01", "soon"]
    assert frame["searchable"].tolist() == [True, False]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"name;task\nu-1;x\n", "no column user_id"),
        (
            b"id,nick_name\nu-1,Mina\n",
            r"are id, nick_name\. Map one to it with the option columns, or choose among .* with the option key$",
        ),
        (
            b"user_id|nick_name\nu-1|x\n",
            "user_id.nick_name. The cells of a CSV file must be separated by commas$",
        ),
        ("user_id,task\nu-001,営業\n".encode("cp932"), "not UTF-8"),
        ("user_id,task\nu-001,x\n".encode("utf-16-le"), "no column user_id"),
        (b"", "^there are no headings: the file ends before row 1$"),
        (b"user_id,task\nu-001,Sales, East\n", "more cells than columns.*in quotes"),
        (b"user_id,task\nu-001,Sales\nu-002,Sales, East\n", "line 3.*in quotes"),
    ],
)
def test_a_file_that_would_be_read_wrong_is_refused(content: bytes, why: str, tmp_path: Path) -> None:
    file = tmp_path / "users.csv"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=why):
        frames.read_users(file)


def test_other_files_are_refused(people: pd.DataFrame, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.csv or \.xlsx; given 'users\.ods'"):
        frames.write_users(people, tmp_path / "users.ods")


def test_a_cell_of_excel_may_be_as_long_as_excel_takes(tmp_path: Path) -> None:
    longest = pd.DataFrame({"user_id": ["u-1"], "notes": ["x" * 32_767]})
    frames.write_users(longest, tmp_path / "users.xlsx")
    assert frames.read_users(tmp_path / "users.xlsx")["notes"].tolist() == ["x" * 32_767]
    with pytest.raises(ValueError, match="one of notes has 32,768"):
        frames.write_users(longest.assign(notes="x" * 32_768), tmp_path / "users.xlsx")


def test_a_csv_file_says_that_it_is_utf_8(tmp_path: Path) -> None:
    """Excel takes it for the local encoding otherwise, and garbles what is not ASCII."""
    frames.write_users([{"userId": "u-1", "nickName": "佐藤"}], tmp_path / "users.csv")
    content = (tmp_path / "users.csv").read_bytes()
    assert content.startswith(b"\xef\xbb\xbfuser_id,")
    assert "佐藤".encode() in content

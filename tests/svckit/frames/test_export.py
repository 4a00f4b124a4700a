"""Tables as files: values that read back, and no formula for a spreadsheet to run."""

import csv
import json
from datetime import datetime
from io import BytesIO, StringIO
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import to_json

from svckit.display.formulas import defuse, defuse_all
from svckit.frames import export as table_export
from svckit.frames.export import copy, export_to_bytes

FRAME = pd.DataFrame(
    {
        "id": pd.array(["u-1", None], dtype="string"),
        "task": ['=HYPERLINK("x")', "a\r\nb, c"],
        "size": pd.array([-1, None], dtype="Int64"),
        "share": [0.5, float("inf")],
        "on": pd.array([True, None], dtype="boolean"),
        "day": pd.to_datetime(["2026-06-01", None]),
        "at": pd.to_datetime(["2026-06-01T09:00:00Z", None]),
        "list": [["=1", 2], {"a": None}],
    }
)


def test_what_is_not_finite_is_text_in_json() -> None:
    assert [row["share"] for row in json.loads(export_to_bytes(FRAME, "json"))] == [0.5, "inf"]


BLANK = " \t\u3000\xa0\u200b\ufeff'\""
SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20\ufe66"


@given(st.lists(st.text(alphabet=f"{SIGNS}{BLANK}a,\r\n", max_size=5), min_size=1))
def test_no_cell_of_a_csv_file_is_a_formula(texts: list[str]) -> None:
    file = export_to_bytes(pd.DataFrame({"\u3000=id": texts}), "csv")
    rows = [*csv.reader(StringIO(file.decode("utf-8-sig"), newline=""))]
    assert len(rows) == len(texts) + 1
    for cell in (cell for row in rows for cell in row):
        assert cell[:1] == "'" or not cell.strip(BLANK + "\n").startswith(tuple(SIGNS))
        assert cell[:1] not in {"\t", "\r"}


@pytest.mark.parametrize("before", ["", " ", "\u3000", '"', "'", "\ufeff", "\n", '" '])
@pytest.mark.parametrize("sign", SIGNS)
def test_blanks_and_quotes_do_not_hide_a_formula(before: str, sign: str) -> None:
    assert defuse(f"{before}{sign}1+1").startswith("'")
    assert defuse_all(["a", None, f"{before}{sign}1+1"])[2] == defuse(f"{before}{sign}1+1")


COLUMNS: dict[str, tuple[st.SearchStrategy[Any], str]] = {
    "text": (st.text(max_size=6), "string"),
    "whole": (st.integers(-(2**63), 2**63 - 1), "Int64"),
    "positive": (st.integers(0, 2**64 - 1), "UInt64"),
    "huge": (st.integers(), "object"),
    "share": (st.floats(allow_nan=False, allow_infinity=False), "Float64"),
    "flag": (st.booleans(), "boolean"),
    "kind": (st.sampled_from(["a", "=1", "佐藤"]), "category"),
    "list": (st.lists(st.integers() | st.text(max_size=2), max_size=2), "object"),
    "at": (st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1)), "datetime64[us, UTC]"),
    "there": (st.datetimes(datetime(1990, 1, 1), datetime(2030, 1, 1)), "datetime64[us, Asia/Tokyo]"),
    "plain": (st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1)), "datetime64[us]"),
}


@st.composite
def frames_of_any_kind(draw: st.DrawFn) -> pd.DataFrame:
    count = draw(st.integers(0, 5))
    columns = {}
    for name, (cells, dtype) in COLUMNS.items():
        values = draw(st.lists(st.none() | cells, min_size=count, max_size=count))
        column = pd.Series(values, dtype="object")
        if "datetime" in dtype:
            plain = pd.Series(pd.to_datetime(column)).astype("datetime64[us]")
            zone = dtype.partition(", ")[2].rstrip("]")
            columns[name] = plain.dt.tz_localize(zone) if zone else plain
        else:
            columns[name] = column.astype(dtype)
    return pd.DataFrame(columns)


@settings(deadline=None)
@given(frames_of_any_kind(), st.integers(1, 3))
def test_json_reads_back_exactly(frame: pd.DataFrame, rows: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_export, "PIECE", rows)
        read = json.loads(export_to_bytes(frame, "json"))
    assert len(read) == len(frame)
    for name, (_, dtype) in COLUMNS.items():
        found, wanted = [row[name] for row in read], [as_python(value) for value in frame[name]]
        if "datetime" in dtype:
            found = [each and pd.Timestamp(each) for each in found]
            assert [each and each.utcoffset() for each in found] == [
                each and each.utcoffset() for each in wanted
            ]
        assert [(type(each), each) for each in found] == [(type(each), each) for each in wanted]


def as_python(value: Any) -> Any:
    """A cell as Python has it; None for a missing one."""
    if not isinstance(value, list) and pd.isna(value):
        return None
    return value.item() if isinstance(value, np.generic) else value


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="csv, xlsx, json; given 'xls'"):
        export_to_bytes(FRAME, "xls")  # type: ignore[arg-type]


@pytest.mark.parametrize("storage", ["pyarrow", "python"])
@settings(deadline=None, max_examples=25)
@given(frame=frames_of_any_kind(), texts=st.lists(st.text(alphabet='a,"\t\n\r= ', max_size=3) | st.none()))
def test_csv_is_as_the_csv_module_writes_it(
    storage: Any, frame: pd.DataFrame, texts: list[str | None]
) -> None:
    for part in (
        frame,
        pd.DataFrame({'"one", with a comma': pd.array(texts, dtype=pd.StringDtype(storage))}),
    ):
        cells = json.loads(export_to_bytes(part.rename(columns=defuse), "json"))
        file = StringIO()
        lines = csv.writer(file)
        lines.writerow([defuse(name) for name in part])
        lines.writerows([map(as_csv, row.values()) for row in cells])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(table_export, "PIECE", 1)
            patch.setattr(table_export, "BLOCK", 3)
            assert export_to_bytes(part, "csv").decode("utf-8-sig") == file.getvalue()


def as_csv(value: Any) -> Any:
    """A JSON value as a cell of CSV."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return defuse(value)
        case list():
            return defuse(to_json(value).decode())
    return value


def test_excel_keeps_numbers_and_flags_and_has_no_formula() -> None:
    frame = FRAME.assign(big=[2**53 + 1, 1]).rename(columns={"big": "=1+1"})
    sheet = openpyxl.load_workbook(BytesIO(export_to_bytes(frame, "xlsx")))["rows"]
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert rows[0] == [*FRAME.columns, "'=1+1"]
    at = ["2026-06-01", "2026-06-01T09:00:00Z"]
    assert rows[1] == ["u-1", '\'=HYPERLINK("x")', -1, "0.5", True, *at, '["=1",2]', "9007199254740993"]
    assert rows[2] == [None, "a_x000D_\nb, c", None, "inf", None, None, None, '{"a":null}', "1"]


def test_what_excel_cannot_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    long = pd.DataFrame({"task": ["x" * 32_768]})
    with pytest.raises(ValueError, match="at most 32,767 characters; one of task has 32,768"):
        export_to_bytes(long, "xlsx")
    monkeypatch.setattr(table_export, "MOST_ROWS", 2)
    with pytest.raises(ValueError, match=r"at most 2 rows; given 3: write a \.csv file"):
        export_to_bytes(FRAME, "xlsx")


def test_copied_rows_paste_as_rows() -> None:
    pasted = pd.read_csv(StringIO(copy(FRAME[["id", "task", "size"]])), sep="\t", keep_default_na=False)
    assert pasted.to_numpy().tolist() == [["u-1", '\'=HYPERLINK("x")', "-1"], ["", "a_x000D_\nb, c", ""]]

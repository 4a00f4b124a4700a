"""Tables as files: values that read back, and no formula for a spreadsheet to run."""

import csv
import json
from datetime import datetime
from io import StringIO
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svckit.frames.spreadsheets import defuse, defuse_all
from svckit.widgets.table import export as table_export
from svckit.widgets.table.export import export_to_bytes

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


def test_csv() -> None:
    assert export_to_bytes(FRAME, "csv").decode("utf-8-sig").split("\r\n") == [
        "id,task,size,share,on,day,at,list",
        'u-1,"\'=HYPERLINK(""x"")",-1,0.5,true,2026-06-01T00:00:00,2026-06-01T09:00:00Z,"[""=1"",2]"',
        ',"a_x000D_\nb, c",,inf,,,,"{""a"":null}"',
        "",
    ]


def test_json() -> None:
    first, second = json.loads(export_to_bytes(FRAME, "json"))
    assert first["task"] == '=HYPERLINK("x")'
    assert (first["size"], first["on"], first["at"]) == (-1, True, "2026-06-01T09:00:00Z")
    assert (second["id"], second["share"], second["list"]) == (None, "inf", {"a": None})


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
    with pytest.raises(ValueError, match="csv or json; given 'xlsx'"):
        export_to_bytes(FRAME, "xlsx")  # type: ignore[arg-type]

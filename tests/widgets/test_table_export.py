"""Tables as files: values that read back, and no formula for a spreadsheet to run."""

import json
from io import BytesIO

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svckit.widgets.table_export import exported

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
    assert exported(FRAME, "csv").decode("utf-8-sig").split("\r\n") == [
        "id,task,size,share,on,day,at,list",
        'u-1,"\'=HYPERLINK(""x"")",-1,0.5,true,2026-06-01T00:00:00,2026-06-01T09:00:00Z,"[""=1"",2]"',
        ',"a_x000D_\nb, c",,inf,,,,"{""a"":null}"',
        "",
    ]


def test_json() -> None:
    first, second = json.loads(exported(FRAME, "json"))
    assert first["task"] == '=HYPERLINK("x")'
    assert (first["size"], first["on"], first["at"]) == (-1, True, "2026-06-01T09:00:00Z")
    assert (second["id"], second["share"], second["list"]) == (None, "inf", {"a": None})


@given(st.lists(st.text(alphabet="=+-@\t\uff1d'a,\n\"", max_size=5), min_size=1))
def test_no_cell_of_a_csv_file_is_a_formula(texts: list[str]) -> None:
    file = exported(pd.DataFrame({"=id": texts}), "csv")
    read = pd.read_csv(BytesIO(file), keep_default_na=False, dtype=str, skip_blank_lines=False)
    cells = [*read.columns, *read.iloc[:, 0]]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\uff1d"))]


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="csv or json; given 'xlsx'"):
        exported(FRAME, "xlsx")  # type: ignore[arg-type]

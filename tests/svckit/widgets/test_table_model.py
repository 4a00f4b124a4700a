"""The engine of a table, against the plainest way to say the same."""

from datetime import datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svckit.widgets.base.folding import fold, sort_key
from svckit.widgets.table.cells import column_text, text
from svckit.widgets.table.column import Choice, TableColumn
from svckit.widgets.table.model import TableModel
from svckit.widgets.table.summaries import Summary, summarize

from .test_table_filters import PEOPLE, keys

CELLS = st.none() | st.text(alphabet="abAB ßéカｶ\n12", max_size=4)
FRAMES = st.lists(st.tuples(CELLS, CELLS, st.none() | st.integers(-3, 3)), max_size=25).map(
    lambda rows: pd.DataFrame(rows, columns=["left", "right", "number"]).astype(
        {"left": "string", "right": "string", "number": "Int64"}
    )
)


def people(**options: object) -> TableModel:
    return TableModel(PEOPLE, key="id", columns=["id", "name", "age", "rank"], **options)  # type: ignore[arg-type]


def all_keys(table: TableModel) -> list[str]:
    found = []
    for page in range(1, table.page_count + 1):
        table.go_to(page)
        found += keys(table)
    return found


@settings(deadline=None)
@given(FRAMES, st.text(alphabet="abß カ1", max_size=3), st.integers(1, 7))
def test_pages_partition_the_rows_a_naive_search_finds(
    frame: pd.DataFrame, query: str, page_size: int
) -> None:
    table = TableModel(frame, page_size=page_size)
    table.search(query)
    naive = [
        f"#{number}"
        for number, row in enumerate(zip(*(column_text(frame[name]) for name in frame), strict=True), start=1)
        if all(any(word in fold(cell) for cell in row) for word in map(fold, query.split()))
    ]
    assert all_keys(table) == naive
    assert table.matched == len(naive)


@settings(deadline=None)
@given(FRAMES, st.sampled_from(["left", "right", "number"]), st.booleans(), st.sampled_from(["", "a"]))
def test_sorting_is_stable_with_blanks_last(
    frame: pd.DataFrame, column: str, ascending: bool, query: str
) -> None:
    table = TableModel(frame, page_size=100)
    table.search(query)
    before = keys(table)
    table.sort(column, ascending=ascending)

    def cell(key: str) -> object:
        value = frame[column].iloc[int(key[1:]) - 1]
        return None if value is pd.NA else sort_key(value) if isinstance(value, str) else value

    filled = [key for key in before if cell(key) not in {None, ""}]
    blank = [key for key in before if cell(key) in {None, ""}]
    assert keys(table) == sorted(filled, key=cell, reverse=not ascending) + blank  # type: ignore[arg-type]


@given(st.lists(st.none() | st.sampled_from(["a", "#1", "#2", "#1#2"]), max_size=6))
def test_every_row_has_a_key_of_its_own(names: list[str | None]) -> None:
    table = TableModel(pd.DataFrame({"id": pd.array(names, dtype="string")}), key="id")
    assert len(set(table.keys)) == len(names)
    assert [table.position(key) for key in table.keys] == list(range(len(names)))


def test_rows_to_copy_are_the_selected_ones_or_the_page() -> None:
    table = people(page_size=2, many=True)
    table.sort("name")
    assert table.rows_to_copy()["id"].tolist() == ["u-2", "u-4"]
    table.select("u-1", "u-2")
    table.search("low")
    assert table.rows_to_copy()["id"].tolist() == ["u-2", "u-1"]
    assert list(table.rows_to_copy().columns) == ["id", "name", "age", "rank"]


def test_summaries_count_the_matching_rows() -> None:
    table = people()
    assert table.summaries() == {
        "id": Summary(4, 0, 4, ()),
        "name": Summary(3, 1, 3, ()),
        "age": Summary(3, 1, 2, (Choice("20 to 21", 1), *map(no_rows, range(22, 30, 2)), Choice("30", 2))),
        "rank": Summary(3, 1, 2, (Choice("low", 2), Choice("high", 1))),
    }
    table.filter("rank", choices=["low"])
    assert table.summaries()["rank"] == Summary(2, 0, 1, (Choice("low", 2),))
    table.search("zz")
    assert set(table.summaries().values()) == {Summary(0, 0, 0, ())}


def no_rows(start: int) -> Choice:
    return Choice(f"{start} to {start + 1}", 0)


@pytest.mark.parametrize(
    ("cells", "bars"),
    [
        (pd.Series([0.0, 1.0, float("inf"), None]), ["0 to 0.125", "0.875 to 1"]),
        (pd.Series([1, 10], dtype="Int64"), ["1 to 2", "9 to 10"]),
        (pd.Series([3, 1], dtype="int8"), ["1", "3"]),
        (
            pd.to_datetime(pd.Series(["2026-06-01", "2026-06-16"])),
            ["2026-06-01 to 2026-06-02", "2026-06-15 to 2026-06-16"],
        ),
        (
            pd.to_datetime(pd.Series(["2026-06-01T09:00Z", "2026-06-01T10:00Z"])).dt.tz_convert("Asia/Tokyo"),
            ["2026-06-01 18:00:00 to 2026-06-01 18:07:30", "2026-06-01 18:52:37 to 2026-06-01 19:00:00"],
        ),
        (pd.Series([True, False, True]), ["yes", "no"]),
        (pd.Series([["a"], ["a"], ["b"]]), ["a", "b"]),
    ],
)
def test_bars_go_from_the_smallest_to_the_largest_value(cells: "pd.Series[Any]", bars: list[str]) -> None:
    found = summarize(TableColumn(cells), np.arange(len(cells))).bars
    assert [found[0].text, found[-1].text] == bars
    assert min(found[0].rows, found[-1].rows) >= 1


@pytest.mark.parametrize(
    ("column", "ascending", "expected"),
    [
        ("rank", True, ["u-1", "u-3", "u-2", "u-4"]),
        ("rank", False, ["u-2", "u-1", "u-3", "u-4"]),
        (None, True, ["u-1", "u-2", "u-3", "u-4"]),
    ],
)
def test_sort(column: str | None, ascending: bool, expected: list[str]) -> None:
    table = people()
    table.sort("age")
    table.sort(column, ascending=ascending)
    assert keys(table) == expected


def test_a_selection_survives_every_step() -> None:
    table = people(page_size=2)
    table.select("u-3")
    table.sort("name")
    table.search("mori")
    assert table.selected == "u-3"
    assert not table.reveal("u-3")
    table.search("")
    assert table.reveal("u-3")
    assert (table.page, keys(table)) == (2, ["u-1", "u-3"])


def test_pages_stay_within_the_ends() -> None:
    table = people(page_size=3)
    table.go_to(99)
    assert (table.page, table.first, table.last) == (2, 4, 4)
    table.go_to(-1)
    assert table.page == 1
    table.go_to(2)
    table.search("o")
    assert table.page == 1
    table.search("zz")
    assert (table.matched, table.page_rows(), table.page_count, table.first, table.last) == (0, [], 1, 0, 0)


def test_wrong_input_is_refused_and_changes_nothing() -> None:
    table = people()
    with pytest.raises(ValueError, match="'height' is not a column of this table; its columns are id, name"):
        table.sort("height")
    with pytest.raises(KeyError, match="no row has the key 'u-9'"):
        table.select("u-9")
    assert (table.sorted_by, table.selected) == (None, None)
    with pytest.raises(ValueError, match="no column 'height'; it has id, name"):
        TableModel(PEOPLE, columns=["height"])
    with pytest.raises(ValueError, match="at least 1 row; given 0"):
        people(page_size=0)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (pd.NA, ""),
        (pd.NaT, ""),
        (float("nan"), ""),
        (np.int64(7), "7"),
        ({"a": 1}, "{'a': 1}"),
        (("a", None, 2), "a, , 2"),
        (pd.Timestamp("2026-06-01T09:00:00+09:00"), "2026-06-01 09:00:00+09:00"),
        (pd.Timestamp("2026-06-01T00:00:00Z"), "2026-06-01 00:00:00Z"),
        (pd.Timestamp("2026-06-01 12:30"), "2026-06-01 12:30:00"),
        (pd.Timestamp("2026-06-01").date(), "2026-06-01"),
    ],
)
def test_cell_text(value: object, expected: str) -> None:
    assert text(value) == expected


def test_column_text_of_every_kind() -> None:
    assert column_text(PEOPLE["rank"]) == ["low", "high", "low", ""]
    assert column_text(PEOPLE["age"]) == ["30", "", "20", "30"]
    assert column_text(PEOPLE["name"]) == ["Mori", "\uff41\uff42\uff45", "", "Kato"]
    assert column_text(pd.Series([True, None], dtype="boolean")) == ["yes", ""]


@pytest.mark.parametrize("zone", [None, "UTC", "Asia/Tokyo", "America/St_Johns", "Europe/London"])
@settings(deadline=None)
@given(moments=st.lists(st.none() | st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1)), max_size=5))
def test_many_instants_are_written_as_each_is(zone: str | None, moments: list[datetime | None]) -> None:
    whole = [each and each.replace(hour=0, minute=0, second=0, microsecond=0) for each in moments]
    column = pd.Series([*moments, *whole, None], dtype="datetime64[us]").dt.tz_localize(
        zone, nonexistent="NaT", ambiguous="NaT"
    )
    assert column_text(column) == [text(value) for value in column.astype(object)]

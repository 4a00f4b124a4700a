"""Filters of columns, the choices they offer, hidden columns and selections, without any widget."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from svckit.widgets.table.model import TableModel

PEOPLE = pd.DataFrame(
    {
        "id": ["u-1", "u-2", "u-3", "u-4"],
        "name": ["Mori", "\uff41\uff42\uff45", None, "Kato"],
        "age": pd.array([30, None, 20, 30], dtype="Int64"),
        "rank": pd.Categorical(["low", "high", "low", None], categories=["low", "mid", "high"], ordered=True),
        "active": pd.array([True, False, None, True], dtype="boolean"),
        "hired": pd.to_datetime(["2026-06-01", None, "2026-06-30", "2026-07-01"]),
        "seen": pd.to_datetime(
            ["2026-06-01T09:00Z", None, "2026-06-30T23:30Z", "2026-07-01T00:00Z"], format="ISO8601"
        ),
    }
)


@pytest.fixture
def table() -> TableModel:
    return TableModel(PEOPLE, key="id", many=True)


def keys(table: TableModel) -> list[str]:
    return [row.key for row in table.page_rows()]


@pytest.mark.parametrize(
    ("column", "conditions", "expected"),
    [
        ("rank", {"choices": ["low"]}, ["u-1", "u-3"]),
        ("rank", {"choices": ["high", ""]}, ["u-2", "u-4"]),
        ("rank", {"choices": []}, []),
        ("active", {"choices": ["yes"]}, ["u-1", "u-4"]),
        ("name", {"contains": "AB"}, ["u-2"]),
        ("name", {"missing": True}, ["u-3"]),
        ("name", {"missing": False}, ["u-1", "u-2", "u-4"]),
        ("age", {"low": 25}, ["u-1", "u-4"]),
        ("age", {"high": "20"}, ["u-3"]),
        ("age", {"low": 20, "high": 30, "missing": False}, ["u-1", "u-3", "u-4"]),
        ("age", {"contains": "3"}, ["u-1", "u-4"]),
        ("hired", {"low": "2026-06-02", "high": "2026-06-30"}, ["u-3"]),
        ("hired", {"high": pd.Timestamp("2026-06-01")}, ["u-1"]),
        ("seen", {"high": "2026-06-30"}, ["u-1", "u-3"]),
        ("seen", {"low": "2026-06-30T09:00Z", "high": "2026-06-30"}, ["u-3"]),
        ("seen", {"low": "2026-07-01T09:00:00+09:00"}, ["u-4"]),
        ("seen", {"high": "2026-06-30 23:00"}, ["u-1"]),
    ],
)
def test_filter(table: TableModel, column: str, conditions: dict[str, Any], expected: list[str]) -> None:
    table.filter(column, **conditions)
    assert keys(table) == expected
    table.filter(column)
    assert (table.filters, table.matched) == ({}, 4)


def test_filters_hold_together_with_the_search_and_the_order(table: TableModel) -> None:
    table.sort("age")
    table.filter("rank", choices=["low"])
    table.filter("age", low=1)
    assert keys(table) == ["u-3", "u-1"]
    table.search("mori")
    assert keys(table) == ["u-1"]
    assert table.filters["age"].words == "from 1"


def test_choices_are_counted_among_what_everything_else_keeps(table: TableModel) -> None:
    table.filter("rank", choices=["high"])
    assert table.choices("rank") == [("low", 2), ("mid", 0), ("high", 1), ("", 1)]
    table.filter("age", low=25)
    assert table.choices("rank") == [("low", 1), ("mid", 0), ("high", 0), ("", 1)]
    table.search("kato")
    assert table.choices("rank") == [("low", 0), ("mid", 0), ("high", 0), ("", 1)]
    table.filter("rank")
    table.filter("age")
    table.search("")
    assert table.choices("active") == [("no", 1), ("yes", 2), ("", 1)]
    assert table.choices("name") == [("\uff41\uff42\uff45", 1), ("Kato", 1), ("Mori", 1), ("", 1)]


def test_what_has_too_many_different_cells_offers_no_choices() -> None:
    frame = pd.DataFrame({"few": ["a", "b"] * 20, "many": [f"n{number}" for number in range(40)], "size": 1})
    table = TableModel(frame)
    assert [table.column(name).offers_choices for name in frame] == [True, False, False]


@pytest.mark.parametrize(
    ("column", "conditions", "message"),
    [
        ("height", {"low": 1}, "'height' is not a column of this table; its columns are id, name"),
        ("name", {"low": 1}, "name holds neither numbers nor times, so it has no range"),
        ("rank", {"choices": "low"}, "choices are a list of texts; given the text 'low'"),
        ("active", {"choices": [True]}, "choices are texts of cells"),
        ("age", {"low": "old"}, "age is filtered by numbers, such as 10; given 'old'"),
        ("age", {"high": float("nan")}, "age is filtered by numbers"),
        ("age", {"low": 3, "high": 2}, "a range goes from low to high; 3 comes after 2"),
        ("hired", {"low": "2026-06-02", "high": "2026-06-01"}, "2026-06-02 comes after 2026-06-01"),
        ("hired", {"low": "soon"}, "hired is filtered by days or times, such as 2026-06-01; given 'soon'"),
        ("hired", {"low": 20260601}, "hired is filtered by days or times"),
        ("hired", {"low": "2026-06-01T09:00:00+09:00"}, "hired holds times without an offset"),
    ],
)
def test_a_filter_that_does_not_fit_changes_nothing(
    table: TableModel, column: str, conditions: dict[str, Any], message: str
) -> None:
    table.filter("rank", choices=["low"])
    before = dict(table.filters)
    with pytest.raises(ValueError, match=message):
        table.filter(column, **conditions)
    assert (table.filters, keys(table)) == (before, ["u-1", "u-3"])


def test_selecting_one() -> None:
    table = TableModel(PEOPLE, key="id")
    table.toggle("u-1")
    table.select_range("u-3")
    assert table.selection == ("u-3",)
    with pytest.raises(ValueError, match="one row can be selected; given 2"):
        table.select("u-1", "u-2")
    with pytest.raises(ValueError, match="one row can be selected"):
        table.select_all()
    assert table.selection == ("u-3",)


def test_new_page_size_keeps_the_first_row_in_sight(table: TableModel) -> None:
    table.page_size = 1
    table.go_to(4)
    table.page_size = 3
    assert table.page == 2
    for wrong in (0, True, "3"):
        with pytest.raises(ValueError, match="at least 1 row"):
            table.page_size = wrong  # type: ignore[assignment]
    assert table.page_size == 3


def test_a_category_that_repeats_a_text_is_counted_once() -> None:
    column = pd.Series(pd.Categorical([1, "1", ""], categories=[1, "1", ""]), name="odd")
    table = TableModel(pd.DataFrame({"odd": column}))
    assert table.choices("odd") == [("1", 2), ("", 1)]
    assert table.column("odd").blank.tolist() == [False, False, True]
    assert np.count_nonzero(table.column("odd").ranks >= 0) == 2

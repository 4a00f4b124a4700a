"""The code for a view, run on the same frame, gives the rows of the view."""

import warnings
from typing import Any

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from svckit.widgets.table.code import code_of
from svckit.widgets.table.model import TableModel

WORDS = st.text(alphabet="abAB ßéカｶ\n12\"'\\.*+?^$|()[]{}%", max_size=4)
CELLS = {
    "text": (st.none() | WORDS, "string"),
    "mixed": (st.none() | WORDS | st.integers(-2, 2) | st.booleans(), "object"),
    "number": (st.none() | st.integers(-3, 3), "Int64"),
    "share": (st.none() | st.floats(-2, 2, width=16), "float64"),
    "flag": (st.none() | st.booleans(), "boolean"),
    "level": (st.none() | st.sampled_from("abc"), pd.CategoricalDtype(["c", "a", "b"], ordered=True)),
    "kind": (st.none() | st.sampled_from(["a", "ß", "ｶ"]), pd.CategoricalDtype(["ｶ", "ß", "a"])),
    "code": (st.none() | st.integers(1, 3), pd.CategoricalDtype([3, 1, 2])),
    "day": (
        st.none() | st.dates(pd.Timestamp("2026-05-30").date(), pd.Timestamp("2026-06-03").date()),
        "datetime64[us]",
    ),
    "instant": (
        st.none()
        | st.datetimes(pd.Timestamp("2026-05-31"), pd.Timestamp("2026-06-02")).map(lambda at: f"{at}+00:00"),
        "datetime64[us, UTC]",
    ),
}
BOUNDS: dict[str, st.SearchStrategy[Any]] = {
    "number": st.integers(-3, 3) | st.floats(-3, 3),
    "share": st.floats(-2, 2),
    "day": st.sampled_from(["2026-05-31", "2026-06-01", "2026-06-01 12:00"]),
    "instant": st.sampled_from(["2026-05-31", "2026-06-01", "2026-06-01T12:00:00+09:00"]),
    "there": st.sampled_from(
        ["2026-05-31", "2026-06-01", "2026-06-01T00:00:00Z", "2026-06-01T12:00:00+09:00"]
    ),
}


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    count = draw(st.integers(0, 8))
    columns = {
        name: pd.Series(draw(st.lists(cells, min_size=count, max_size=count)), dtype=object)
        for name, (cells, _) in CELLS.items()
    }
    frame = pd.DataFrame(columns)
    for name, (_, dtype) in CELLS.items():
        if "datetime" in str(dtype):
            utc = "UTC" in str(dtype)
            frame[name] = pd.to_datetime(frame[name], utc=utc, format="ISO8601").astype(dtype)
        else:
            frame[name] = frame[name].astype(dtype)
    frame["there"] = frame["instant"].dt.tz_convert("Asia/Tokyo")
    frame['it\'s "that" [1].*'] = frame["text"].astype(object).mask(frame["text"].isna(), None)
    index = draw(st.permutations(range(count)))
    frame.index = pd.Index(index)
    return frame


@st.composite
def views(draw: st.DrawFn) -> TableModel:
    """A table after a few steps, as somebody might take them."""
    table = TableModel(draw(frames()), page_size=100)
    names = list(table.frame.columns)
    table.show(draw(st.lists(st.sampled_from(names), min_size=1, unique=True)))
    for name in draw(st.lists(st.sampled_from(names), max_size=3, unique=True)):
        conditions: dict[str, Any] = {}
        if draw(st.booleans()):
            texts = [choice.text for choice in table.choices(name)]
            conditions["choices"] = draw(st.lists(st.sampled_from([*texts, "a", "yes"]), max_size=3))
        if draw(st.booleans()):
            conditions["contains"] = draw(WORDS)
        if draw(st.booleans()):
            conditions["missing"] = draw(st.booleans())
        if name in BOUNDS:
            conditions[draw(st.sampled_from(["low", "high"]))] = draw(BOUNDS[name])
        table.filter(name, **conditions)
    table.search(draw(st.just("") | WORDS))
    table.sort(draw(st.none() | st.sampled_from(names)), ascending=draw(st.booleans()))
    return table


@settings(max_examples=120, deadline=None)
@given(views())
def test_the_code_gives_the_rows_of_the_view(table: TableModel) -> None:
    space: dict[str, Any] = {"frame": table.frame}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(code_of(table), space)
    rows, shown = space["rows"], table.rows()
    assert list(rows.index) == list(shown.index)
    pd.testing.assert_frame_equal(rows, shown)


def test_code_reads_like_something_one_would_write() -> None:
    frame = pd.DataFrame(
        {
            "id": pd.array(["u-1"], dtype="string"),
            "name": pd.array(["Mori"], dtype="string"),
            "state": pd.Categorical(["active"]),
        }
    )
    table = TableModel(frame)
    table.filter("state", choices=["active"])
    table.search("Mo 1")
    table.sort("name")
    table.show(["id", "name"])
    assert code_of(table, "users").partition("\n\nrows")[2].splitlines() == [
        " = users",
        "words = folded(rows)",
        'rows = rows[words.str.contains("mo", regex=False) & words.str.contains("1", regex=False)]',
        'rows = rows[rows["state"].isin(["active"])]',
        (
            'rows = rows.sort_values("name", key=lambda cells: sort_keys(rows, cells.name), kind="stable", '
            'na_position="last")'
        ),
        'rows = rows[["id", "name"]]',
    ]

"""The live table's Python side: requests from the browser, the three faces, what is left after closing."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from svckit.widgets import PagedTable

from .conftest import ask

LIVE = "application/vnd.jupyter.widget-view+json"
EVIL = "<img src=x onerror=alert(1)>"
FRAME = pd.DataFrame(
    {
        "id": [f"r-{number}" for number in range(1, 26)],
        "name": [EVIL if number == 1 else f"name {number:02}" for number in range(1, 26)],
        "size": pd.array([None if number == 2 else number for number in range(1, 26)], dtype="Int64"),
    }
)


@pytest.fixture
def table() -> PagedTable:
    return PagedTable(FRAME, key="id", caption="Rows", badge="FAKE", note="A note & more")


def test_the_first_search_in_very_many_rows_is_prepared_meanwhile() -> None:
    large = PagedTable(pd.concat([FRAME] * 1_000, ignore_index=True), key="id")
    large._preparing.wait()
    assert not large._preparing.is_running
    assert all("folded" in vars(large.model.column(name)) for name in FRAME)
    large.search("name 02")
    assert large.model.matched == 1_000
    large.replace(FRAME)
    assert large.model.matched == 1


def keys(view: dict[str, Any]) -> list[str]:
    return [row["key"] for row in view["rows"]]


def selected(view: dict[str, Any]) -> list[str]:
    return [row["key"] for row in view["rows"] if row["selected"]]


def test_the_first_view(table: PagedTable) -> None:
    assert keys(table.view) == [f"r-{number}" for number in range(1, 11)]
    assert table.view["status"] == "Rows 1–10 of 25"
    assert [column["label"] for column in table.view["columns"]] == ["ID", "Name", "Size"]
    assert [column["numeric"] for column in table.view["columns"]] == [False, False, True]


def test_searching(table: PagedTable) -> None:
    assert (
        ask(table, do="write", field="query", text="NAME r-2")["status"]
        == "Rows 1–7 of 7 that match, 25 in all"
    )
    assert ask(table, do="write", field="query", text="zzz")["status"] == "No row of 25 matches “zzz”"


def test_pressing_a_heading_goes_round_three_orders(table: PagedTable) -> None:
    orders = [ask(table, do="sort", column="size")["columns"][2]["sort"] for _ in range(4)]
    assert orders == ["ascending", "descending", "none", "ascending"]


def test_paging(table: PagedTable) -> None:
    assert keys(ask(table, do="page", page=3)) == ["r-21", "r-22", "r-23", "r-24", "r-25"]


def test_selecting(table: PagedTable) -> None:
    heard: list[str] = []
    table.observe(lambda change: heard.append(change["new"]), "selected")
    assert selected(ask(table, do="select", key="r-4")) == ["r-4"]
    table.select("r-25")
    assert (heard, table.view["page"], table.selection) == (["r-4", "r-25"], 3, ("r-25",))
    ask(table, do="page", page=1)
    table.select("r-25")
    assert table.view["page"] == 3, "what is selected is shown again"
    table.select(None)
    assert (selected(table.view), table.selection) == ([], ())


def test_a_page_is_small_and_plain_json(table: PagedTable) -> None:
    assert len(table.html.encode()) < 10_000


@pytest.mark.parametrize(
    "request_", [{"do": "drop"}, {"do": "handle"}, {"do": "write", "field": "query"}, {}]
)
def test_a_request_it_does_not_know_shows_as_an_error(table: PagedTable, request_: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="does not understand"):
        ask(table, **request_)
    assert table.error.startswith("ValueError: PagedTable does not understand")
    ask(table, do="page", page=2)
    assert table.error == ""


def test_static_faces_are_escaped_and_alike_from_run_to_run(table: PagedTable) -> None:
    table.selected = "r-2"
    data, _ = table._repr_mimebundle_()
    with_other_id = PagedTable(FRAME, key="id", caption="Rows", badge="FAKE", note="A note & more")
    with_other_id.selected = "r-2"
    again, _ = with_other_id._repr_mimebundle_()
    assert data[LIVE]["model_id"] != again[LIVE]["model_id"]
    assert {data.pop(LIVE)["model_id"], again.pop(LIVE)["model_id"]}
    assert data == again
    html = data["text/html"]
    assert EVIL not in html
    assert "&lt;img src=x" in html
    assert "A note &amp; more" in html
    assert "Rows 1–10 of 25" in html
    assert "<strong>r-2</strong>" in html
    assert data["text/plain"].startswith("Rows [FAKE]\nA note & more\n")
    assert "  >  r-2   name 02 " in data["text/plain"]


def test_an_empty_frame() -> None:
    table = PagedTable(FRAME.head(0))
    assert table.view["status"] == "No rows"
    assert "<tbody>" in table.to_html()
    assert repr(table).splitlines() == ["Table", "  ID  Name  Size", "No rows"]


def test_thousands_are_told_apart() -> None:
    table = PagedTable(pd.DataFrame({"n": range(12_345)}), page_size=1_000)
    table.go_to(2)
    assert table.view["status"] == "Rows 1,001–2,000 of 12,345"


@pytest.mark.parametrize(
    ("frame", "problem"),
    [
        (
            pd.DataFrame([[1, 2]]),
            r"names must be a string; this frame has 0: pass frame\.rename\(columns=str\)",
        ),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "more than one column 'a'"),
        (pd.DataFrame(index=[1, 2]), "at least one column"),
    ],
)
def test_columns_that_no_name_tells_are_refused(frame: pd.DataFrame, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        PagedTable(frame)


def test_huge_text_is_cut_only_on_display(tmp_path: Path) -> None:
    table = PagedTable(pd.DataFrame({"text": ["x" * 500_000 + "end"]}))
    assert (len(table.to_html()), len(repr(table))) < (3_000, 200)
    table.search("end")
    assert len(table.view["rows"][0]["cells"][0]) == 1_001
    table.export(tmp_path / "rows.csv")
    assert (tmp_path / "rows.csv").read_text("utf-8-sig").endswith("xend\n")

"""What a live table does beyond paging: filters, columns, code, downloads, selecting several rows."""

import json
from collections.abc import Iterator
from gzip import decompress
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import traitlets

from svckit.frames import export
from svckit.widgets import PagedTable
from svckit.widgets.table import download as table_download

from .conftest import ask

FRAME = pd.DataFrame(
    {
        "id": [f"r-{number}" for number in range(1, 26)],
        "name": ["=1+1" if number == 1 else f"name {number:02}" for number in range(1, 26)],
        "state": pd.Categorical(["active", "ended", None, "active", "active"] * 5),
        "size": pd.array([None if number == 2 else number for number in range(1, 26)], dtype="Int64"),
        "hired": pd.date_range("2026-06-01", periods=25),
    }
)


@pytest.fixture
def table() -> PagedTable:
    return PagedTable(FRAME, key="id", caption="All rows", many=True)


def write(table: PagedTable, field: str, entry: str | bool) -> dict[str, Any]:
    return ask(table, do="write", field=field, text=entry)


def test_the_panel_of_a_filter_offers_what_fits_the_column(table: PagedTable) -> None:
    ask(table, do="open", panel="filter", column="state")
    assert table.view["panel"] == {
        "panel": "filter",
        "column": "state",
        "title": "Filter State",
        "label": "State",
        "choices": [
            {"text": "active", "count": 15, "on": False},
            {"text": "ended", "count": 5, "on": False},
            {"text": "", "count": 5, "on": False},
        ],
        "contains": "",
        "range": None,
        "missing": None,
    }
    ask(table, do="open", panel="filter", column="size")
    assert (
        table.view["panel"]["choices"],
        table.view["panel"]["contains"],
        table.view["panel"]["missing"],
    ) == ([], None, "")
    assert table.view["panel"]["range"] == {"low": "", "high": "", "hint": "1 to 25", "numbers": True}
    ask(table, do="open", panel="filter", column="hired")
    assert table.view["panel"]["range"]["hint"] == "2026-06-01 to 2026-06-25"
    ask(table, do="open", panel="")
    assert table.view["panel"]["panel"] == ""


def test_filtering_in_the_browser(table: PagedTable) -> None:
    ask(table, do="open", panel="filter", column="state")
    view = write(table, "choice active", True)
    assert (view["matched"], view["page"]) == (15, 1)
    assert view["filters"] == [{"column": "state", "label": "State", "words": "active"}]
    assert [column["filtered"] for column in view["columns"]] == [False, False, True, False, False]
    assert [choice["on"] for choice in table.view["panel"]["choices"]] == [True, False, False]
    ask(table, do="open", panel="filter", column="hired")
    write(table, "low", "2026-06-10")
    view = write(table, "high", "2026-06-11")
    assert [row["key"] for row in view["rows"]] == ["r-10", "r-11"]
    ask(table, do="open", panel="filter", column="state")
    assert [choice["count"] for choice in table.view["panel"]["choices"]] == [2, 0, 0]
    ask(table, do="open", panel="filter", column="hired")
    assert (table.view["panel"]["range"]["low"], table.view["panel"]["range"]["high"]) == (
        "2026-06-10",
        "2026-06-11",
    )
    assert ask(table, do="unfilter", column="hired")["matched"] == 15


def test_invalid_filter_is_an_error_without_effect(table: PagedTable) -> None:
    ask(table, do="open", panel="filter", column="size")
    before = table.view
    with pytest.raises(ValueError, match="size is filtered by numbers"):
        write(table, "low", "big")
    assert table.error == "ValueError: size is filtered by numbers, such as 10; given 'big'"
    assert table.view["panel"]["range"].pop("low") == "big"  # to be corrected
    before["panel"]["range"].pop("low")
    assert table.view == before


def test_hiding_columns(table: PagedTable) -> None:
    ask(table, do="open", panel="columns")
    write(table, "column hired", False)
    write(table, "column state", False)
    view = write(table, "column name", False)
    assert [column["name"] for column in view["columns"]] == ["id", "size"]
    assert [column["shown"] for column in table.view["panel"]["columns"]] == [True, True, False, False, False]
    assert list(table.rows.columns) == ["id", "size"]
    table.search("ended")  # both are hidden
    table.filter("name", contains="name 02")
    assert table.model.page_rows() == [("r-2", ("r-2", ""))]
    table.search("")
    table.filter("name")
    assert write(table, "column name", True)["columns"][2]["name"] == "name"
    write(table, "column name", False)
    write(table, "wanted", "SI")
    assert [column["name"] for column in table.view["panel"]["columns"]] == ["size"]
    with pytest.raises(ValueError, match="at least one column"):
        table.show_columns([])
    assert len(table.view["columns"]) == 2


def shown(table: PagedTable) -> list[tuple[str, bool, int]]:
    return [(each["name"], each["pinned"], each["width"]) for each in table.view["columns"]]


def test_columns_are_moved_pinned_and_sized(table: PagedTable) -> None:
    table.show_columns(["id", "name", "size"])
    ask(table, do="open", panel="columns")
    ask(table, do="move", column="size", before="id")
    assert table.model.shown == ("size", "id", "name")
    ask(table, do="move", column="size", by=1)
    ask(table, do="move", column="id", by=-1)
    ask(table, do="move", column="id", by=-1)
    assert table.model.shown == ("id", "size", "name")
    write(table, "pin name", True)
    write(table, "width size", "120.5")
    ask(table, do="resize", column="id", width=80)
    assert shown(table) == [("name", True, 0), ("id", False, 80), ("size", False, 120)]
    ask(table, do="move", column="name", by=2)  # pinned ones come first
    assert table.model.shown == ("name", "id", "size")
    table.replace(FRAME.iloc[:5])
    assert shown(table) == [("name", True, 0), ("id", False, 80), ("size", False, 120)]
    write(table, "width id", "")
    write(table, "pin name", False)
    assert shown(table) == [("name", False, 0), ("id", False, 0), ("size", False, 120)]
    ask(table, do="show_columns", every=True)
    assert table.model.shown[:3] == ("name", "id", "size")
    assert len(table.model.shown) == len(FRAME.columns)
    ask(table, do="show_columns", every=False)
    assert shown(table) == [(name, False, 0) for name in FRAME.columns]
    with pytest.raises(ValueError, match="'nope' is not a column"):
        table.show_columns(["id"], pinned=["nope"])


def test_filtering_by_the_selected_rows(table: PagedTable) -> None:
    table.selection = ("r-4", "r-1")
    view = ask(table, do="only_selected")
    assert [row["key"] for row in view["rows"]] == ["r-1", "r-4"]
    assert view["filters"][0]["words"] == "r-4 or r-1"
    assert 'rows["id"].isin(["r-4", "r-1"])' in table.code()
    ask(table, do="unfilter", column="id")
    ask(table, do="all")
    assert ask(table, do="only_selected")["filters"][0]["words"] == "one of 25"


def test_the_code_follows_the_view(table: PagedTable) -> None:
    ask(table, do="open", panel="code")
    table.filter("size", low=20)
    assert table.view["panel"]["code"] == table.code()
    space: dict[str, Any] = {"people": FRAME}
    exec(table.code("people"), space)
    assert list(space["rows"]["id"]) == [f"r-{number}" for number in range(20, 26)]


def test_selecting_several(table: PagedTable) -> None:
    heard: list[tuple[str, ...]] = []
    table.observe(lambda change: heard.append(change["new"]), "selection")
    ask(table, do="toggle", key="r-2")
    view = ask(table, do="through", key="r-4")
    assert [row["selected"] for row in view["rows"]][:5] == [False, True, True, True, False]
    assert view["status"] == "Rows 1–10 of 25; 3 selected"
    ask(table, do="toggle", key="r-3")
    assert (heard[-1], table.selected) == (("r-2", "r-4"), "r-4")
    ask(table, do="through", key="r-1")
    assert table.selection == ("r-4", "r-3", "r-2", "r-1")
    for key in ("r-1", "r-3"):
        ask(table, do="toggle", key=key)
    assert table.selected_rows["size"].tolist() == [pd.NA, 4]
    table.filter("size", high=3)
    ask(table, do="all")
    assert set(table.selection) == {"r-1", "r-2", "r-3", "r-4"}
    ask(table, do="select", key=None)
    assert (table.selection, table.selected) == ((), None)


def test_selecting_several_from_python(table: PagedTable) -> None:
    table.selection = ("r-1", "r-3")
    assert table.selected == "r-3"
    with pytest.raises(KeyError, match="r-99"):
        table.selection = ("r-1", "r-99")
    assert table.selection == ("r-1", "r-3")
    table.selected = "r-2"
    assert table.selection == ("r-2",)
    assert repr(table).splitlines()[3].startswith("  >  r-2")


def test_exports_have_all_matches_and_go_to_one_view(
    table: PagedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(table, "send", lambda *content: sent.append(content))
    table.show_columns(["id", "name"])
    table.search("r-1")
    for kind in ("csv", "json", "xlsx"):
        ask(table, do="export", format=kind, view="one")
        table.wait()
    ask(table, do="copy", view="two")
    (csv, [lines]), (_, [records]), (excel, [book]), (copied, *_) = sent
    assert csv == {"file": "all-rows.csv", "type": "text/csv;charset=utf-8", "view": "one"}
    assert decompress(lines).decode("utf-8-sig").splitlines()[:3] == ["id,name", "r-1,'=1+1", "r-10,name 10"]
    assert len(json.loads(decompress(records))) == 11
    assert (excel["file"], excel["view"]) == ("all-rows.xlsx", "one")
    assert pd.read_excel(BytesIO(decompress(book)))["name"].iloc[0] == "'=1+1"
    assert (copied["view"], copied["text"].splitlines()[:2]) == ("two", ["id\tname", "r-1\t'=1+1"])


def test_the_page_size_and_summaries_are_chosen_in_the_browser(table: PagedTable) -> None:
    table.go_to(2)
    view = write(table, "page_size", "20")
    assert (view["page"], len(view["rows"]), table.page_size) == (1, 20, 20)
    state = ask(table, do="summarize")["columns"][2]["summary"]
    assert state == {
        "words": "20 filled, 5 blank, 2 distinct",
        "bars": [{"words": "active: 15", "height": 16}, {"words": "ended: 5", "height": 6}],
    }
    assert "20 filled, 5 blank, 2 distinct" in table.to_html()
    assert ask(table, do="summarize")["columns"][2]["summary"] is None


@pytest.mark.usefixtures("as_in_a_notebook")
def test_what_is_too_much_for_the_browser_is_refused_with_a_way_out(
    table: PagedTable, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(table_download, "LARGEST", 100)
    ask(table, do="export", format="csv", view="one")
    table.wait()
    assert "25 rows are too many for a download in the browser" in table.error
    table.export(tmp_path / "rows.json")
    table.export(tmp_path / "rows.csv")
    assert len(json.loads((tmp_path / "rows.json").read_bytes())) == 25
    assert (tmp_path / "rows.csv").read_text("utf-8-sig").startswith("id,name,state,size,hired\n")


def test_a_long_file_shows_how_far_it_is_and_can_be_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[dict[str, Any]] = []
    sent: list[object] = []
    table = PagedTable(pd.DataFrame({"number": range(20_000)}), caption="Numbers")
    monkeypatch.setattr(table, "send", lambda content, buffers: sent.append(content))

    def tell(change: dict[str, Any]) -> None:
        told.append(change["new"])
        if change["new"]["done"] == stop:
            table._receive(table, {"do": "stop"}, [])

    table.observe(tell, "making")
    for stop, words in ((None, "CSV"), (6_000, "JSON")):
        ask(table, do="export", format=words.lower(), view="one")
        table.wait()
        assert {job["words"] for job in told} == {f"Making the {words} file", ""}
        steps = [job["done"] for job in told if job["running"]]
        assert sorted({*steps, 0}) == [*range(0, stop or 20_000, 2_000), stop or 20_000]
        assert not table.making["running"]
        told.clear()
    assert len(sent) == 1


@pytest.mark.usefixtures("as_in_a_notebook")
def test_one_file_at_a_time(table: PagedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        table, "send", lambda content, buffers: ask(table, do="export", format="csv", view="two")
    )
    ask(table, do="export", format="csv", view="one")
    table.wait()
    assert "another file is being made; wait for it, or cancel it" in table.error


def interrupted(frame: pd.DataFrame) -> Iterator[export.ExportedPiece]:
    """The first piece of a file, and then Ctrl-C."""
    yield export.ExportedPiece(b"number", len(frame))
    raise KeyboardInterrupt


@pytest.mark.parametrize("there", [True, False])
def test_an_export_that_is_interrupted_leaves_all_as_it_was(
    there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.csv"
    if there:
        path.write_text("before")
    table = PagedTable(pd.DataFrame({"number": range(20_000)}))
    with monkeypatch.context() as patch:
        patch.setattr(export, "_csv", interrupted)
        with pytest.raises(KeyboardInterrupt):
            table.export(path)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("rows.csv", "before")] * there
    table.export(path)
    assert len(path.read_text("utf-8-sig").splitlines()) == 20_001


def test_an_export_through_a_link_leaves_the_link(table: PagedTable, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "rows.json")
    table.export(link)
    assert link.is_symlink()
    assert len(json.loads((tmp_path / "rows.json").read_bytes())) == 25


def test_another_frame_keeps_filters_columns_and_selection(table: PagedTable) -> None:
    table.filter("state", choices=["active"])
    table.show_columns(["id", "state"])
    table.search("r-")
    table.sort("id", ascending=False)
    table.go_to(2)
    table.selection = ("r-1", "r-4")
    table.replace(FRAME.iloc[1:])
    view = table.view
    assert (view["matched"], view["query"], view["page"], len(view["columns"])) == (14, "r-", 2, 2)
    assert (view["rows"][-1]["key"], table.selection) == ("r-10", ("r-4",))
    table.replace(FRAME.iloc[4:])
    assert table.selected is None


def test_options_are_checked_when_they_are_set(table: PagedTable) -> None:
    table.page_size, table.caption = 5, "Some rows"
    assert (len(table.view["rows"]), table.view["caption"]) == (5, "Some rows")
    for option, wrong in {"page_size": 0, "caption": 7, "selection": "r-1", "selected": 1}.items():
        with pytest.raises(traitlets.TraitError):
            setattr(table, option, wrong)
    assert (table.page_size, table.caption, table.selection) == (5, "Some rows", ())


def test_static_faces_tell_of_filters_and_selected_rows(table: PagedTable) -> None:
    table.filter("name", contains="<b>")
    assert "Filters: Name contains “&lt;b&gt;”" in table.to_html()
    assert "No row of 25 matches the filters" in repr(table)


@pytest.mark.parametrize(
    ("caption", "file"),
    [
        ("../../x y/é", "x-y-é.csv"),
        ("All statuses", "all-statuses.csv"),
        ("…", "table.csv"),
        ("CON", "_con.csv"),
    ],
)
def test_a_file_is_named_after_the_words_of_the_caption(
    caption: str, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = PagedTable(pd.DataFrame({"id": ["u-1"]}), caption=caption)
    sent: list[str] = []
    monkeypatch.setattr(table, "send", lambda content, buffers: sent.append(content["file"]))
    ask(table, do="export", format="csv", view="one")
    table.wait()
    assert sent == [file]

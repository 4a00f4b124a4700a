"""What explorers show where pandas is missing, such as in a browser: tables of plain records."""

import sys

import pytest

from svckit.session.session import Session
from svckit.widgets.explorers.explorer_panel import EXPLORERS, ExplorerPanel
from svckit.widgets.explorers.plain_users import PlainUsersExplorer
from svckit.widgets.table.plain_table import SHOWN, PlainTable

from .conftest import EVIL, ask

PEOPLE = [
    {"userId": "u-1", "name": "Mori", "used": 10, "tags": ["a", "b"], "on": True},
    {"userId": "u-2", "name": "Abe", "used": 9, "tags": [], "on": False},
    {"userId": "u-2", "name": EVIL, "used": None},
]
COLUMNS = {"user_id": "ID", "name": "Name", "used": "Used", "tags": "Tags", "on": "On"}


@pytest.fixture
def table():
    return PlainTable(PEOPLE, COLUMNS, key="user_id", caption="People", badge="FAKE")


@pytest.fixture
def _without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)


def cells(view):
    return [row["cells"] for row in view["rows"]]


def test_values_are_texts_and_each_row_has_a_key_of_its_own(table: PlainTable) -> None:
    assert cells(table.view)[:2] == [("u-1", "Mori", "10", "a, b", "yes"), ("u-2", "Abe", "9", "", "no")]
    assert [row["key"] for row in table.view["rows"]] == ["u-1", "u-2", "u-2#3"]
    assert EVIL not in table.html
    assert EVIL not in table.to_html()


def test_heading_sorts_numbers_both_ways(table: PlainTable) -> None:
    assert [row[2] for row in cells(ask(table, do="sort", column="Used"))] == ["9", "10", ""]
    assert [row[2] for row in cells(ask(table, do="sort", column="Used"))] == ["", "10", "9"]


def test_search_by_words_and_filter_by_values(table: PlainTable) -> None:
    view = ask(table, do="write", field="query", text="U-2 ab")
    assert (cells(view), view["status"]) == ([("u-2", "Abe", "9", "", "no")], "1 row of 3 match")
    table.search("")
    table.filter("name", choices=["Mori", "Abe"])
    table.filter("used", low=10)
    assert [row["name"] for row in table.rows] == ["Mori"]
    table.filter("used", high=9)
    assert [row["name"] for row in table.rows] == ["Abe"]


def test_a_row_that_is_gone_is_not_selected_any_more(table: PlainTable) -> None:
    ask(table, do="select", key="u-2#3")
    assert table.selected_record is PEOPLE[2]
    table.replace(PEOPLE[:2])
    assert (table.selected, table.selected_record) == (None, None)
    with pytest.raises(KeyError, match="no row has the key 'u-9'; there are 2 rows"):
        table.select("u-9")


def test_only_the_first_rows_are_sent() -> None:
    table = PlainTable([{"id": str(number)} for number in range(SHOWN + 1)], {"id": "ID"}, caption="Many")
    assert (len(table.view["rows"]), table.view["status"]) == (200, "201 rows, the first 200 of them shown")


@pytest.mark.usefixtures("_without_pandas")
def test_all_explorers_open(svc: Session) -> None:
    svc.users.set_status("u-002", "BUSY", message="Audit")
    panel = svc.explore()
    for name in EXPLORERS:
        panel.show(name)
        assert panel.to_html()
    panel.show("statuses")
    table = panel.current.table
    assert [row["statusMessage"] for row in table.rows] == ["Audit"]
    ask(table, do="select", key=table.view["rows"][0]["key"])
    assert panel.current.head.draft.user == "u-002"
    panel.current.toggle_form()
    panel.current.form.enter("profile_status_id", "AWAY")
    panel.current.form.enter("message", "Done")
    panel.current.form.submit()
    assert [row["statusMessage"] for row in table.rows] == ["Done"]
    panel.show("rules")
    panel.current.filter(provenance="assumed", section="Errors", text="token")
    assert [row["id"] for row in panel.current.table.rows] == [
        "api.unauthorized",
        "token.error-body",
        "token.error-status",
    ]
    panel.current.table.select("api.unauthorized")
    panel.current.choose("api.unauthorized", "403")
    assert panel.current.table.selected_record["chosen"] == "403"


@pytest.mark.usefixtures("_without_pandas")
def test_a_user_is_found_and_changed(svc: Session) -> None:
    panel = ExplorerPanel.of(svc, "users")
    explorer = panel.current
    assert isinstance(explorer, PlainUsersExplorer)
    ask(explorer.table, do="write", field="query", text="emi kim")
    assert [row["userId"] for row in explorer.table.rows] == ["u-003"]
    ask(explorer.table, do="select", key="u-003")
    assert "Kim" in explorer.record.view["title"]
    about, state = explorer.record.view["about"], explorer.record.view["state"]
    assert (about, state) == (["emi.kim.003@example.com", "Finance · Senior"], "active")
    ask(explorer.record, do="change")
    assert explorer.record.view["changing"]
    explorer.form.enter("nick_name", "Mina")
    explorer.form.submit()
    assert "Mina" in explorer.record.to_html()
    explorer.form.enter("nick_name", "Minako")
    explorer.form.submit()
    assert "Minako" in explorer.record.to_html()
    ask(explorer.table, do="select", key="u-003")
    assert explorer.form is not None
    explorer.table.search("")
    ask(explorer.table, do="select", key="u-004")
    assert explorer.form is None
    svc.users.update("u-004", nick_name="Kato")
    ask(explorer.table, do="refresh")
    assert "Kato" in explorer.record.to_html()

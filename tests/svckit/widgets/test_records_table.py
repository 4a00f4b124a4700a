"""Below an explorer without a table of its own, all of its records as one."""

import pytest

import svckit
from fakes import FakeService
from svckit import places
from svckit.widgets.explorers.records_table import TABLES, RecordsTable

from .conftest import ask


@pytest.fixture
def svc():
    fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
    svc = svckit.connect(fake)
    svc.files.upload(b"a", to=places.drive("u-001"), name="plan.txt")
    svc.notify("Build is green")
    fake.callbacks.connect("bot-1", lambda headers, body: None)
    fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "hello"})
    return svc


@pytest.mark.parametrize("explorer", TABLES)
def test_each_explorer_has_a_table_of_its_records(svc, explorer):
    panel = svc.explore(explorer)
    assert panel.records.table is None
    ask(panel.records, do="load")
    table = panel.records.table
    assert len(table.rows) > 0
    assert table.caption == TABLES[explorer][1]
    assert repr(table) in repr(panel)
    ask(panel.records, do="hide")
    assert panel.records.table is None
    panel.close()


def test_the_table_follows_when_it_is_asked_to_and_keeps_its_search(svc):
    records = RecordsTable(svc, "files", "All files")
    ask(records, do="load")
    records.table.search("plan")
    svc.files.upload(b"b", to=places.drive("u-001"), name="plan-b.txt")
    ask(records, do="load")
    assert records.table.rows["file_name"].tolist() == ["plan.txt", "plan-b.txt"]
    records.close()


def test_explorers_with_a_table_have_no_other(svc):
    panel = svc.explore("users")
    assert panel.records is None
    panel.close()


def test_of_a_service_without_a_journal_it_has_the_requests_of_the_session(svc):
    with svc.fake.serve() as served:
        profile = svckit.Profile.from_facts(served.facts, name="work")
        with svckit.connect(profile, credentials=svckit.Credentials.from_facts(served.facts)) as session:
            panel = session.explore("traffic")
            session.users.read("u-001")
            panel.records.load()
            assert panel.records.table.rows["operation"].tolist() == ["users.read"]
            panel.records.table._receive(panel.records.table, {"do": "open", "panel": "code"}, [])
            assert "rows = frame  # the table's frame" in panel.records.table.view["panel"]["code"]
            panel.close()

"""The traffic explorer from Python: what it lists, filters, groups and shows whole, of a journal and of a trace."""

from dataclasses import replace
from typing import Any

import pytest

from svckit import places
from svckit.errors import NotFound
from svckit.session.connect import connect
from svckit.session.session import Session
from svckit.widgets import TrafficExplorer
from svckit.widgets.explorers.traffic import TraceSource

from .conftest import EVIL, NOW, ask


@pytest.fixture(params=["journal", "trace"])
def svc(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Session:
    """A session with a fake; without one in process, its own calls are all there is to see."""
    svc = connect(now=NOW)
    if request.param == "trace":
        monkeypatch.setattr(svc, "fake", None)
    else:
        svc.fake.journal.clear()
    return svc


@pytest.fixture
def faked() -> Session:
    return connect(now=NOW)


def rows(explorer: TrafficExplorer) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = explorer.view["rows"]
    return found


def test_what_came_since_is_there_at_the_next_look(svc: Session) -> None:
    explorer = TrafficExplorer(svc)
    assert rows(explorer) == []
    svc.users.update("u-001", nick_name="Mina")
    explorer._hear(explorer, {"do": "watch"}, [])
    assert [(row["method"], row["outcome"]) for row in rows(explorer)] == [("PATCH", "200 OK")]
    was = explorer.view
    explorer._hear(explorer, {"do": "watch"}, [])
    assert explorer.view is was
    explorer.close()


def test_the_two_steps_of_a_transfer_stand_together(svc: Session) -> None:
    explorer = TrafficExplorer(svc)
    stored = svc.files.upload(b"hello world", to=places.drive("u-001"), name="a.txt", resumable=6)
    svc.files.download(places.drive("u-001").file(stored.file_id))
    svc.notify("done")
    explorer.refresh()
    first = rows(explorer)[0]["number"]
    transfers = [message.transfer and message.transfer - first for message in explorer.messages]
    assert transfers == [0, 0, 0, 3, 3, None]
    assert [row["step"] for row in rows(explorer)] == ["step 1", "step 2", "step 2", "step 1", "step 2", ""]
    explorer.select(first + 3)
    assert len(explorer.view["diagram"]["arrows"]) == 4
    explorer.close()


def test_what_is_copied_is_what_mermaid_reads(faked: Session) -> None:
    explorer = TrafficExplorer(faked)
    with pytest.raises(NotFound):
        faked.request("GET", "/a;b")
    explorer.refresh()
    explorer.select(rows(explorer)[-1]["number"])
    assert "client->>api: GET /a#59;b" in explorer.view["mermaid"]
    explorer.close()


def test_filters_by_words_by_area_and_by_what_failed(svc: Session) -> None:
    explorer = TrafficExplorer(svc)
    svc.users.update("u-001", nick_name="Mina")
    svc.notify("done")
    with pytest.raises(NotFound):
        svc.users.read("u-999")
    ask(explorer, do="write", field="only", text="failed")
    assert [row["outcome"] for row in rows(explorer)] == ["404 Not Found"]
    ask(explorer, do="write", field="only", text="")
    ask(explorer, do="write", field="area", text="hooks")
    assert [row["method"] for row in rows(explorer)] == ["POST"]
    explorer.filter(area="", text="PATCH u-001")
    assert explorer.view["count"] == "1 of 3 requests"
    assert len(explorer.view["diagram"]["arrows"]) == 2
    with pytest.raises(ValueError, match="area must be one of"):
        explorer.filter(area="mail")
    explorer.close()


@pytest.mark.parametrize(
    "call",
    [
        lambda svc: svc.users.update("u-001", nick_name="Mi'na", task=None),
        lambda svc: svc.notify("done", button=("Open", "https://example.com")),
        lambda svc: svc.files.upload(
            b"hello", to=places.drive("u-001"), name="a b.txt", content_type="text/plain"
        ),
    ],
)
def test_the_journal_gives_the_same_commands_for_a_shell_as_a_trace(faked: Session, call: Any) -> None:
    faked.fake.journal.clear()
    explorer = TrafficExplorer(faked)
    with faked.trace() as trace:
        call(faked)
    explorer.refresh()
    assert explorer.curl() == trace.curl().replace(";type=text/plain", "")
    explorer.close()


def test_a_body_with_secrets_is_masked_in_the_command_and_no_file_that_nobody_has() -> None:
    svc = connect(now=NOW)  # which has signed in
    explorer = TrafficExplorer(svc)
    explorer.filter(text="auth.token")
    assert '"client_secret=$CLIENT_SECRET"' in explorer.curl()
    assert "@body" not in explorer.curl()
    explorer.close()


def test_one_request_is_shown_with_the_rules_behind_it(faked: Session) -> None:
    explorer = TrafficExplorer(faked)
    stored = faked.files.upload(b"hello", to=places.drive("u-001"), name="a.txt")
    explorer.refresh()
    ask(explorer, do="select", number=4)
    detail = explorer.view["detail"]
    assert '{"fileName":"a.txt","fileSize":5}' in detail["request"]
    assert '{"uploadUrl":"https://storage.fake.test/uploads/***"}' in detail["response"]
    kinds = {rule["id"]: rule["kind"] for rule in detail["rules"]}
    assert kinds["api.bearer"] == "documented"
    assert kinds["file.upload-status"] == f"assumed: {faked.fake.rules['file.upload-status'].chosen}"
    assert all(rule["text"] for rule in detail["rules"])
    assert f"PATCH {stored.file_id}" not in repr(explorer)
    ask(explorer, do="select", number=None)
    assert explorer.view["detail"] is None
    with pytest.raises(KeyError, match=r"^no request 99 is kept$"):
        explorer.select(99)
    explorer.close()


def test_an_injected_fault_is_told(faked: Session) -> None:
    explorer = TrafficExplorer(faked)
    faked.retries = 0
    faked.fake.faults.status("users.update", 503)
    with pytest.raises(Exception, match="503"):
        faked.users.update("u-001", task=None)
    explorer.refresh()
    assert rows(explorer)[-1]["injected"]
    explorer.close()


def test_a_journal_that_is_cleared_or_begun_anew_is_followed(faked: Session) -> None:
    explorer = TrafficExplorer(faked)
    explorer.select(3)
    faked.fake.journal.clear()
    explorer.refresh()
    assert (rows(explorer), explorer.selected) == ([], None)
    faked.notify("one")
    explorer.refresh()
    assert [row["number"] for row in rows(explorer)] == [4]
    faked.fake.journal.restart()
    faked.notify("two")
    explorer.refresh()
    assert [row["number"] for row in rows(explorer)] == [1]
    explorer.close()


def test_of_very_many_the_newest_are_shown(faked: Session) -> None:
    explorer = TrafficExplorer(faked)
    for _ in range(110):
        faked.notify("again")
    explorer.refresh()
    assert len(rows(explorer)) == 100
    assert explorer.view["count"] == "113 of 113 requests, newest 100 shown"
    explorer.close()


def test_a_trace_does_not_grow_without_end(faked: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svckit.widgets.explorers.traffic.KEPT", 3)
    traced = TraceSource(faked)
    for number in range(1, 8):
        faked.notify("again")
        assert [message.number for message in traced.read_messages()][-1] == number
        assert len(traced._trace) <= 6
    assert [message.number for message in traced.read_messages()] == [5, 6, 7]
    traced.close()
    assert faked._driver._traces == []


def test_closing_notes_no_more(faked: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faked, "fake", None)
    explorer = TrafficExplorer(faked)
    assert len(faked._driver._traces) == 1
    again = TrafficExplorer(faked)
    assert len(faked._driver._traces) == 1
    again.close()
    assert faked._driver._traces == []
    explorer.refresh()


def test_nothing_secret_reaches_the_browser_and_everything_is_escaped(faked: Session) -> None:
    explorer = TrafficExplorer(faked)
    faked.users.update("u-001", nick_name=EVIL)
    faked.notify(EVIL)
    facts = faked.fake.facts
    tokens = faked._driver.tokens.current
    assert tokens is not None
    secrets = [facts["client_secret"], facts["password"], facts["webhooks"][0], tokens.access.reveal()]
    for number in range(1, 6):
        explorer.select(number)
        seen = f"{explorer.get_state()}{explorer.to_html()}{explorer!r}"
        assert not [secret for secret in secrets if secret in seen]
        assert "<script" not in explorer.to_html()
    explorer.close()


def test_the_badge_and_what_is_shown_are_told(svc: Session) -> None:
    svc.profile = replace(svc.profile, is_fake=False)
    explorer = TrafficExplorer(svc)
    about = "this session" if svc.fake is None else "journal"
    assert about in explorer.view["about"]
    assert about in explorer.to_html()
    assert "[REAL]" in repr(explorer)
    explorer.close()

"""The traffic explorer from Python: what it lists, filters, groups and shows whole, of a journal and of a trace."""

import json
from gzip import decompress
from typing import Any

import pytest

from svckit import places
from svckit.errors import InvalidInput, NotFound
from svckit.session.connect import connect
from svckit.session.session import Session
from svckit.widgets import TrafficExplorer
from svckit.widgets.explorers.traffic.messages import TraceSource

from .conftest import NOW, as_real, ask


@pytest.fixture
def explorer(svc: Session) -> TrafficExplorer:
    return TrafficExplorer(svc)


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
    """The rows as they are listed, by column."""
    view = explorer.view
    return [dict(zip(view["columns"], row["cells"], strict=True)) | row for row in view["rows"]]


def sent(svc: Session, explorer: TrafficExplorer, **request: Any) -> list[dict[str, Any]]:
    """The rows after a request from the browser."""
    ask(explorer, **request)
    explorer.wait()
    return rows(explorer)


def test_what_came_since_is_there_at_the_next_look(svc: Session, explorer: TrafficExplorer) -> None:
    assert rows(explorer) == []
    svc.users.update("u-001", nick_name="Mina")
    explorer._hear(explorer, {"do": "watch"}, [])
    assert [(row["Method"], row["Status"]) for row in rows(explorer)] == [("PATCH", "200 OK")]
    was = explorer.view
    explorer._hear(explorer, {"do": "watch"}, [])
    assert explorer.view is was


def test_the_two_steps_of_a_transfer_stand_together(svc: Session, explorer: TrafficExplorer) -> None:
    stored = svc.files.upload(b"hello world", to=places.drive("u-001"), name="a.txt", resumable=6)
    svc.files.download(places.drive("u-001").file(stored.file_id))
    svc.notify("done")
    explorer.refresh()
    first = rows(explorer)[0]["key"]
    transfers = [message.transfer and message.transfer - first for message in explorer.messages]
    assert transfers == [0, 0, 0, 3, 3, None]
    assert [row["step"] for row in rows(explorer)] == ["1", "2", "2", "1", "2", ""]
    explorer.select(first + 3)
    assert len(explorer.view["diagram"]["arrows"]) == 4


def test_what_is_copied_is_what_mermaid_reads(faked: Session) -> None:
    explorer = TrafficExplorer(faked)
    with pytest.raises(NotFound):
        faked.request("GET", "/a;b")
    explorer.refresh()
    explorer.select(rows(explorer)[-1]["key"])
    assert "client->>api: GET /a#59;b" in explorer.view["mermaid"]


@pytest.mark.parametrize(
    "call",
    [
        lambda svc: svc.users.update("u-001", nick_name="Mi'na", task=None),
        lambda svc: svc.notify("done", button=("Open", "https://example.com")),
        lambda svc: svc.files.upload(
            b"hello", to=places.drive("u-001"), name="a b.txt", content_type="text/plain"
        ),
        lambda svc: svc.files.upload(
            b"hello", to=places.drive("u-001"), name="a.txt", content_type="text/x-log", form="resourceName"
        ),
    ],
)
def test_the_journal_gives_the_same_commands_for_a_shell_as_a_trace(faked: Session, call: Any) -> None:
    faked.fake.journal.clear()
    explorer = TrafficExplorer(faked)
    with faked.trace() as trace:
        call(faked)
    explorer.refresh()
    assert explorer.curl() == trace.curl()
    assert explorer.python() == trace.python()


def test_command_masks_secrets_of_a_body(faked: Session) -> None:
    explorer = TrafficExplorer(faked)  # which has signed in
    explorer.filter(text="auth.token")
    assert '"client_secret=$CLIENT_SECRET"' in explorer.curl()
    assert "@body" not in explorer.curl()


def test_one_request_is_shown_with_the_rules_behind_it(faked: Session) -> None:
    explorer = TrafficExplorer(faked)
    stored = faked.files.upload(b"hello", to=places.drive("u-001"), name="a.txt")
    explorer.refresh()
    ask(explorer, do="select", number=4)
    detail = explorer.view["detail"]
    assert detail["request"]["json"] == [{"fileName": "a.txt", "fileSize": 5}]
    assert detail["response"]["json"] == [{"uploadUrl": "https://storage.fake.test/uploads/***"}]
    kinds = {rule["id"]: rule["kind"] for rule in detail["rules"]}
    assert kinds["api.bearer"] == "documented"
    assert kinds["file.upload-status"] == f"assumed: {faked.fake.rules['file.upload-status'].chosen}"
    assert all(rule["text"] for rule in detail["rules"])
    assert f"PATCH {stored.file_id}" not in repr(explorer)
    ask(explorer, do="select", number=None)
    assert explorer.view["detail"] is None
    ask(explorer, do="select", number=4)
    ask(explorer, do="close")
    assert (explorer.selected, explorer.view["detail"]) == (None, None)
    with pytest.raises(KeyError, match=r"^no request 99 is kept$"):
        explorer.select(99)


def test_an_injected_fault_is_told(faked: Session) -> None:
    explorer = TrafficExplorer(faked)
    faked.retries = 0
    faked.fake.faults.status("users.update", 503)
    with pytest.raises(Exception, match="503"):
        faked.users.update("u-001", task=None)
    explorer.refresh()
    assert "(injected: " in rows(explorer)[-1]["Operation"]


def test_cleared_or_restarted_journal_is_followed(faked: Session) -> None:
    explorer = TrafficExplorer(faked)
    explorer.select(3)
    faked.fake.journal.clear()
    explorer.refresh()
    assert (rows(explorer), explorer.selected) == ([], None)
    faked.notify("one")
    explorer.refresh()
    assert [row["key"] for row in rows(explorer)] == [4]
    faked.fake.journal.restart()
    faked.notify("two")
    explorer.refresh()
    assert [row["key"] for row in rows(explorer)] == [1]
    explorer.close()
    explorer.refresh()  # as a view may still ask for it


def test_of_very_many_the_newest_are_shown(faked: Session) -> None:
    explorer = TrafficExplorer(faked)
    for _ in range(110):
        faked.notify("again")
    explorer.refresh()
    assert len(rows(explorer)) == 100
    assert explorer.view["count"] == "113 of 113 requests, newest 100 shown"


def test_a_trace_does_not_grow_without_end(faked: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svckit.widgets.explorers.traffic.messages.KEPT", 3)
    traced = TraceSource(faked)
    for number in range(1, 8):
        faked.notify("again")
        assert [message.number for message in traced.read_messages()][-1] == number
        assert len(traced.trace) <= 6
    assert [message.number for message in traced.read_messages()] == [5, 6, 7]
    traced.close()
    assert faked._driver._traces == []


def test_the_badge_and_what_is_shown_are_told(svc: Session) -> None:
    as_real(svc)
    explorer = TrafficExplorer(svc)
    about = "this session" if svc.fake is None else "journal"
    assert about in explorer.view["note"]
    assert about in explorer.to_html()
    assert "[REAL]" in repr(explorer)


def test_any_column_sorts_and_the_newest_come_last(svc: Session, explorer: TrafficExplorer) -> None:
    svc.notify("done")
    svc.users.read("u-001")
    with pytest.raises(NotFound):
        svc.users.read("u-999")
    explorer.refresh()
    in_order = [row["key"] for row in rows(explorer)]
    assert in_order == sorted(in_order)
    assert [row["key"] for row in sent(svc, explorer, do="sort", column="No.")] == in_order[::-1]
    assert sent(svc, explorer, do="sort", column="Status")[-1]["Status"] == "✗ 404 Not Found"
    assert sent(svc, explorer, do="sort", column="Status")[0]["Status"] == "✗ 404 Not Found"
    explorer.sort("Size")
    assert rows(explorer)[-1]["Size"].endswith(" B")
    with pytest.raises(ValueError, match=r"column must be one of No\., Time"):
        explorer.sort("Colour")


def test_a_request_is_sent_again_and_edited(svc: Session, explorer: TrafficExplorer) -> None:
    svc.users.update("u-001", nick_name="Mina", task="Sales")
    svc.users.update("u-001", nick_name="Min", task=None)
    explorer.refresh()
    first = rows(explorer)[0]["key"]
    assert len(sent(svc, explorer, do="replay", number=first)) == 3
    assert svc.users.read("u-001").nick_name == "Mina"
    ask(explorer, do="select", number=first)
    ask(explorer, do="write", field="body", text='{"nickName": "Mi"}')
    sent(svc, explorer, do="send")
    assert (svc.users.read("u-001").nick_name, svc.users.read("u-001").task) == ("Mi", "Sales")
    assert explorer.view["detail"]["request"]["json"] == [{"nickName": "Mi"}]
    assert explorer.view["detail"]["response"]["json"][0]["nickName"] == "Mi"
    assert explorer.python() == 'svc.users.update("u-001", nick_name="Mi")'
    svc.users.update("u-001", nick_name="M")
    sent(svc, explorer, do="send")  # what was sent from here can be sent again
    assert svc.users.read("u-001").nick_name == "Mi"
    for body in ('{"nickName": "Mi", "nickName": "Mo"}', "{"):  # as they are, which a session would not send
        explorer.resend(first, body=body)
        explorer.wait()
    assert [message.status for message in explorer.messages[-2:]] == [200, 400]
    explorer.resend(first, method="GET", url="/nothing", body="")
    explorer.wait()
    assert explorer.view["detail"]["message"].marked_outcome == "✗ 404 Not Found"


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda svc: svc.notify("done"), r"the url of the request holds a masked secret \(\*\*\*\)"),
        (lambda svc: svc.sign_in(), "the body of the request holds a masked secret"),
        (
            lambda svc: svc.files.upload(b"x", to=places.drive("u-001"), name="a.txt"),
            "its body was not kept whole",
        ),
    ],
)
def test_what_is_masked_or_not_kept_is_not_sent_again(
    svc: Session, explorer: TrafficExplorer, call: Any, why: str
) -> None:
    call(svc)
    explorer.refresh()
    before = len(rows(explorer))
    with pytest.raises(InvalidInput, match=f"nothing was sent: {why}"):
        explorer.replay(rows(explorer)[-1]["key"])
    explorer.refresh()
    assert len(rows(explorer)) == before


@pytest.mark.usefixtures("as_in_a_notebook")
def test_a_real_service_is_asked_about_first_and_a_failure_is_shown(faked: Session) -> None:
    as_real(faked)
    explorer = TrafficExplorer(faked)
    faked.users.update("u-001", nick_name="Mina")
    explorer.refresh()
    count = len(faked.fake.journal)
    explorer.replay(count)
    assert explorer.view["asking"].startswith("Send PATCH https://api.fake.test/users/u-001 at work")
    assert len(faked.fake.journal) == count
    explorer.confirm()
    explorer.wait()
    assert len(faked.fake.journal) == count + 1
    explorer.resend(count, url="https://example.com/users/u-001")
    explorer.confirm()
    explorer.wait()
    assert len(faked.fake.journal) == count + 1
    assert "example.com" in explorer.error


@pytest.mark.parametrize(
    ("filters", "shown"),
    [
        ({"only": "failed"}, ["missing"]),
        ({"area": "hooks"}, ["notified"]),
        ({"text": "PATCH /users/u-001"}, ["updated"]),
        ({"text": "MINA"}, ["updated"]),  # in a body
        ({"method": "PATCH"}, ["updated", "missing"]),
        ({"status": "4xx"}, ["missing"]),
        ({"operation": "users.update", "status": "2xx"}, ["updated"]),
        ({"method": "POST", "operation": "users.update"}, []),
    ],
)
def test_filters_narrow_the_list(
    svc: Session, explorer: TrafficExplorer, filters: dict[str, str], shown: list[str]
) -> None:
    svc.users.update("u-001", nick_name="Mina")
    svc.notify("done")
    with pytest.raises(NotFound):
        svc.users.read("u-999")
    explorer.refresh()
    named = {
        row["key"]: name for row, name in zip(rows(explorer), ("updated", "notified", "missing"), strict=True)
    }
    assert explorer.view["choices"]["status"] == [("", "all"), ("2xx", "2xx"), ("4xx", "4xx")]
    for field, text in filters.items():
        ask(explorer, do="write", field=field, text=text)
    assert [named[row["key"]] for row in rows(explorer)] == shown
    assert explorer.view["count"] == f"{len(shown)} of 3 requests"
    assert len(explorer.view["diagram"]["arrows"]) == 2 * len(shown)


@pytest.mark.parametrize(
    ("field", "text", "told"), [("area", "mail", "area must be one of"), ("status", "404", "one of 1xx, 2xx")]
)
def test_a_filter_there_is_not_is_refused(
    svc: Session, explorer: TrafficExplorer, field: str, text: str, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        explorer.filter(**{field: text})


def test_cleared_requests_are_gone(svc: Session, explorer: TrafficExplorer) -> None:
    svc.notify("done")
    explorer.refresh()
    assert sent(svc, explorer, do="clear") == []
    svc.notify("again")
    explorer.refresh()
    assert len(rows(explorer)) == 1


def test_the_matching_requests_are_saved_as_har(
    svc: Session, explorer: TrafficExplorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    svc.users.update("u-001", nick_name="Mina")
    svc.notify("done")
    explorer.filter(text="PATCH")
    saved: list[Any] = []
    monkeypatch.setattr(explorer, "send", lambda head, buffers: saved.append((head, buffers[0])))
    ask(explorer, do="export", view="here")
    ((head, content),) = saved
    assert head == {"file": "traffic.har", "type": "application/json", "view": "here"}
    har = json.loads(decompress(content))
    assert har == explorer.to_har()
    assert [each["request"]["method"] for each in har["log"]["entries"]] == ["PATCH"]


def test_where_nothing_matches_it_shows_all_again(svc: Session, explorer: TrafficExplorer) -> None:
    assert "No requests yet." in explorer.html
    svc.notify("done")
    ask(explorer, do="write", field="text", text="nothing like it")
    assert "No request matches." in explorer.html
    ask(explorer, do="show_all")
    assert len(rows(explorer)) == 1

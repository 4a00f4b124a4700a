"""The users explorer from Python: selecting, refreshing, its badge and note, its faces."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fakes import FakeService
from svckit.errors import InvalidInput, NotFound
from svckit.session.session import Session
from svckit.widgets import UsersExplorer
from svckit.widgets.record.record_view import lines_of

from ..conftest import connect_over_tcp
from .conftest import NOW, as_real, ask


@pytest.fixture
def users(fake: FakeService) -> list[dict[str, Any]]:
    return list(fake.records("users"))


def test_selecting_shows_the_whole_record(users: list[dict[str, Any]]) -> None:
    explorer = UsersExplorer(users)
    assert explorer.selected is None
    with pytest.raises(KeyError, match="u-999"):
        explorer.select("u-999")
    ask(explorer.table, do="select", key="u-017")
    assert explorer.selected == users[16]
    assert "Org unit name" in repr(explorer)
    assert explorer.record.view["title"] == "Park Kenji"
    shown = {line["label"]: line["value"] for line in explorer.record.view["lines"]}
    assert shown["Org unit name"] == "Development"
    assert (shown["Task"], shown["Is suspended"]) == (None, "yes")
    explorer.select(None)
    assert explorer.record.view["lines"] == []


@pytest.mark.parametrize("words", ["美奈", "window seat", "mentor-7", "second post"])
def test_a_user_is_found_by_what_only_their_lists_hold(users: list[dict[str, Any]], words: str) -> None:
    users[1] |= {
        "i18nNames": [{"language": "ja_JP", "firstName": "美奈"}],
        "customFields": [{"customFieldId": "f-1", "value": "window seat"}],
        "relations": [{"relationUserId": "u-001", "relationName": "mentor-7"}],
        "organizations": [{"primary": True}, {"primary": False, "levelName": "second post"}],
    }
    explorer = UsersExplorer(users)
    explorer.table.search(words)
    assert explorer.table.model.matched == 1
    assert users[1]["userId"] in repr(explorer.table)


def test_refreshing_reads_the_source_again_and_keeps_the_selection(fake: FakeService) -> None:
    explorer = UsersExplorer(fake)
    explorer.select("u-003")
    fake.directory.put(fake.directory["u-003"] | {"nickName": "Mi"})
    fake.directory.remove("u-004")
    explorer.refresh()
    assert explorer.selected == fake.directory["u-003"]
    assert explorer.table.view["matched"] == 19
    assert "Mi" in [line["value"] for line in explorer.record.view["lines"]]
    fake.directory.remove("u-003")
    explorer.refresh()
    assert explorer.selected is None


def test_a_generator_is_read_once(users: list[dict[str, Any]]) -> None:
    explorer = UsersExplorer(record for record in users)
    explorer.refresh()
    assert len(explorer.frame) == len(users)


def test_nested_fields_come_last() -> None:
    organization = {"orgUnits": [{"orgUnitId": "o-1"}], "levelName": "Senior", "executive": False}
    labels = [(line.depth, line.label) for line in lines_of({"organizations": [organization]})]
    assert labels == [
        (0, "Organization 1"),
        (1, "Level name"),
        (1, "Executive"),
        (1, "Org unit 1"),
        (2, "Org unit ID"),
    ]


def test_every_field_of_a_record_has_a_line() -> None:
    record = {
        "aliasEmails": [],
        "leaveOfAbsence": {},
        "customProperties": {"homePage": {"text": "me", "link": "https://example.com"}, "scores": [1, None]},
        "relations": [{"relationUserId": "u-2"}, {"relationUserId": "u-3"}],
        "somethingNew": 1.5,
    }
    lines = [
        (line.depth, line.label, line.value)
        for line in lines_of(record, [("First", ["relations", "no"]), "somethingNew"])
    ]
    assert lines == [
        (0, "First", None),
        (1, "Relation 1", None),
        (2, "Relation user ID", "u-2"),
        (1, "Relation 2", None),
        (2, "Relation user ID", "u-3"),
        (0, "Something new", "1.5"),
        (0, "Alias emails", "none"),
        (0, "Leave of absence", "none"),
        (0, "Custom properties", None),
        (1, "scores", "1, –"),
        (1, "homePage", None),
        (2, "Text", "me"),
        (2, "Link", "https://example.com"),
    ]


@pytest.fixture
def served() -> Iterator[Session]:
    """A session that can list nobody, as that of a real service."""
    with connect_over_tcp(FakeService.sample(users=3, now=NOW)) as svc:
        yield as_real(svc)


def test_whom_the_session_has_met_since_is_shown_after_another_look(served: Session) -> None:
    explorer = UsersExplorer(served)
    assert explorer.table.view["badge"] == "REAL"
    assert "this session has read" in repr(explorer)
    served.users.read("u-002")
    ask(explorer, do="refresh")
    assert [row["key"] for row in explorer.table.view["rows"]] == ["u-002"]


def test_a_user_whose_id_is_pasted_is_read_and_selected(served: Session) -> None:
    explorer = UsersExplorer(served)
    assert 'data-enter="read"' in explorer.head.html
    with pytest.raises(InvalidInput, match="no user was read: enter a user ID"):
        ask(explorer, do="read")
    ask(explorer, do="write", field="pasted", text=" externalKey:emp-00003 ")
    ask(explorer, do="read")
    assert explorer.table.selected == "u-003"
    with pytest.raises(NotFound):
        explorer.read("u-999")
    assert explorer.table.selected == "u-003"


def test_of_several_ids_each_is_read_and_who_is_not_there_is_told(served: Session) -> None:
    explorer = UsersExplorer(served)
    ask(explorer, do="write", field="pasted", text=" u-001 u-002,;\n u-003\tu-001 ")
    ask(explorer, do="read")
    assert [row["key"] for row in explorer.table.view["rows"]] == ["u-001", "u-002", "u-003"]
    assert explorer.table.selected == "u-001"
    with pytest.raises(LookupError, match="1 of 3 users were read; failed: u-998: no such user; u-999"):
        explorer.read("u-998, u-003, u-999")
    assert explorer.table.selected == "u-003"
    with pytest.raises(InvalidInput, match="at most 100 IDs at a time; given 101"):
        explorer.read(" ".join(map(str, range(101))))


def test_reading_a_listed_user_updates_only_that_row(svc: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = UsersExplorer(svc)
    before = explorer.frame
    monkeypatch.setattr(svc, "records", None)  # the others are not read again
    explorer.read("u-005")
    assert (explorer.frame is before, explorer.table.selected) == (True, "u-005")
    svc.users.update("u-006", nick_name="Mina")
    explorer.read("u-006 u-005")
    assert explorer.frame.set_index("user_id").loc["u-006", "nick_name"] == "Mina"
    assert explorer.record.view["key"] == "u-006"
    assert "Mina" in [line["value"] for line in explorer.record.view["lines"]]


def test_next_explorer_continues_where_the_last_was_left(svc: Session) -> None:
    before = UsersExplorer(svc)
    before.table.search("sales")
    before.table.sort("email", ascending=False)
    before.select("u-003")
    left = repr(before)
    after = UsersExplorer(svc)
    assert before.head.is_replaced
    assert (after.table.view["query"], after.table.selected, after.record.view["key"]) == (
        "sales",
        "u-003",
        "u-003",
    )
    assert repr(after) == left
    after.close()
    narrow = UsersExplorer(svc, columns=["user_id"])
    assert narrow.table.view["query"] == ""


def test_the_selected_user_is_changed_and_shown_as_it_is_now(svc: Session) -> None:
    explorer = UsersExplorer(svc, columns=["user_id", "nick_name"])
    explorer.select("u-003")
    ask(explorer.record, do="change")
    assert explorer.form is explorer.children[-1]
    assert explorer.record.view["changing"]
    explorer.form.enter("nick_name", "Mina")
    explorer.form.submit()
    assert explorer.form.view["outcome"] == "Sent: Nick name of u-003"
    assert explorer.form in explorer.children
    assert explorer.selected is not None
    assert explorer.selected["nickName"] == "Mina"
    assert "Mina" in [line["value"] for line in explorer.record.view["lines"]]
    assert ("u-003", "Mina") in [tuple(row["cells"]) for row in explorer.table.view["rows"]]
    ask(explorer.record, do="change")
    assert (explorer.form, explorer.record.view["changing"]) == (None, False)


def test_typed_changes_stay_with_their_user(
    svc: Session,
) -> None:
    explorer = UsersExplorer(svc)
    explorer.select("u-003")
    explorer.change()
    assert explorer.form is not None
    explorer.form.enter("nick_name", "Mina")
    explorer.select("u-004")
    assert explorer.form is None
    explorer.select("u-003")
    assert explorer.form is None
    explorer.change()
    assert explorer.form.values == {"nick_name": "Mina"}
    again = UsersExplorer(svc)
    assert again.form is not None
    assert again.form.values == {"nick_name": "Mina"}


def test_change_of_a_real_user_shows_only_once_sent(served: Session) -> None:
    explorer = UsersExplorer(served, columns=["user_id", "nick_name"])
    explorer.read("u-002")
    explorer.change()
    assert explorer.form is not None
    explorer.form.enter("nick_name", "Mina")
    explorer.form.submit()
    assert "which is REAL" in explorer.form.view["asking"]
    assert "Mina" not in repr(explorer.table)
    explorer.form.confirm()
    assert "Mina" in repr(explorer.table)


def test_the_code_of_a_session_s_users_runs_where_the_session_is(
    svc: Session, users: list[dict[str, Any]]
) -> None:
    explorer = UsersExplorer(svc, columns=["user_id", "display_name"])
    explorer.table.search("u-003")
    explorer.table._receive(explorer.table, {"do": "open", "panel": "code"}, [])
    space: dict[str, Any] = {"svc": svc}
    exec(explorer.table.view["panel"]["code"], space)
    assert space["rows"]["user_id"].tolist() == ["u-003"]
    explorer = UsersExplorer(users)
    explorer.table._receive(explorer.table, {"do": "open", "panel": "code"}, [])
    assert "rows = frame  # the table's frame" in explorer.table.view["panel"]["code"]


@pytest.mark.parametrize(
    ("call", "can"),
    [
        (lambda explorer: explorer.read("u-001"), "read"),
        (lambda explorer: explorer.change(), "change"),
        (lambda explorer: explorer.bulk_edit(task="Sales"), "change"),
    ],
)
def test_only_a_session_can_do_so(
    call: Callable[[UsersExplorer], None], can: str, users: list[dict[str, Any]]
) -> None:
    explorer = UsersExplorer(users)
    assert not explorer.record.view["changes"]
    with pytest.raises(TypeError, match=f"only a session can {can} users"):
        call(explorer)


def test_nobody_is_changed_before_somebody_is_selected(svc: Session) -> None:
    with pytest.raises(InvalidInput, match="select the user to change first"):
        UsersExplorer(svc).change()

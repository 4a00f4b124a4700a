"""One change of several users: preview, dry run, confirmation of a real service, result and undo."""

import pytest

import svckit
from svckit import frames
from svckit.errors import InvalidInput
from svckit.session.session import Session
from svckit.widgets import BulkEdit, UsersExplorer

from .conftest import NOW, ask

THREE = ("u-001", "u-002", "u-003")


def tasks(svc: Session) -> list[str | None]:
    return [svc.users.read(user).task for user in THREE]


def test_the_selected_users_are_changed_and_restored(svc: Session) -> None:
    before = tasks(svc)
    explorer = UsersExplorer(svc, columns=["user_id", "task"])
    with pytest.raises(InvalidInput, match="there is nobody to change"):
        explorer.bulk_edit(task="Sales")
    explorer.table.selection = THREE
    assert explorer.head.view["selected"] == 3
    ask(explorer, do="toggle_bulk_edit")
    assert explorer.bulk is not None
    ask(explorer.bulk, do="write", field="field", text="task")
    ask(explorer.bulk, do="write", field="task", text="Sales")
    ask(explorer.bulk, do="preview")
    assert "3 of 3 users would be changed" in ask(explorer.bulk, do="dry_run")["status"]
    view = ask(explorer.bulk, do="apply")
    assert (view["status"], view["at"]) == ("3 of 3 users changed", NOW)
    assert [row["cells"][1] for row in explorer.table.view["rows"]][:3] == ["Sales"] * 3
    assert explorer.table.selection == THREE
    ask(explorer.bulk, do="undo")
    assert tasks(svc) == before
    assert [row["cells"][1] for row in explorer.table.view["rows"]][:3] == before


def test_the_form_follows_the_selection() -> None:
    explorer = UsersExplorer(svckit.connect(now=NOW))
    explorer.table.selection = THREE
    edit = explorer.bulk_edit(task="Sales")
    explorer.table.selection = THREE[:2]
    assert (edit.view["title"], edit.changes) == ("Change 2 users", None)
    again = explorer.bulk_edit()
    assert (again.view["chosen"], edit.comm) == ("task", None)
    explorer.table.selection = ()
    assert (explorer.bulk, explorer.head.view["selected"]) == (None, 0)


def test_users_of_a_frame_are_changed_by_its_columns(svc: Session) -> None:
    edit = BulkEdit(svc, frames.users(svc).iloc[:3], last_name="Ito", searchable="no")
    edit.apply()
    for user in map(svc.users.read, THREE):
        assert (user.user_name.last_name, user.searchable) == ("Ito", False)


def test_the_code_does_the_same(svc: Session) -> None:
    edit = BulkEdit(
        svc, THREE, task="Sal'es", searchable=False, nick_name=None, alias_emails=["a@example.com"]
    )
    code = edit.code
    exec(code, {"svc": svc})
    for user in map(svc.users.read, THREE):
        assert (user.task, user.searchable, user.nick_name) == ("Sal'es", False, None)
        assert user.alias_emails == ["a@example.com"]


def test_a_real_service_is_asked_about_first(real: Session) -> None:
    edit = BulkEdit(real, THREE, task="Sales")
    asked = ask(edit, do="apply")["asking"]
    assert asked == "This changes 3 users at work (https://api.fake.test), which is REAL."
    assert edit.result is None
    ask(edit, do="cancel")
    with pytest.raises(ValueError, match="nothing to confirm"):
        ask(edit, do="confirm")
    ask(edit, do="apply")
    ask(edit, do="confirm")
    assert tasks(real) == ["Sales"] * 3
    assert "This restores 3 users at work" in ask(edit, do="undo")["asking"]
    ask(edit, do="confirm")
    assert "Sales" not in tasks(real)


def test_users_whom_others_changed_since_are_left_as_they_are(svc: Session) -> None:
    edit = BulkEdit(svc, THREE, task="Sales")
    svc.users.update("u-002", task="Press")
    edit.apply()
    assert tasks(svc) == ["Sales", "Press", "Sales"]
    ((user, why),) = edit.view["failed"]
    assert (user, 'task is "Press" now' in why) == ("Lopez Petra (u-002)", True)
    assert edit.changes is not None
    assert [each.user_id for each in edit.changes] == ["u-002"]
    svc.users.update("u-003", task="Legal")
    edit.undo()
    assert tasks(svc)[1:] == ["Press", "Legal"]


def test_a_change_of_nobody_leaves_the_one_before_to_be_undone(svc: Session) -> None:
    before = tasks(svc)
    edit = BulkEdit(svc, THREE, task="Sales")
    edit.apply()
    edit.write(domain_id=3)
    edit.preview()
    edit.apply()
    assert edit.view["status"] == "0 of 3 users changed"
    edit.undo()
    assert tasks(svc) == before


def test_undo_and_redo_outlive_the_form(svc: Session) -> None:
    explorer = UsersExplorer(svc)
    before = tasks(svc)
    explorer.table.selection = THREE
    explorer.bulk_edit(task="Sales").apply()
    explorer.close_bulk_edit()
    explorer.table.selection = ("u-004", "u-005")
    edit = explorer.bulk_edit()
    assert edit.view["undoes"] == "Undo (3 users)"
    edit.undo()
    assert tasks(svc) == before
    assert edit.view["undoes"] == "Redo (3 users)"
    edit.undo()
    assert tasks(svc) == ["Sales"] * 3


def test_a_change_in_two_steps_is_undone_as_one(svc: Session) -> None:
    before = tasks(svc)
    edit = BulkEdit(svc, THREE, task="Sales")
    svc.fake.faults.status("users.update", status=404, skip=4, times=1)
    edit.apply()
    assert edit.view["status"] == "2 of 3 users changed"
    edit.apply()
    assert tasks(svc) == ["Sales"] * 3
    edit.undo()
    assert tasks(svc) == before


def test_what_is_wrong_is_shown_and_nothing_is_sent(svc: Session) -> None:
    edit = BulkEdit(svc, THREE)
    for step, message in {
        "preview": "choose a field",
        "dry_run": "look at the preview first",
        "apply": "look at the preview first",
        "undo": "nothing to undo",
    }.items():
        with pytest.raises(InvalidInput, match=message):
            ask(edit, do=step)
    with pytest.raises(InvalidInput, match="no such field: tusk; did you mean task"):
        edit.write(tusk="x")
    with pytest.raises(InvalidInput, match="no such field: display_name"):
        edit.write(display_name="x")
    edit.write(task="x" * 101)
    assert "Task" not in ask(edit, do="preview")["rows"]
    assert len(edit.view["problems"]) == 3
    with pytest.raises(InvalidInput, match="nothing was sent: u-001: task must have at most 100"):
        ask(edit, do="apply")
    edit.write(task=svc.users.read("u-001").task)
    edit.select(["u-001"])
    edit.preview()
    with pytest.raises(InvalidInput, match="have the values already"):
        edit.apply()


def test_it_is_cleared(svc: Session) -> None:
    edit = BulkEdit(svc, THREE, task="Sales")
    assert ask(edit, do="write", field="clear", text=True)["clears"]
    edit.preview()
    assert "Task: null" in repr(edit)
    assert ask(edit, do="write", field="field", text="")["fields"] == []

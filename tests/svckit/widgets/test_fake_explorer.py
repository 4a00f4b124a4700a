"""The fake explorer from Python: what is in a fake is shown and added to, and its state is kept and restored."""

import json
from types import SimpleNamespace

import pytest

import svckit
from fakes.http.errors import Refusal
from svckit.errors import InvalidInput
from svckit.models.user_parts import STATES, find_state
from svckit.session.session import Session
from svckit.widgets import FakeExplorer
from svckit.widgets.explorers.fake import fake_view

from .conftest import ask


@pytest.fixture
def explorer(svc: Session) -> FakeExplorer:
    return FakeExplorer(svc)


@pytest.mark.parametrize("state", STATES)
def test_a_user_is_added_in_any_state(svc: Session, explorer: FakeExplorer, state: str) -> None:
    ask(explorer, do="write", field="state", text=state)
    view = ask(explorer, do="add_user")
    assert view["done"] == f"Added new-1, who is {state}."
    assert find_state(svc.fake.directory["new-1"]) == state
    counts = {"active": 19, "suspended": 1}
    assert f" {counts.get(state, 0) + 1} {state}" in view["counted"]
    view = ask(explorer, do="write", field="shown", text=state)
    assert view["users"][-1]["key"] == "new-1"


def test_what_was_typed_for_a_user_is_used_once(svc: Session, explorer: FakeExplorer) -> None:
    explorer.add_user(state="active", user_id=" mina ", email="mina@example.com", name="Sato Mina Yui")
    record = svc.fake.directory["mina"]
    assert record["email"] == "mina@example.com"
    assert (record["userName"]["lastName"], record["userName"]["firstName"]) == ("Sato", "Mina Yui")
    explorer.add_user()
    assert "new-1" in svc.fake.directory


@pytest.mark.parametrize(
    ("fields", "kind", "says"),
    [
        ({"user_id": "u-001"}, InvalidInput, "no user was added: u-001 exists"),
        ({"email": "hana.nakamura.001@example.com"}, Refusal, "already belongs to u-001"),
        ({"state": "suspnded"}, InvalidInput, "did you mean suspended"),
        ({"mail": "a@example.com"}, InvalidInput, "did you mean email"),
    ],
)
def test_a_user_who_cannot_be_added_changes_nothing(
    svc: Session, explorer: FakeExplorer, fields: dict[str, str], kind: type[Exception], says: str
) -> None:
    with pytest.raises(kind, match=says):
        explorer.add_user(**fields)
    assert len(svc.fake.directory) == 20
    assert explorer.view["done"] == ""


def test_of_very_many_users_the_first_are_counted(
    svc: Session, explorer: FakeExplorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fake_view, "COUNTED", 18)
    monkeypatch.setattr(fake_view, "LISTED", 5)
    explorer.refresh()
    view = explorer.view
    assert view["counted"] == "20 users; of the first 18: 17 active, 1 suspended"
    assert (len(view["users"]), view["further"]) == (5, 13)


def test_a_webhook_posts_into_its_room(svc: Session, explorer: FakeExplorer) -> None:
    ask(explorer, do="write", field="webhook", text="Builds")
    ask(explorer, do="write", field="room", text="channel-2")
    view = ask(explorer, do="add_webhook")
    assert view["done"].startswith("Invited the app’s bot to channel-2. Added the webhook Builds")
    for text in ("1", "2", "3", "4"):
        svc.notify(text, webhook=svc.fake.facts["webhooks"][-1])
    view = ask(explorer, do="refresh")
    room = view["rooms"][-1]
    assert (room["of"], room["count"]) == ("channel-2", 4)
    assert [words for _, words in room["latest"]] == ["Builds: 2", "Builds: 3", "Builds: 4"]
    view = ask(explorer, do="write", field="webhook", text="More")
    assert ask(explorer, do="add_webhook")["done"].startswith("Added the webhook More")


def test_a_webhook_needs_a_title_and_the_app(svc: Session, explorer: FakeExplorer) -> None:
    for fields in ({"room": "channel-2"}, {"webhook": "Builds", "room": " "}):
        with pytest.raises(InvalidInput, match="give a title and a room"):
            explorer.add_webhook(**fields)
    for title in "1234":
        explorer.add_webhook(webhook=title, room="channel-1")
    with pytest.raises(InvalidInput, match="a domain has at most 5"):
        explorer.add_webhook(webhook="6", room="channel-2")
    assert svc.fake.webhooks.rooms() == ["channel-1"]
    svc.fake.webhooks.remove_app()
    with pytest.raises(Refusal, match="the notification app is not added yet"):
        explorer.add_webhook(webhook="Builds")


def test_bots_are_added(svc: Session, explorer: FakeExplorer) -> None:
    explorer.add_bot(bot="greeter")
    ask(explorer, do="add_bot")
    assert list(svc.fake.callbacks.bots) == ["bot-1", "greeter", "bot-3"]
    assert [bot for bot, _ in explorer.view["bots"]] == ["bot-1", "greeter", "bot-3"]


def test_messages_of_bots_are_shown(svc: Session, explorer: FakeExplorer) -> None:
    svc.fake.stubs.add_file("common")
    for content in ({"type": "text", "text": "hello"}, {"type": "poll"}):
        svc.request("POST", "/bots/bot-1/users/u-002/messages", json={"content": content})
    (bot,) = ask(explorer, do="refresh")["sent"]
    assert [words for _, words in bot["latest"]] == ["to u-002: hello", "to u-002: poll"]
    assert "to u-002: hello" in repr(explorer)


def test_stubs_are_added_and_removed(svc: Session, explorer: FakeExplorer) -> None:
    explorer.write(method="GET", path="/groups/{groupId}", status="203", json='{"groupId": "{groupId}"}')
    ask(explorer, do="add_stub")
    assert svc.request("GET", "/groups/group-1").json() == {"groupId": "group-1"}
    explorer.add_stub(method="DELETE", path="/groups/{groupId}", status="204", json="")
    view = ask(explorer, do="refresh")
    assert [(each["stub"], each["used"]) for each in view["stubs"]] == [
        ("GET /groups/{groupId}", "203, used 1 time"),
        ("DELETE /groups/{groupId}", "204, used 0 times"),
    ]
    ask(explorer, do="remove_stub", name="GET /groups/{groupId}")
    assert [stub.name for stub in svc.fake.stubs] == ["DELETE /groups/{groupId}"]
    with pytest.raises(InvalidInput, match="GET /groups/"):
        explorer.remove_stub("GET /groups/{groupId}")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"json": "{"}, "no stub was added: this is not JSON: '{'"),
        ({"status": "ok"}, "no stub was added: this is not a status: 'ok'"),
        ({"method": "PATCH", "path": "/users/{userId}"}, "cannot be stubbed"),
        ({"path": "groups"}, "must be a path below the URL"),
    ],
)
def test_a_stub_that_cannot_be_added_changes_nothing(
    svc: Session, explorer: FakeExplorer, fields: dict[str, str], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        explorer.add_stub(**{"path": "/groups", **fields})
    assert len(svc.fake.stubs) == 0


def test_a_snapshot_is_restored_and_the_session_goes_on(svc: Session, explorer: FakeExplorer) -> None:
    ask(explorer, do="take_snapshot")
    svc.users.update("u-001", nick_name="Mina")
    ask(explorer, do="reset")
    svc.users.update("u-001", nick_name="Hana")
    assert [each["name"] for each in explorer.view["snapshots"]] == ["1", "before reset"]
    ask(explorer, do="restore", name="before reset")
    assert svc.users.read("u-001").nick_name == "Mina"
    ask(explorer, do="restore", name="1")
    assert svc.users.read("u-001").nick_name != "Mina"
    with pytest.raises(InvalidInput, match="before reset"):
        explorer.restore("before rset")


def test_the_faults_of_a_snapshot_are_not_used_up_by_a_sign_in(svc: Session, explorer: FakeExplorer) -> None:
    svc.fake.faults.status("*", 503)
    explorer.take_snapshot(snapshot="broken")
    svc.fake.faults.clear()
    explorer.restore("broken")
    assert explorer.view["done"].endswith("It has faults, so nobody was signed in again.")
    assert [fault.used for fault in svc.fake.faults] == [0]
    assert [fault.label for fault in svc.fake.faults] == ["status 503"]


def test_a_fork_is_a_session_of_its_own(svc: Session, explorer: FakeExplorer) -> None:
    ask(explorer, do="fork")
    (fork,) = explorer.forks
    fork.users.update("u-001", nick_name="Forked")
    fork.close()
    assert svc.users.read("u-001").nick_name != "Forked"


def test_the_code_of_an_action_does_the_same(svc: Session, explorer: FakeExplorer) -> None:
    copy = SimpleNamespace(fake=svc.fake.fork())
    for act in (
        lambda: explorer.add_user(state="on leave", name='O\'Brien "Mina"'),
        lambda: explorer.add_webhook(webhook="Builds", room="channel-2"),
        explorer.add_bot,
        lambda: explorer.add_stub(path="/groups", status="404", json='{"code": null}'),
        lambda: explorer.add_stub(method="DELETE", path="/groups", status="204", json=""),
        lambda: explorer.remove_stub("GET /groups"),
    ):
        act()
        exec(explorer.code, {"svc": copy})
        assert copy.fake.snapshot() == svc.fake.snapshot()
    for act in (explorer.take_snapshot, explorer.fork, lambda: explorer.restore("1"), explorer.reset):
        act()
        exec(explorer.code, {"svc": svc, "svckit": svckit, "snapshot": svc.fake.snapshot()})
    assert svc.users.read("u-001").user_id == "u-001"


def test_one_part_shows_at_a_time_and_a_document_has_all(explorer: FakeExplorer) -> None:
    assert ("Add user" in explorer.html, "Take snapshot" in explorer.html) == (True, False)
    ask(explorer, do="part", name="Snapshots")
    assert ("Add user" in explorer.html, "Take snapshot" in explorer.html) == (False, True)
    for part in explorer.view["parts"]:
        assert f"\n{part}\n" in repr(explorer)
    with pytest.raises(InvalidInput, match="did you mean Stubs"):
        ask(explorer, do="part", name="Stub")


def test_a_deviation_is_chosen_by_its_sentence(svc: Session, explorer: FakeExplorer) -> None:
    ask(explorer, do="part", name="Deviations")
    assert "A successful upload gets 200, not 201." in explorer.html
    view = ask(explorer, do="write", field="deviation file.stored", text="200")
    assert view["done"] == "The deviation file.stored is now 200."
    assert "file.stored (200): A successful upload gets 200, not 201." in repr(explorer)
    exec(explorer.code, {"svc": SimpleNamespace(fake=svc.fake.fork())})
    ask(explorer, do="write", field="deviation file.stored", text="")
    assert dict(svc.fake.rules.deviations.chosen) == {}


def test_a_stub_is_edited_and_keeps_its_headers(svc: Session, explorer: FakeExplorer) -> None:
    svc.fake.stub("GET", "/groups", json={"groups": []}, headers={"X-Note": "mine"}, bearer=False)
    svc.fake.stub("GET", "/jobs", json=lambda call: {})
    ask(explorer, do="part", name="Stubs")
    assert [each["editable"] for each in explorer.view["stubs"]] == [True, False]
    view = ask(explorer, do="edit_stub", name="GET /groups")
    assert (view["draft"].status, json.loads(view["draft"].json)) == ("200", {"groups": []})
    ask(explorer, do="write", field="status", text="503")
    view = ask(explorer, do="add_stub")
    assert view["done"] == "Saved the stub GET /groups."
    stub, *_ = [stub for stub in svc.fake.stubs if stub.name == "GET /groups"]
    wire = stub.to_wire()
    assert (wire["status"], wire["headers"], wire["bearer"]) == (503, {"X-Note": "mine"}, False)
    copy = svc.fake.fork()
    exec(explorer.code, {"svc": SimpleNamespace(fake=copy)})
    assert next(each for each in copy.stubs if each.name == "GET /groups").to_wire() == wire
    explorer.add_stub(path="/groups")
    assert next(each for each in svc.fake.stubs if each.name == "GET /groups").to_wire()["headers"] == {}
    with pytest.raises(InvalidInput, match="GET /jobs has a function or several responses"):
        explorer.edit_stub("GET /jobs")


def test_a_new_one_takes_over_the_snapshots(svc: Session, explorer: FakeExplorer) -> None:
    explorer.take_snapshot(snapshot="morning")
    second = FakeExplorer(svc)
    second.restore("morning")

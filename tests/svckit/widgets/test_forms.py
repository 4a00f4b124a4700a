"""Forms over a session: typing, sending, asking before what is real, what stays, the three faces."""

from itertools import groupby
from typing import Any

import pytest

import svckit
from svckit.errors import Conflict, InvalidInput, NotFound
from svckit.models import User
from svckit.session.session import Session
from svckit.widgets import StatusForm, UserForm
from svckit.widgets.form.form import Form
from svckit.widgets.record.record_view import lines_of

from .conftest import ask


@pytest.fixture
def form(svc: Session) -> UserForm:
    return UserForm(svc, "u-001")


@pytest.fixture
def real(real: Session) -> UserForm:
    """A form over a session that takes its service for a real one."""
    return UserForm(real, "u-001")


def field(form: Form, path: str) -> dict[str, Any]:
    return next(each for each in form.view["fields"] if each["path"] == path)


def test_fields_read_like_the_record(form: UserForm) -> None:
    top = [each for each in form.view["fields"] if not each["depth"]]
    assert {each["path"] for each in top} == set(svckit.models.UserChange.model_fields)
    headings = [group for group, _ in groupby(each["group"] or each["label"] for each in top)]
    record = lines_of(form.svc.user_record("u-001"), User.field_groups)
    labels = [line.label for line in record if line.depth == 0]
    order = ["User name", "Contact", "Personal", "Work", "Organizations", "Account"]
    assert headings == [*order, "Further"]
    assert labels[:6] == order
    assert [name for name, _ in form.view["groups"]] == ["", *headings[1:]]


def test_fields_are_filled_and_show_no_limits(form: UserForm) -> None:
    nick = field(form, "nick_name")
    assert (nick["text"], nick["help"]) == ("Hana", "Nickname of the user.")
    assert (nick["clears"], nick["reverts"], field(form, "email")["clears"]) == (True, False, False)
    assert field(form, "user_name.last_name")["text"] == "Nakamura"
    assert field(form, "organizations[0].org_units[0].position_id")["text"] == "pos-lead"
    assert field(form, "locale")["options"] == ("", "ja_JP", "ko_KR", "en_US", "zh_CN", "zh_TW")
    assert "at most" not in form.html


def test_typing_counts_characters_and_says_what_is_wrong(form: UserForm) -> None:
    ask(form, do="write", field="nick_name", text="🍡" * 101)
    shown = field(form, "nick_name")
    assert (shown["edited"], shown["reverts"]) == (True, True)
    assert (shown["problem"], form.view["disabled"], form.view["code"]) == ("", True, ())
    ask(form, do="leave", field="nick_name")
    assert field(form, "nick_name")["problem"].startswith("Nick name must have at most 100 characters")
    ask(form, do="write", field="nick_name", text="🍡" * 102)
    assert "102" in field(form, "nick_name")["problem"]  # what was wrong says so until it is right
    ask(form, do="write", field="nick_name", text="🍡" * 100)
    assert (field(form, "nick_name")["problem"], form.problems) == ("", ())
    assert '"nickName": "🍡' in dict(form.view["code"])["JSON"]


def test_nested_problems_stand_at_their_fields(form: UserForm) -> None:
    ask(form, do="set_state", path="organizations", state="set")
    ask(form, do="add", path="organizations")
    assert "is required" in field(form, "organizations[1].domain_id")["problem"]
    name = field(form, "organizations[0].org_units[0].position_id")["name"]
    assert name == "Organization 1, Org unit 1, Position ID"
    form.enter("organizations[0].user_external_key", "x" * 400)
    assert [problem.partition(" must ")[0] for problem in form.problems] == [
        "Organization 1, User external key",
        "Organization 2, Domain ID is required",
        "Organization 2, Primary is required",
    ]
    assert form.problems == tuple(each["problem"] for each in form.view["fields"] if each["problem"])
    form.enter("organizations[0].user_external_key", "")
    ask(form, do="remove", path="organizations[1]")
    assert form.problems == ()


def test_what_was_sent_is_shown_until_something_is_edited(form: UserForm) -> None:
    ask(form, do="write", field="nick_name", text="Mina")
    code = form.view["code"]
    view = ask(form, do="submit")
    assert (field(form, "nick_name")["text"], form.values, view["disabled"]) == ("Mina", {}, True)
    assert (view["outcome"], view["code"]) == ("Sent: Nick name of u-001", code)
    view = ask(form, do="write", field="task", text="x")
    assert (view["outcome"], "Mina" in dict(view["code"])["Python"]) == ("", False)


def test_undo_restores_what_was_there_and_can_be_undone(form: UserForm) -> None:
    assert form.svc.fake is not None
    before = form.svc.fake.directory["u-001"]
    with pytest.raises(InvalidInput, match="there is nothing to undo"):
        ask(form, do="undo")
    form.enter("nick_name", "Mina")
    form.enter("organizations[0].org_units[0].position_id", "")
    form.add("alias_emails")
    form.enter("alias_emails[1]", "mina@example.com")
    form.enter("email", "mina@example.com")
    form.submit()
    changed = form.svc.fake.directory["u-001"]
    form.enter("location", "Osaka")
    view = ask(form, do="undo")
    assert view["outcome"] == "Undone: Email, Nick name, Alias emails, Organizations of u-001"
    assert ("Nick name", "Mina", "Hana") in view["changes"]
    assert form.svc.fake.directory["u-001"] == before
    assert form.values == {"location": "Osaka"}
    ask(form, do="undo")
    assert form.svc.fake.directory["u-001"] == changed


def test_undo_does_not_overwrite_what_others_changed(form: UserForm) -> None:
    form.enter("nick_name", "Mina")
    form.submit()
    form.svc.users.update("u-001", nick_name="Mio")
    with pytest.raises(Conflict, match='nick_name is "Mio" now'):
        ask(form, do="undo")
    assert form.svc.users.read("u-001").nick_name == "Mio"


def test_undo_of_a_real_user_is_asked_about_first(real: UserForm) -> None:
    ask(real, do="read")
    assert real.view["known"]
    real.enter("nick_name", "Mina")
    real.submit()
    real.confirm()
    assert "which is REAL" in ask(real, do="undo")["asking"]
    assert real.result.nick_name == "Mina"
    ask(real, do="confirm")
    assert real.result.nick_name == "Hana"


def test_a_change_without_a_known_record_cannot_be_undone(real: UserForm) -> None:
    assert (real.view["known"], field(real, "nick_name")["text"]) == (False, "")
    real.enter("nick_name", "Mina")
    real.submit()
    real.confirm()
    with pytest.raises(InvalidInput, match="whose record is known"):
        ask(real, do="undo")
    assert field(real, "location")["text"] != ""


def test_search_still_lists_wrong_fields(form: UserForm) -> None:
    view = ask(form, do="write", field="search", text="nick")
    assert ([field["path"] for field in view["fields"]], view["query"]) == (["nick_name"], "nick")
    form.enter("task", "x" * 101)
    form.enter("user_name.last_name", "y" * 81)
    assert form.view["wrong"] == [
        {"path": "user_name.last_name", "words": "User name, Last name"},
        {"path": "task", "words": "Task"},
    ]


def test_what_is_wrong_with_no_field_is_told_whole(svc: Session) -> None:
    form = UserForm(svc, "..")
    form.enter("nick_name", "x")
    (wrong,) = form.view["wrong"]
    assert wrong["path"] == ""
    assert "'..' cannot be a segment of a path" in wrong["words"]
    assert f"- {wrong['words']}" in repr(form)


def test_what_is_wrong_or_empty_is_not_sent(form: UserForm) -> None:
    before = len(form.svc.fake.journal)
    with pytest.raises(InvalidInput, match="set or clear a field first"):
        ask(form, do="submit")
    form.enter("nick_name", "x" * 101)
    with pytest.raises(InvalidInput, match="at most 100 characters"):
        ask(form, do="submit")
    assert form.error.startswith("InvalidInput: nothing was sent")
    assert (len(form.svc.fake.journal), form.values) == (before, {"nick_name": "x" * 101})


def test_a_refusal_shows_in_the_form_and_what_was_typed_stays(svc: Session) -> None:
    form = UserForm(svc, "u-999")
    form.enter("nick_name", "Mina")
    with pytest.raises(NotFound):
        ask(form, do="submit")
    assert form.error.startswith("NotFound")
    assert form.values == {"nick_name": "Mina"}
    assert form.response == "404 Not Found at 2026-06-01T09:00:00+09:00"


def test_what_is_real_is_asked_about_first(real: UserForm) -> None:
    real.enter("nick_name", "Mina")
    view = ask(real, do="submit")
    assert (view["badge"], real.result) == ("REAL", None)
    assert view["asking"] == "This goes to work (https://api.fake.test), which is REAL."
    assert "This goes to work" in repr(real)
    assert ask(real, do="cancel")["asking"] == ""
    ask(real, do="submit")
    ask(real, do="write", field="task", text="Sales")  # no longer what was asked about
    with pytest.raises(ValueError, match="nothing to confirm"):
        ask(real, do="confirm")
    assert real.result is None
    ask(real, do="submit")
    ask(real, do="confirm")
    assert (real.result.nick_name, real.result.task, real.view["asking"]) == ("Mina", "Sales", "")


def test_new_form_takes_over_what_was_typed(svc: Session) -> None:
    first = UserForm(svc, "u-001")
    first.enter("nick_name", "Mina")
    other, status = UserForm(svc, "u-002"), StatusForm(svc, "u-001")
    again = UserForm(svc, "u-001")
    assert (first.is_replaced, first.values) == (True, {})
    assert (again.values, other.values, status.values) == ({"nick_name": "Mina"}, {}, {})
    again.close()
    fresh = UserForm(svc, "u-001")
    assert fresh.values == {}


def test_a_status_with_an_automatic_reply(svc: Session) -> None:
    form = StatusForm(svc, "u-001")
    form.enter("profile_status_id", "AWAY")
    form.enter("message", "at lunch")
    form.enter("auto_reply.internal.content", "Back soon")
    form.enter("start", "at noon")
    assert "must be a time written" in field(form, "start")["problem"]
    form.set_state("start", "leave")
    ask(form, do="submit")
    assert (form.result.profile_status_id, form.result.status_message) == ("AWAY", "at lunch")
    assert form.view["outcome"] == "Sent: AWAY of u-001, PRESENT"


def test_a_fresh_form_has_nothing_wrong_yet_in_any_face(svc: Session) -> None:
    form = StatusForm(svc, "u-001")
    assert repr(form).splitlines()[1:] == [
        "To send",
        "  Profile status ID  required",
        "Required: Profile status ID",
    ]
    assert "<li>" not in form.to_html()
    form.enter("message", "x" * 51)
    assert "Message must have at most 50" not in repr(form)  # the check says first what is missing
    assert repr(form).endswith("Required: Profile status ID")
    with pytest.raises(InvalidInput):
        ask(form, do="submit")
    assert "- Profile status ID is required" in repr(form)
    assert "<li>Profile status ID is required</li>" in form.to_html()


def test_typed_secrets_are_masked_when_stored(form: UserForm) -> None:
    form.enter("task", "Authorization: Bearer abcdefghijklmnopqrstuvwxyz")
    assert "abcdefghij" not in form.to_html() + repr(form)


def test_what_is_left_stays_in_a_user_and_is_not_in_a_status(svc: Session) -> None:
    for make, words in ((UserForm, "Leave as is"), (StatusForm, "Leave out")):
        form = make(svc, "u-001")
        assert form.view["left"] == words


def test_what_is_required_is_a_mistake_only_once_somebody_came_to_it(svc: Session) -> None:
    form = StatusForm(svc, "u-001")
    assert form.problems == ("Profile status ID is required",)
    assert (field(form, "profile_status_id")["problem"], form.view["wrong"]) == ("", [])
    ask(form, do="write", field="profile_status_id", text="")
    ask(form, do="leave", field="profile_status_id")
    assert field(form, "profile_status_id")["problem"] == "Profile status ID is required"
    ask(form, do="reset")
    assert field(form, "profile_status_id")["problem"] == ""


def test_a_time_is_picked_in_the_zone_of_the_clock(svc: Session) -> None:
    form = StatusForm(svc, "u-001")
    assert (field(form, "start")["type"], field(form, "start")["text"]) == ("datetime-local", "")
    ask(form, do="write", field="start", text="2026-06-02T09:00")
    assert form.values == {"start": "2026-06-02T09:00:00+09:00"}
    form.enter("start", "2026-06-02T01:30:00Z")
    assert field(form, "start")["text"] == "2026-06-02T10:30:00"
    for typed in ("2026-06-02T09:00:00", "tomorrow"):
        form.enter("start", typed)  # the text stays, to be corrected
        assert (field(form, "start")["type"], field(form, "start")["text"]) == ("text", typed)

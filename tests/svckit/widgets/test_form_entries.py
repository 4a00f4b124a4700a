"""What is typed into a form and what stays of it: times in the zone of the clock, and the code of what was sent."""

from typing import Any

from svckit.session.session import Session
from svckit.widgets import StatusForm, UserForm
from svckit.widgets.form.form import Form

from .conftest import ask


def shown(form: Form, path: str) -> dict[str, Any]:
    return next(each for each in form.view["fields"] if each["path"] == path)


def test_a_time_is_picked_in_the_zone_of_the_clock(svc: Session) -> None:
    form = StatusForm(svc, "u-001")
    assert (shown(form, "start")["type"], shown(form, "start")["text"]) == ("datetime-local", "")
    ask(form, do="write", field="start", text="2026-06-02T09:00")
    assert form.values == {"start": "2026-06-02T09:00:00+09:00"}
    form.enter("start", "2026-06-02T01:30:00Z")
    assert shown(form, "start")["text"] == "2026-06-02T10:30:00"
    for typed in ("2026-06-02T09:00:00", "tomorrow"):
        form.enter("start", typed)  # the text stays, to be corrected
        assert (shown(form, "start")["type"], shown(form, "start")["text"]) == ("text", typed)


def test_the_code_of_what_was_sent_stays_until_something_is_edited(svc: Session) -> None:
    form = UserForm(svc, "u-001")
    form.enter("nick_name", "Mina")
    code = form.view["code"]
    form.submit()
    assert form.view["code"] == code != []
    form.enter("task", "Sales")
    assert "Mina" not in dict(form.view["code"])["Python"]

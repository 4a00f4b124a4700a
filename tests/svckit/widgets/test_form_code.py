"""The code of a form: run, it sends what the form's button sends."""

from collections.abc import Callable

import pytest

from svckit.session.session import Session
from svckit.widgets import StatusForm, UserForm
from svckit.widgets.form.form import Form


def fill_user(svc: Session) -> Form:
    form = UserForm(svc, "u-001")
    form.enter("user_name.last_name", "O'Hara")
    form.set_state("task", "clear")
    return form


def fill_status(svc: Session) -> Form:
    form = StatusForm(svc, "u-001")
    assert not form.code
    form.enter("profile_status_id", "BUSY")
    form.enter("message", 'in a "meeting"')
    return form


@pytest.mark.parametrize("fill", [fill_user, fill_status])
def test_the_code_does_what_the_button_does(svc: Session, fill: Callable[[Session], Form]) -> None:
    form = fill(svc)
    exec(form.code, {"svc": svc})
    form.submit()
    first, second = svc.fake.journal.latest(2)
    assert (first.url, first.json) == (second.url, second.json)

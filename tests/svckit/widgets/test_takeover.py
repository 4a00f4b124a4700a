"""Two explorers of one kind over one session, in two cells: the earlier one says what has become of it."""

import threading

import pytest
from ipywidgets.widgets.widget import _instances

from svckit.session.connect import connect
from svckit.session.session import Session
from svckit.widgets import StatusForm, UserForm
from svckit.widgets.explorers.explorer import Explorer
from svckit.widgets.explorers.explorer_panel import EXPLORERS, open_explorer
from svckit.widgets.form.form import Form

from .conftest import NOW

REPLACED = Explorer.replaced_text


@pytest.mark.parametrize("name", EXPLORERS)
def test_the_earlier_one_says_so_on_every_face_and_holds_nothing(svc: Session, name: str) -> None:
    first = open_explorer(name, svc)
    head = getattr(first, "head", first)
    second = open_explorer(name, svc)
    assert head.comm is not None
    assert head.is_replaced
    assert head.view == {"badge": "FAKE", "takenOver": REPLACED}
    assert repr(first) == f"[FAKE] {REPLACED}"
    assert REPLACED in first.to_html()
    assert REPLACED in head.html
    assert "<button" not in head.html
    assert getattr(first, "children", (head,)) == (head,)
    assert not getattr(second, "head", second).is_replaced
    second.close()
    assert head.comm is None


@pytest.mark.parametrize("name", EXPLORERS)
def test_at_most_one_lingers_however_often_a_cell_is_run(svc: Session, name: str) -> None:
    threads = set(threading.enumerate())
    counts = []
    for _ in range(5):
        last = open_explorer(name, svc)
        counts.append(len(_instances))
    assert counts[1:] == [counts[1]] * 4
    last.close()
    assert set(threading.enumerate()) <= threads


@pytest.mark.parametrize("name", EXPLORERS)
def test_what_its_view_still_asks_for_is_not_done(svc: Session, name: str) -> None:
    first = open_explorer(name, svc)
    head = getattr(first, "head", first)
    open_explorer(name, svc)
    for asked in ("watch", "send", "refresh", "renew", "log_in", "nonsense"):
        head._hear(head, {"do": asked}, [])
    head._show()
    assert head.view == {"badge": "FAKE", "takenOver": REPLACED}
    assert head.error == ""


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("files", {"path": "/tmp/half a pa", "store": "drive", "userId": "u-001"}),
        ("notifications", {"title": "CI", "text": "hello"}),
        ("inbox", {"text": "half a senten"}),
        ("sign-in", {"user": "u-004"}),
        ("time", {"target": "users.*", "status": "429", "to": "2026-06-05"}),
    ],
)
def test_later_explorer_of_the_session_keeps_the_draft(
    svc: Session, name: str, typed: dict[str, str]
) -> None:
    first = open_explorer(name, svc)
    first.write(**typed)
    draft = first.draft
    assert open_explorer(name, svc).draft == draft
    assert open_explorer(name, connect(now=NOW)).draft != draft


def test_what_was_on_its_way_is_stopped_and_forgotten(svc: Session) -> None:
    first = open_explorer("users", svc)
    burst = open_explorer("notifications", svc)
    burst.write(text="hello")
    burst.burst(300)
    for name in ("users", "notifications"):
        open_explorer(name, svc)
    burst.wait()
    assert burst.view == {"badge": "FAKE", "takenOver": REPLACED}
    assert (len(first.frame), first.selected, len(first.table.model.frame)) == (0, None, 0)


@pytest.mark.parametrize("kind", [UserForm, StatusForm])
def test_an_earlier_form_for_a_user_says_so_too(svc: Session, kind: type[Form]) -> None:
    first = kind(svc, "u-001")
    other = kind(svc, "u-002")
    second = kind(svc, "u-001")
    assert (first.is_replaced, other.is_replaced, second.is_replaced) == (True, False, False)
    assert first.comm is not None
    assert first.view == {"badge": "FAKE", "takenOver": Form.replaced_text}
    assert repr(first) == f"[FAKE] {Form.replaced_text}"
    assert Form.replaced_text in first.to_html()
    assert Form.replaced_text in first.html
    first._hear(first, {"do": "submit"}, [])
    assert (first.result, first.error) == (None, "")
    third = kind(svc, "u-001")
    assert (first.comm, second.is_replaced) == (None, True)
    third.close()
    assert second.comm is None

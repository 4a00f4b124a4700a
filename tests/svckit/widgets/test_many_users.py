"""Very many users: the first are shown at once, and all of them when they have been read, beside the notebook."""

from collections.abc import Iterator
from threading import Event
from typing import Any

import pandas as pd
import pytest

from fakes import FakeService
from svckit.session.connect import connect
from svckit.session.session import Session
from svckit.widgets import UsersExplorer
from svckit.widgets.explorers.users_head import FIRST

COUNT = 3_000
LAST = "u-3000"


@pytest.fixture
def svc() -> Session:
    return connect(FakeService.sample(users=COUNT, seed=0, now="2026-06-01T09:00:00+09:00"))


@pytest.fixture
def gate(svc: Session, monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Users come from the session's service beyond the first ones only when it is set."""
    opened, records = Event(), svc.records

    def gated(kind: Any) -> Iterator[Any]:
        for number, record in enumerate(records(kind)):
            if kind == "users" and number == FIRST + 1:
                assert opened.wait(30)
            yield record

    monkeypatch.setattr(svc, "records", gated)
    yield opened
    opened.set()


def looked(explorer: UsersExplorer) -> None:
    """What the browser asks for each second."""
    explorer.head._hear(explorer.head, {"do": "watch"}, [])


def test_the_first_are_there_at_once_and_all_later(svc: Session, gate: Event) -> None:
    explorer = UsersExplorer(svc)
    assert explorer.is_reading
    assert (len(explorer.frame), explorer.table.view["status"]) == (FIRST, "Rows 1–10 of 1,000")
    assert "The table shows the first 1,000 users" in repr(explorer)
    assert explorer.head.view["reading"] == "Reading users: 1,000 of 3,000"
    assert " data-watch>" in explorer.head.html
    explorer.table.search("sales")
    explorer.select("u-007")
    gate.set()
    explorer.head.users.wait()
    assert len(explorer.frame) == FIRST  # until somebody looks
    looked(explorer)
    assert (len(explorer.frame), explorer.is_reading, explorer.head.view["reading"]) == (COUNT, False, "")
    assert (explorer.table.view["query"], explorer.table.selected) == ("sales", "u-007")
    assert "The table shows the first" not in explorer.to_html()


def test_who_is_selected_from_python_is_waited_for(svc: Session) -> None:
    explorer = UsersExplorer(svc)
    explorer.select(LAST)
    assert explorer.selected["userId"] == LAST
    with pytest.raises(KeyError, match="u-3001"):
        explorer.select("u-3001")


def test_next_explorer_selects_the_user_once_read(svc: Session, gate: Event) -> None:
    gate.set()
    before = UsersExplorer(svc)
    before.wait()
    before.select(LAST)
    before.change()
    gate.clear()
    after = UsersExplorer(svc)
    assert (after.table.selected, after.form) == (None, None)
    gate.set()
    after.wait()
    assert (after.table.selected, after.table.view["page"], after.form.user_id) == (LAST, 300, LAST)


def test_known_users_stay_while_reading_again(svc: Session, gate: Event) -> None:
    gate.set()
    explorer = UsersExplorer(svc)
    explorer.wait()
    gate.clear()
    svc.users.update(LAST, nick_name="Mina")
    explorer.refresh()
    assert (len(explorer.frame), explorer.is_reading) == (COUNT, True)
    assert "The table shows the first" not in repr(explorer)
    gate.set()
    explorer.wait()
    assert explorer.frame.set_index("user_id").loc[LAST, "nick_name"] == "Mina"


def test_reading_is_stopped_by_button_by_closing_and_by_taking_over(svc: Session, gate: Event) -> None:
    explorer = UsersExplorer(svc)
    explorer.head._receive(explorer.head, {"do": "stop"}, [])
    gate.set()
    explorer.head.users.wait()
    looked(explorer)
    assert (len(explorer.frame), explorer.is_reading) == (FIRST, False)
    assert "The table shows the first 1,000 users" in repr(explorer)
    gate.clear()
    explorer.refresh()
    reading = explorer.head.users
    second = UsersExplorer(svc)
    third = second.head.users
    second.close()
    gate.set()
    for each in (reading, third):
        each.wait()
        assert each.take() is None


def test_what_fails_in_it_is_shown(svc: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    records = svc.records

    def failing(kind: Any) -> Iterator[Any]:
        for number, record in enumerate(records(kind)):
            if number == FIRST + 1:
                raise OSError("gone")
            yield record

    monkeypatch.setattr(svc, "records", failing)
    explorer = UsersExplorer(svc)
    explorer.head.users.wait()
    with pytest.raises(OSError, match="gone"):
        looked(explorer)
    assert (explorer.head.error, explorer.is_reading) == ("OSError: gone", False)


def test_the_form_of_one_user_reads_no_others(
    svc: Session, gate: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate.set()
    explorer = UsersExplorer(svc)
    explorer.wait()
    explorer.table.search(LAST)
    explorer.select(LAST)
    before = explorer.frame
    monkeypatch.setattr(svc, "records", None)
    explorer.change()
    assert explorer.form.model.record["userId"] == LAST
    explorer.form.enter("nick_name", "Mina")
    explorer.form.submit()
    looked(explorer)
    row = explorer.frame.set_index("user_id").loc[LAST]
    assert (len(explorer.frame), row["nick_name"], explorer.selected["nickName"]) == (COUNT, "Mina", "Mina")
    assert (explorer.table.view["query"], explorer.table.selected) == (LAST, LAST)
    assert len(explorer.frame.svc.changes()) == 0
    assert pd.isna(before.set_index("user_id").loc[LAST, "nick_name"])


def test_after_a_stop_it_is_still_said_that_not_all_are_shown(svc: Session, gate: Event) -> None:
    explorer = UsersExplorer(svc)
    explorer.stop()
    gate.set()
    explorer.select("u-007")
    explorer.change()
    explorer.form.enter("nick_name", "Mina")
    explorer.form.submit()
    assert (len(explorer.frame), explorer.selected["nickName"]) == (FIRST, "Mina")
    assert "The table shows the first 1,000 users" in repr(explorer)

"""The statuses explorer from Python: what stands, what begins and ends, setting one, what is real."""

from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svckit.session.connect import connect
from svckit.session.session import Session
from svckit.widgets import StatusesExplorer, StatusForm
from svckit.widgets.explorers.status_board import build_slots, build_timeline, find_next_transition

from .conftest import NOW, ask

LATER = {"start": "2026-06-01T13:00:00+09:00", "end": "2026-06-01T15:00:00+09:00"}


def standing(explorer: StatusesExplorer) -> dict[str, dict[str, str]]:
    return {slot["heading"]: dict(slot["lines"]) for slot in explorer.head.view["slots"]}


def show(explorer: StatusesExplorer, user: str) -> None:
    """Type a user, and press Enter."""
    ask(explorer, do="write", field="pasted", text=user)
    ask(explorer, do="choose")


def test_known_status_names_are_beside_their_ids(svc: Session) -> None:
    form = StatusForm(svc, "u-001")
    assert "CUSTOM01</option>" in form.html
    svc.users.set_status("u-002", "CUSTOM01")
    form.enter("message", "at lunch")
    assert "CUSTOM01 (Custom status 01)</option>" in form.html


def test_refresh_advances_a_reserved_status(svc: Session) -> None:
    svc.users.set_status("u-002", "AWAY", message="at lunch", **LATER)
    explorer = StatusesExplorer(svc)
    show(explorer, "u-002")
    assert standing(explorer)["Current"] == {}
    assert standing(explorer)["Reserved"]["Starts"] == {
        "at": "2026-06-01T13:00:00+09:00",
        "words": ", in 4 h",
    }
    assert explorer.head.view["transition"] == "Away (AWAY) starts in 4 h"
    svc.fake.clock.advance(hours=5)
    assert standing(explorer)["Current"] == {}  # not looked at yet
    ask(explorer, do="refresh")
    assert standing(explorer)["Current"]["Starts"] == {
        "at": "2026-06-01T13:00:00+09:00",
        "words": ", 1 h ago",
    }
    assert explorer.table.rows["schedule_type"].tolist() == ["PRESENT"]
    assert len(explorer.table.rows["profile_status_name"].dropna()) == 1  # names such as CUSTOM01 say little
    ask(explorer, do="move_to_next")
    assert svc.fake.clock.now() == datetime.fromisoformat(LATER["end"])
    assert standing(explorer) == {"Current": {}, "Reserved": {}}
    with pytest.raises(ValueError, match="only to where a status starts or ends"):
        explorer.head.move_to_next()


def test_the_form_sets_a_status_and_what_stands_is_shown_at_once(svc: Session) -> None:
    explorer = StatusesExplorer(svc)
    explorer.choose("u-003")
    explorer.toggle_form()
    explorer.form.enter("profile_status_id", "BUSY")
    explorer.form.enter("message", "in a meeting")
    explorer.form.submit()
    assert standing(explorer)["Current"] == {"Status": "Busy (BUSY)", "Message": "in a meeting"}
    assert explorer.table.rows["user_id"].tolist() == ["u-003"]
    explorer.choose("u-001")
    assert (explorer.form.user_id, explorer.form.values) == ("u-001", {})
    explorer.table.select("#1")
    assert explorer.form.user_id == "u-003"


@pytest.mark.parametrize("name", ["{email}", "externalKey:{userExternalKey}"])
def test_a_user_is_named_in_every_way_the_service_knows(svc: Session, name: str) -> None:
    svc.users.update("u-004", user_external_key="key-4")
    svc.users.set_status("u-004", "BUSY")
    explorer = StatusesExplorer(svc)
    explorer.choose(name.format(**next(u for u in svc.records("users") if u["userId"] == "u-004")))
    assert standing(explorer)["Current"]["Status"] == "Busy (BUSY)"
    explorer.choose("nobody")
    assert standing(explorer)["Current"] == {}


@pytest.mark.usefixtures("as_in_a_notebook")
def test_what_the_service_refuses_is_its_own_error_in_place(svc: Session) -> None:
    explorer = StatusesExplorer(svc)
    svc.fake.settings.profile_status_enabled = False
    ask(explorer, do="toggle_form")
    explorer.form.enter("profile_status_id", "BUSY")
    explorer.form._receive(explorer.form, {"do": "submit"}, [])
    assert "The status must be enable" in explorer.form.error
    assert explorer.form.values == {"profile_status_id": "BUSY"}
    assert standing(explorer)["Current"] == {}


def test_real_service_shows_statuses_of_this_session(real: Session) -> None:
    real.users.set_status("u-001", "BUSY")
    explorer = StatusesExplorer(real)
    assert explorer.head.badge == "REAL"
    assert "no operation that reads statuses" in repr(explorer)
    assert "no operation that reads statuses" in explorer.to_html()
    assert explorer.form is None
    show(explorer, "u-001")
    assert standing(explorer)["Current"]["Status"] == "Busy (BUSY)"
    show(explorer, "u-002")
    assert explorer.head.view["absent"] == "none set by this session"
    assert explorer.head.view["movable"] is False


def test_new_explorer_takes_over_what_was_typed(svc: Session) -> None:
    first = StatusesExplorer(svc)
    first.choose("u-002")
    first.toggle_form()
    first.form.enter("message", "half a senten")
    form = first.form
    second = StatusesExplorer(svc)
    assert (form.comm, first.form, first.table.comm) == (None, None, None)
    assert first.head.is_replaced
    assert (second.form.user_id, second.form.values) == ("u-002", {"message": "half a senten"})


def test_a_form_that_stands_alone_and_the_panel_leave_each_other(svc: Session) -> None:
    StatusForm(svc, "u-001")
    panel = svc.explore("statuses")
    panel.current.toggle_form()
    StatusesExplorer(svc)
    StatusForm(svc, "u-001")
    assert panel.current.comm is not None
    assert panel.current.form.comm is not None


def test_an_auto_reply_says_if_only_mail_to_the_user_gets_it(svc: Session) -> None:
    replies = {
        "internal": {"content": "Back soon", "sentDirectlyToMe": True},
        "external": {"content": "Hello"},
    }
    (current, _) = build_slots([{"scheduleType": "PRESENT", "autoReplyMail": replies}], svc.clock.now())
    assert current["lines"] == [
        ("Internal auto-reply", "Back soon (only to mail sent directly to the user)"),
        ("External auto-reply", "Hello"),
    ]


INSTANTS = st.datetimes(timezones=st.timezones()).map(lambda at: at.isoformat(timespec="seconds"))


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "scheduleType": st.sampled_from(["PRESENT", "RESERVED", None]),
                "profileStatusId": st.sampled_from(["BUSY", None]),
                "startTime": st.none() | INSTANTS,
                "endTime": st.none() | INSTANTS,
            }
        ),
        max_size=2,
    )
)
def test_any_times_have_their_place(records: list[dict[str, Any]]) -> None:
    now = datetime.fromisoformat(NOW)
    assert len(build_slots(records, now)) == 2
    transition = find_next_transition(records, now)
    assert transition is None or transition.at > now
    line = build_timeline(records, now)
    for bar in line["bars"] if line else []:
        assert 0 <= bar["left"] <= 1
        assert 0 < bar["width"] <= 1


def test_there_is_no_form_for_nobody(real: Session) -> None:
    explorer = StatusesExplorer(real)
    for press in (explorer.toggle_form, lambda: explorer.choose(" ")):
        with pytest.raises(ValueError, match="choose a user"):
            press()
    assert explorer.form is None


def test_the_form_opens_for_whom_it_is_and_closes(svc: Session) -> None:
    explorer = StatusesExplorer(svc)
    assert (explorer.form, explorer.head.draft.changing) == (None, False)
    ask(explorer, do="toggle_form")
    assert explorer.form.view["arrives"]
    explorer.choose("u-002")
    form = explorer.form
    assert (form.user_id, form.view.get("arrives")) == ("u-002", None)
    ask(explorer, do="toggle_form")
    assert (explorer.form, form.comm) == (None, None)


def test_watching_follows_the_clock_and_spares_the_table(svc: Session) -> None:
    svc.users.set_status("u-002", "BUSY", end="2026-06-01T10:00:00+09:00")
    explorer = StatusesExplorer(svc)
    explorer.choose("u-002")
    explorer.toggle_form()
    listed, form = explorer.table.model, explorer.form
    svc.fake.clock.to("2026-06-01T09:30:00+09:00")
    explorer.head._hear(explorer.head, {"do": "watch"}, [])
    assert explorer.head.view["transition"] == "Busy (BUSY) ends in 30 min"
    assert explorer.table.model is listed
    svc.fake.clock.to("2026-06-01T10:00:01+09:00")
    explorer.head._hear(explorer.head, {"do": "watch"}, [])
    assert explorer.head.view["transition"] == ""
    assert len(explorer.table.rows) == 0
    assert explorer.form is form


@pytest.mark.parametrize(
    ("now", "shown"), [(NOW, "2026-06-01 10:00:00+09:00"), ("2026-06-01T00:00:00Z", "01:00:00Z")]
)
def test_all_times_are_in_the_zone_of_the_clock(now: str, shown: str) -> None:
    svc = connect(now=now)
    svc.users.set_status("u-001", "BUSY", end="2026-06-01T10:00:00+09:00")
    explorer = StatusesExplorer(svc)
    assert shown in repr(explorer.table)
    made: dict[str, Any] = {"svc": svc}
    ask(explorer.table, do="open", panel="code")
    exec(explorer.table.view["panel"]["code"], made)
    assert list(made["rows"]["end_time"]) == list(explorer.table.rows["end_time"])


def test_half_a_second_is_in_no_span(svc: Session) -> None:
    svc.users.set_status("u-001", "BUSY", end="2026-06-01T09:01:00+09:00")
    explorer = StatusesExplorer(svc)
    svc.fake.clock.advance(seconds=0.5)
    explorer.refresh()
    assert explorer.head.view["now"] == "2026-06-01T09:00:00+09:00"
    assert explorer.head.view["transition"] == "Busy (BUSY) ends in 1 min"

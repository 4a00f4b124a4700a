"""The time explorer from Python: the clock is moved, what that changes is told, faults are injected."""

import inspect
from datetime import UTC, datetime, timedelta

import pytest

from fakes import FakeService
from fakes.faults.injection import Faults
from svckit import frames
from svckit.errors import InvalidInput
from svckit.session.connect import connect
from svckit.session.session import Session
from svckit.widgets import TimeExplorer
from svckit.widgets.explorers.fault_form import FAULTS, parse_arguments
from svckit.widgets.explorers.time_events import list_events

from .conftest import NOW, ask


@pytest.fixture
def explorer(svc: Session) -> TimeExplorer:
    return TimeExplorer(svc)


def changed(explorer: TimeExplorer) -> list[tuple[str, str]]:
    return [(each["kind"], each["words"]) for each in explorer.view["changed"]]


@pytest.mark.parametrize(
    ("by", "now"),
    [
        ("10 min", "2026-06-01T09:10:00+09:00"),
        ("1 h", "2026-06-01T10:00:00+09:00"),
        ("24 h", "2026-06-02T09:00:00+09:00"),
        ("90 days", "2026-08-30T09:00:00+09:00"),
    ],
)
def test_each_button_moves_the_clock(explorer: TimeExplorer, by: str, now: str) -> None:
    ask(explorer, do="move", by=by)
    assert explorer.view["now"] == now
    assert (explorer.view["moved"], explorer.view["origin"]) == (f"Moved {by}", NOW)


def test_what_ended_and_began_with_a_move_is_listed_in_order(svc: Session, explorer: TimeExplorer) -> None:
    svc.users.set_status("u-002", "BUSY", start="2026-06-01T10:00:00+09:00", end="2026-06-01T11:00:00+09:00")
    svc.users.set_status("u-003", "AWAY", end="2026-06-01T10:30:00+09:00")
    svc.notify("hello")
    explorer.move(timedelta(days=190))
    assert [kind for kind, _ in changed(explorer)] == [
        *("notification rate", "status", "status", "status", "access token", "change of values"),
        *("refresh token", "change of values", "retirement"),
    ]
    assert changed(explorer)[1:4] == [
        ("status", "BUSY of u-002 starts"),
        ("status", "AWAY of u-003 ends"),
        ("status", "BUSY of u-002 ends"),
    ]
    assert [event for event in list_events(svc.fake) if event.kind != "retirement"] == []


def test_the_next_event_is_always_the_nearest_and_has_then_happened(
    svc: Session, explorer: TimeExplorer
) -> None:
    svc.notify("hello")
    seen = []
    for _ in range(4):
        ask(explorer, do="move_to_next")
        seen.append((explorer.view["now"], changed(explorer)[0][0]))
    assert seen == [
        ("2026-06-01T09:01:00+09:00", "notification rate"),
        ("2026-06-02T09:00:00+09:00", "access token"),
        ("2026-07-31T00:00:00+09:00", "change of values"),
        ("2026-08-30T09:00:01+09:00", "refresh token"),
    ]
    states = [record["state"] for record in svc.fake.records("credentials")]
    assert states == ["expired", "expired"]


def test_where_statuses_do_not_move_by_the_clock_none_is_to_come() -> None:
    fake = FakeService.sample(now=NOW, assume={"status.transition": "never"})
    with connect(fake) as svc:
        svc.users.set_status("u-003", "AWAY", end="2026-06-01T10:30:00+09:00")
    assert [event.kind for event in list_events(fake)].count("status") == 0


def test_to_look_at_what_is_to_come_rests_on_nothing() -> None:
    fake = FakeService.sample(now=NOW, assumptions="refuse")
    with connect(fake) as svc:
        svc.notify("hello")
        used = [rule.used for rule in fake.rules]
        assert list_events(fake)[0].kind == "notification rate"
        assert [rule.used for rule in fake.rules] == used


@pytest.mark.parametrize(
    "typed",
    ["2026-06-05T12:00:00", "2026-06-05T12:00:00+09:00", "2026-06-05T03:00:00Z", " 2026-06-05T12:00 "],
)
def test_an_instant_without_an_offset_has_that_of_the_clock(explorer: TimeExplorer, typed: str) -> None:
    ask(explorer, do="write", field="to", text=typed)
    ask(explorer, do="move_to")
    assert explorer.view["now"] == "2026-06-05T12:00:00+09:00"


@pytest.mark.parametrize(
    ("instant", "told"),
    [
        ("soon", "is not an instant"),
        ("", "is not an instant"),
        ("2026-05-01", "moves forward only"),
        (datetime(2026, 5, 1), "moves forward only"),
    ],
)
def test_the_clock_itself_says_where_it_cannot_go(
    explorer: TimeExplorer, instant: str | datetime, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        explorer.move_to(instant)
    assert (explorer.view["now"], explorer.view["moved"]) == (NOW, "")


def test_a_running_clock_is_moved_too_and_said_to_run() -> None:
    with connect() as svc:
        explorer = TimeExplorer(svc)
        explorer.move(timedelta(hours=25))
        assert not explorer.view["standing"]
        assert changed(explorer) == [("access token", "of u-001 expires")]
        assert svc.fake.clock.now() - datetime.now().astimezone() > timedelta(hours=24, minutes=59)


def test_the_form_knows_every_kind_of_fault_and_its_fields() -> None:
    kinds = {
        name: list(inspect.signature(method).parameters)[2:]
        for name, method in vars(Faults).items()
        if "times" in getattr(getattr(method, "__code__", None), "co_varnames", ()) and name[0] != "_"
    }
    assert {kind: {*(option.name for option in each.options), "times"} for kind, each in FAULTS.items()} == {
        kind: set(names) for kind, names in kinds.items()
    }


@pytest.mark.parametrize("kind", FAULTS)
def test_every_kind_is_injected_as_it_stands_and_listed(
    svc: Session, explorer: TimeExplorer, kind: str
) -> None:
    ask(explorer, do="write", field="kind", text=kind)
    ask(explorer, do="inject")
    assert [(fault.kind, fault.target, fault.times) for fault in svc.fake.faults] == [(kind, "*", 1)]
    assert explorer.view["faults"][0]["left"] == "1 more time; applied 0 times"
    (before,) = svc.fake.faults
    svc.fake.faults.clear()
    exec(explorer.code, {"svc": svc})
    assert list(map(repr, svc.fake.faults)) == [repr(before)]


def test_a_fault_that_skips_requests_says_so(svc: Session, explorer: TimeExplorer) -> None:
    explorer.write(kind="reset", skip="2")
    explorer.inject()
    assert [fault.skip for fault in svc.fake.faults] == [2]
    assert explorer.view["faults"][0]["left"] == "1 more time, after skipping 2; applied 0 times"


def test_what_was_typed_for_a_kind_is_there_when_it_is_chosen_again(explorer: TimeExplorer) -> None:
    ask(explorer, do="write", field="status", text="429")
    ask(explorer, do="write", field="kind", text="delay")
    ask(explorer, do="write", field="kind", text="status")
    assert explorer.view["form"]["options"][0]["value"] == "429"


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"status": "x"}, "Status, 400 to 599 must be a whole number"),
        ({"status": "200"}, "from 400 to 599; given 200"),
        ({"times": "0"}, "from 1, or None for always; given 0"),
        ({"target": "user.read"}, "the nearest are users.update"),
        ({"kind": "drop_callback", "target": "bot-9"}, "no bot matches"),
    ],
)
def test_a_fault_that_cannot_be_is_refused(
    svc: Session, explorer: TimeExplorer, fields: dict[str, str], told: str
) -> None:
    explorer.write(**fields)
    with pytest.raises((ValueError, InvalidInput), match=told):
        explorer.inject()
    assert len(svc.fake.faults) == 0


def test_an_empty_number_of_times_is_always() -> None:
    assert parse_arguments("reset", " ", {"applied": True}) == {"times": None, "applied": True, "skip": 0}


@pytest.mark.parametrize("field", [{"kind": "flood"}, {"seconds": "1"}, {"options": "x"}])
def test_a_field_there_is_not_is_refused(explorer: TimeExplorer, field: dict[str, str]) -> None:
    with pytest.raises(InvalidInput):
        explorer.write(**field)


def test_one_fault_or_all_are_removed(svc: Session, explorer: TimeExplorer) -> None:
    for target in ("users.update", "users.*", "*"):
        explorer.write(target=target)
        explorer.inject()
    ask(explorer, do="remove", number=1)
    assert [fault.target for fault in svc.fake.faults] == ["users.update", "*"]
    with pytest.raises(ValueError, match="no fault 2"):
        explorer.remove(2)
    ask(explorer, do="remove_all")
    assert explorer.view["faults"] == []


def test_times_and_spans_agree_with_the_frames(svc: Session, explorer: TimeExplorer) -> None:
    svc.notify("hello")
    ends = frames.credentials(svc).set_index("credential")["end_time"].map(lambda end: end.isoformat())
    listed = {event["kind"]: datetime.fromisoformat(event["at"]) for event in explorer.view["coming"]}
    for kind in ("access token", "refresh token"):
        assert listed[kind].astimezone(UTC).isoformat() == ends[kind]
    svc.fake.clock.advance(seconds=0.5)
    explorer.refresh()
    assert explorer.view["now"] == NOW
    assert explorer.view["coming"][0]["in"] == "1 min"

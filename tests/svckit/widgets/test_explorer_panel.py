"""``svc.explore()``: one panel of a session, its badge, and one explorer at a time."""

from dataclasses import replace

import pytest

from svckit.errors import InvalidInput
from svckit.session.session import Session
from svckit.widgets import InboxExplorer, NotificationsExplorer
from svckit.widgets.explorers.explorer_panel import CONTROLS, open_explorer

from .conftest import NOW, as_real, ask


def test_each_explorer_is_made_when_it_is_first_shown_and_then_kept(svc: Session) -> None:
    panel = svc.explore()
    users = panel.current
    assert len(panel.children) == 2
    panel.head._receive(panel.head, {"do": "show", "name": "notifications"}, [])
    panel.current.write(text="hello")
    assert users.layout.display == "none"
    panel.show("users")
    assert panel.current is users
    assert users.layout.display is None
    assert svc.explore("notifications") is panel
    assert panel.current.draft.text == "hello"


def test_a_panel_that_shows_the_session_leaves_that_to_it(svc: Session) -> None:
    explorer = NotificationsExplorer(svc)
    before = explorer.view
    svc.notify("Build is green")
    explorer._hear(explorer, {"do": "watch", "only": "session"}, [])
    assert {**explorer.view, "session": before["session"]} == before
    explorer._hear(explorer, {"do": "watch"}, [])
    assert "Build is green" in str(explorer.view)


def test_after_it_was_closed_there_is_a_new_one(svc: Session) -> None:
    panel = svc.explore()
    panel.close()
    another = svc.explore()
    assert another is not panel
    panel.close()  # as it is when Python frees it, whenever that is
    assert svc.explore() is another


def test_an_explorer_that_stands_alone_leaves_the_one_in_the_panel(svc: Session) -> None:
    panel = svc.explore("notifications")
    type(panel.current)(svc)
    assert panel.current.comm is not None


def test_panel_without_a_journal_notes_all_calls(svc: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(svc, "fake", None)
    panel = svc.explore()
    svc.notify("before anybody looked")
    panel.show("traffic")
    assert [row["cells"][5] for row in panel.current.view["rows"]] == ["notify"]
    panel.close()
    assert svc._driver._traces == []
    unseen = svc.explore()
    unseen.close()
    unseen.close()
    assert svc._driver._traces == []


@pytest.mark.parametrize(("is_fake", "badge"), [(True, "FAKE"), (False, "REAL")])
def test_the_badge_is_on_every_face_once(svc: Session, is_fake: bool, badge: str) -> None:
    svc.profile = replace(svc.profile, is_fake=is_fake)
    panel = svc.explore()
    assert panel.head.view["badge"] == badge
    assert (panel.to_html().count(f"[{badge}]"), repr(panel).count(f"[{badge}]")) == (1, 1)


def test_real_service_has_no_tabs_of_controls(svc: Session) -> None:
    names = svc.explore().head.view["names"]
    svc.explore().close()
    real = as_real(svc).explore()
    assert real.head.view["names"] == [name for name in names if name not in CONTROLS]
    real.show("rules")
    assert set(real.head.view["names"]) & set(CONTROLS) == {"rules"}


def test_its_head_says_who_is_signed_in_until_when_and_the_time(svc: Session) -> None:
    panel = svc.explore("time")
    for words in (
        "hana.nakamura.001@example.com",
        "2026-06-02 09:00",
        "clock ",
        "2026-06-01 09:00",
    ):
        assert words in panel.head.html
    svc.fake.clock.to("2026-06-02T10:00:30+09:00")
    panel.head._receive(panel.head, {"do": "watch", "only": "session"}, [])
    assert "2026-06-02 10:00:30" in panel.head.html
    assert "until" not in panel.head.html
    assert "hana.nakamura" not in str(panel.current.view)


def test_an_explorer_on_its_own_says_so_itself(svc: Session) -> None:
    explorer = InboxExplorer(svc)
    assert "hana.nakamura.001@example.com" in explorer.html
    explorer.write(text="hello")
    svc.fake.clock.to("2026-06-01T10:00:00+09:00")
    explorer._hear(explorer, {"do": "watch", "only": "session"}, [])
    assert "2026-06-01 10:00" in explorer.html
    assert "token until" not in explorer.to_html()
    explorer.embed()
    assert "token until" not in explorer.html


def test_the_time_of_a_real_service_is_not_shown(real: Session) -> None:
    explorer = InboxExplorer(real)
    assert "token until" in explorer.html
    assert "Clock" not in explorer.html


def test_an_explorer_there_is_not_is_refused_by_name(svc: Session) -> None:
    svc.explore()
    with pytest.raises(ValueError, match="no explorer 'boards'; the explorers are users, statuses, files, "):
        svc.explore("boards")


def test_a_rule_is_a_link_where_a_panel_shows_it(svc: Session) -> None:
    panel = svc.explore("traffic")
    traffic = panel.current
    svc.users.read("u-001")
    traffic.refresh()
    traffic.select(traffic.messages[-1].number)
    ask(traffic, do="part", name="Rules")
    assert 'data-do="rule"' in traffic.html
    ask(traffic, do="rule", rule="user.partial")
    assert panel.head.chosen == "rules"
    assert "user.partial" in repr(panel.current.head)


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("fake", "svc.fake.directory"),
        ("fake", "POST /webhooks"),
        ("time", "svc.fake.clock"),
        ("inbox", "POST /messages"),
    ],
)
def test_of_a_fake_elsewhere_it_is_said_what_controls_it(svc: Session, name: str, instead: str) -> None:
    svc.fake = None
    assert instead in open_explorer(name, svc).view["note"]


@pytest.mark.parametrize(
    ("name", "what", "methods"),
    [
        ("fake", "the users, rooms, bots, stubs and state", ["reset"]),
        ("time", "the clock and the faults", ["inject", "move_to_next", "remove_all"]),
    ],
)
def test_a_real_service_cannot_be_controlled(svc: Session, name: str, what: str, methods: list[str]) -> None:
    explorer = open_explorer(name, as_real(svc))
    assert "[REAL]" in repr(explorer)
    for said in (explorer.view["note"], repr(explorer), explorer.to_html()):
        assert f"This is the real service, of which {what} cannot" in said
    for method in methods:
        with pytest.raises(
            InvalidInput, match=f"nothing was done: This is the real service, of which {what} cannot"
        ):
            getattr(explorer, method)()
    assert svc.fake.clock.now().isoformat() == NOW

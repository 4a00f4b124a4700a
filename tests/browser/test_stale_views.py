"""A slow kernel: a view that arrives after something was entered must not undo it, nor take the focus away."""

import pandas as pd
import pytest
from playwright.sync_api import Locator, Page, expect

from svckit.session.session import Session
from svckit.widgets import (
    NotificationsExplorer,
    PagedTable,
    StatusesExplorer,
    TimeExplorer,
    TrafficExplorer,
    UserForm,
)

from .conftest import ShowSlow

pytestmark = pytest.mark.wide


def test_only_listed_users_show_at_once(slow: ShowSlow, svc: Session) -> None:
    head = StatusesExplorer(svc).head
    front = slow(head)
    user = front.page.get_by_role("combobox", name="User")
    expect(front.page.locator("datalist option")).to_have_count(20)
    user.evaluate(
        """control => {
            control.value = "u-002";
            const { InputEvent } = control.ownerDocument.defaultView;
            control.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertReplacementText" }));
        }"""
    )  # as the browser has it where one of the list is picked
    front.let_through()
    assert (head.draft.user, head.draft.pasted) == ("u-002", "")
    user.fill("nobody")
    front.let_through()
    assert (head.draft.user, head.draft.pasted) == ("u-002", "nobody")
    user.press("Enter")
    front.let_through()
    assert head.draft.user == "nobody"
    expect(user).to_have_value("nobody")


@pytest.mark.parametrize("kind", ["statuses", "time"])
def test_a_clock_that_runs_is_looked_at_by_itself(slow: ShowSlow, svc: Session, kind: str) -> None:
    svc.users.set_status("u-001", "BUSY", end="2026-06-01T10:00:00+09:00")
    explorer = StatusesExplorer(svc).head if kind == "statuses" else TimeExplorer(svc)
    soon = [{**each, "left": 0.5} for each in explorer.view.get("coming", [])]
    explorer.view = {**explorer.view, "standing": False, "watched": kind == "statuses", "coming": soon}
    front = slow(explorer)
    svc.fake.clock.to("2026-06-01T10:00:01+09:00")
    front.page.wait_for_function("window.sent.length > 0")
    assert front.page.evaluate("window.sent") == [{"do": "watch"}]
    front.let_through()
    if kind == "statuses":
        expect(front.page.get_by_role("region", name="Current")).to_have_text("Currentnone")
    else:
        expect(front.page.locator("time.svckit-title")).to_have_text("2026-06-01 10:00:01")


def test_filters_that_are_ticked_one_after_the_other_add_up(slow: ShowSlow) -> None:
    table = PagedTable(pd.DataFrame({"name": ["Aoki", "Berg", "Cruz"]}), caption="People")
    front = slow(table)
    front.page.get_by_role("button", name="Filter Name").click()
    front.let_through()
    first, second = (front.page.get_by_role("checkbox", name=name) for name in ("Aoki", "Berg"))
    first.check()
    front.catch_up()
    second.check()
    front.let_through(1)
    expect(second).to_be_checked()
    front.let_through(1)
    assert table.rows["name"].tolist() == ["Aoki", "Berg"]
    for box in (first, second):
        expect(box).to_be_checked()


def test_a_choice_that_is_refused_goes_back_and_a_text_stays(
    slow: ShowSlow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svckit.widgets.base.callbacks.reraise", False)
    table = PagedTable(pd.DataFrame({"count": pd.array([1, 2, None], "Int64")}), caption="Counts")
    front = slow(table)
    front.page.get_by_role("button", name="Filter Count").click()
    front.let_through()
    low, blank = front.page.get_by_label("From"), front.page.get_by_label("Blank cells")
    low.fill("one")
    low.blur()
    front.let_through()
    expect(front.page.get_by_role("alert")).to_contain_text("one")
    expect(low).to_have_value("one")

    def refuse(*_: object) -> None:
        raise ValueError("no such luck")

    monkeypatch.setattr(table.model, "set_filter", refuse)
    blank.select_option("only")
    front.let_through()
    expect(low).to_have_value("one")
    expect(blank).to_have_value("")


# Only in this page, which shares Playwright's own clock with those of all other tests.
KEEP_TIMERS = """() => {
    window.timers = [];
    window.setTimeout = (act, after = 0) => window.timers.push({ act, after });
    window.clearTimeout = (number) => window.timers[number - 1] && (window.timers[number - 1].act = () => {});
}"""
LET_PASS = "(time) => window.timers.filter(({ after }) => after <= time).forEach(({ act }) => act())"


def half_click(front_of: ShowSlow, svc: Session) -> tuple[Page, Locator]:
    """Press the only row of an explorer, and let another one come; no time passes but what a test lets pass."""
    svc.users.update("u-001", nick_name="A")
    traffic = TrafficExplorer(svc)
    front = front_of(traffic)
    rows = front.page.get_by_role("row", name="PATCH")
    rows.first.hover()
    front.page.evaluate(KEEP_TIMERS)
    front.page.mouse.down()
    svc.users.update("u-001", nick_name="B")
    traffic.refresh()
    front.catch_up()
    expect(rows).to_have_count(1)
    return front.page, rows


def test_a_row_that_is_half_clicked_stays_in_its_place(slow: ShowSlow, svc: Session) -> None:
    page, rows = half_click(slow, svc)
    page.mouse.up()
    assert page.evaluate("window.sent.some((each) => each.do === 'select')")
    page.evaluate(LET_PASS, 0)
    expect(rows).to_have_count(2)


def test_a_press_that_is_never_released_holds_nothing_up(slow: ShowSlow, svc: Session) -> None:
    page, rows = half_click(slow, svc)
    page.evaluate(LET_PASS, 999)
    expect(rows).to_have_count(1)
    page.evaluate(LET_PASS, 1000)
    expect(rows).to_have_count(2)


@pytest.mark.parametrize("kind", ["form", "table", "explorer", "record", "panel"])
def test_view_without_a_kernel_says_so(slow: ShowSlow, svc: Session, kind: str) -> None:
    panel = svc.explore()
    panel.current.select("u-001")
    table, record = panel.current.table, panel.current.record
    shown = {"form": UserForm, "explorer": lambda svc, _: NotificationsExplorer(svc)}
    given = {"table": table, "record": record, "panel": panel.children[0]}
    widget = given[kind] if kind in given else shown[kind](svc, "u-001")
    front = slow(widget)
    wrong: list[str] = []
    front.page.on("pageerror", lambda error: wrong.append(str(error)))
    said = front.page.locator(".jupyter-widgets-disconnected .svckit")
    expect(said).to_have_count(0)
    front.page.evaluate("window.ended = true")
    for text in front.page.locator("input:visible, textarea:visible").all()[:1]:
        text.fill("words")
    for button in front.page.locator("button:visible:not([aria-disabled=true])").all()[:3]:
        button.click()
    expect(said).to_have_count(1)
    assert not wrong

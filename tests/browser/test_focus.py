"""Where what was pressed goes away, the keyboard's focus goes on to what one expects, and not to the page."""

from dataclasses import replace

import pandas as pd
import pytest
from playwright.sync_api import expect

from svckit.session.session import Session
from svckit.widgets import NotificationsExplorer, PagedTable, TimeExplorer, TrafficExplorer, UserForm

from .conftest import ShowSlow

pytestmark = pytest.mark.wide


@pytest.fixture
def real(svc: Session) -> Session:
    """A session that takes its fake for the real service."""
    svc.profile = replace(svc.profile, name="work", is_fake=False)
    return svc


@pytest.mark.parametrize("answer", ["Cancel", "Send to REAL"])
@pytest.mark.parametrize("asker", ["Change the user", "Send"])
def test_from_an_answer_to_the_button_that_asked(
    slow: ShowSlow, real: Session, asker: str, answer: str
) -> None:
    if asker == "Send":
        widget = NotificationsExplorer(real)
        widget.write(text="Build is green")
    else:
        widget = UserForm(real, "u-001")
        widget.enter("nick_name", "Mina")
    front = slow(widget)
    asks = front.page.get_by_role("button", name=asker, exact=True)
    asks.press("Enter")
    front.let_through_to("send" if asker == "Send" else "submit")
    expect(front.page.get_by_role("button", name="Cancel")).to_be_focused()
    front.page.get_by_role("button", name=answer).press("Enter")
    front.let_through_to("cancel" if answer == "Cancel" else "confirm")
    expect(asks).to_be_focused()


def test_from_a_detail_that_is_closed_to_its_row(slow: ShowSlow, svc: Session) -> None:
    for name in ("A", "B", "C"):
        svc.users.update("u-001", nick_name=name)
    front = slow(TrafficExplorer(svc))
    row = front.page.get_by_role("row", name="PATCH").nth(1)
    row.press("Enter")
    front.let_through_to("select")
    front.page.get_by_role("button", name="Close").press("Enter")
    front.let_through_to("close")
    expect(row).to_be_focused()


def test_removing_a_fault_focuses_the_next(slow: ShowSlow, svc: Session) -> None:
    for target in ("users.update", "users.set_status"):
        svc.fake.faults.status(target, 503)
    front = slow(TimeExplorer(svc))
    remove = front.page.get_by_role("button", name="Remove").filter(has_not_text="all")
    remove.first.press("Enter")
    front.let_through()
    expect(remove).to_have_count(1)
    expect(remove).to_be_focused()
    remove.press("Enter")
    front.let_through()
    expect(front.page.get_by_text("Inject a fault…", exact=True)).to_be_focused()


def test_from_the_reset_of_the_rate_to_sending(slow: ShowSlow, svc: Session) -> None:
    svc.notify("Build is green")
    front = slow(NotificationsExplorer(svc))
    front.page.get_by_role("button", name="Move the clock to the reset").press("Enter")
    front.let_through_to("move_to_reset")
    expect(front.page.get_by_role("button", name="Send", exact=True)).to_be_focused()


def test_from_a_filter_that_is_cleared_to_the_search(slow: ShowSlow) -> None:
    table = PagedTable(pd.DataFrame({"name": ["Aoki", "Berg"]}), caption="People")
    table.filter("name", choices=["Aoki"])
    front = slow(table)
    front.page.get_by_title("Clear this filter").press("Enter")
    front.let_through()
    expect(front.page.get_by_role("searchbox")).to_be_focused()


def test_from_an_item_that_is_removed_to_its_list(slow: ShowSlow, svc: Session) -> None:
    form = UserForm(svc, "u-002")
    form.add("alias_emails")
    front = slow(form)
    front.page.get_by_role("button", name="Remove Alias email 1").press("Enter")
    front.let_through()
    expect(front.page.get_by_role("button", name="Add Alias emails")).to_be_focused()

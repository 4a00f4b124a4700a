"""Little room and long words: what one looks for and presses stays in sight."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from svckit.session.session import Session
from svckit.widgets import RecordView, StatusesExplorer, TrafficExplorer, UserForm

from .slow_kernel import show

pytestmark = pytest.mark.wide

LONG = "W" * 80
ShowAt = Callable[[Any, int], Page]


@pytest.fixture
def show_at(chromium: BrowserContext) -> Iterator[ShowAt]:
    """Show a widget in a page of some width, without JupyterLab."""
    page = chromium.new_page()

    def show_in(widget: Any, width: int) -> Page:
        page.set_viewport_size({"width": width, "height": 900})
        return show(page, widget).page

    yield show_in
    page.close()


@pytest.mark.parametrize("width", [1400, 300])
def test_a_name_without_a_break_leaves_the_button_beside_it_in_reach(show_at: ShowAt, width: int) -> None:
    view = RecordView(change=lambda: None)
    view.show({"userId": LONG, "customProperties": {LONG: {"text": LONG}}}, title=f"{LONG} {LONG}", key=LONG)
    page = show_at(view, width)
    expect(page.get_by_role("button", name="Change")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    view.close()


def test_the_name_beside_the_field_of_a_user_breaks_too(show_at: ShowAt, svc: Session) -> None:
    svc.users.update("u-001", user_name={"last_name": LONG, "first_name": LONG})
    page = show_at(StatusesExplorer(svc).head, 700)
    expect(page.get_by_role("strong").get_by_text(LONG)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 700


def test_a_form_and_its_buttons_fit_where_it_is_narrow(show_at: ShowAt, svc: Session) -> None:
    svc.users.update("u-001", task=LONG)
    form = UserForm(svc, "u-001")
    form.enter("task", "W" * 101)
    page = show_at(form, 420)
    expect(page.get_by_role("button", name="Clear Task")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    form.close()


def test_traffic_has_the_responses_in_sight_where_it_is_narrow(show_at: ShowAt, svc: Session) -> None:
    svc.users.read("u-001")
    page = show_at(TrafficExplorer(svc), 700)
    row = page.get_by_role("row", name="PATCH")
    expect(row.get_by_role("gridcell", name="200 OK")).to_be_in_viewport(ratio=1)
    expect(row.get_by_text("/users/u-001")).to_be_in_viewport(ratio=1)
    expect(row.get_by_title("https://api.fake.test/users/u-001")).to_be_visible()

"""What the scripts of widgets do by themselves, in a page without Jupyter."""

import pandas as pd
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from svckit.session.session import Session
from svckit.widgets import NotificationsExplorer, PagedTable, TimeExplorer

from .conftest import ShowSlow
from .slow_kernel import show

pytestmark = pytest.mark.wide


@pytest.mark.parametrize("kind", [TimeExplorer, NotificationsExplorer])
def test_what_is_left_is_counted_down_only_while_the_clock_runs(
    chromium: BrowserContext, svc: Session, kind: type[TimeExplorer | NotificationsExplorer]
) -> None:
    svc.users.set_status("u-001", "BUSY", end="2026-06-01T10:00:00+09:00")
    svc.notify("hello")
    widget = kind(svc)
    assert chromium.browser is not None
    context = chromium.browser.new_context()  # Playwright's clock would be that of all other pages too
    page = context.new_page()
    page.clock.install()
    front = show(page, widget)
    before = words(page)
    page.clock.run_for(5_000)
    assert words(page) == before
    rate = {**widget.view.get("rate", {}), "standing": False}
    widget.view = {**widget.view, "standing": False, "rate": rate}
    front.catch_up()
    before = words(page)
    page.clock.run_for(
        61_000
    )  # times of hours are shown in minutes, and on a busy machine the first has begun
    assert words(page) != before
    context.close()


def words(page: Page) -> str:
    return page.locator("body").inner_text()


def test_the_last_column_stays(slow: ShowSlow) -> None:
    table = PagedTable(pd.DataFrame({"name": ["Aoki"], "state": ["active"]}), caption="People")
    front = slow(table)
    front.page.get_by_role("button", name="Columns").click()
    front.let_through()
    first, second = (front.page.get_by_role("checkbox", name=name, exact=True) for name in ("Name", "State"))
    first.click()
    front.let_through()
    expect(second).to_be_disabled()
    second.click(force=True)
    expect(second).to_be_checked()
    assert front.page.evaluate("window.sent") == []
    expect(front.page.get_by_role("columnheader")).to_have_text(["State"])

"""The panel's tabs by keyboard alone, as the ARIA authoring practices have it for tabs."""

import pytest
from playwright.sync_api import expect

from .conftest import CONNECT, OpenNotebook


@pytest.mark.long
def test_tabs_are_gone_through_by_arrows_and_shown_by_enter(open_notebook: OpenNotebook) -> None:
    page = open_notebook(CONNECT, "svc.explore('time')")
    tabs = page.get_by_role("tablist", name="Explorers").get_by_role("tab")
    tab = {name: tabs.filter(has_text=name) for name in ("Statuses", "Time", "Rules")}
    expect(tabs).to_have_count(10)
    expect(page.get_by_role("tabpanel", name="Time")).to_be_visible()

    tab["Time"].focus()
    page.keyboard.press("ArrowRight")
    expect(tab["Rules"]).to_be_focused()
    expect(tab["Time"]).to_have_attribute("aria-selected", "true")  # nothing was shown yet

    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("tabpanel", name="Statuses")).to_be_visible()
    expect(page.get_by_role("tabpanel", name="Time")).to_have_count(0)  # hidden, and so none
    expect(tab["Statuses"]).to_have_attribute("aria-selected", "true")
    expect(tab["Statuses"]).to_be_focused()
    panel = page.get_by_role("tabpanel", name="Statuses").get_attribute("id")
    expect(tab["Statuses"]).to_have_attribute("aria-controls", str(panel))

    page.keyboard.press("End")
    page.keyboard.press("Tab")  # out of the tabs, into the panel
    expect(page.get_by_role("tabpanel", name="Statuses").locator(":focus")).to_have_count(1)
    page.keyboard.press("Shift+Tab")
    expect(tab["Statuses"]).to_be_focused()  # back to the one that is shown

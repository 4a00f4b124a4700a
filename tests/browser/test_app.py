"""The panel as an app: `svckit lab --app` shows it without JupyterLab, and asks no server elsewhere for anything."""

from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.wide


def test_the_panel_is_used_without_jupyterlab_by_who_has_the_token(page: Page, app_url: str) -> None:
    with urlopen(app_url.partition("?")[0]) as without_token:
        assert "/login" in without_token.url
    page.goto(app_url)
    expect(page.get_by_role("grid", name="Users")).to_be_visible()
    expect(page).to_have_title("The explorers of a session")
    expect(page.locator(".svckit-badge:visible").first).to_have_text("FAKE")
    expect(page.get_by_role("heading", name="Try it")).to_be_visible()
    expect(page.get_by_role("heading", name="All of them at a glance")).to_have_count(0)  # it shows them
    elsewhere = page.get_by_role("link", name="How to look at the wire")  # the app has no other notebooks
    expect(elsewhere).to_be_hidden()
    page.get_by_role("tab", name="Notifications").click()
    page.get_by_role("textbox", name="Text").fill("Build is green")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_role("grid", name="Sent")).to_contain_text("200 success")
    expect(page.get_by_role("meter", name="Rate used")).to_have_attribute("value", "1")

"""The panel as an app: `svckit lab --app` shows it without JupyterLab, and asks no server elsewhere for anything."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from ..loopback import free_port
from .conftest import started


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the app is, as the command prints it."""
    home = tmp_path_factory.mktemp("app")
    log = home / "app.log"
    command = ["svckit", "lab", "--app", "--no-browser", "--port", str(free_port())]
    with started(command, home, log, "The app is at"):
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\w+", log.read_text("utf-8"))
        assert found is not None
        yield found[0]


def test_the_panel_is_used_without_jupyterlab_by_who_has_the_token(page: Page, address: str) -> None:
    with urlopen(address.partition("?")[0]) as without_token:
        assert "/login" in without_token.url
    page.goto(address)
    expect(page.get_by_role("grid", name="Users")).to_be_visible()
    expect(page.locator(".svckit-badge:visible")).to_have_text(["FAKE"])
    expect(page.get_by_role("heading", name="Try it")).to_be_visible()
    elsewhere = page.get_by_role("link", name="How to look at the wire")  # the app has no other notebooks
    expect(elsewhere).to_be_hidden()
    page.get_by_role("tab", name="Notifications").click()
    page.get_by_role("textbox", name="Text").fill("Build is green")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_role("list", name="Sent notifications")).to_contain_text("200 success")
    expect(page.get_by_role("meter", name="Rate used")).to_have_attribute("aria-valuenow", "1")
    if "SVCKIT_SCREENSHOTS" in os.environ:
        page.screenshot(path=Path(os.environ["SVCKIT_SCREENSHOTS"], "app-light.png"))
        page.goto(f"{address}&theme=dark")
        expect(page.get_by_role("grid", name="Users")).to_be_visible()
        page.screenshot(path=Path(os.environ["SVCKIT_SCREENSHOTS"], "app-dark.png"))

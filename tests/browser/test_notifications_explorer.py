"""The panel of explorers, and the notifications in it, as people use them."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .conftest import SHUT_DOWN, TakePicture, execute

OpenNotebook = Callable[..., Page]

SETUP = """
import svckit

svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
EVIL = "<img src=x onerror='window.__xss=1'><script>window.__xss=1</script>"
svc.users.update("u-002", nick_name=EVIL, user_name={"last_name": EVIL})
panel = svc.explore("notifications")
"""


# What is done every second, to be done at once.
KEEP_LOOKS = """
window.looks = [];
window.setInterval = ((native) => (look, every, ...more) => {
  if (every === 1000) window.looks.push(look);
  return native(look, every, ...more);
})(window.setInterval);
"""


@pytest.fixture
def panel(page: Page, open_notebook: OpenNotebook) -> Page:
    page.add_init_script(KEEP_LOOKS)  # where the page has yet to load JupyterLab
    page.evaluate(f"() => {{{KEEP_LOOKS}}}")  # and where a test before has
    open_notebook(SETUP, "panel")
    expect(page.get_by_role("region", name="Notifications")).to_be_visible()
    return page


def test_write_send_and_burst_until_the_reset(panel: Page) -> None:
    page = panel
    expect(page.locator(".svckit-panel-head .svckit-badge")).to_have_text("FAKE")
    send = page.get_by_role("button", name="Send", exact=True)
    send.click()
    expect(page.get_by_role("alert")).to_contain_text("nothing was sent: Text is required")

    evil = "<img src=x onerror='window.__xss=1'>"
    page.get_by_label("Title", exact=True).fill(evil)
    page.get_by_label("Text", exact=True).fill("Build is green")
    page.get_by_label("Mention: user ID").fill("u-002")
    page.get_by_role("button", name="Mention").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_text("Add a button…").click()
    page.get_by_label("Button label").fill("Open")
    page.get_by_label("Button URL").fill("https://example.com/build")
    room = page.get_by_role("group", name="Preview")
    expect(room.locator("mark")).to_contain_text("@<img src=x")
    expect(room.get_by_role("link", name="Open")).to_have_attribute("href", "https://example.com/build")

    send.click()
    gauge = page.get_by_role("meter", name="Rate used")
    expect(gauge).to_have_attribute("value", "1")
    expect(page.get_by_role("grid", name="Sent")).to_contain_text("200 success")
    received = page.get_by_role("list", name="Messages in the room")
    expect(received).to_contain_text("@<img src=x")
    expect(received.get_by_role("link", name="Open")).to_have_attribute("href", "https://example.com/build")
    page.get_by_text("Setup: all steps are done").click()
    expect(page.get_by_role("list", name="Steps of the setup").get_by_text("done")).to_have_count(5)

    page.get_by_role("button", name="Burst").click()
    expect(gauge).to_have_attribute("value", "120")
    expect(page.get_by_role("grid", name="Sent")).to_contain_text("429 too many request")
    page.get_by_role("button", name="Move the clock to the reset").click()
    expect(gauge).to_have_attribute("aria-valuetext", "reset since; up to 120 a minute")
    assert page.locator(".svckit img, .svckit script").count() == 0
    assert page.evaluate("window.__xss") is None


@pytest.mark.long
def test_the_gauge_moves_when_a_cell_sends(panel: Page) -> None:
    gauge = panel.get_by_role("meter", name="Rate used")
    expect(gauge).to_have_attribute("aria-valuetext", "not known before the first response")
    execute(panel, "svc.notify('from a cell'); svc.notify('and another')")
    expect(gauge).to_have_attribute("value", "2")

    panel.evaluate(SHUT_DOWN)
    panel.evaluate("window.looks.forEach(look => look())")  # an error on the console would fail the test


@pytest.mark.long
def test_another_explorer_and_back_keeps_what_was_typed(panel: Page) -> None:
    page = panel
    page.get_by_label("Text", exact=True).fill("half a senten")
    page.get_by_role("tab", name="Users").click()
    expect(page.get_by_role("grid", name="Users")).to_be_visible()
    expect(page.get_by_label("Text", exact=True)).to_be_hidden()
    page.get_by_role("tab", name="Notifications").click()
    expect(page.get_by_label("Text", exact=True)).to_have_value("half a senten")


def test_screenshots(theme: str, take_picture: TakePicture, open_notebook: OpenNotebook) -> None:
    write = (
        "panel.current.write(title='CI', text='Build is green, <m userId=\"u-003\">, all of 1,204 tests',"
        " label='Open', url='https://example.com/build')\n"
        "panel.current.burst(); panel.current.wait()"
    )
    page = open_notebook(SETUP, "panel", write, theme=theme)
    expect(page.get_by_role("meter", name="Rate used")).to_have_attribute("value", "120")
    take_picture("notifications")

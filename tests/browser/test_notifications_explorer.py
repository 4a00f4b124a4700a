"""The panel of explorers, and the notifications in it, as people use them."""

from playwright.sync_api import expect

from .conftest import CONNECT, OpenNotebook


def test_write_send_and_burst_until_the_reset(open_notebook: OpenNotebook) -> None:
    page = open_notebook(CONNECT, 'svc.explore("notifications")')
    expect(page.locator(".svckit-panel-head .svckit-badge")).to_have_text("FAKE")
    send = page.get_by_role("button", name="Send", exact=True)
    send.click()
    expect(page.get_by_role("alert")).to_contain_text("nothing was sent: Text is required")

    page.get_by_label("Text", exact=True).fill("Build is green")
    page.get_by_label("Mention: user ID").fill("u-002")
    page.get_by_role("button", name="Mention").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_text("Add a button…").click()
    page.get_by_label("Button label").fill("Open")
    page.get_by_label("Button URL").fill("https://example.com/build")
    room = page.get_by_role("group", name="Preview")
    expect(room.locator("mark")).to_have_text("@Lopez Petra")
    expect(room.get_by_role("link", name="Open")).to_have_attribute("href", "https://example.com/build")

    send.click()
    gauge = page.get_by_role("meter", name="Rate used")
    expect(gauge).to_have_attribute("value", "1")
    expect(page.get_by_role("grid", name="Sent")).to_contain_text("200 success")
    received = page.get_by_role("list", name="Messages in the room")
    expect(received).to_contain_text("@Lopez Petra")
    expect(received.get_by_role("link", name="Open")).to_have_attribute("href", "https://example.com/build")
    page.get_by_text("Setup: all steps are done").click()
    expect(page.get_by_role("list", name="Steps of the setup").get_by_text("done")).to_have_count(5)

    page.get_by_role("button", name="Burst").click()
    expect(gauge).to_have_attribute("value", "120")
    expect(page.get_by_role("grid", name="Sent")).to_contain_text("429 too many request")
    page.get_by_role("button", name="Move the clock to the reset").click()
    expect(gauge).to_have_attribute("aria-valuetext", "reset since; up to 120 a minute")

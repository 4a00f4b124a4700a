"""The inbox explorer as people use it: a member writes, the event and its signature are seen, a byte is changed."""

from playwright.sync_api import expect

from .conftest import CONNECT, OpenNotebook


def test_write_as_a_member_and_change_a_byte(open_notebook: OpenNotebook) -> None:
    page = open_notebook(CONNECT, 'svc.explore("inbox")')
    inbox = page.get_by_role("region", name="Inbox")
    send = inbox.get_by_role("button", name="Write to the bot")
    send.click()
    expect(inbox.get_by_role("alert")).to_contain_text("nothing was sent: Text is required")
    inbox.get_by_role("combobox", name="Member").fill("u-002")
    inbox.get_by_role("combobox", name="Room").select_option("channel-1")
    inbox.get_by_role("textbox", name="Text").fill("hello")
    send.click()
    rows = inbox.get_by_role("grid", name="Deliveries").locator("tbody tr")
    expect(rows.first).to_contain_text("not-sent")

    inbox.get_by_role("button", name="Receive them here").click()
    send.click()
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("delivered (200)")
    expect(inbox.get_by_label("Event", exact=True)).to_contain_text('"channelId": "channel-1"')
    expect(inbox.get_by_label("Headers as sent", exact=True)).to_contain_text("X-SERVICE-BotId: bot-1")
    expect(inbox.get_by_role("list", name="Receiver 1")).to_contain_text("u-002 to bot-1: text: hello")
    verdict = inbox.get_by_role("status").filter(has_text="X-SERVICE-Signature")
    expect(verdict).to_contain_text("matches")
    inbox.get_by_label("Change a byte of the body first").check()
    expect(verdict).to_contain_text("does not match the body")
    expect(inbox.get_by_label("Body as sent", exact=True).locator("mark")).to_have_count(1)

    inbox.get_by_role("combobox", name="Message").select_option("sticker")
    expect(inbox.get_by_role("alert")).to_have_count(0)  # before somebody sends
    send.click()
    expect(inbox.get_by_role("alert")).to_contain_text("Package ID is required")
    rows.last.press("Enter")
    expect(inbox.get_by_role("heading", name="Delivery 1 to bot-1: not-sent")).to_be_visible()

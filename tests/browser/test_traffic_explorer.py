"""The traffic explorer as people use it: live, filtered, one request in full, as a sequence diagram."""

import pytest
from playwright.sync_api import expect

from svckit.session.session import Session
from svckit.widgets import TrafficExplorer

from .conftest import CONNECT, OpenNotebook, ShowSlow, execute

SETUP = f"""{CONNECT}
from svckit import places

stored = svc.files.upload(b"hello", to=places.drive("u-001"), name="a.txt")
svc.files.download(places.drive("u-001").file(stored.file_id))
for _ in range(12):
    svc.notify("done")
try:
    svc.users.read("u-999")
except svckit.errors.NotFound:
    pass
panel = svc.explore("traffic")
"""


def test_live_filtered_and_one_request_in_full(open_notebook: OpenNotebook) -> None:
    page = open_notebook(SETUP, "panel")
    grid = page.get_by_role("grid", name="Requests")
    expect(grid.locator("tbody tr")).to_have_count(20)
    execute(page, 'svc.users.update("u-002", nick_name="Mina")')
    expect(grid.locator("tbody tr")).to_have_count(21)  # by itself
    expect(grid.locator("tbody tr").last).to_be_in_viewport()  # without scrolling there

    page.get_by_role("combobox", name="Result").select_option("failed")
    expect(grid.locator("tbody tr")).to_have_count(1)
    page.get_by_role("combobox", name="Result").select_option("")
    page.get_by_role("searchbox", name="Search").fill("upload")
    expect(grid.locator("tbody tr")).to_have_count(2)

    grid.locator("tbody tr").last.press("ArrowUp")
    page.keyboard.press("Enter")
    detail = page.get_by_role("group", name="Request 4: upload.drive")
    expect(detail).to_contain_text("POST /users/u-001/drive/files")
    detail.get_by_role("tab", name="Code").click()
    expect(page.get_by_label("curl", exact=True)).to_contain_text(
        "curl -X POST https://api.fake.test/users/u-001/drive/files"
    )
    detail.get_by_role("tab", name="Rules").click()
    expect(page.get_by_role("list", name="Rules the response used")).to_contain_text("file.upload-status")
    detail.get_by_role("tab", name="Request").click()
    expect(page.get_by_label("Request body")).to_contain_text("a.txt")
    page.get_by_text("Sequence diagram", exact=True).click()
    drawing = page.get_by_role("img", name="Sequence diagram of the requests shown")
    expect(drawing.locator("text.svckit-lane")).to_have_text(["client", "resource API", "file storage"])


@pytest.mark.wide
def test_sorted_and_edited_and_sent_again_by_keyboard(slow: ShowSlow, svc: Session) -> None:
    svc.users.update("u-001", nick_name="Mina")
    svc.notify("done")
    front = slow(TrafficExplorer(svc))
    page, keys = front.page, front.page.keyboard
    rows = page.get_by_role("grid", name="Requests").locator("tbody tr")
    expect(rows).to_have_count(5)
    page.get_by_role("button", name="No.").press("Enter")
    front.let_through_to("sort")
    expect(rows.first).to_contain_text("hooks.fake.test")
    expect(page.get_by_role("columnheader", name="No.")).to_have_attribute("aria-sort", "descending")
    expect(page.get_by_role("button", name="No.")).to_be_focused()

    rows.first.focus()
    keys.press("ArrowDown")
    keys.press("Enter")
    front.let_through_to("select")
    page.get_by_role("tab", name="Response").focus()
    keys.press("ArrowLeft")
    keys.press("Enter")
    front.let_through_to("part")
    expect(page.get_by_role("group", name="Request body")).to_contain_text('nickName: "Mina"')
    page.get_by_role("tab", name="Edit").press("Enter")
    front.let_through_to("part")
    body = page.get_by_role("textbox", name="Body")
    body.fill('{"nickName": "Min"}')
    page.get_by_role("button", name="Send", exact=True).press("Enter")
    front.let_through_to("send")
    front.widget.wait()
    front.catch_up()
    expect(rows).to_have_count(6)
    expect(page.get_by_role("group", name="Request 6: users.update")).to_be_visible()
    expect(page.get_by_role("tab", name="Response")).to_be_focused()

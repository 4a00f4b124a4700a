"""Filters, columns, code, downloads and many selected rows of a table, with keys alone."""

import json
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Locator, Page, expect

from svckit import frames
from svckit.session.session import Session
from svckit.widgets import PagedTable

from .conftest import OpenNotebook, ShowSlow

pytestmark = pytest.mark.wide


SETUP = """
import pandas as pd
from svckit.widgets import PagedTable

COUNT = 100_000
frame = pd.DataFrame({
    "id": [f"u-{number:06}" for number in range(COUNT)],
    "name": pd.array(["=1+1" if number == 7 else f"Name {number % 977}" for number in range(COUNT)], dtype="string"),
    "state": pd.Categorical([["active", "ended", "suspended", None][number % 4] for number in range(COUNT)]),
    "size": pd.array([None if number % 9 == 0 else number % 500 for number in range(COUNT)], dtype="Int64"),
    "seen": pd.date_range("2026-01-01", periods=COUNT, freq="min", tz="UTC"),
})
"""
SHOW = 'table = PagedTable(frame, key="id", caption="People", badge="FAKE", many=True)\ntable'


@pytest.fixture
def page_(open_notebook: OpenNotebook) -> Page:
    page = open_notebook(SETUP, SHOW)
    expect(page.get_by_role("grid", name="People")).to_be_visible()
    return page


def status(page: Page, text: str) -> None:
    expect(page.locator(".svckit-table footer").get_by_role("status")).to_have_text(text)


def test_filtering_and_reading_the_code_with_keys_alone(page_: Page) -> None:
    page, keys = page_, page_.keyboard
    opener = page.get_by_role("button", name="Filter State")
    opener.focus()
    keys.press("Enter")
    panel = page.get_by_role("region", name="Filter State")
    expect(panel.get_by_role("checkbox").first).to_be_focused()
    keys.press(" ")
    status(page, "Rows 1–10 of 25,000 that match, 100,000 in all")
    expect(panel.get_by_role("checkbox").first).to_be_focused()
    expect(panel.get_by_text("suspended25,000")).to_be_visible()
    keys.press("Escape")
    expect(panel).to_be_hidden()
    expect(opener).to_be_focused()

    page.get_by_role("button", name="Filter Name").focus()
    keys.press("Enter")
    panel = page.get_by_role("region", name="Filter Name")
    expect(panel.get_by_label("Contains")).to_be_focused()
    keys.type("NAME 12")
    status(page, "Rows 1–10 of 283 that match, 100,000 in all")
    keys.press("Escape")

    page.get_by_role("button", name="Code").focus()
    keys.press("Enter")
    code = page.get_by_label("Code for this view").locator("pre")
    expect(code).to_contain_text("isin")
    page.get_by_role("button", name="State: active").click()
    expect(code).not_to_contain_text("isin")


def test_selecting_and_downloading(page_: Page) -> None:
    page, keys = page_, page_.keyboard
    page.get_by_role("row", name="u-000001").click()
    status(page, "Rows 1–10 of 100,000; 1 selected")
    keys.press("ArrowDown")
    keys.press("ArrowDown")
    keys.press("Shift+Enter")
    status(page, "Rows 1–10 of 100,000; 3 selected")
    expect(page.get_by_role("row", name="u-000003")).to_be_focused()
    keys.press("Control+a")
    status(page, "Rows 1–10 of 100,000; 100,000 selected")
    keys.press("Escape")
    status(page, "Rows 1–10 of 100,000")

    page.get_by_role("searchbox", name="Search People").fill("1+1")
    status(page, "Rows 1–1 of 1 that match, 100,000 in all")
    page.get_by_text("Download", exact=True).click()
    with page.expect_download() as csv:
        page.get_by_role("button", name="Save matching rows as CSV").click()
    assert csv.value.suggested_filename == "people.csv"
    assert "u-000007,'=1+1," in Path(csv.value.path()).read_text("utf-8-sig")
    page.get_by_role("searchbox", name="Search People").fill("")
    status(page, "Rows 1–10 of 100,000")
    with page.expect_download() as everything:
        page.get_by_role("button", name="Save matching rows as JSON").click()
    assert len(json.loads(Path(everything.value.path()).read_bytes())) == 100_000


def test_columns_are_dragged_and_pinned(slow: ShowSlow, svc: Session) -> None:
    columns = ["user_id", "display_name", "email", "org_unit_name", "state"]
    table = PagedTable(frames.users(svc), key="user_id", columns=columns, caption="Users", many=True)
    front = slow(table)
    page = front.page
    drag(page, "Email", to=page.get_by_role("columnheader", name="User ID"))
    front.let_through()
    assert table.model.shown == ("email", "user_id", "display_name", "org_unit_name", "state")
    email = page.get_by_role("columnheader", name="Email")
    expect(email).to_have_attribute("aria-sort", "none")  # dragged, and not pressed
    before = email.evaluate("node => node.offsetWidth")
    drag(page, "Email", by=-100)
    front.let_through()
    assert table.model.widths == {"email": pytest.approx(before - 100, abs=8)}
    expect(email).to_have_css("max-width", f"{table.model.widths['email']}px")

    page.get_by_role("button", name="Columns").press("Enter")
    front.let_through()
    page.get_by_role("checkbox", name="Pin Display name").check()
    front.let_through()
    page.get_by_role("button", name="Move State to the left").press("Enter")
    front.let_through()
    assert table.model.shown == ("display_name", "email", "user_id", "state", "org_unit_name")
    page.set_viewport_size({"width": 420, "height": 600})
    page.locator(".svckit-scroll").evaluate("node => (node.scrollLeft = 200)")
    name = page.get_by_role("columnheader", name="Display name")
    expect(name).to_be_in_viewport(ratio=1)
    cell = page.get_by_role("row").nth(1).get_by_role("rowheader")
    expect(cell).to_be_in_viewport(ratio=1)


def drag(page: Page, heading: str, *, to: Locator | None = None, by: int = 0) -> None:
    """Drag a heading to another one, or its right edge by some pixels."""
    head = page.get_by_role("columnheader", name=heading)
    (head.locator(".svckit-grip") if by else head).hover()
    page.mouse.down()
    box = (to or head).bounding_box()
    assert box is not None
    x = box["x"] + box["width"] + by if by else box["x"] + 10
    page.mouse.move(x - 20, box["y"] + 5)
    page.mouse.move(x, box["y"] + 5)
    page.mouse.up()


def test_any_column_is_found_and_shown(slow: ShowSlow, svc: Session) -> None:
    table = PagedTable(frames.users(svc), key="user_id", columns=["user_id", "state"], caption="Users")
    front = slow(table)
    page = front.page
    page.get_by_role("button", name="Columns").press("Enter")
    front.let_through()
    find = page.get_by_label("Find")
    expect(find).to_be_focused()
    find.press_sequentially("time z")
    front.let_through()
    expect(page.get_by_role("region", name="Columns").get_by_role("checkbox")).to_have_count(1)
    page.get_by_role("checkbox", name="Time zone").check()
    front.let_through()
    expect(page.get_by_role("columnheader")).to_have_count(3)
    page.keyboard.press("Escape")
    front.let_through()
    expect(page.get_by_role("button", name="Columns")).to_be_focused()


@pytest.mark.parametrize("rows", ["page", "selected"])
def test_copying_rows(slow: ShowSlow, rows: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = PagedTable(pd.DataFrame({"name": ["Aoki", "Berg"]}), caption="People", many=True)
    front = slow(table)
    page = front.page
    if rows == "selected":
        page.get_by_role("row", name="Berg").click()
        front.let_through()
    monkeypatch.setattr(table, "send", front.deliver)
    page.get_by_text("Download", exact=True).click()
    page.get_by_role("button", name="Copy this page" if rows == "page" else "Copy the selected rows").click()
    front.let_through()
    # A page without an address has no clipboard.
    expect(page.get_by_role("status").filter(has_text="Selected, press Ctrl+C")).to_be_visible()
    copied = page.evaluate("getSelection().toString()")
    assert copied.split() == (["name", "Aoki", "Berg"] if rows == "page" else ["name", "Berg"])


def test_a_file_that_takes_long_is_cancelled(slow: ShowSlow) -> None:
    table = PagedTable(pd.DataFrame({"name": ["Aoki"]}), caption="People")
    front = slow(table)
    progress = front.page.get_by_role("progressbar", name="Progress")
    download = front.page.get_by_text("Download", exact=True)
    expect(progress).to_be_hidden()
    download.click()
    idle = table.making
    table.making = {**idle, "running": True, "words": "Making the CSV file", "total": 2}
    front.catch_up()
    expect(progress).to_be_visible()
    front.page.get_by_role("button", name="Cancel").press("Enter")
    front.let_through_to("stop")
    table.making = idle
    front.catch_up()
    expect(progress).to_be_hidden()
    expect(download).to_be_focused()

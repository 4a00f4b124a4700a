"""The traffic explorer as people use it: live, filtered, one request in full, as a sequence diagram."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .conftest import TakePicture, execute

OpenNotebook = Callable[..., Page]

SETUP = """
import svckit
from svckit import places

svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
EVIL = "<img src=x onerror='window.__xss=1'><script>window.__xss=1</script>"
stored = svc.files.upload(b"hello", to=places.drive("u-001"), name=EVIL + ".txt")
svc.files.download(places.drive("u-001").file(stored.file_id))
for _ in range(12):
    svc.notify(EVIL)
try:
    svc.users.read("u-999")
except svckit.errors.NotFound:
    pass
panel = svc.explore("traffic")
"""


@pytest.fixture
def traffic(open_notebook: OpenNotebook) -> Page:
    page = open_notebook(SETUP, "panel")
    expect(page.get_by_role("grid", name="Requests")).to_be_visible()
    return page


def test_live_filtered_and_one_request_in_full(traffic: Page) -> None:
    page = traffic
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
    expect(page.get_by_role("heading", name="Request 4: upload.drive")).to_be_visible()
    expect(page.get_by_label("curl", exact=True)).to_contain_text(
        "curl -X POST https://api.fake.test/users/u-001/drive/files"
    )
    expect(page.get_by_role("list", name="Rules the response used")).to_contain_text("file.upload-status")
    page.get_by_text("Sequence diagram", exact=True).click()
    drawing = page.get_by_role("img", name="Sequence diagram of the requests shown")
    expect(drawing.locator("text.svckit-lane")).to_have_text(["client", "resource API", "file storage"])


def test_what_went_over_the_wire_is_text_and_never_markup(traffic: Page) -> None:
    page = traffic
    rows = page.get_by_role("grid", name="Requests").locator("tbody tr")
    page.get_by_text("Sequence diagram", exact=True).click()
    for number in (3, 4, 7):
        rows.nth(number).click()
        expect(rows.nth(number)).to_have_attribute("aria-selected", "true")
        assert page.locator(".svckit img, .svckit script").count() == 0
    expect(page.get_by_label("Request body")).to_contain_text("<img src=x")
    assert page.evaluate("window.__xss") is None


def test_screenshots(theme: str, take_picture: TakePicture, open_notebook: OpenNotebook) -> None:
    page = open_notebook(
        SETUP.replace("EVIL =", "EVIL = 'report' #"), "panel", "panel.current.select(4)", theme=theme
    )
    expect(page.get_by_role("heading", name="Request 4")).to_be_visible()
    page.get_by_text("Sequence diagram", exact=True).click()
    page.locator(".svckit-drawing").scroll_into_view_if_needed()
    take_picture("traffic")

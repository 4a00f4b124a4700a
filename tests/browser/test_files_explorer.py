"""The files explorer as people use it: files are picked or dropped, uploaded, looked at and saved."""

import base64
import re

import pytest
from playwright.sync_api import Page, expect

from .conftest import CONNECT, OpenNotebook

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SETUP = f"""{CONNECT}
panel = svc.explore("files")
panel.current.write(userId="u-001")
"""
# What somebody drops who drags files from a folder of the computer.
DROP = """(zone, files) => {
    const data = new DataTransfer();
    for (const [name, text] of Object.entries(files)) data.items.add(new File([text], name));
    for (const kind of ["dragover", "drop"])
        zone.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def files(open_notebook: OpenNotebook) -> Page:
    page = open_notebook(SETUP, "panel")
    expect(page.get_by_role("grid", name="Files")).to_be_visible()
    return page


def choose(page: Page, name: str, content: bytes) -> None:
    page.get_by_label("Files on this computer").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )


def upload(page: Page, name: str, content: bytes) -> None:
    choose(page, name, content)
    page.get_by_role("button", name="Upload", exact=True).click()


def test_pick_upload_and_preview(files: Page) -> None:
    page = files
    rows = page.get_by_role("grid", name="Files").locator("tbody tr")
    upload(page, "a.txt", b"hello")
    expect(rows).to_have_count(2)
    rows.last.click()
    page.get_by_role("button", name="Preview", exact=True).click()
    expect(page.get_by_label("Preview", exact=True)).to_have_text("hello")

    page.get_by_role("combobox", name="Store").select_option("photo")
    expect(page.get_by_text("places.photo('u-001')")).to_be_visible()
    page.get_by_role("combobox", name="User ID").fill("u-002")
    expect(page.get_by_text("places.photo('u-002')")).to_be_visible()
    upload(page, "me.png", base64.b64decode(PNG))
    expect(rows).to_have_count(3)
    rows.last.press("Enter")
    expect(page.get_by_role("heading", name="me.png")).to_be_visible()
    page.get_by_role("button", name="Preview", exact=True).click()
    picture = page.get_by_role("img", name="Preview of me.png")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1


@pytest.mark.wide
def test_dropped_files_are_uploaded_and_saved(files: Page) -> None:
    page = files
    zone = page.locator("[data-drop]")
    zone.evaluate(DROP, {"a.txt": "dropped", "b.txt": "second"})
    chosen = page.get_by_role("list", name="Files to upload").get_by_role("listitem")
    expect(chosen).to_have_count(2)
    chosen.first.get_by_label("Name").fill("renamed.txt")
    content = bytes(range(256)) * 10_000  # three pieces
    choose(page, "large.bin", content)
    expect(chosen).to_have_count(3)
    page.get_by_role("button", name="Upload", exact=True).press("Enter")
    expect(chosen.get_by_text("Uploaded, ID file-")).to_have_count(3)

    rows = page.get_by_role("grid", name="Files").locator("tbody tr")
    expect(rows).to_have_text([re.compile(name) for name in ("answer", "renamed", "b.txt", "large")])
    rows.last.press("Enter")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save on this computer").press("Enter")
    assert saved.value.suggested_filename == "large.bin"
    assert saved.value.path().read_bytes() == content
    expect(page.get_by_text("The browser has saved large.bin")).to_be_visible()

    rows.nth(1).click()
    page.get_by_role("button", name="Preview", exact=True).click()
    expect(page.get_by_label("Preview", exact=True)).to_have_text("dropped")

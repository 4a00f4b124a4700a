"""The files explorer as people use it: a file is picked, uploaded, looked at and downloaded; another is cancelled."""

import base64
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .conftest import OpenNotebook, execute

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SETUP = """
import svckit
from svckit import places

svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
panel = svc.explore("files")
panel.current.write(userId="u-001")
"""
# An upload gets no further than its first bytes before it is cancelled.
HOLD = """
uploads = panel.current._uploads
told = uploads.report

def report(upload, sent):
    told(upload, sent)
    upload.cancel.wait()

uploads.report = report
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


def test_pick_upload_preview_and_download(files: Page, tmp_path: Path) -> None:
    page = files
    rows = page.get_by_role("grid", name="Files").locator("tbody tr")
    evil = "<img src=x onerror='window.__xss=1'>"
    upload(page, f"{evil}.txt", evil.encode())
    expect(rows).to_have_count(2)
    rows.last.click()
    page.get_by_role("button", name="Preview", exact=True).click()
    expect(page.get_by_label("Preview", exact=True)).to_have_text(evil)

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

    page.get_by_text("Save on the kernel’s machine").click()
    page.get_by_label("Folder on the kernel’s machine").fill(str(tmp_path))
    page.get_by_role("button", name="Save to the kernel’s folder").click()
    expect(page.get_by_text(f"Saved as {tmp_path}/me.png")).to_be_visible()
    assert (tmp_path / "me.png").read_bytes() == base64.b64decode(PNG)
    (tmp_path / "me.png").write_bytes(b"older")
    page.get_by_role("button", name="Save to the kernel’s folder").click()
    choice = "Replace a file with the same name in the folder"
    expect(page.get_by_text(f"tick “{choice}”").filter(visible=True).first).to_be_visible()
    page.get_by_label(choice).check()
    page.get_by_role("button", name="Save to the kernel’s folder").click()
    expect(page.get_by_text(f"Saved as {tmp_path}/me.png")).to_be_visible()
    assert (tmp_path / "me.png").read_bytes() == base64.b64decode(PNG)
    assert page.locator(".svckit img[src=x], .svckit script").count() == 0
    assert page.evaluate("window.__xss") is None


@pytest.mark.wide
def test_files_of_the_computer_are_dropped_renamed_uploaded_and_saved_again(
    files: Page, tmp_path: Path
) -> None:
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


@pytest.mark.long
def test_too_large_to_choose_and_cancelled_from_its_path(files: Page, tmp_path: Path) -> None:
    page = files
    execute(page, HOLD)
    huge, large = tmp_path / "huge.bin", tmp_path / "large.bin"
    for path, size in ((huge, 100 * 1024**2 + 1), (large, 30_000_000)):
        with path.open("wb") as file:
            file.truncate(size)
    page.get_by_label("Files on this computer").set_input_files(huge)
    expect(page.get_by_text("Too large for the browser")).to_be_visible()

    page.get_by_text("A file on the kernel’s machine").click()
    page.get_by_label("Path on the kernel’s machine").fill(str(large))
    page.get_by_role("button", name="Upload the path", exact=True).click()
    expect(page.get_by_role("progressbar", name="large.bin")).to_be_visible()
    page.get_by_role("button", name="Cancel large.bin").click()
    expect(page.get_by_text("Cancelled; nothing was kept")).to_be_visible()
    expect(page.get_by_role("grid", name="Files").locator("tbody tr")).to_have_count(1)

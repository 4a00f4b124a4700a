"""The pictures in the documents show what the explorers show now.

This command takes them again, after a change of how an explorer looks::

    SVCKIT_PICTURE=store python3 binder/run.py pytest -m wide tests/browser/test_pictures.py
"""

import hashlib
import json
import os
from base64 import b64decode, b64encode
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Locator, Page, expect

from svckit.widgets.explorers.explorer_panel import EXPLORERS

from .conftest import OpenNotebook
from .test_accessibility_trees import COLLAPSE, SCENE, TREES

pytestmark = pytest.mark.wide

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"
README = NOTEBOOKS / "data" / "explorer.webp"
SHEET = NOTEBOOKS / "data" / "explorers.webp"
BY_HAND = NOTEBOOKS / "how-to" / "control-a-fake-by-hand.ipynb"
DATA = BY_HAND.with_name("data")
HANDS = {
    "setup": (DATA / "fake.webp", ".svckit-fake", ["Snapshots", "People", "Rooms and bots", "Stubs"]),
    "rules": (DATA / "rules.webp", ".svckit-rules", ["Chosen for this fake", "Sweep"]),
}
"""By the cells of the page that they are of: the pictures, what they show, and what has a number, in this order."""
SHOWN = Path(__file__).with_name("explorer.txt")
STORED = Path(__file__).with_name("pictures.json")
STORING = os.environ.get("SVCKIT_PICTURE") == "store"
WIDTH = 1400
CELL = """
import svckit

svc = svckit.connect(users=20, now="2026-06-01T09:00:00+09:00")
svc.users.update("u-003", nick_name="Mina")
panel = svc.explore()
panel.current.select("u-003")
panel
"""
WHOLE = "record => record.style.maxHeight = 'none'"
CUT = """output => [...output.querySelectorAll("td, th, .svckit-record")]
    .filter(each => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight)
    .map(each => each.innerText)"""
TILES = """<body style="margin: 0; font: 20px sans-serif; color: #222"><style>
body { display: grid; grid-template-columns: 1fr 1fr; gap: 16px }
figure { margin: 0; min-width: 0 } figcaption { margin-bottom: 6px }
div { aspect-ratio: 8 / 5; border: 1px solid #999; box-sizing: border-box; overflow: hidden; padding: 4px }
img { width: 100%% }
</style>%s"""
TO_WEBP = """async () => {
    const [image] = document.images, canvas = document.createElement("canvas");
    await image.decode();
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.8);
}"""
CONTROL = 'button:text-is("{words}"), label > span:text-is("{words}")'
NUMBER = """(control, number) => {
    const badge = document.createElement("b");
    badge.style = "background: #b3261e; border-radius: 1em; color: white; display: inline-block; margin-right: 4px; "
        + "min-width: 1.5em; text-align: center";
    badge.textContent = number;
    control.matches("button") ? control.before(badge) : control.prepend(badge);
}"""


def digest(*content: bytes) -> str:
    return hashlib.sha256(b"".join(content)).hexdigest()


def list_styles() -> str:
    """Return a digest of all styles, as a change of one may change a picture."""
    styles = sorted((ROOT / "svckit" / "widgets").rglob("*.css"))
    return digest(*(path.read_bytes() for path in styles))


def read_cells() -> dict[str, nbformat.NotebookNode]:
    """Return the cells of the page that shows how to control a fake by hand, by their IDs."""
    return {cell.id: cell for cell in nbformat.read(BY_HAND, as_version=4).cells}


def describe_pictures() -> dict[str, str]:
    """Return digests of the pictures but the README's, each with the styles and the words of what it shows."""
    trees = [(TREES / f"{name}.txt").read_bytes() for name in EXPLORERS]
    shown = {SHEET: digest(SCENE.encode(), *trees)}
    for name, (picture, *_) in HANDS.items():
        shown[picture] = digest(json.dumps(read_cells()[name].outputs, sort_keys=True).encode())
    return {
        picture.relative_to(ROOT).as_posix(): digest(
            picture.read_bytes(), words.encode(), list_styles().encode()
        )
        for picture, words in shown.items()
    }


def widen(page: Page, output: Locator) -> None:
    """Give an output of the notebook the width of the pictures."""
    page.evaluate(COLLAPSE)
    for _ in range(2):  # a scroll bar may come or go
        box, size = output.bounding_box(), page.viewport_size
        assert box is not None
        assert size is not None
        page.set_viewport_size({"width": size["width"] + WIDTH - round(box["width"]), "height": 2000})


def test_the_picture_in_the_readme_is_what_the_explorer_shows(open_notebook: OpenNotebook) -> None:
    page = open_notebook(CELL)
    output = page.locator(".jp-OutputArea-output").last
    expect(output.get_by_text("Mina", exact=True).first).to_be_visible()
    for group in ("User name", "Contact", "Work"):  # the picture has the group that was changed, and an end
        output.locator("summary").get_by_text(group, exact=True).click()
    output.locator(".svckit-record").evaluate(WHOLE)
    widen(page, output)
    assert output.evaluate(CUT) == []
    shown = f"{output.aria_snapshot()}\nstyles: {list_styles()}\n"
    if STORING:
        blank = page.context.new_page()
        save_as_webp(output.screenshot(animations="disabled"), blank, README)
        blank.close()
        SHOWN.write_text(f"{shown}picture: {digest(README.read_bytes())}\n", "utf-8")
    assert SHOWN.read_text("utf-8") == f"{shown}picture: {digest(README.read_bytes())}\n", (
        f"{README.name} is stale, or is not the one that was stored with {SHOWN.name}; look at the explorer, and "
        f"store it again as {Path(__file__).name} says"
    )


def test_the_sheet_of_all_explorers_is_taken(open_notebook: OpenNotebook) -> None:
    page = open_or_skip(open_notebook, SCENE, "panel")
    page.evaluate(COLLAPSE)
    page.set_viewport_size({"width": 1200, "height": 2000})
    tiles = "".join(take_tile(page, name) for name in EXPLORERS)
    sheet = page.context.new_page()
    sheet.set_content(TILES % tiles)
    sheet.set_viewport_size({"width": WIDTH, "height": 1000})
    save_as_webp(sheet.screenshot(full_page=True), sheet, SHEET)
    sheet.close()


def test_the_explorers_of_the_page_are_taken(open_notebook: OpenNotebook) -> None:
    cells = read_cells()
    page = open_or_skip(open_notebook, *(cells[name].source for name in HANDS))
    for picture, shown, controls in HANDS.values():
        explorer = page.locator(shown).first
        expect(explorer).to_be_visible()
        widen(page, explorer)
        for number, words in enumerate(controls, 1):
            explorer.locator(CONTROL.format(words=words)).evaluate(NUMBER, number)
        picture.parent.mkdir(exist_ok=True)
        blank = page.context.new_page()
        save_as_webp(explorer.screenshot(animations="disabled"), blank, picture)
        blank.close()
    STORED.write_text(json.dumps(describe_pictures(), indent=1) + "\n", "utf-8")


def test_the_other_pictures_are_of_now() -> None:
    assert json.loads(STORED.read_text("utf-8")) == describe_pictures(), (
        f"a picture is stale; look at the explorers, and take it again as {Path(__file__).name} says"
    )


def open_or_skip(open_notebook: OpenNotebook, *cells: str) -> Page:
    if not STORING:
        pytest.skip("SVCKIT_PICTURE is not store")
    return open_notebook(*cells)


def save_as_webp(picture: bytes, page: Page, path: Path) -> None:
    """Save a picture, which a page of the browser converts: it takes half as much as a PNG."""
    page.set_content(f'<img src="data:image/png;base64,{b64encode(picture).decode()}">')
    path.write_bytes(b64decode(page.evaluate(TO_WEBP).partition(",")[2]))


def take_tile(page: Page, name: str) -> str:
    """Return a picture of an explorer, as an element with its name."""
    page.get_by_role("tablist", name="Explorers").get_by_role("tab", name=name).click()
    explorer = page.locator(f".svckit-explorer-{name}").first
    expect(explorer).to_be_visible()
    picture = b64encode(explorer.screenshot(animations="disabled")).decode()
    image = f'<img src="data:image/png;base64,{picture}">'
    return f"<figure><figcaption>{name.capitalize()}</figcaption><div>{image}</div></figure>"

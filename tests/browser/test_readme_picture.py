"""The picture in README.md shows what the explorer shows now.

``SVCKIT_PICTURE=store`` takes it again: ``SVCKIT_PICTURE=store python3 binder/run.py pytest -m wide
tests/browser/test_readme_picture.py``.
"""

import hashlib
import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from .conftest import OpenNotebook

pytestmark = pytest.mark.wide

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "notebooks" / "data" / "explorer.png"
SHOWN = Path(__file__).with_name("explorer.txt")
CELL = """
import svckit

svc = svckit.connect(users=20, now="2026-06-01T09:00:00+09:00")
svc.users.update("u-003", nick_name="Mina")
panel = svc.explore()
panel.current.select("u-003")
panel
"""


def list_styles() -> str:
    """Return a digest of all styles, as a change of one may change the picture."""
    styles = sorted((ROOT / "svckit" / "widgets").rglob("*.css"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in styles)).hexdigest()


def digest_picture() -> str:
    """Return a digest of the stored picture, which the text is stored with."""
    return hashlib.sha256(PICTURE.read_bytes()).hexdigest()


def test_the_picture_in_the_readme_is_what_the_explorer_shows(open_notebook: OpenNotebook) -> None:
    page = open_notebook(CELL)
    output = page.locator(".jp-OutputArea-output").last
    expect(output.get_by_text("Mina", exact=True).first).to_be_visible()
    shown = f"{output.aria_snapshot()}\nstyles: {list_styles()}\n"
    if os.environ.get("SVCKIT_PICTURE") == "store":
        output.screenshot(path=PICTURE, animations="disabled")
        SHOWN.write_text(f"{shown}picture: {digest_picture()}\n", "utf-8")
    assert SHOWN.read_text("utf-8") == f"{shown}picture: {digest_picture()}\n", (
        f"{PICTURE.name} is stale, or is not the one that was stored with {SHOWN.name}; look at the explorer, and "
        f"store it again as {Path(__file__).name} says"
    )

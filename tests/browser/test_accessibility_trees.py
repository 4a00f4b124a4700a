"""The names and roles that a screen reader gets from each explorer, as stored in the folder `trees`.

``SVCKIT_TREES=store`` stores them anew: read the difference as somebody who does not see the page.
"""

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from svckit.widgets.explorers.explorer_panel import EXPLORERS

from .conftest import OpenNotebook
from .test_contact_sheet import COLLAPSE, SCENE, WIDE

TREES = Path(__file__).parent / "trees"


@pytest.mark.long
def test_each_explorer_reads_as_it_did(open_notebook: OpenNotebook) -> None:
    page = open_notebook(SCENE, "panel")
    page.set_viewport_size(WIDE)
    page.evaluate(COLLAPSE)
    changed = []
    for name in EXPLORERS:
        page.get_by_role("tablist", name="Explorers").get_by_role("tab", name=name).click()
        explorer = page.locator(f".svckit-explorer-{name}").first
        expect(explorer).to_be_visible()
        parts = explorer.get_by_role("tablist", name="Parts of").get_by_role("tab")
        for part in ("", *parts.all_text_contents()):
            shown = explorer
            if part:
                parts.get_by_text(part, exact=True).click()
                shown = explorer.get_by_role("tabpanel", name=part)
                expect(shown).to_be_visible()
            tree, stored = (
                shown.aria_snapshot() + "\n",
                TREES / f"{'-'.join([name, *part.lower().split()])}.txt",
            )
            if os.environ.get("SVCKIT_TREES") == "store":
                TREES.mkdir(exist_ok=True)
                stored.write_text(tree, "utf-8")
            if not stored.exists() or tree != stored.read_text("utf-8"):
                changed.append(stored.stem)
    assert changed == []

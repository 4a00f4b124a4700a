"""The names and roles that a screen reader gets from each explorer, as stored in the folder `trees`.

``SVCKIT_TREES=store`` stores them again: read the difference as somebody who does not see the page.
"""

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from svckit.widgets.explorers.explorer_panel import EXPLORERS

from .conftest import OpenNotebook

TREES = Path(__file__).parent / "trees"
SCENE = """
import svckit
from fakes import FakeService
from svckit import places

fake = FakeService.sample(users=20, seed=0, now="2026-06-01T09:00:00+09:00")
svc = svckit.connect(fake)
panel = svc.explore("users")
panel.current.select("u-003")
svc.users.update("u-003", nick_name="Mina", task="Sales")
svc.users.set_status("u-001", "BUSY", message="In a meeting", end="2026-06-01T12:00:00+09:00")
svc.users.set_status("u-001", "AWAY", start="2026-06-01T13:00:00+09:00", end="2026-06-01T15:00:00+09:00")
panel.show("statuses")
panel.current.choose("u-001")
stored = [svc.files.upload(b"name,task", to=places.drive("u-001"), name=name) for name in ("people.csv", "plan.txt")]
panel.show("files")
panel.current.select("drive/u-001", stored[0].file_id)
panel.show("notifications")
panel.current.write(text="Build is green", title="CI")
panel.current.burst(130)
panel.current.wait()
panel.show("inbox")
panel.current.write(user="u-001", text="Where is the report?")
panel.current.receive_here()
panel.current.send()
panel.current.wait()
panel.show("sign-in")
for step in ("request", "log_in", "check", "exchange"):
    getattr(panel.current, step)()
panel.show("time")
panel.current.write(target="users.*")
panel.current.inject()
panel.show("traffic")
panel.current.select(fake.journal[2].number)
panel.show("users")
"""
WIDE = {"width": 1400, "height": 2000}
COLLAPSE = "() => window.jupyterapp.shell.collapseLeft()"


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

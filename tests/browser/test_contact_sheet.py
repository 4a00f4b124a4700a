"""All explorers on one picture for each theme, to be looked at: in JupyterLab, in 420 pixels, and as an app.

``SVCKIT_SCREENSHOTS=FOLDER python3 binder/run.py pytest -m long tests/browser/test_contact_sheet.py`` writes
``contact-sheet-light.png`` and ``contact-sheet-dark.png`` to that folder.
"""

import os
from base64 import b64encode
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from svckit.widgets.explorers.explorer_panel import EXPLORERS

from .conftest import SET_THEME, OpenNotebook

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
WIDE, NARROW = {"width": 1400, "height": 2000}, {"width": 420, "height": 2400}
COLLAPSE = "() => window.jupyterapp.shell.collapseLeft()"
SHEET = """<body style="margin: 16px; font: 20px sans-serif"><style>
div { display: flex; gap: 16px; align-items: start; margin-bottom: 32px }
img { border: 1px solid gray; zoom: 0.5 }
</style>%s"""


@pytest.mark.long
def test_all_explorers_are_on_a_sheet(open_notebook: OpenNotebook, app_url: str) -> None:
    if "SVCKIT_SCREENSHOTS" not in os.environ:
        pytest.skip("SVCKIT_SCREENSHOTS names no folder")
    page = open_notebook(SCENE, "panel")
    page.set_viewport_size(WIDE)
    page.evaluate(COLLAPSE)
    app, sheet = page.context.new_page(), page.context.new_page()
    for theme in ("light", "dark"):
        page.evaluate(SET_THEME, f"JupyterLab {theme.capitalize()}")
        expect(page.locator("body")).to_have_attribute("data-jp-theme-light", str(theme == "light").lower())
        app.goto(f"{app_url}&theme={theme}")
        app.set_viewport_size(WIDE)
        rows = (
            f"<p>{name}</p><div>{photograph(page, name)}{narrowly(page, name)}{photograph(app, name)}</div>"
            for name in EXPLORERS
        )
        sheet.set_content(SHEET % "".join(rows))
        sheet.set_viewport_size({"width": 1700, "height": 1000})
        file = Path(os.environ["SVCKIT_SCREENSHOTS"], f"contact-sheet-{theme}.png")
        sheet.screenshot(path=file, full_page=True)
    app.close()
    sheet.close()


def narrowly(page: Page, name: str) -> str:
    page.set_viewport_size(NARROW)
    image = photograph(page, name)
    page.set_viewport_size(WIDE)
    return image


def photograph(page: Page, name: str) -> str:
    """Return a picture of the panel with one of its explorers, as an element."""
    page.get_by_role("tablist", name="Explorers").get_by_role("tab", name=name).click()
    expect(page.locator(f".svckit-explorer-{name}")).to_be_visible()
    picture = page.locator(".svckit-panel-of-explorers").screenshot(animations="disabled")
    return f'<img src="data:image/png;base64,{b64encode(picture).decode()}">'

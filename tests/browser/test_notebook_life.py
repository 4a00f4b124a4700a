"""What becomes of the panel in a notebook: its cell is run again, the notebook is saved, the kernel is restarted."""

from collections.abc import Callable
from pathlib import Path

import nbformat
from playwright.sync_api import Page, expect

from .conftest import RUN_ALL, Lab

OpenNotebook = Callable[..., Page]

SETUP = """
import svckit

if "svc" not in globals():
    svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
"""
SAVE = "() => window.jupyterapp.commands.execute('docmanager:save')"
RESTART = "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
SAYS_SO = """() => getComputedStyle(document.querySelector(".svckit-panel-head"), "::before")
    .content.includes("No longer live")"""


def test_run_again_saved_and_restarted(open_notebook: OpenNotebook, lab: Lab) -> None:
    page = open_notebook(SETUP, 'svc.explore("notifications")')
    text = page.get_by_role("textbox", name="Text")
    text.fill("Build is gr", timeout=30_000)
    text.press_sequentially("een")
    room = page.get_by_role("group", name="As the room will show it")
    expect(room).to_contain_text("Build is green")

    page.evaluate(RUN_ALL)
    expect(page.get_by_text("[*]:")).to_have_count(0)
    expect(page.get_by_text("[4]:")).to_be_visible()
    expect(text).to_have_value("Build is green")  # what was typed is kept

    page.evaluate(SAVE)
    [file] = lab.notebooks.glob(f"{Path(page.url.partition('?')[0]).stem}.ipynb")
    saved = nbformat.read(file, as_version=4)
    assert "widgets" not in saved.metadata  # no state
    data = saved.cells[1].outputs[0].data
    assert "Build is green" in data["text/html"]
    assert data["text/plain"].startswith("Session with fake (https://api.fake.test) [FAKE]: notifications")

    page.evaluate(RESTART)
    page.wait_for_function(SAYS_SO)
    page.evaluate(RUN_ALL)
    expect(text).to_have_value("", timeout=30_000)
    text.fill("Once more")
    expect(room).to_contain_text("Once more")
    assert not page.evaluate(SAYS_SO)

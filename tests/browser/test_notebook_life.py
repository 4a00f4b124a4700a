"""What becomes of the panel in a notebook: its cell is run again, it is saved, restarted, opened again."""

from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect

from .conftest import KERNEL_IS_READY, RUN_ALL, SHUT_DOWN, Lab, OpenNotebook

pytestmark = pytest.mark.wide


SETUP = """
import svckit

if "svc" not in globals():
    svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
"""
SAVE = "() => window.jupyterapp.commands.execute('docmanager:save')"
OPEN_BESIDE = """async path => {
    const { commands, shell } = window.jupyterapp;
    const { kernel: { id, name } } = shell.currentWidget.sessionContext.session;
    shell.activateById((await commands.execute("docmanager:open", { path, kernel: { id, name } })).id);
}"""
RESTART = "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
ICONS = """() => [...document.querySelectorAll(".jupyter-widgets-disconnected")]
    .map((view) => getComputedStyle(view, "::before").content)"""
SAYS_SO = """() => getComputedStyle(document.querySelector(".svckit-panel-head"), "::before")
    .content.includes("No longer live")"""


@pytest.mark.long
def test_run_again_saved_and_restarted(open_notebook: OpenNotebook, lab: Lab) -> None:
    page = open_notebook(SETUP, 'svc.explore("notifications")')
    text = page.get_by_role("textbox", name="Text")
    text.fill("Build is gr")
    text.press_sequentially("een")
    room = page.get_by_role("group", name="Preview")
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
    assert data["text/plain"].startswith("Session with fake (https://api.fake.test): notifications")
    assert set(data) == {"text/html", "text/plain"}  # what the live view is of is gone with the kernel
    expect(text).to_have_value("Build is green")  # on the page it is live all the same

    page.evaluate(RESTART)
    page.wait_for_function(SAYS_SO)
    assert set(page.evaluate(ICONS)) == {"none"}
    page.evaluate(RUN_ALL)
    expect(text).to_have_value("")
    text.fill("Once more")
    expect(room).to_contain_text("Once more")
    assert not page.evaluate(SAYS_SO)

    page.evaluate(SAVE)
    elsewhere = file.with_name(f"{file.stem}-later.ipynb")  # with a kernel that has none of its widgets
    elsewhere.write_bytes(file.read_bytes())
    later = page.context.new_page()
    later.goto(f"{lab.address}/lab/workspaces/{elsewhere.stem}/tree/{elsewhere.name}?reset&token={lab.token}")
    later.wait_for_function(KERNEL_IS_READY)
    expect(later.get_by_text("not known before the first response")).to_be_visible()
    expect(later.get_by_role("textbox", name="Text")).to_have_count(0)
    expect(later.get_by_text("model not found")).to_have_count(0)
    later.evaluate(SHUT_DOWN)
    later.close()


def test_views_survive_reload_and_a_second_notebook(open_notebook: OpenNotebook, lab: Lab) -> None:
    cells = (SETUP, "from IPython.display import display", 'display(svc.explore("notifications"))')
    page = open_notebook(*cells)
    text = page.get_by_role("textbox", name="Text")
    text.fill("Build is green")
    room = page.get_by_role("group", name="Preview")
    expect(room).to_contain_text("Build is green")

    [file] = lab.notebooks.glob(f"{Path(page.url.partition('?')[0]).stem}.ipynb")
    beside = file.with_name(f"{file.stem}-beside.ipynb")
    notebook = nbformat.read(file, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(cells[-1]))
    nbformat.write(notebook, beside)
    page.evaluate(OPEN_BESIDE, beside.name)
    page.wait_for_function(KERNEL_IS_READY)
    page.evaluate(RUN_ALL)
    expect(text).to_have_count(2)  # two views of the same models, in sight
    text.last.fill("Build is red")
    for view in room.all():
        expect(view).to_contain_text("Build is red")

    page.reload()  # from here on, the page has the models of widgets from the kernel alone
    page.wait_for_function(KERNEL_IS_READY)
    page.evaluate(RUN_ALL)
    expect(text.first).to_have_value("Build is red")
    page.evaluate(SHUT_DOWN)
    page.goto("about:blank")  # with two notebooks, it is not for other tests

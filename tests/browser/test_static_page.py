"""A stored notebook as a page, in a browser without a network."""

from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import BrowserContext

from svckit.jupyter.exporter import StaticPage

pytestmark = pytest.mark.wide

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "explorers.ipynb"
SCRIPT = "<p id='last'>the last output</p><script>window.ran = true</script>"


def test_it_shows_its_tables_and_neither_asks_for_anything_nor_runs_anything(
    chromium: BrowserContext, tmp_path: Path
) -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    notebook.cells.append(
        nbformat.v4.new_code_cell(outputs=[nbformat.v4.new_output("display_data", {"text/html": SCRIPT})])
    )
    file = tmp_path / "page.html"
    file.write_text(
        StaticPage().from_notebook_node(notebook, {"metadata": {"path": str(NOTEBOOK.parent)}})[0], "utf-8"
    )
    assert chromium.browser is not None
    context = chromium.browser.new_context(offline=True)
    page, asked = context.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    assert page.get_by_role("cell", name="hana.nakamura.001@example.com").is_visible()
    assert page.locator("#last").inner_text() == "the last output"
    assert page.evaluate("window.ran") is None
    assert [url for url in asked if not url.startswith("data:")] == [file.as_uri()]
    context.close()

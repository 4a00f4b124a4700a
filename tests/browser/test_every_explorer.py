"""Every explorer there is, live and full of markup: axe-core finds nothing, by day and by night, and nothing runs."""

import re

import pytest
from playwright.sync_api import Page, expect

from svckit.widgets.explorers.explorer_panel import EXPLORERS

from . import scene
from .axe import violations
from .conftest import SET_THEME, OpenNotebook, execute


@pytest.mark.long
def test_every_explorer_can_be_used_by_everybody_and_runs_nothing(open_notebook: OpenNotebook) -> None:
    page = open_notebook(scene.SETUP, "panel")
    expect(page.get_by_role("grid", name="Requests")).to_be_visible()
    page.add_style_tag(content="body { height: 100vh }")  # else axe takes all that overflows it for hidden
    found = look_at_each(page)
    execute(page, scene.TYPED)
    page.evaluate(SET_THEME, "JupyterLab Dark")
    expect(page.locator("body")).to_have_attribute("data-jp-theme-name", "JupyterLab Dark")
    found += look_at_each(page)
    assert not found, "\n".join(found)
    assert page.locator(".svckit :is(img[src='x'], script, [onerror])").count() == 0
    assert page.evaluate("window.__xss") is None


def look_at_each(page: Page) -> list[str]:
    found = []
    for name in EXPLORERS:
        choice = page.get_by_role("tablist", name="Explorers").get_by_role("tab", name=name)
        choice.click()
        expect(choice).to_have_attribute("aria-selected", "true")
        expect(page.get_by_role("tabpanel", name=name)).to_contain_text(re.compile(r"\w"))
        expect(page.locator(".svckit-panel-of-explorers > :visible")).to_have_count(2)
        for tab in page.get_by_role("tablist", name="Parts of").get_by_role("tab").all():
            tab.click()
            expect(tab).to_have_attribute("aria-selected", "true")
            part = violations(page, f".svckit-panel-head, .svckit-explorer-{name} .svckit-part")
            found += [f"{name} {tab.text_content()}: {words}" for words in part]
        found += [f"{name}: {words}" for words in violations(page, ".svckit")]
    return [*found, *look_at_the_forms(page)]


def look_at_the_forms(page: Page) -> list[str]:
    """Open the form of one user, and that of several; in a view with room for them, or axe takes them for hidden."""
    seen = page.viewport_size
    page.set_viewport_size({"width": 1400, "height": 4000})
    execute(page, "panel.show('users'); users = panel.current; users.select('u-002'); users.change()")
    expect(page.get_by_role("searchbox", name="Search fields")).to_be_visible()
    found = [f"form: {words}" for words in violations(page, ".svckit-form")]
    execute(
        page, "users.close_form(); users.table.selection = ('u-002', 'u-003'); users.bulk_edit(task='Sales')"
    )
    expect(page.get_by_role("button", name="Dry run")).to_be_visible()
    found += [f"bulk edit: {words}" for words in violations(page, ".svckit-bulk")]
    execute(page, "users.close_bulk_edit(); users.select(None)")
    if seen is not None:
        page.set_viewport_size(seen)
    return found

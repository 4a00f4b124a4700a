"""Two explorers of one kind in two cells: the one above says that the one below has taken its place."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

OpenNotebook = Callable[..., Page]

SETUP = """
import svckit
from svckit.widgets import NotificationsExplorer, StatusesExplorer, UserForm

svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
"""


@pytest.mark.parametrize(
    ("made", "part"),
    [
        ("NotificationsExplorer(svc)", "Preview"),
        ("StatusesExplorer(svc)", "Current"),
        ("UserForm(svc, 'u-001')", "Nick name"),
    ],
)
@pytest.mark.long
def test_the_one_above_says_where_it_went(open_notebook: OpenNotebook, made: str, part: str) -> None:
    page = open_notebook(SETUP, made, "", "")
    above, below = (page.locator(".jp-CodeCell").nth(number) for number in (1, 2))
    live = page.locator(".svckit-explorer, .svckit-form").get_by_text(part, exact=True)
    expect(live.first).to_be_visible()
    page.evaluate(
        """code => {
            const { content } = window.jupyterapp.shell.currentWidget;
            content.widgets[2].model.sharedModel.setSource(code);
            content.activeCellIndex = 2;
            window.jupyterapp.commands.execute('notebook:run-cell');
        }""",
        made,
    )
    said = above.get_by_role("status").filter(has_text="and replaced this one")
    expect(said).to_be_visible()
    expect(above.locator(".svckit-badge")).to_have_text(["FAKE"])
    expect(above.get_by_role("button")).to_have_count(0)
    expect(
        below.locator(".svckit-explorer, .svckit-form").get_by_text(part, exact=True).first
    ).to_be_visible()

    page.evaluate(
        """() => {
            window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1;
            window.jupyterapp.commands.execute('notebook:run-cell');
        }"""
    )  # as it is told to
    expect(
        above.locator(".svckit-explorer, .svckit-form").get_by_text(part, exact=True).first
    ).to_be_visible()
    expect(below.get_by_role("status").filter(has_text="and replaced this one")).to_be_visible()

"""The styles of all explorers are on one page: whichever order they are in, all controls are in the same place."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from svckit.widgets.base.assets import WIDGETS, style
from svckit.widgets.explorers.explorer_panel import EXPLORERS, ExplorerPanel

from . import scene
from .slow_kernel import show

pytestmark = pytest.mark.wide

BELONGS = "(node, name) => { node.dataset.explorer = name; }"
LOCATE = """(names) => Object.fromEntries(names.map((name) => {
    return [name, [...document.querySelectorAll(`div[data-explorer="${name}"]`)].flatMap((part) => {
        const { x, y } = part.getBoundingClientRect();
        const controls = "button, input, select, textarea, summary, a, pre, [tabindex]";
        const seen = [...part.querySelectorAll(controls)].filter((control) => control.checkVisibility());
        return seen.map((control) => {
            const box = control.getBoundingClientRect();
            const label = control.ariaLabel ?? control.dataset.field ?? control.innerText.slice(0, 40);
            return [`${control.localName} ${label}`, box.x - x, box.y - y, box.width, box.height].join("|");
        });
    })];
}))"""
HEIGHTS = "(controls) => controls.map((control) => control.getBoundingClientRect().height)"
RESTYLE = "(style) => { document.querySelector('style#svckit').textContent = style; }"


@pytest.fixture(scope="module")
def page_of_all(chromium: BrowserContext) -> Iterator[Page]:
    """A page without Jupyter that shows every explorer with all that it has, each below the one before."""
    space: dict[str, Any] = {}
    exec(scene.SETUP, space)
    panel: ExplorerPanel = space["panel"]
    page = chromium.new_page()
    for name in EXPLORERS:
        panel.show(name)
        for part in list_views(panel.current):
            show(page, part)
            page.locator("body > div").last.evaluate(BELONGS, name)
    yield page
    page.close()
    panel.close()


def list_views(widget: Any) -> Iterator[Any]:
    """Yield the widgets of an explorer that the browser shows, from its boxes."""
    if hasattr(widget, "_esm"):
        yield widget
    else:
        for child in widget.children:
            yield from list_views(child)


def test_compares_the_positions_of_all_controls_with_those_under_the_styles_in_reverse_order(
    page_of_all: Page,
) -> None:
    before = locate(page_of_all)
    assert all(len(controls) > 5 for controls in before.values())
    own = [file for file in sorted(WIDGETS.rglob("*.css"), reverse=True) if file.parent.name != "base"]
    common = style().partition(own[-1].read_text("utf-8"))[0]
    page_of_all.evaluate(RESTYLE, common + "".join(file.read_text("utf-8") for file in own))
    moves = list_moves(before, locate(page_of_all))
    assert not moves, "\n".join(moves)


def test_fields_and_selects_are_equally_high(page_of_all: Page) -> None:
    controls = page_of_all.locator("select:visible, input:visible:not([type=checkbox], [type=radio])")
    assert len({*controls.evaluate_all(HEIGHTS)}) == 1


def locate(page: Page) -> dict[str, list[str]]:
    found: dict[str, list[str]] = page.evaluate(LOCATE, list(EXPLORERS))
    return found


def list_moves(before: dict[str, list[str]], now: dict[str, list[str]]) -> list[str]:
    pairs = {name: zip(controls, now[name], strict=True) for name, controls in before.items()}
    return [
        f"{name}: {one} -> {other}" for name, both in pairs.items() for one, other in both if one != other
    ]

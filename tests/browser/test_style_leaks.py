"""Styles of one explorer change nothing in another: all controls are where they are when it is the only one."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from svckit.widgets.explorers.explorer_panel import EXPLORERS, ExplorerPanel

from . import scene
from .slow_kernel import show

pytestmark = pytest.mark.wide

BELONGS = "(node, name) => { node.dataset.explorer = name; }"
LOCATE = """([names, others]) => Object.fromEntries(names.map((name) => {
    for (const style of document.querySelectorAll("style"))
        style.disabled = !others && style.dataset.explorer !== name;
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
REVERSE = "() => document.head.append(...[...document.querySelectorAll('style[data-explorer]')].reverse())"


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
            page.add_style_tag(content=str(part._css)).evaluate(BELONGS, name)
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


def test_opens_each_explorer_alone_and_beside_all_others_and_compares_the_positions_of_all_controls(
    page_of_all: Page,
) -> None:
    alone = locate(page_of_all, beside_others=False)
    assert all(len(controls) > 5 for controls in alone.values())
    for opened in ("in this order", "the other way round"):
        moves = list_moves(alone, locate(page_of_all, beside_others=True))
        assert not moves, "\n".join([opened, *moves])
        page_of_all.evaluate(REVERSE)


def test_fields_and_selects_are_equally_high(page_of_all: Page) -> None:
    controls = page_of_all.locator("select:visible, input:visible:not([type=checkbox], [type=radio])")
    assert len({*controls.evaluate_all(HEIGHTS)}) == 1


def locate(page: Page, *, beside_others: bool) -> dict[str, list[str]]:
    found: dict[str, list[str]] = page.evaluate(LOCATE, [list(EXPLORERS), beside_others])
    return found


def list_moves(alone: dict[str, list[str]], beside: dict[str, list[str]]) -> list[str]:
    pairs = {name: zip(controls, beside[name], strict=True) for name, controls in alone.items()}
    return [
        f"{name}: {one} -> {other}" for name, both in pairs.items() for one, other in both if one != other
    ]

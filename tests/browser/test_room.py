"""Every explorer with all that it can unfold, and a user whose names are long words, where there is little room.

Nothing sticks out of what is around it, no two fields overlap, and what one looks for stays in sight.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from svckit.session.session import Session
from svckit.widgets import TrafficExplorer
from svckit.widgets.explorers.fake import fake_explorer
from svckit.widgets.explorers.traffic import details

from . import scene
from .slow_kernel import show

pytestmark = pytest.mark.wide

PARTS = {"traffic": details.PARTS, "fake": fake_explorer.PARTS}

MORE = """
LONG = "W" * 80
names = {"last_name": LONG, "first_name": LONG}
fields = [{"custom_field_id": LONG, "value": LONG, "link": LONG}]
svc.users.update("u-002", user_name=names, task=LONG, custom_fields=fields)
panel.current.refresh()
panel.show("statuses")
panel.current.choose("u-002")
panel.show("users")
users = panel.current
users.refresh()
users.select("u-002")
users.change()
"""
BULK = """
users.close_form()
users.table.selection = ("u-002", "u-003")
users.bulk_edit(task="Sales")
"""
BACK = """
users.close_bulk_edit()
users.select("u-002")
users.change()
"""
# What unfolds, also inside of what has just been unfolded.
UNFOLD = """() => {
    for (let folded; (folded = document.querySelectorAll("details:not([open])")).length;)
        for (const each of folded) each.open = true;
    return document.querySelectorAll("details").length;
}"""
# What is out of the page or over another field, as far as scrollers around it let it be seen; what does not scroll with
# its scroller, and so makes whatever is around that scroll too; and words and sizes in cells that are broken.
FIND_FAULTS = """() => {
    const name = (each) => `${each.tagName} ${each.getAttribute("aria-label") ?? each.className}`
        + ` "${each.textContent.trim().slice(0, 30)}"`;
    const seen = (each) => {
        const { left, top, right, bottom } = each.getBoundingClientRect();
        const box = { left, top, right, bottom };
        for (let around = each.parentElement; around; around = around.parentElement) {
            if (around === document.documentElement || getComputedStyle(around).overflowX === "visible") continue;
            const edge = around.getBoundingClientRect();
            for (const side of ["left", "top"]) box[side] = Math.max(box[side], edge[side]);
            for (const side of ["right", "bottom"]) box[side] = Math.min(box[side], edge[side]);
        }
        return box;
    };
    const width = document.documentElement.clientWidth;
    const isShown = ({ left, top, right, bottom }) => right - left > 1 && bottom - top > 1;
    const wide = [...document.querySelectorAll(".svckit, .svckit *")]
        .filter((each) => each.checkVisibility() && !each.closest(".svckit-unseen"))
        .filter((each) => isShown(seen(each)) && (seen(each).right > width + 1 || seen(each).left < -1))
        .map((each) => `${name(each)} ends at ${Math.round(seen(each).right)}`);
    const fields = [...document.querySelectorAll(".svckit :is(input, select, textarea, button)")]
        .filter((each) => each.checkVisibility() && !each.closest(".svckit-unseen"))
        .map((each) => [each, seen(each)]).filter(([, box]) => isShown(box));
    const over = fields.flatMap(([one, a], number) => fields.slice(number + 1)
        .filter(([other, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
            && !other.closest("thead") && !one.closest("thead"))
        .map(([other]) => `${name(one)} is over ${name(other)}`));
    const isScroller = (each) => ["auto", "scroll"].includes(getComputedStyle(each).overflowY);
    const loose = [...document.querySelectorAll(".svckit .svckit-unseen")].filter((each) => {
        let around = each.parentElement;
        while (around && !isScroller(around)) around = around.parentElement;
        return around && each.offsetParent && !around.contains(each.offsetParent);
    }).map((each) => `${name(each)} does not scroll`);
    const broken = [...document.querySelectorAll(".svckit-rows :is(th, td)")].filter((each) => {
        const range = document.createRange();
        range.selectNodeContents(each);
        const rows = new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 8)));
        return /^[\\w.@,]+( B)?$/.test(each.textContent.trim()) && rows.size > 1;
    }).map((each) => `${name(each)} is broken`);
    return [...wide, ...over, ...loose, ...broken];
}"""
FIND_HEIGHTS = """() => [...document.querySelectorAll(".svckit :is(select, input:not([type=checkbox], [type=radio]))")]
    .filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect().height)"""


@pytest.fixture(scope="module")
def panel() -> Iterator[dict[str, Any]]:
    """The names of a session in which every explorer shows results."""
    names: dict[str, Any] = {}
    exec(scene.SETUP + MORE, names)
    yield names
    names["panel"].close()
    names["svc"].close()


@pytest.fixture
def blank(chromium: BrowserContext) -> Iterator[Page]:
    page = chromium.new_page()
    yield page
    page.close()


@pytest.mark.parametrize("width", [1_100, 820, 420])
def test_nothing_is_wider_than_the_panel_and_no_two_fields_overlap(
    width: int, panel: dict[str, Any], blank: Page
) -> None:
    blank.set_viewport_size({"width": width, "height": 900})
    found, heights = [], set()
    explorers = panel["panel"]
    for name in panel["EXPLORERS"]:
        explorers.show(name)
        for part in PARTS.get(name, ("",)):
            if part:
                explorers.current._do_part(part)
            found += [f"{name} {part}: {words}" for words in look_at(blank, explorers._shown)]
            heights |= {*blank.evaluate(FIND_HEIGHTS)}
    explorers.show("users")
    exec(BULK, panel)
    found += [f"several users: {words}" for words in look_at(blank, explorers.current.children)]
    exec(BACK, panel)
    assert not found, "\n".join(found)
    assert len(heights) == 1, "fields and selects are not equally high"


def look_at(page: Page, widgets: Any) -> list[str]:
    page.goto("about:blank")
    for widget in leaves(widgets):
        show(page, widget)
    page.evaluate(UNFOLD)
    return page.evaluate(FIND_FAULTS)


def leaves(widgets: Any) -> Iterator[Any]:
    for widget in widgets:
        if hasattr(widget, "children"):
            yield from leaves(widget.children)
        else:
            yield widget


def test_traffic_has_the_responses_in_sight_where_it_is_narrow(blank: Page, svc: Session) -> None:
    svc.users.read("u-001")
    blank.set_viewport_size({"width": 700, "height": 900})
    show(blank, TrafficExplorer(svc))
    row = blank.get_by_role("row", name="PATCH")
    expect(row.get_by_role("gridcell", name="200 OK")).to_be_in_viewport(ratio=1)
    expect(row.get_by_text("/users/u-001")).to_be_in_viewport(ratio=1)
    expect(row.get_by_title("https://api.fake.test/users/u-001")).to_be_visible()

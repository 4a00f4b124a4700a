"""Every explorer, looked at by axe-core: names and roles of what can be used, and contrast, by day and by night."""

from collections.abc import Callable
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from svckit.widgets.explorer_panel import EXPLORERS

from .conftest import SET_THEME

OpenNotebook = Callable[..., Page]

# Something to be seen in each of them, also what goes wrong.
SETUP = """
import svckit
from svckit import places

svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
svc.files.upload(b"# Minutes", to=places.drive("u-001"), name="minutes.txt")
svc.users.set_status("u-001", "BUSY", message="Writing")
svc.fake.callbacks.send("bot-1", "u-003", {"type": "text", "text": "Is room 3 free?"})
panel = svc.explore("users")
panel.current.select("u-003")
panel.show("files")
panel.current.select("drive/u-001", "file-1")
panel.current.preview()
panel.current.wait()
panel.show("notifications")
panel.current.write(text='Hello <m userId="u-002">', label="Open", url="https://example.com")
panel.current.burst(130)
panel.current.wait()
panel.show("sign-in")
for step in ("request", "log_in", "check", "exchange"):
    getattr(panel.current, step)()
panel.show("time")
panel.current.write(target="users.*")
panel.current.inject()
panel.current.attempt()
panel.current.wait()
panel.current.move_to_next()
panel.show("traffic")
panel.current.select(4)
panel.show("users")
"""
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}


def test_axe_has_nothing_against_any_explorer_by_day_or_night(open_notebook: OpenNotebook) -> None:
    page = open_notebook(SETUP, "panel")
    expect(page.get_by_role("grid", name="Users")).to_be_visible(timeout=30_000)
    page.add_style_tag(
        content="body { height: 100vh }"
    )  # JupyterLab's has none, and axe takes all for hidden
    found: list[str] = []
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        page.evaluate(SET_THEME, theme)
        page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=theme)
        for name in EXPLORERS:
            choice = page.get_by_role("navigation", name="Explorers").get_by_role("button", name=name)
            choice.click()
            expect(choice).to_have_attribute("aria-pressed", "true")
            expect(page.locator(".svckit-panel-of-explorers > :visible")).to_have_count(2)
            found += [f"{theme}, {name}: {words}" for words in violations(page)]
    assert not found, "\n".join(found)


def violations(page: Page) -> list[str]:
    """What axe has against our widgets on a page, a line for each element."""
    answer: dict[str, Any] = Axe().run(page, context=".svckit", options=RULES).response
    seen = [
        node["any"][0]["message"]
        for rule in answer["passes"]
        if rule["id"] == "color-contrast"
        for node in rule["nodes"]
    ]
    assert sum("sufficient color contrast" in message for message in seen) > 10, "nothing was looked at"
    return [
        f"{rule['id']}: {node['html']}: {node['failureSummary']}"
        for rule in answer["violations"]
        for node in rule["nodes"]
    ]

"""What axe-core has against what a page shows."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}


def violations(page: Page, within: str) -> list[str]:
    """A line for each element within what a selector finds that breaks a rule of WCAG 2.1, level A or AA."""
    answer: dict[str, Any] = Axe().run(page, context=within, options=RULES).response
    contrast = [rule["nodes"] for rule in answer["passes"] if rule["id"] == "color-contrast"]
    looked_at = [node for nodes in contrast for node in nodes if "sufficient" in node["any"][0]["message"]]
    assert len(looked_at) > 10, "axe took what is there for hidden"
    return [
        f"{rule['id']}: {node['html']}: {node['failureSummary']}"
        for rule in answer["violations"]
        for node in rule["nodes"]
    ]

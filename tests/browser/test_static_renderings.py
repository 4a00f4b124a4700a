"""What a stored notebook shows: each face as HTML alone, without network, without scripts, by day and by night."""

from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import BrowserContext

from svckit import frames, plots
from svckit.widgets.explorers.explorer_panel import EXPLORERS

from . import scene
from .axe import violations

pytestmark = pytest.mark.wide

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Faces</title>
<style>
:root { color-scheme: light dark; font: 14px system-ui, sans-serif; color: #1f2328; background: #fff }
@media (prefers-color-scheme: dark) { :root { color: #e6edf3; background: #15191e } }
section { margin: 24px 8px }
</style>
</head><body>%s</body></html>"""


@pytest.fixture(scope="module")
def faces() -> dict[str, str]:
    """Every face there is, by name, of a session that is full of markup."""
    space: dict[str, Any] = {}
    exec(scene.SETUP, space)
    svc, panel = space["svc"], space["panel"]
    with svc.trace() as trace:
        svc.users.update("u-002", task=scene.EVIL)
    shown = {
        "session": svc,
        "rules": svc.fake.rules,
        "trace": trace,
        "explanation": svc.explain(space["svckit"].operations.users.update("u-002", task=scene.EVIL)),
        "changes": svc.users.diff([{"userId": "u-003", "task": scene.EVIL}]),
        "credentials": plots.credentials(svc),
        "deliveries": plots.deliveries(svc),
        "rate": plots.rate_window(svc),
        "retirements": plots.retirements(),
        "timeline": frames.statuses(svc).svc.timeline(),
    }
    html = {name: thing._repr_html_() for name, thing in shown.items()}
    for state in ("", "-typed"):
        for name in EXPLORERS:
            panel.show(name)
            html[name + state] = panel.current._repr_mimebundle_()[0]["text/html"]
        exec(scene.TYPED, space)
    panel.show("users")
    html["panel"] = panel.to_html()
    panel.close()
    return html


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_it_is_whole_without_network_and_scripts_and_runs_nothing(
    chromium: BrowserContext,
    faces: dict[str, str],
    tmp_path: Path,
    theme: Literal["light", "dark"],
    scripts: bool,
) -> None:
    assert chromium.browser is not None
    context = chromium.browser.new_context(
        offline=True, java_script_enabled=scripts, color_scheme=theme, viewport={"width": 700, "height": 900}
    )
    page, asked = context.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    file = tmp_path / "faces.html"
    sections = (f'<section id="{name}">{html}</section>' for name, html in faces.items())
    file.write_text(PAGE % "\n".join(sections), "utf-8")
    page.goto(file.as_uri())
    assert asked == [file.as_uri()]
    # Plots are images of their own data, in which nothing can run.
    is_plot = '[src^="data:image/svg+xml;base64,"]'
    assert page.locator(f"img:not({is_plot}), script, iframe, object, [onerror]").count() == 0
    for name in faces:
        assert "&lt;img" not in page.locator(f"#{name}").inner_text(), f"{name} is escaped twice"
        assert page.locator(f"#{name}").inner_text().strip(), f"{name} shows nothing"
    if scripts:
        assert page.evaluate("window.__xss") is None
        assert violations(page, "body") == []
    context.close()

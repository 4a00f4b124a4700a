"""Markup that people, bots and clients wrote, or somebody typed, is text in every face of every explorer."""

from collections.abc import Iterator
from typing import Any

import pytest
from bs4 import BeautifulSoup

from svckit.widgets.explorers.explorer_panel import EXPLORERS

from ...browser import scene
from .conftest import ask


def list_faces(widget: Any) -> Iterator[str]:
    """Yield the HTML of the live views of an explorer, with each of its parts, and that of documents."""
    for child in getattr(widget, "children", ()):
        yield from list_faces(child)
    for part in getattr(widget, "view", {}).get("parts", ()):
        ask(widget, do="part", name=part)
        yield widget.html
    yield getattr(widget, "html", "")
    yield widget.to_html()


@pytest.mark.usefixtures("as_in_a_notebook")
def test_markup_is_shown_and_never_run() -> None:
    names: dict[str, Any] = {}
    exec(scene.SETUP, names)
    for entries in ("", scene.TYPED):
        exec(entries, names)
        for name in EXPLORERS:
            names["panel"].show(name)
            pages = [BeautifulSoup(html, "html.parser") for html in list_faces(names["panel"].current)]
            assert not [each for page in pages for each in page.select("script, [onerror], [src=x]")], name
            if name != "rules":  # which shows nothing that others wrote
                assert any(scene.EVIL in page.text or page(value=scene.EVIL) for page in pages), name

"""Markup that people, bots and clients wrote, or somebody typed, is text in every face of every explorer."""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest

from svckit.widgets.explorers.explorer_panel import EXPLORERS

from ...browser import scene
from .conftest import ask


class Page(HTMLParser):
    """What a browser makes of HTML: the elements that would run a script, and the texts with the values of fields."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.runs: list[str] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "script" or "onerror" in named or named.get("src") == "x":
            self.runs.append(f"<{tag} {named}>")
        self.texts.append(named.get("value") or "")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


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
            pages = [Page(html) for html in list_faces(names["panel"].current)]
            assert [run for page in pages for run in page.runs] == [], name
            if name != "rules":  # which shows nothing that others wrote
                assert any(scene.EVIL in text for page in pages for text in page.texts), name

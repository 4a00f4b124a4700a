"""Find broken links and images in notebooks, and images without alternative text.

Markdown is read as CommonMark, with the HTML in it. Only local targets are checked: files in the notebook's folder,
its own headings and attachments. URLs on the web are not.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from svckit.jupyter.finding import Finding, mask_message
from svckit.jupyter.left_files import is_named, read_leaves

__all__ = [
    "RELATIVE",
    "Links",
    "find_broken_links",
    "find_missing_alternatives",
    "links_in_html",
    "links_in_markdown",
]

ATTACHMENT = "attachment:"
ALT_ATTRIBUTES = ("aria-label", "aria-labelledby")
HIDDEN = {("aria-hidden", "true"), ("role", "presentation"), ("role", "none")}
SVG_TEXT = re.compile(
    r"<title\b[^>]*>\s*[^<\s]|\saria-label(?:ledby)?=|\saria-hidden=[\"']true", re.IGNORECASE
)
NOT_WORDS = re.compile(r"[\W_]+")
ROLES = {"link": "a link to", "image": "an image from"}
RELATIVE = "use a path relative to the notebook"
"""The remedy for a path that exists on one machine only."""
ADD = "correct the path, which is relative to the notebook, or add the file"


@dataclass(slots=True)
class Links:
    """The links and images of a text, and the anchors in it."""

    targets: list[tuple[str, str]] = field(default_factory=list)
    """``link`` or ``image``, and the target of each."""
    silent: list[str] = field(default_factory=list)
    """The images without alternative text."""
    anchors: set[str] = field(default_factory=set)
    """The headings and other named elements, as `_normalize_anchor` normalizes them."""

    def add_image(self, target: str, *, has_text: bool) -> None:
        """Add an image."""
        self.targets.append(("image", target))
        if not has_text:
            self.silent.append(_shorten(target))


def links_in_html(html: str, found: Links | None = None) -> Links:
    """Read the links and images of HTML.

    Examples:
        >>> links_in_html('<a href="a.csv">A</a> <img src="b.svg"> <img src="c.svg" alt="">').silent
        ['b.svg']
    """
    found = found or Links()
    _LinkParser(found).feed(html)
    return found


def links_in_markdown(text: str) -> Links:
    """Read the links, images and headings of Markdown.

    Examples:
        >>> links_in_markdown("# Set up\\n\\n[Data](data/a.csv), ![](b.svg), `[no](link)`").targets
        [('link', 'data/a.csv'), ('image', 'b.svg')]
    """
    from markdown_it import MarkdownIt  # the extra `check` brings it

    links = Links()
    before = None
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "html_block":
            links_in_html(token.content, links)
        parts = token.children or []
        for part in parts:
            if part.type == "link_open":
                links.targets.append(("link", str(part.attrs["href"])))
            elif part.type == "image":
                links.add_image(str(part.attrs["src"]), has_text=bool(part.content.strip()))
            elif part.type == "html_inline":
                links_in_html(part.content, links)
        if before == "heading_open":  # this is the token with its words
            links.anchors.add(_normalize_anchor("".join(part.content for part in parts)))
        before = token.type
    return links


class _LinkParser(HTMLParser):
    def __init__(self, found: Links) -> None:
        super().__init__()
        self._found = found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self._found.anchors.update(
            _normalize_anchor(attributes[name] or "") for name in ("id", "name") if name in attributes
        )
        if tag == "a" and attributes.get("href"):
            self._found.targets.append(("link", attributes["href"] or ""))
        elif tag == "img":
            has_text = (
                "alt" in attributes
                or any(map(attributes.get, ALT_ATTRIBUTES))
                or not HIDDEN.isdisjoint(attributes.items())
            )
            self._found.add_image(attributes.get("src") or "", has_text=has_text)


def find_broken_links(notebook: Any, folder: Path) -> list[Finding]:
    """Find the links and images of a notebook that have no target.

    Args:
        notebook: the notebook, from ``nbformat.read(path, as_version=4)``.
        folder: its folder.
    """
    texts = [
        (number, cell, links) for number, cell in enumerate(notebook.cells, 1) for links in _read_links(cell)
    ]
    anchors = set().union(*(links.anchors for _, _, links in texts))
    named = read_leaves(notebook)  # the files that its cells write, so they need not exist yet
    return [
        Finding(
            mask_message(f"{ROLES[kind]} {_shorten(target)}, {why}"), "stored", number, cell.get("id"), remedy
        )
        for number, cell, links in texts
        for kind, target in dict.fromkeys(links.targets)
        for why, remedy in _check_target(target, cell, folder, anchors, named)
    ]


def _read_links(cell: Any) -> Iterator[Links]:
    if cell.cell_type == "markdown":
        yield links_in_markdown(cell.source)
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        if "text/markdown" in data:
            yield links_in_markdown(data["text/markdown"])
        if "text/html" in data:
            yield links_in_html(data["text/html"])


def _check_target(
    target: str, cell: Any, folder: Path, anchors: set[str], named: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Say what is wrong with the target of a link, and what to do."""
    if target.startswith(ATTACHMENT):
        if unquote(target.removeprefix(ATTACHMENT)) not in cell.get("attachments", {}):
            yield (
                "which the cell does not have",
                "paste the picture into the cell again, or keep it in a file",
            )
        return
    try:
        url = urlsplit(target)
    except ValueError:
        yield "which cannot be read", "correct it"
        return
    path = unquote(url.path)
    # A scheme of one letter is a drive of Windows.
    if len(url.scheme) == 1 or (path.startswith("/") and not (url.scheme or url.netloc)):
        yield "which is not relative", RELATIVE
    elif url.scheme or url.netloc:
        return
    elif path and not (is_named(path.removeprefix("./"), named) or (folder / path).exists()):
        yield "which does not exist", ADD
    elif not path and url.fragment and _normalize_anchor(unquote(url.fragment)) not in anchors:
        yield "which is not a heading", "write the words of the heading, with hyphens between them"


def find_missing_alternatives(cell: Any) -> Iterator[tuple[str, str]]:
    """Find the images of a cell that have no alternative text, and say what to do."""
    for links in _read_links(cell):
        for target in links.silent:
            remedy = "say what it shows, as in ![A bar chart of sales](sales.svg) or <img alt=…>"
            yield f"an image without alternative text, {target or 'without a source'}", remedy
    for output in cell.get("outputs", ()):
        if "image/svg+xml" in output.get("data", {}) and not _has_text(output):
            remedy = (
                "say what it shows, in a <title> in it, or with "
                'display(…, metadata={"image/svg+xml": {"alt": "A bar chart of sales"}})'
            )
            yield "a picture without alternative text", remedy


def _has_text(output: Any) -> bool:
    """Return whether a displayed picture has alternative text, in itself or beside it."""
    data, metadata = output.data, output.get("metadata", {})
    beside = str(data.get("text/plain", "")).strip()
    return bool(
        metadata.get("alt")
        or metadata.get("image/svg+xml", {}).get("alt")
        or SVG_TEXT.search(str(data["image/svg+xml"]))
        or data.keys() & {"text/html", "text/markdown", "text/latex"}
        or (beside and not beside.startswith("<"))
    )


def _normalize_anchor(text: str) -> str:
    """Normalize a heading or a link to it, however JupyterLab or others join its words."""
    return NOT_WORDS.sub("-", text.casefold()).strip("-")


def _shorten(target: str) -> str:
    return target if len(target) <= 60 else f"{target[:60]}…"

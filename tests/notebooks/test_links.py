"""Links between pages lead to a page, and to a heading of it; the glossary is in order."""

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest

from svckit.jupyter.links import links_in_markdown

from .store import NOTEBOOKS

PAGES = sorted(
    path.relative_to(NOTEBOOKS).as_posix()
    for suffix in ("*.ipynb", "*.md")
    for path in NOTEBOOKS.rglob(suffix)
    if ".ipynb_checkpoints" not in path.parts
)


def read(page: Path) -> str:
    """Return the Markdown of a page."""
    if page.suffix == ".md":
        return page.read_text("utf-8")
    cells = nbformat.read(page, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the anchors of the headings of a page, as GitHub and Sphinx make them, and those of rows of tables."""
    text = read(page)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    rows = re.findall(r'^\| <a id="([\w-]+)"></a>', text, re.MULTILINE)
    return frozenset([*rows, *(re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings)])


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    page = NOTEBOOKS / name
    lost = []
    for _, target in links_in_markdown(read(page)).targets:
        if "://" in target:
            continue
        path, _, heading = unquote(target).partition("#")
        found = page.parent / path if path else page
        if not found.exists() or (heading and heading not in anchors(found)):
            lost.append(target)
    assert lost == []


def test_glossary_is_sorted() -> None:
    terms = [
        line.removeprefix("## ") for line in read(NOTEBOOKS / "glossary.md").splitlines() if line[:3] == "## "
    ]
    assert len(terms) > 30
    assert terms == sorted(terms, key=str.lower)

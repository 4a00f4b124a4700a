"""Pages keep to one form: how-to pages are short, give something to try, and say what to read next.

Lessons have a form of their own: tests/svckit/course/test_lessons.py.
"""

import re
from pathlib import Path

import nbformat
import pytest

from svckit.jupyter.links import links_in_markdown

from .store import ALL, NOTEBOOKS

PAGES = [name for name in ALL if not name.startswith("course/")]
TEXTS = [
    "glossary.md",
    "course/TRAINER.md",
    *sorted(path.relative_to(NOTEBOOKS).as_posix() for path in NOTEBOOKS.glob("reference/*.md")),
]
HOW_TO = [name for name in ALL if name.startswith("how-to/")]
MOST_CELLS = 10
TO_TRY = re.compile("^## Try it$", re.MULTILINE)
NEXT_IN_THE_MIDDLE = {
    "00-start.ipynb",  # the learner completes its last cell
    "explain/architecture.ipynb",  # a page for developers, whose last cell is its last check
}
"""Pages that do not end with links."""


def read(name: str) -> list[nbformat.NotebookNode]:
    """Return the cells of a page."""
    cells: list[nbformat.NotebookNode] = nbformat.read(NOTEBOOKS / name, as_version=4).cells
    return cells


@pytest.mark.parametrize("name", HOW_TO)
def test_how_to_page_is_short(name: str) -> None:
    cells = read(name)
    assert len(cells) <= MOST_CELLS
    assert cells[0].source.startswith("# How to ")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_something_to_try(name: str) -> None:
    assert [cell.id for cell in read(name) if cell.cell_type == "markdown" and TO_TRY.search(cell.source)]


@pytest.mark.parametrize("name", [*sorted(set(PAGES) - NEXT_IN_THE_MIDDLE), *TEXTS])
def test_page_ends_with_links(name: str) -> None:
    if name in TEXTS:
        text = (NOTEBOOKS / name).read_text("utf-8")
    else:
        last = read(name)[-1]
        assert last.cell_type == "markdown"
        text = last.source
    paragraph = text.strip().rpartition("\n\n")[2]
    assert paragraph.startswith("Next: "), "a page of the reference gets it as soon as a notebook leads to it"
    targets = [target for _, target in links_in_markdown(paragraph).targets]
    assert 1 <= len(targets) <= 3
    assert [target for target in targets if not (NOTEBOOKS / Path(name).parent / target).is_file()] == []


def test_the_exceptions_are_pages() -> None:
    assert set(PAGES) >= NEXT_IN_THE_MIDDLE

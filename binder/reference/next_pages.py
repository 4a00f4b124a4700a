"""The pages to read after a reference page."""

import json
from functools import cache
from pathlib import Path

from binder.site.menu import list_groups

__all__ = ["write_next"]

ROOT = Path(__file__).resolve().parents[2]
MOST = 3
GENERATED = "This page needs"
"""The start of a line in notebooks that is written from a run (`binder.footers`), so its links say nothing."""


def write_next(name: str) -> str:
    """Return the links at the end of a page: to the first notebooks of the menu that lead to it, or nothing.

    Args:
        name: the name of the file, such as ``rules.md``.
    """
    order = [page for pages in list_groups().values() for _, page in pages]
    links = [
        f"[{title}](../{page.removeprefix('notebooks/')}.ipynb)"
        for page in order
        if (title := read_title(page, f"reference/{name}"))
    ]
    return f"Next: {', '.join(links[:MOST])}." if links else ""


@cache
def read_title(page: str, link: str) -> str:
    """Return the title of a notebook in which a link occurs; otherwise nothing."""
    file = ROOT / f"{page}.ipynb"
    if not file.exists() or page.startswith("notebooks/course/"):
        return ""
    cells = json.loads(file.read_text("utf-8"))["cells"]
    lines = [line for cell in cells if cell["cell_type"] == "markdown" for line in cell["source"]]
    if not any(link in line and not line.startswith(GENERATED) for line in lines):
        return ""
    return lines[0].removeprefix("# ").strip()

"""The order of the site's pages."""

from pathlib import Path

__all__ = ["SECTIONS", "list_pages", "write_menu"]

ROOT = Path(__file__).resolve().parents[2]

SECTIONS = {
    "Tutorial": ["notebooks/00-start", "notebooks/explorers"],
    "Course": "notebooks/course",
    "How-to": "notebooks/how-to",
    "Reference": "notebooks/reference",
    "Public names": "binder/site/api",
    "Explanation": "notebooks/explain",
    "More": ["notebooks/glossary", "CHANGELOG", "CONTRIBUTING"],
}
"""The sections of the menu, each with its pages or with a folder of them."""


def list_pages(where: str | list[str]) -> list[str]:
    """Return the pages of a section that exist, in alphabetical order unless they are named.

    In a folder of them, the README and the notebooks of each folder in it come last.
    """
    if isinstance(where, list):
        return [page for page in where if list(ROOT.glob(f"{page}.*"))]
    files = sorted((ROOT / where).iterdir())
    pages = [f"{where}/{path.stem}" for path in files if path.suffix in {".ipynb", ".md", ".rst"}]
    inner = sorted(page for pattern in ("*/README.md", "*/*.ipynb") for page in (ROOT / where).glob(pattern))
    return pages + [page.relative_to(ROOT).with_suffix("").as_posix() for page in inner]


def write_menu() -> str:
    """Return the sections as tables of contents, which the home page does not show."""
    return "".join(
        f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(list_pages(where)) + "\n```\n"
        for caption, where in SECTIONS.items()
    )

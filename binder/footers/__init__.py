"""The paragraph at the end of a notebook that says what its cells need, and what their responses rest on.

    python3 binder/run.py python -m binder.footers notebooks/how-to/NAME.ipynb

It is written from a run of the notebook, of which `sitecustomize.py` beside this file writes down what happens. Lessons
and pages without code have none.
"""

import asyncio
import os
import re
import shutil
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat

from binder.reference.markdown import slug
from svckit.extras import EXTRAS
from svckit.jupyter.rerun import ENVIRONMENT
from svckit.jupyter.running import run_cells

__all__ = [
    "COMMAND",
    "find_footer",
    "has_footer",
    "list_extras",
    "put_footer",
    "recording",
    "write_footer",
    "write_page",
]

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
COMMAND = "python3 binder/run.py python -m binder.footers"
RECORDER = Path(__file__).with_name("sitecustomize.py")
FOOTER = re.compile(r"^This page needs .+\n\n(?=(?:\*\*)?Next:)", re.MULTILINE)
NEXT = re.compile(r"^(?=(?:\*\*)?Next:)", re.MULTILINE)
MOST = 8
"""The most assumptions that are named."""
SHARED = {
    "nbclient": ("check", "lab"),
    "nbformat": ("check", "lab"),
    "typer": ("lab", "check", "serve", "keyring"),
}
"""The packages that come with several extras, whose first is named if the page needs none of them otherwise."""


def recording(folder: Path) -> Mapping[str, str]:
    """Return the variables of processes that write down what they need into a folder, which is emptied."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(RECORDER, folder)
    paths = [str(folder), os.environ.get("PYTHONPATH", "")]
    packages = {*EXTRAS, "typer"} - {"keyring"}  # which svckit uses only if it is there
    return {
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "SVCKIT_EXTRA_PACKAGES": " ".join(sorted(packages)),
    }


def write_footer(folder: Path, page: Path) -> str:
    """Return the paragraph for a page, from what its processes wrote down.

    Args:
        folder: where they wrote.
        page: the notebook, from the folder of all of them.
    """
    records = {file.stem: sorted(set(file.read_text("utf-8").split())) for file in folder.glob("*.txt")}
    named = [f"`{extra}`" for extra in list_extras(records.get("packages", ()))]
    needs = f"the extra{'s' * (len(named) > 1)} {join(named)}" if named else "no extra"
    up = "../" * (len(page.parts) - 1)
    assumed = records.get("assumed", [])
    if not assumed:
        return f"This page needs {needs}; none of its responses rests on an assumption."
    links = [f"[`{rule}`]({up}reference/rules.md#{slug(rule)})" for rule in assumed[:MOST]]
    more = [f"{len(assumed) - MOST} more"] if len(assumed) > MOST else []
    count = f"{len(assumed)} assumptions" if len(assumed) > 1 else "an assumption"
    return f"This page needs {needs}; its responses rest on {count}: {join([*links, *more])}."


def list_extras(packages: Collection[str]) -> list[str]:
    """Return the extras that have all packages."""
    extras = {EXTRAS[name] for name in packages if name not in SHARED}
    for name, choices in SHARED.items():
        if name in packages and extras.isdisjoint(choices):
            extras.add(choices[0])
    return sorted(extras)


def join(words: Iterable[str]) -> str:
    """Return words with commas and an "and"."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def has_footer(page: Path, notebook: Any) -> bool:
    """Return whether a notebook, given with its path from the folder of all, has the paragraph."""
    return "course" not in page.parts and any(cell.cell_type == "code" for cell in notebook.cells)


def find_footer(notebook: Any) -> str:
    """Return the paragraph that a notebook has; empty if it has none."""
    found = (FOOTER.search(cell.source) for cell in notebook.cells if cell.cell_type == "markdown")
    return next((each[0].strip() for each in found if each), "")


def put_footer(notebook: Any, footer: str) -> None:
    """Write the paragraph into a notebook, before it says what comes next."""
    cell = next(cell for cell in notebook.cells if cell.cell_type == "markdown" and NEXT.search(cell.source))
    cell.source = NEXT.sub(lambda _: f"{footer}\n\n", FOOTER.sub("", cell.source), count=1)


def write_page(file: Path) -> str:
    """Run a notebook and write its paragraph; return that."""
    page = file.resolve().relative_to(NOTEBOOKS)
    notebook: Any = nbformat.read(file, as_version=4)  # type: ignore[no-untyped-call]
    if not has_footer(page, notebook):
        return ""
    run: Any = nbformat.read(file, as_version=4)  # type: ignore[no-untyped-call]
    with TemporaryDirectory() as temporary:
        records = Path(temporary, "records")
        copies = shutil.copytree(NOTEBOOKS, Path(temporary, "notebooks"))
        asyncio.run(run_all(run, (copies / page).parent, {**ENVIRONMENT, **recording(records)}))
        footer = write_footer(records, page)
    put_footer(notebook, footer)
    file.write_text(f"{nbformat.writes(notebook)}\n", "utf-8")  # type: ignore[no-untyped-call]
    return footer


async def run_all(notebook: Any, folder: Path, variables: Mapping[str, str]) -> None:
    """Run a notebook to its end."""
    async for _ in run_cells(notebook, folder, variables=variables):
        pass

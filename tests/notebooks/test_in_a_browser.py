"""Whatever a site for the browser offers works without threads, sockets and pandas."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from binder.lite.start import NEED_FRAMES, NEED_MORE
from svckit.course.catalogue import LESSONS

from ..svckit.course.solved_cells import read_solved_cells
from .browser_cells import CELLS

ROOT = Path(__file__).parents[2]
NEEDS_MORE = {"12", "13"}
"""Lessons that need pandas or a served fake."""


def read_code(page: Path) -> list[str]:
    """Return the sources of the code cells of a page."""
    return [cell["source"] for cell in nbformat.read(page, as_version=4).cells if cell["cell_type"] == "code"]


def run(cells: list[str], folder: Path, script: str = "without_threads.py", *given: str) -> str:
    """Run cells, one after another, by a script of this folder, and return what they print."""
    file = folder / "cells.json"
    file.write_text(json.dumps(cells), "utf-8")
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name(script), *given, file],
        env=os.environ | {"PYTHONPATH": str(ROOT), "IPYTHONDIR": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_what_is_offered_works(tmp_path: Path) -> None:
    assert run(list(CELLS), tmp_path).splitlines()[-1] == "everything works"


REFUSED = """
import importlib, socket, threading
for package in ("pandas", "uvicorn", "keyring", "typer"):
    try:
        importlib.import_module(package)
    except ModuleNotFoundError as error:
        print(error.name)
try:
    threading.Thread(target=print).start()
except RuntimeError as error:
    print(error)
try:
    socket.create_server(("127.0.0.1", 0))
except PermissionError as error:
    print("no sockets")
"""


def test_what_is_missing_is_refused(tmp_path: Path) -> None:
    expected = ["pandas", "uvicorn", "keyring", "typer", "can't start new thread", "no sockets"]
    assert run([REFUSED], tmp_path).splitlines() == expected


PAGES = [path for path in (ROOT / "notebooks").rglob("*.ipynb") if "course" not in path.parts]


@pytest.mark.wide  # tests/notebooks/test_notebooks.py runs them with all packages
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_pages_of_the_site_are_those_that_run(page: Path, tmp_path: Path) -> None:
    cells = read_code(page)
    folder = shutil.copytree(page.parent, tmp_path / "pages")
    if page.name in {*NEED_FRAMES, *NEED_MORE}:
        with pytest.raises(AssertionError, match=r"cell \d+ failed"):
            run(cells, folder)
    else:
        run(cells, folder)


@pytest.mark.wide  # tests/svckit/course solves them with all packages
def test_the_lessons_can_be_solved(tmp_path: Path) -> None:
    """One after another in one process, as a new one for each would take a second."""
    lessons = [lesson for lesson in LESSONS if lesson.number not in NEEDS_MORE]
    cells = []
    for lesson in lessons:
        solution = lesson.load_solutions()[0]
        cells += read_solved_cells(lesson, solution)
        cells += [f"print('lesson {lesson.number}:', feedback.solved)", "%reset -f"]
    shown = run(cells, tmp_path).splitlines()
    for lesson in lessons:
        assert f"lesson {lesson.number}: True" in shown

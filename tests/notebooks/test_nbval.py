"""`pytest --nbval notebooks` works from the repository's root, with the settings of the whole suite."""

import subprocess
import sys

import nbformat

from .store import ALL, NOTEBOOKS


def test_all_cells_are_collected() -> None:
    notebooks = [nbformat.read(NOTEBOOKS / name, as_version=4) for name in ALL]
    cells = sum(cell.cell_type == "code" for notebook in notebooks for cell in notebook.cells)
    one = ["-k", "secrets and 0"]  # as each notebook starts a kernel
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-q",
        "-n0",
        "--nbval",
        "notebooks",
        *one,
    ]
    done = subprocess.run(command, cwd=NOTEBOOKS.parent, capture_output=True, text=True, check=False)
    assert f"1 passed, {cells - 1} deselected" in done.stdout, done.stdout + done.stderr

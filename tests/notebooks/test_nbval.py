"""`pytest --nbval notebooks` works from the repository's root, with the settings of the whole suite."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat import v4

from .store import ALL, NOTEBOOKS


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-n0", *arguments]
    return subprocess.run(command, cwd=NOTEBOOKS.parent, capture_output=True, text=True, check=False)


def test_all_cells_are_collected() -> None:
    notebooks = [nbformat.read(NOTEBOOKS / name, as_version=4) for name in ALL]
    cells = sum(cell.cell_type == "code" for notebook in notebooks for cell in notebook.cells)
    done = run("--nbval", "notebooks", "-k", "secrets and 0")  # one cell, as each notebook starts a kernel
    assert f"1 passed, {cells - 1} deselected" in done.stdout, done.stdout + done.stderr


@pytest.mark.wide  # the same settings again
def test_lax_mode_compares_nothing(tmp_path: Path) -> None:
    cell = v4.new_code_cell("print(1)", id="a", execution_count=1)
    cell.outputs = [v4.new_output("stream", name="stdout", text="2\n")]
    nbformat.write(v4.new_notebook(cells=[cell]), tmp_path / "wrong.ipynb")
    done = run("-c", "pyproject.toml", "--nbval-lax", str(tmp_path / "wrong.ipynb"))
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout + done.stderr

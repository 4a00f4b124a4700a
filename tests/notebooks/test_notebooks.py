"""Every notebook runs as it is stored: under nbval, to the letter, and twice in a row."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from .bar import problems
from .store import ENVIRONMENT, NOTEBOOKS, executed

ALL = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))


def nbval(notebook: Path) -> subprocess.CompletedProcess[str]:
    """Run pytest --nbval in a process of its own, with nothing of this project's configuration.

    The project's own runs leave nbval out (`-p no:nbval`): it adds seconds to every start.
    """
    (notebook.parent / "pytest.ini").write_text("[pytest]\n")
    options = ["-p", "no:cacheprovider", "--nbval", "--nbval-current-env", "--nbval-cell-timeout=120"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, notebook.name],
        cwd=notebook.parent,
        env={**os.environ, **ENVIRONMENT, "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    """A copy of the whole folder, so that a run changes nothing in the checkout."""
    return shutil.copytree(NOTEBOOKS, tmp_path / "notebooks")


def test_there_are_notebooks() -> None:
    assert "00-start.ipynb" in ALL


@pytest.mark.parametrize("name", ALL)
def test_it_meets_the_bar(name: str) -> None:
    assert problems(name, nbformat.read(NOTEBOOKS / name, as_version=4)) == []


@pytest.mark.parametrize("name", ALL)
def test_nbval_finds_the_stored_outputs(name: str, copies: Path) -> None:
    run = nbval(copies / name)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("name", ALL)
def test_it_runs_twice_as_it_is_stored(name: str, copies: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, value in ENVIRONMENT.items():
        monkeypatch.setenv(variable, value)
    first, second = executed(copies / name), executed(copies / name)
    assert first == second
    assert first == (NOTEBOOKS / name).read_text(encoding="utf-8"), "store it: tests/notebooks/store.py"


@pytest.mark.parametrize("name", ALL[:1])
def test_nbval_would_notice_any_changed_output(name: str, copies: Path) -> None:
    content = nbformat.read(copies / name, as_version=4)
    with_outputs = [cell for cell in content.cells if cell.get("outputs")]
    for cell in with_outputs:
        output = cell.outputs[-1]
        values, kind = (output, "text") if output.output_type == "stream" else (output.data, min(output.data))
        values[kind] += " but not quite"
    nbformat.write(content, copies / name)
    run = nbval(copies / name)
    assert re.search(rf"\b{len(with_outputs)} failed\b", run.stdout), run.stdout + run.stderr

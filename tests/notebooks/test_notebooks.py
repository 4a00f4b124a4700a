"""Every notebook runs as it is stored, to the letter, under another hash seed and in another time zone.

Each is run once here, in its own kernel, as there are many; `svckit check` runs each twice more, in the long lane.
"""

import shutil
from pathlib import Path

import nbformat
import pytest

from svckit.jupyter import store as storing
from svckit.jupyter.check import check
from svckit.jupyter.left_files import list_files
from svckit.jupyter.rerun import ELSEWHERE, replay
from svckit.jupyter.rules import find_problems
from svckit.jupyter.store import METADATA, run_to_text

from .store import ALL, NOTEBOOKS


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    """A copy of the whole folder, so that a run changes nothing in the checkout."""
    return shutil.copytree(NOTEBOOKS, tmp_path / "notebooks")


def test_there_are_notebooks() -> None:
    assert {"00-start.ipynb", "explain/architecture.ipynb"} <= set(ALL)


@pytest.mark.parametrize("name", ALL)
def test_it_meets_the_bar(name: str) -> None:
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    assert find_problems(notebook, NOTEBOOKS.parent) == []
    assert notebook.metadata == METADATA


@pytest.mark.parametrize("name", ALL)
def test_it_runs_elsewhere_as_it_is_stored(name: str, copies: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storing, "ENVIRONMENT", {**storing.ENVIRONMENT, **ELSEWHERE[0]})
    before = list_files(copies)
    ran = run_to_text(copies / name)
    assert ran == (NOTEBOOKS / name).read_text(encoding="utf-8"), "store it: svckit check --store"
    assert list_files(copies) == before


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_the_command_finds_nothing(name: str, copies: Path) -> None:
    assert check(copies / name) == []


@pytest.mark.parametrize("name", ALL[:1])
def test_nbval_would_notice_any_changed_output(name: str, copies: Path) -> None:
    content = nbformat.read(copies / name, as_version=4)
    with_outputs = [cell for cell in content.cells if cell.get("outputs")]
    for cell in with_outputs:
        output = cell.outputs[-1]
        values, kind = (output, "text") if output.output_type == "stream" else (output.data, min(output.data))
        values[kind] += " but not quite"
    nbformat.write(content, copies / name)
    assert len(replay(copies / name, content)) == len(with_outputs)

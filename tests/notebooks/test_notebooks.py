"""Every notebook runs as it is stored: under nbval, to the letter, and twice in a row."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import nbformat
import pytest

from svckit.jupyter.check import check
from svckit.jupyter.finding import Finding
from svckit.jupyter.left_files import list_files
from svckit.jupyter.rerun import ELSEWHERE, replay
from svckit.jupyter.rules import find_problems
from svckit.jupyter.store import METADATA, run_to_text

from .store import NOTEBOOKS

ALL = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))


def replayed(path: Path, other: Mapping[str, str] | None = None) -> list[Finding]:
    return replay(path, nbformat.read(path, as_version=4), other=other)


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    """A copy of the whole folder, so that a run changes nothing in the checkout."""
    return shutil.copytree(NOTEBOOKS, tmp_path / "notebooks")


def test_there_are_notebooks() -> None:
    assert "00-start.ipynb" in ALL


@pytest.mark.parametrize("name", ALL)
def test_it_meets_the_bar(name: str) -> None:
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    assert find_problems(notebook, NOTEBOOKS.parent) == []
    assert notebook.metadata == METADATA


@pytest.mark.parametrize("name", ALL)
def test_nbval_finds_the_stored_outputs_elsewhere_too(name: str, copies: Path) -> None:
    before = list_files(copies)
    assert replayed(copies / name, ELSEWHERE[0]) == []
    assert list_files(copies) == before


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_the_command_finds_nothing(name: str, copies: Path) -> None:
    assert check(copies / name) == []


@pytest.mark.parametrize("name", ALL)
def test_it_runs_twice_as_it_is_stored(name: str, copies: Path) -> None:
    first, second = run_to_text(copies / name), run_to_text(copies / name)
    assert first == second
    assert first == (NOTEBOOKS / name).read_text(encoding="utf-8"), "store it: svckit check --store"


@pytest.mark.parametrize("name", ALL[:1])
def test_nbval_would_notice_any_changed_output(name: str, copies: Path) -> None:
    content = nbformat.read(copies / name, as_version=4)
    with_outputs = [cell for cell in content.cells if cell.get("outputs")]
    for cell in with_outputs:
        output = cell.outputs[-1]
        values, kind = (output, "text") if output.output_type == "stream" else (output.data, min(output.data))
        values[kind] += " but not quite"
    nbformat.write(content, copies / name)
    assert len(replayed(copies / name)) == len(with_outputs)

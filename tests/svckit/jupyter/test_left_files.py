"""What a notebook leaves beside it is found, but for what it is meant to leave."""

import os
from pathlib import Path

import pytest
from nbformat import v4

from svckit.jupyter.left_files import (
    find_written_files,
    is_named,
    list_files,
    read_leaves,
    report_left_files,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.txt", "data/b.csv", ".hidden/c", ".venv/d", "env/pyvenv.cfg", "other.ipynb"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
        os.utime(path, ns=(0, 0))
    return tmp_path


def left(folder: Path, *written: str, leaves: object = None) -> list[str]:
    """What is found after these files have been written."""
    notebook = v4.new_notebook(metadata={} if leaves is None else {"svckit": {"leaves": leaves}})
    before = list_files(folder)
    for name in written:
        path = folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("x")
    written = find_written_files(before, list_files(folder))
    named = read_leaves(notebook)
    return [
        found.message for found in report_left_files([name for name in written if not is_named(name, named)])
    ]


def test_hidden_folders_and_environments_are_not_listed(folder: Path) -> None:
    assert sorted(list_files(folder)) == ["a.txt", "data/b.csv", "other.ipynb"]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (["out.csv"], ["it leaves out.csv in its folder"]),
        (["data/new/out.csv", "z"], ["it leaves data/new/out.csv, z in its folder"]),
        (["data/b.csv"], ["it leaves data/b.csv in its folder"]),  # as it would in a new clone
        ([*"7654321"], ["it leaves 1, 2, 3, 4, 5 and 2 more in its folder"]),
        (["new.ipynb"], ["it leaves new.ipynb in its folder"]),
        ([".env"], ["it leaves .env in its folder"]),
        ([], []),
        (["other.ipynb"], []),  # saved meanwhile
        (["__pycache__/m.pyc", ".ipynb_checkpoints/x.ipynb", "data/__pycache__/n.pyc"], []),
    ],
)  # fmt: skip
def test_what_a_run_writes_is_told(folder: Path, written: list[str], told: list[str]) -> None:
    assert left(folder, *written) == told


@pytest.mark.parametrize(
    ("leaves", "told"),
    [
        (["out.csv", "results"], []),
        (["*.csv", "./results/"], []),
        (["out.csv"], ["it leaves results/a/b.svg in its folder"]),
        (["results/*"], ["it leaves out.csv in its folder"]),
        ([3], ["it leaves out.csv, results/a/b.svg in its folder"]),
        ("out.csv", ["it leaves out.csv, results/a/b.svg in its folder"]),
    ],
)
def test_what_the_metadata_names_may_be_left(folder: Path, leaves: object, told: list[str]) -> None:
    assert left(folder, "out.csv", "results/a/b.svg", leaves=leaves) == told


def test_the_remedy_can_be_pasted_into_the_metadata(folder: Path) -> None:
    (found,) = report_left_files(["out.csv"])
    assert found.remedy.endswith('the metadata of the notebook: {"svckit": {"leaves": ["out.csv"]}}')

"""`svckit check` of many notebooks: at the same time, and only those that have changed."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import v4

from svckit.jupyter.finding import Finding

from .stored_notebooks import run, store


async def replay(path: Path, notebook: Any, seconds: int) -> list[Finding]:
    """Run a notebook in a plain Python, which starts in a fraction of a kernel's time, and compare what it prints."""
    source = "\n".join(cell.source for cell in notebook.cells)
    printed = await asyncio.to_thread(
        subprocess.check_output, [sys.executable, "-c", source], cwd=path.parent, text=True, timeout=seconds
    )
    stored = "".join(output.text for cell in notebook.cells for output in cell.outputs)
    return [] if printed == stored else [Finding("its output differs", "differs")]


@pytest.fixture(autouse=True)
def once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run notebooks once, and without kernels, which others test. What passed is kept in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("svckit.jupyter.check.replay_elsewhere", replay)


def counting(folder: Path, name: str, more: str = "") -> Path:
    """A notebook that counts its runs in a file that it names."""
    source = f"with open('{name}.txt', 'a') as file: _ = file.write('x')\n{more}"
    return store(folder / f"{name}.ipynb", (source, ""), leaves="*.txt")


def count_runs(path: Path) -> int:
    return len(path.with_suffix(".txt").read_text())


def test_only_what_changed_since_it_passed_is_run(tmp_path: Path) -> None:
    path = counting(tmp_path, "good", "print(open('data.csv').read(), end='')")
    data = tmp_path / "data.csv"
    data.write_text("")
    runs = []
    for change in (None, None, lambda: data.write_text("3"), lambda: data.write_text(""), data.touch):
        if change:
            change()
        run(tmp_path, "--changed")
        runs.append(count_runs(path))
    assert runs == [1, 1, 2, 2, 2]
    run(tmp_path)
    assert count_runs(path) == 3
    assert (tmp_path / ".svckit_cache/.gitignore").read_text() == "*\n"


def test_failed_notebook_is_run_again(tmp_path: Path) -> None:
    path = counting(tmp_path, "bad", "print('0x7f3a10')")
    for _ in range(2):
        assert run(path, "--changed").exit_code == 1
    assert count_runs(path) == 2


def test_notebooks_run_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    meet = "import os, time\nopen('{}', 'w').close()\nwhile not os.path.exists('{}'): time.sleep(0.01)"
    for name, other in (("a.txt", "b.txt"), ("b.txt", "a.txt")):
        store(tmp_path / f"{name[0]}.ipynb", (meet.format(name, other), ""), leaves="*.txt")
    assert run(tmp_path).stdout == f"{tmp_path}/a.ipynb: good\n{tmp_path}/b.ipynb: good\n"


def test_one_that_fails_beside_others_is_run_alone_and_comes_last(tmp_path: Path) -> None:
    alone = "print(len(open('disturbed.txt').read()))"  # 2 once it has run before
    disturbed = counting(tmp_path, "disturbed", alone)
    notebook = nbformat.read(disturbed, as_version=4)
    notebook.cells[0].outputs = [v4.new_output("stream", name="stdout", text="2\n")]
    nbformat.write(notebook, disturbed)
    good = store(tmp_path / "of its own" / "good.ipynb", ("print(1)", "1\n"))
    leaving = store(tmp_path / "leaving.ipynb", ("_ = open('new.bin', 'w').write('x')", ""))
    result = run(tmp_path)
    lines = [line for line in result.stdout.splitlines() if line[:1] != " "]
    assert lines == [f"{good}: good", f"{disturbed}: good", f"{leaving}: 1 problem"]
    listed = json.loads(run(tmp_path, "--json").stdout)["notebooks"]
    assert [each["path"] for each in listed] == [str(path) for path in (disturbed, leaving, good)]


def test_a_file_that_is_left_only_the_first_time_is_told(tmp_path: Path) -> None:
    path = store(tmp_path / "leaving.ipynb", ("open('new.bin', 'a').close()", ""))
    store(tmp_path / "of its own" / "good.ipynb", ("print(1)", "1\n"))
    assert f"{path}: 1 problem\n  it leaves new.bin in its folder" in run(tmp_path).stdout


def test_what_one_notebook_names_is_not_left_by_another(tmp_path: Path) -> None:
    counting(tmp_path, "named")
    good = store(
        tmp_path / "good.ipynb",
        ("import time, os\nwhile not os.path.exists('named.txt'): time.sleep(0.01)", ""),
    )
    assert f"{good}: good\n" in run(tmp_path).stdout


def test_the_command_loads_no_more_than_it_needs(tmp_path: Path) -> None:
    store(tmp_path / "good.ipynb", ("print(1)", "1\n"))
    program = (
        "import sys\nfrom svckit.cli import app\n"
        "app(['check', 'good.ipynb'], standalone_mode=False)\n"
        "assert sys.modules.keys().isdisjoint({'_pytest', 'lark', 'pandas'})"
    )
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)

"""Every notebook runs as it is stored, to the letter, under another hash seed and in another time zone.

Each is run once here, in its own kernel, as there are many; `svckit check` runs each twice more, in the long lane.
Those whose subject others prove are wide: lessons, which tests/svckit/course runs without kernels, and pages that start
other processes, as tests/svckit/cli, tests/svckit/jupyter and tests/fakes/testing do.
"""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest

from binder.footers import COMMAND, find_footer, has_footer, recording, write_footer
from svckit.jupyter.check import check
from svckit.jupyter.left_files import list_files
from svckit.jupyter.rerun import ELSEWHERE, ENVIRONMENT, replay
from svckit.jupyter.rules import find_problems
from svckit.jupyter.store import METADATA, run_to_text

from .store import ALL, NOTEBOOKS

Run = tuple[str, list[tuple[str, int]], str]
"""The text of a notebook that was run, the files that it left, each with its time, and what it needs in words."""


def mark_wide(name: str) -> object:
    """Mark a notebook whose subject others prove."""
    proven = name.startswith("course/") or "import subprocess" in (NOTEBOOKS / name).read_text("utf-8")
    return pytest.param(name, marks=[pytest.mark.wide] * proven)


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    """A copy of the whole folder, so that a run changes nothing in the checkout."""
    return shutil.copytree(NOTEBOOKS, tmp_path / "notebooks")


@pytest.fixture(scope="module")
def run_elsewhere(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Run]]:
    """Return the text of a notebook that was run in other surroundings, and the files it left.

    The next one runs meanwhile, as most of the time goes by while kernels start.
    """
    names = [
        item.callspec.params["name"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.originalname == "test_it_runs_as_it_is_stored"
    ]
    started: dict[str, Future[Run]] = {}
    folder = tmp_path_factory.mktemp("elsewhere")

    def run(name: str) -> Run:
        own = folder / str(names.index(name))
        copies = shutil.copytree(NOTEBOOKS, own / "notebooks")
        before = list_files(copies)
        notebook = nbformat.read(copies / name, as_version=4)
        # A plugin for the tests of the API's description would take half of each pytest that a notebook starts.
        quick = {"PYTEST_ADDOPTS": "-p no:schemathesis"}
        variables = {**ENVIRONMENT, **ELSEWHERE[0], **recording(own / "records"), **quick}
        text = asyncio.run(run_to_text(copies / name, notebook, variables=variables))
        left = sorted(set(list_files(copies).items()) - set(before.items()))
        return text, left, write_footer(own / "records", Path(name))

    with ThreadPoolExecutor(2) as pool:

        def result(name: str) -> Run:
            at = names.index(name)
            for each in names[at : at + 2]:
                if each not in started:
                    started[each] = pool.submit(run, each)
            return started[name].result()

        yield result


def test_there_are_notebooks() -> None:
    assert {"00-start.ipynb", "explain/architecture.ipynb"} <= set(ALL)


@pytest.mark.parametrize("name", ALL)
def test_it_meets_the_bar(name: str) -> None:
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    assert find_problems(notebook, NOTEBOOKS.parent) == []
    of_a_lesson = {"svckit"} if name.startswith("course/") else set()  # tests/svckit/course/test_lessons.py
    assert {key: notebook.metadata[key] for key in notebook.metadata.keys() - of_a_lesson} == METADATA


@pytest.mark.parametrize("name", [mark_wide(name) for name in ALL])
def test_it_runs_as_it_is_stored(name: str, run_elsewhere: Callable[[str], Run]) -> None:
    text, left, footer = run_elsewhere(name)
    assert text == (NOTEBOOKS / name).read_text(encoding="utf-8"), "store it: svckit check --store"
    assert left == []
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    expected = footer if has_footer(Path(name), notebook) else ""
    assert find_footer(notebook) == expected, f"write it: {COMMAND} notebooks/{name}"


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_the_command_finds_nothing(name: str, copies: Path) -> None:
    assert check(copies / name) == []


@pytest.mark.wide  # tests/svckit/cli/test_check.py shows it of a notebook that starts sooner
@pytest.mark.parametrize("name", ALL[:1])
def test_each_changed_output_is_noticed(name: str, copies: Path) -> None:
    content = nbformat.read(copies / name, as_version=4)
    with_outputs = [cell for cell in content.cells if cell.get("outputs")]
    for cell in with_outputs:
        output = cell.outputs[-1]
        values, kind = (output, "text") if output.output_type == "stream" else (output.data, min(output.data))
        values[kind] += " but not quite"
    nbformat.write(content, copies / name)
    assert len(asyncio.run(replay(copies / name, content))) == len(with_outputs)

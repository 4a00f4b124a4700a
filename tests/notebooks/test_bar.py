"""The bar catches what it is there to catch."""

from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat import NotebookNode, v4

from svckit.notebook_bar import LARGEST_OUTPUT, WIDGET_VIEW, problems

from .store import METADATA


def a_notebook(*outputs: NotebookNode, source: str = "1 + 1", count: int | None = 1) -> NotebookNode:
    cell = v4.new_code_cell(source, id="c", execution_count=count, outputs=list(outputs))
    return v4.new_notebook(cells=[v4.new_markdown_cell("# Title", id="m"), cell], metadata=METADATA)


def shown(text: str, kind: str = "text/plain") -> NotebookNode:
    return v4.new_output("execute_result", data={kind: text})


def test_a_good_notebook_has_no_problems() -> None:
    stream = v4.new_output("stream", name="stdout", text="Authorization: Bearer ***\n")
    drawing = v4.new_output("display_data", data={"image/svg+xml": "<svg></svg>", "text/plain": "a plot"})
    assert problems(a_notebook(stream, drawing, shown("<p>2</p>", "text/html"))) == []


@pytest.mark.parametrize(
    ("notebook", "problem"),
    [
        (a_notebook(count=None), "cells did not run once each from first to last: [None]"),
        (a_notebook(count=2), "cells did not run once each from first to last: [2]"),
        (a_notebook(source="# NBVAL_IGNORE_OUTPUT\n1"), "cell c: marked to be ignored or to fail"),
        (a_notebook(source="x = 'Bearer eyJhbGciOi'"), "cell c: a secret in the source"),
        (a_notebook(v4.new_output("stream", name="stderr", text="!")), "cell c: an output on stderr"),
        (a_notebook(v4.new_output("error", ename="E", evalue="")), "cell c: an error"),
        (a_notebook(shown("<Thing at 0x7f3a10>")), "cell c: a memory address in text/plain"),
        (a_notebook(shown("'/tmp/x.bin'")), "cell c: a path of this machine in text/plain"),
        (a_notebook(shown("http://127.0.0.1:80")), "cell c: a loopback address in text/plain"),
        (a_notebook(shown("https://h/message/Zk3")), "cell c: a secret in text/plain"),
        (a_notebook(shown("at_" + "0f" * 20)), "cell c: a secret in text/plain"),
        (a_notebook(shown("x", "image/png")), "cell c: image/png, which a replay does not compare: draw SVG"),
        (
            a_notebook(shown("x", WIDGET_VIEW)),
            "cell c: a widget's view, which means nothing without its state",
        ),
        (
            a_notebook(shown("x" * LARGEST_OUTPUT)),
            f"cell c: an output larger than {LARGEST_OUTPUT} characters",
        ),
    ],
)
def test_a_bad_notebook_is_told_why(notebook: NotebookNode, problem: str) -> None:
    assert problems(notebook) == [problem]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda notebook: notebook.metadata.update(widgets={}),
        lambda notebook: notebook.cells[1].metadata.update(tags=["nbval-skip"]),
        lambda notebook: notebook.cells[1].metadata.update(tags=["raises-exception"]),
        lambda notebook: notebook.cells[1].metadata.update(execution={"iopub.execute_input": "now"}),
    ],
)
def test_metadata_is_looked_at(spoil: Callable[[NotebookNode], None]) -> None:
    notebook = v4.reads(v4.writes(a_notebook()))
    spoil(notebook)
    assert len(problems(notebook)) == 1


def test_marks_can_be_allowed_cell_by_cell() -> None:
    notebook = a_notebook(source="# NBVAL_IGNORE_OUTPUT\n1")
    assert problems(notebook, allowed={"c"}) == []
    assert problems(notebook, allowed={"d"}) == ["cell c: marked to be ignored or to fail"]


def test_the_folder_of_the_notebook_is_a_path_of_this_machine() -> None:
    notebook = a_notebook(shown("'/srv/lessons/data.csv'"))
    assert problems(notebook) == []
    assert problems(notebook, Path("/srv/lessons")) == ["cell c: a path of this machine in text/plain"]

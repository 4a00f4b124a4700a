"""The bar catches what it is there to catch."""

from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat import NotebookNode, v4

from svckit.jupyter.rules import LARGEST_OUTPUT, WIDGET_VIEW, find_problems
from svckit.jupyter.store import METADATA

UNORDERED = "cells did not run once each from first to last, but as "


def a_notebook(*outputs: NotebookNode, source: str = "1 + 1", count: int | None = 1) -> NotebookNode:
    cell = v4.new_code_cell(source, id="c", execution_count=count, outputs=list(outputs))
    return v4.new_notebook(cells=[v4.new_markdown_cell("# Title", id="m"), cell], metadata=METADATA)


def shown(text: str, kind: str = "text/plain") -> NotebookNode:
    return v4.new_output("execute_result", data={kind: text})


def test_a_good_notebook_has_no_problems() -> None:
    stream = v4.new_output("stream", name="stdout", text="Authorization: Bearer ***\n")
    drawing = v4.new_output("display_data", data={"image/svg+xml": "<svg></svg>", "text/plain": "a plot"})
    assert find_problems(a_notebook(stream, drawing, shown("<p>2</p>", "text/html"))) == []


@pytest.mark.parametrize(
    ("notebook", "problem"),
    [
        (a_notebook(count=None), f"{UNORDERED}[not run]"),
        (a_notebook(count=2), f"{UNORDERED}[2]"),
        (a_notebook(source="# NBVAL_IGNORE_OUTPUT\n1"), "cell 2 (c): marked to be ignored or to fail"),
        (a_notebook(v4.new_output("stream", name="stderr", text="!")), "cell 2 (c): an output on stderr"),
        (a_notebook(v4.new_output("error", ename="E", evalue="")), "cell 2 (c): an error"),
        (a_notebook(shown("<Thing at 0x7f3a10>")), "cell 2 (c): a memory address in text/plain"),
        *[
            (a_notebook(shown(path)), "cell 2 (c): a path of this machine in text/plain")
            for path in (
                "'/tmp/x.bin'",
                r"C:\Users\me\x",
                "'D:/data/x'",
                r"\\server\share\x",
                "/Volumes/disk/x",
            )
        ],
        *[
            (a_notebook(shown(f"http://{host}:80")), "cell 2 (c): a loopback address in text/plain")
            for host in ("127.0.0.1", "localhost", "[::1]")
        ],
        (a_notebook(shown("at_" + "0f" * 20)), "cell 2 (c): a secret in text/plain, line 1: ***"),
        (
            a_notebook(shown("x", "image/png")),
            "cell 2 (c): image/png, which a replay does not compare",
        ),
        (
            a_notebook(shown("x", WIDGET_VIEW)),
            "cell 2 (c): a widget's view, which shows nothing without its state",
        ),
        (a_notebook(source="open('/Users/me/x')"), "cell 2 (c): a path of this machine in the source"),
        (
            a_notebook(shown("x" * LARGEST_OUTPUT)),
            f"cell 2 (c): an output larger than {LARGEST_OUTPUT} characters",
        ),
    ],
)
def test_a_bad_notebook_is_told_why_and_what_to_do(notebook: NotebookNode, problem: str) -> None:
    (found,) = find_problems(notebook)
    assert str(found) == f"{problem}; {found.remedy}"
    assert found.remedy


@pytest.mark.parametrize(
    "text", ["/users/u-001/drive", r"\\begin{array}{c} a \\ \hline b", "https://a.test/x", "A:B"]
)
def test_what_is_only_like_a_path_is_fine(text: str) -> None:
    assert find_problems(a_notebook(shown(text))) == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda notebook: notebook.metadata.update(widgets={}),
        lambda notebook: notebook.metadata.update(author={"token": "at_" + "0f" * 20}),
        lambda notebook: notebook.cells[0].metadata.update(note="Bearer eyJhbGciOi"),
        lambda notebook: notebook.cells[0].update(attachments={"a.png": {"image/png": "x" * LARGEST_OUTPUT}}),
        lambda notebook: notebook.cells[1].metadata.update(tags=["nbval-skip"]),
        lambda notebook: notebook.cells[1].metadata.update(tags=["raises-exception"]),
        lambda notebook: notebook.cells[1].metadata.update(execution={"iopub.execute_input": "now"}),
    ],
)
def test_metadata_is_looked_at(spoil: Callable[[NotebookNode], None]) -> None:
    notebook = v4.reads(v4.writes(a_notebook()))
    spoil(notebook)
    (found,) = find_problems(notebook)
    assert found.remedy


def test_it_is_said_how_to_store_no_timings() -> None:
    notebook = a_notebook()
    notebook.cells.append(v4.new_code_cell("2", id="d", execution_count=2))
    for cell in notebook.cells[1:]:
        cell.metadata.update(execution={"iopub.execute_input": "now"})
    (problem,) = find_problems(notebook)  # once, however many cells there are
    assert "svckit check --store" in problem.remedy


def test_a_blank_cell_need_not_have_run() -> None:
    notebook = a_notebook()
    notebook.cells.append(v4.new_code_cell(" \n", id="d"))
    assert find_problems(notebook) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sent\nto https://h/message/Zk3 now", "a secret in text/plain, line 2: to https://h/message/***"),
        ("code=Qx7abc", "a secret in text/plain, line 1: code=***"),
        (
            "x " * 99 + "at_" + "0f" * 20,
            "a secret in text/plain, line 1: …x x x x x x x x x x x x x x x x x x x x ***",
        ),
    ],
)
def test_it_is_said_what_looks_like_a_secret_and_where(text: str, told: str) -> None:
    assert [each.message for each in find_problems(a_notebook(shown(text)))] == [told]


def test_a_curl_command_with_a_variable_holds_no_secret() -> None:
    command = """curl -H "Authorization: Bearer $ACCESS_TOKEN" https://api.example"""
    assert find_problems(a_notebook(shown(command), source=f"!{command}")) == []


@pytest.mark.parametrize("text", ["Bearer <access token>", "Bearer &lt;access token&gt;"])
def test_a_placeholder_is_not_a_secret_in_html_either(text: str) -> None:
    assert find_problems(a_notebook(shown(text))) == []


@pytest.mark.parametrize("text", ["Notified(code=200, description='success')", "'error code=404'"])
def test_code_of_an_answer_is_not_a_secret(text: str) -> None:
    assert find_problems(a_notebook(shown(text))) == []


def test_the_folder_of_the_notebook_is_a_path_of_this_machine() -> None:
    notebook = a_notebook(shown("'/srv/lessons/data.csv'"))
    assert find_problems(notebook) == []
    assert [each.message for each in find_problems(notebook, Path("/srv/lessons"))] == [
        "a path of this machine in text/plain"
    ]


@pytest.mark.parametrize(
    "source",
    ["%%capture\nprint(1)", "%%capture out --no-stderr\nprint(1)", "\n%%time\n\n%%capture\nprint(1)"],
)
def test_hidden_output_is_told(source: str) -> None:
    (found,) = find_problems(a_notebook(source=source))
    assert str(found) == f"cell 2 (c): output hidden by %%capture; {found.remedy}"


@pytest.mark.parametrize(
    "source", ["plot();", "print('%%capture')", "magics = '''\n%%time\n%%capture\n'''", "%%captured\n1"]
)
def test_output_that_is_not_hidden_is_fine(source: str) -> None:
    assert find_problems(a_notebook(source=source)) == []

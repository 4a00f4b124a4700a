"""`svckit check`: anybody's notebooks, checked by its rules."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat import v4

from svckit.jupyter.check import check
from svckit.jupyter.finding import Finding
from svckit.jupyter.rerun import replay

from .stored_notebooks import run, store


@pytest.fixture(autouse=True)
def once(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run notebooks once, as they are stored: how often they are run in earnest is tested apart.

    What passed is kept in the current folder.
    """
    monkeypatch.chdir(tmp_path)
    if request.node.get_closest_marker("long") is None:
        monkeypatch.setattr("svckit.jupyter.check.replay_elsewhere", replay)


def test_a_good_notebook_is_good_and_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "data.txt").write_text("42")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    path = store(tmp_path / "-good.ipynb", ("print(open('data.txt').read())", "42\n"))
    before = path.read_bytes()
    result = run(tmp_path)
    assert (result.exit_code, result.stdout) == (0, f"{path}: good\n"), result.output
    assert path.read_bytes() == before


def test_secrets_of_unreadable_cells_are_masked(tmp_path: Path) -> None:
    cell = {"id": "c", "cell_type": "heading", "metadata": {}, "source": "password='canary-word-1'"}
    (tmp_path / "heading.ipynb").write_text(json.dumps(EMPTY | {"cells": [cell]}))
    result = run(tmp_path)
    assert "is not valid under any" in result.output
    assert "canary" not in result.output


def test_a_bad_one_is_told_everything_that_is_wrong(tmp_path: Path) -> None:
    path = store(
        tmp_path / "bad.ipynb",
        ("print('url', '/message/' + 'canary-webhook')", "2\n"),
        ("print(3)", "3\n"),
        ("x = '0x7f3a10'; print(x)", "0x7f3a10\n"),
    )
    result = run(path, "--json")
    assert result.exit_code == 1, result.output
    (listed,) = json.loads(result.stdout)["notebooks"]
    stored, replayed = listed["problems"]
    assert stored.pop("remedy")
    assert stored == {"cell": 3, "id": "c3", "kind": "stored", "message": "a memory address in text"}
    assert replayed["remedy"].startswith("show what is the same in every run")
    assert (replayed["cell"], replayed["id"], replayed["kind"]) == (1, "c1", "differs")
    assert replayed["message"].splitlines()[1:] == [
        "mismatch 'stdout'",
        "now:    url /message/***",
        "stored: 2",
    ]


SECRETS = "url = 'https://hooks.example.com/message/canary-webhook'\nlogin = dict(password='canary-word-1')\n"
RAISED = "ValueError('https://hooks.example.com/message/canary-webhook', 'Bearer canary-bearer-0123456789')"
RAISED_MASKED = "ValueError: ('https://hooks.example.com/message/***', 'Bearer ***')"


def test_a_cell_that_raises_and_those_after_it_are_told(tmp_path: Path) -> None:
    deep = f"{SECRETS}def f(n):\n    if n: f(n - 1)\n    raise {RAISED}\n\nf(9)"
    path = store(tmp_path / "raises.ipynb", ("print(1)", "1\n"), (deep, ""), ("print(2)", "3\n"))
    result = run(path)
    assert result.exit_code == 1
    heading = "cell 2 (c2): it does not run to its end; fix it, or what it needs:"
    assert result.stdout.startswith(f"{path}: 3 problems\n  cell 2 (c2): a secret in the source")
    masked = RAISED.replace("canary-webhook", "***").replace("canary-bearer-0123456789", "***")
    assert f"\n  {heading}\n    line 5: raise {masked}\n    {RAISED_MASKED}\n  cell 3" in result.stdout
    assert "canary" not in result.output


RAISING_CELLS = {
    "import json": [],
    "text = '{'\njson.loads(text)": ["line 2: json.loads(text)", "JSONDecodeError: Expecting property name"],
    "def f():\n    return 1 / 0": [],
    "f()": ["line 2 of the cell [3]: return 1 / 0", "ZeroDivisionError: division"],
    "x = = 2": ["Cell In[5], line 1", "    x = = 2", "        ^", "SyntaxError: invalid syntax"],
    "%xmode Minimal\n1 / 0": ["ZeroDivisionError: division by zero"],
}


def test_of_a_traceback_the_authors_own_line_and_the_error_are_told(tmp_path: Path) -> None:
    result = run(store(tmp_path / "raises.ipynb", *((source, "") for source in RAISING_CELLS)))
    lines = [line.removeprefix("    ") for line in result.stdout.splitlines()[1:]]
    told = [line for line in lines if "it does not run to its end; fix it, or what it needs:" not in line]
    expected = [line for cell in RAISING_CELLS.values() for line in cell]
    assert len(lines) == len(told) + 4
    assert len(told) == len(expected), result.stdout
    assert all(line.startswith(start) for line, start in zip(told, expected, strict=True)), result.stdout


@pytest.mark.long
def test_the_lines_that_differ_are_shown_and_no_others(tmp_path: Path) -> None:
    stored = "".join(f"line {number}{'!' if number == 70 else ''}\n" for number in range(99))
    path = store(tmp_path / "long.ipynb", ("for number in range(99): print('line', number)", stored))
    told = [line.strip() for line in run(path).stdout.splitlines()]
    assert told[2:] == ["mismatch 'stdout'", "now:    line 70", "stored: line 70!"]


@pytest.mark.long
def test_what_looks_alike_is_told_apart(tmp_path: Path) -> None:
    path = store(
        tmp_path / "alike.ipynb",
        ("print('a')", "a"),
        ("print('a ')", "a\n"),
        ("print('a'); print('b')", "b\na\n"),
    )
    told = [
        line.strip() for line in run(path).stdout.splitlines() if line.lstrip().startswith(("now", "stored"))
    ]
    assert told[:4] == [r"now:    'a\n'", "stored: 'a'", r"now:    'a \n'", r"stored: 'a\n'"]
    assert sorted(told[4:]) == [r"now:    'b\n'", r"stored: 'b\n'"]


@pytest.mark.long
def test_what_jupyter_stored_becomes_good(tmp_path: Path) -> None:
    path = tmp_path / "mine.ipynb"
    cells = [
        v4.new_markdown_cell("# Mine", id="m"),
        v4.new_code_cell("from ipywidgets import IntSlider\nIntSlider()", id="a", execution_count=9),
        v4.new_code_cell("print(open('data.txt').read())", id="b"),
        v4.new_code_cell("", id="c", execution_count=7),
    ]
    cells[1].metadata["execution"] = {"iopub.execute_input": "2026-06-01T09:00:00"}
    (tmp_path / "data.txt").write_text("42")
    nbformat.write(v4.new_notebook(cells=cells, metadata={"widgets": {}, "authors": ["Mina"]}), path)
    assert run(path).exit_code == 1
    assert (run(path, "--store").stdout, run(path).stdout) == (f"{path}: good\n", f"{path}: good\n")
    stored = nbformat.read(path, as_version=4)
    assert stored.metadata["authors"] == ["Mina"]
    assert [cell.get("execution_count") for cell in stored.cells] == [None, 1, 2, None]
    assert list(stored.cells[1].outputs[0].data) == ["text/plain"]


@pytest.mark.long
def test_what_is_stored_is_run_again_before_it_is_called_good(tmp_path: Path) -> None:
    path = store(tmp_path / "chance.ipynb", ("import secrets\nprint(secrets.token_hex(3))", ""))
    for option in (["--store"], []):
        result = run(path, *option)
        assert result.exit_code == 1
        assert "cell 1 (c1): its output differs from the stored one; show what is the same" in result.stdout


def test_one_that_does_not_run_is_not_stored(tmp_path: Path) -> None:
    path = store(tmp_path / "raises.ipynb", ("print(1)", ""), (f"{SECRETS}raise {RAISED}", ""))
    before = path.read_bytes()
    result = run(path, "--store")
    assert (result.exit_code, path.read_bytes()) == (1, before)
    assert "it does not run to its end, and stays as it was; fix it, or what it needs:" in result.stdout
    assert result.stdout.rstrip().endswith(RAISED_MASKED)
    assert "canary" not in result.output


EMPTY = {"metadata": {}, "nbformat": 4, "nbformat_minor": 5, "cells": []}
CELL = {"cell_type": "code", "metadata": {}, "source": "1", "outputs": [], "execution_count": 1, "id": "c"}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"not JSON", "Expecting value"),
        (b"", "Expecting value"),
        (b"\xff\xfe\x00", "can't decode byte"),
        (b"[]", "it is not a JSON object with cells and metadata"),
        (b"{}", "it is not a JSON object with cells and metadata"),
        (b'{"nbformat": 3, "worksheets": [], "metadata": {}}', "it declares format 3"),
        (json.dumps(EMPTY | {"nbformat": 9}).encode(), "it declares format 9"),
        (json.dumps(EMPTY | {"cells": 5}).encode(), "it is not a JSON object with cells and metadata"),
        (json.dumps(EMPTY | {"cells": [5]}).encode(), "it cannot be read as a notebook"),
        (json.dumps(EMPTY | {"cells": [{"cell_type": "code"}]}).encode(), "it cannot be read as a notebook"),
        (json.dumps(EMPTY | {"cells": [CELL | {"cell_type": "heading"}]}).encode(), "is not valid under any"),
        (json.dumps(EMPTY | {"metadata": []}).encode(), "it cannot be read as a notebook"),
        (b"[" * 100_000, "it cannot be read as a notebook"),
    ],
)
def test_what_is_no_notebook_is_told_so(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "none.ipynb").write_bytes(content)
    result = run(tmp_path)
    assert (result.exit_code, type(result.exception)) == (1, SystemExit), result.exception
    told = result.stdout.splitlines()
    assert len(told) == 2
    assert why in told[1]
    assert told[1].startswith("  it cannot be read as a notebook: ")
    assert "; open it in JupyterLab and save it" in told[1]


def test_a_notebook_in_another_language_is_not_run(tmp_path: Path) -> None:
    path = store(tmp_path / "other.ipynb", ("println(1)", "1\n"))
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata["kernelspec"] = {"name": "julia-1.9", "display_name": "Julia", "language": "julia"}
    nbformat.write(notebook, path)
    result = run(path)
    assert result.exit_code == 1
    assert "it is written in julia and was not run again: only Python notebooks are" in result.stdout


@pytest.mark.parametrize("named", ["nothing.ipynb", "."])
def test_where_there_is_no_notebook_the_code_is_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(named).exit_code == 2


def test_words_alone_are_good(tmp_path: Path) -> None:
    path = tmp_path / "words.ipynb"
    nbformat.write(v4.new_notebook(cells=[v4.new_markdown_cell("# Only words", id="m")]), path)
    result = run(path)
    assert (result.exit_code, result.stdout) == (0, f"{path}: good\n")


@pytest.mark.parametrize(
    "endless",
    [
        "while True: pass",
        "import time\nwhile True:\n    try: time.sleep(9)\n    except KeyboardInterrupt: pass",
        "import time\nwhile True:\n    try: print(1); time.sleep(1)\n    except KeyboardInterrupt: pass",
    ],
)
@pytest.mark.long
def test_a_cell_that_does_not_end_is_named(tmp_path: Path, endless: str) -> None:
    path = store(tmp_path / "endless.ipynb", (endless, ""), ("print(2)", "2\n"))
    result = run(path, "--timeout", 5)
    told = (
        "cell 1 (c1): it did not finish within 5 seconds, so the cells after it were not run; make it finish"
    )
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{path}: 1 problem\n  {told}"), result.output


def test_a_time_limit_is_a_number_of_seconds(tmp_path: Path) -> None:
    assert run(tmp_path, "--timeout", 0).exit_code == 2


@pytest.mark.long
def test_a_notebook_that_does_not_end_is_not_stored(tmp_path: Path) -> None:
    path = store(tmp_path / "endless.ipynb", ("while True: pass", ""), ("print(1)", ""))
    before = path.read_bytes()
    result = run(path, "--store", "--timeout", 5)
    assert (result.exit_code, path.read_bytes()) == (1, before)
    assert "cell 1 (c1): it did not finish within 5 seconds" in result.stdout, result.output


LETTERS = [*"abcdefgh"]
RAISING = "import svckit\nwith svckit.expect(ZeroDivisionError):\n    1 / 0"
CARD = {
    "text/plain": "ZeroDivisionError, as expected\n  division by zero",
    "text/html": "<p><strong>ZeroDivisionError, as expected</strong></p><pre>division by zero</pre>",
}


@pytest.fixture
def local(tmp_path: Path) -> Path:
    """A notebook that is right only where it was stored, but for an expected error."""
    path = store(
        tmp_path / "local.ipynb",
        ("import time\nprint(time.strftime('%d %H', time.gmtime(1_780_000_000)))", "28 20\n"),
        ("print(time.strftime('%d %H', time.localtime(1_780_000_000)))", "28 20\n"),
        (f"print(*set({LETTERS}))", f"{in_order('0')}\n"),
        (RAISING, ""),
        ("_ = open('left.txt', 'w').close()", ""),
    )
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[3].outputs = [v4.new_output("display_data", data=CARD)]
    nbformat.write(notebook, path)
    return path


def in_order(seed: str) -> str:
    """The letters in the order of a set under a hash seed."""
    code = f"print(*set({LETTERS}))"
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.long
def test_what_makes_outputs_differ_is_told(local: Path) -> None:
    by_hash, by_clock, left = check(local)
    differs = "its output differs from the stored one under"
    assert str(by_hash).startswith(f"cell 3 (c3): {differs} PYTHONHASHSEED=1; sort sets before you show them")
    assert str(by_clock).startswith(f"cell 2 (c2): {differs} TZ=Pacific/Kiritimati; name the time zone")
    assert str(left).startswith("it leaves left.txt in its folder; ")


def test_a_notebook_leaves_no_files_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def leave(path: Path, *_: object) -> list[Finding]:
        (path.parent / "left.txt").write_text("x")
        return []

    path = store(tmp_path / "leaves.ipynb", ("_ = open('left.txt', 'w').close()", ""))
    monkeypatch.setattr("svckit.jupyter.check.replay_elsewhere", leave)
    assert run(path).stdout.startswith(
        f"{path}: 1 problem\n  it leaves left.txt in its folder; remove them in the last "
    )
    monkeypatch.setattr("svckit.jupyter.store.store", leave)
    (tmp_path / "left.txt").unlink()
    assert run(path, "--store").stdout.startswith(f"{path}: 1 problem\n  it leaves left.txt in its folder; ")


def test_broken_links_are_told(tmp_path: Path) -> None:
    path = tmp_path / "words.ipynb"
    nbformat.write(v4.new_notebook(cells=[v4.new_markdown_cell("# A\n[b](c.csv)", id="m")]), path)
    told = "a link to c.csv, which does not exist; correct the path, which is relative to the notebook, or add the file"
    assert run(path).stdout.splitlines()[1:] == [f"  cell 1 (m): {told}"]

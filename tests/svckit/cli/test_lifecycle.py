"""`svckit lifecycle`: the table on a day, and the scan for uses of what is retired."""

import json
from datetime import date
from functools import partial
from pathlib import Path

import pytest
from nbformat import v4, writes

from svckit.lifecycle.scan import Unreadable, scan

from ..command import run_command

EVE, DAY = "2026-12-04", "2026-12-05"


run = partial(run_command, "lifecycle")


def test_the_table_has_the_days_left() -> None:
    lines = run("--on", EVE).stdout.splitlines()
    assert lines[:2] == ["Retired and retiring features on 2026-12-04", "  custom field operations"]
    assert lines[2] == "      retires in 1 day (on 2026-12-05: early December 2026); replacement: user"
    assert max(map(len, lines)) <= 100


def test_invalid_day_is_reported() -> None:
    assert "'2026-13-01' is not a date; write it like 2026-12-05" in run("--on", "2026-13-01").stderr


def test_where_no_file_is_read_the_scan_says_so(tmp_path: Path) -> None:
    result = run("scan", tmp_path)
    assert result.exit_code == 2
    assert "no Python files or notebooks found" in result.stderr


def test_a_day_that_is_assumed_is_told_with_its_wording(tmp_path: Path) -> None:
    (tmp_path / "client.py").write_text('protocol = "MSGR_C_OLD"\nget("/users/u-001/mail/vipmailfolders")\n')
    said = run("scan", tmp_path, "--on", DAY).stdout
    assert "retired, on 2026-11-15 (described as mid November 2026);" in said
    assert "retired, on 2023-11-21;" in said


def test_the_table_as_json() -> None:
    response = json.loads(run("--json", "--on", EVE).stdout)
    assert response["on"] == EVE
    (custom,) = (each for each in response["lifecycle"] if each["key"] == "custom-fields")
    assert custom["daysLeft"] == 1


@pytest.mark.parametrize(
    "arguments", [("--on", "soon"), ("scan", "no-such-folder"), ("scan",), ("--json", "scan", "."), ("what",)]
)
def test_what_cannot_be_done_ends_with_2(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_notebooks_are_scanned_cell_by_cell(tmp_path: Path) -> None:
    cells = [
        v4.new_markdown_cell("The value `MSGR_C_OLD`\nends."),
        v4.new_code_cell("%pip list\nx = 1\nget('/directory/custom-fields')", id="c2"),
    ]
    (tmp_path / "lesson.ipynb").write_text(writes(v4.new_notebook(cells=cells)), encoding="utf-8")
    uses = list(scan([tmp_path], date.fromisoformat(EVE)))
    assert [(use.cell, use.line, use.feature.key, use.is_retired) for use in uses] == [
        (1, 1, "messenger-old-value", True),
        (2, 3, "custom-fields", False),
    ]
    assert str(uses[1]).startswith(
        f"{tmp_path}/lesson.ipynb, cell 2 (c2), line 3: custom field operations: retires in 1 day"
    )


@pytest.mark.parametrize(("on", "code"), [(EVE, 0), (DAY, 1)])
def test_the_exit_code_says_whether_something_ended_is_used(tmp_path: Path, on: str, code: int) -> None:
    (tmp_path / "client.py").write_text('get("/directory/custom-fields")\n')
    result = run("scan", tmp_path, "--on", on)
    assert result.exit_code == code, result.output
    assert result.stdout.endswith(f"1 use of retired or retiring features, {code} of them retired\n")


def test_the_scan_as_json(tmp_path: Path) -> None:
    (tmp_path / "client.py").write_text('get("/directory/custom-fields")\n')
    (use,) = json.loads(run("scan", tmp_path, "--json", "--on", DAY).stdout)["uses"]
    assert (use["line"], use["cell"], use["key"], use["retired"]) == (1, None, "custom-fields", True)


def test_secrets_in_a_line_are_masked(tmp_path: Path) -> None:
    (tmp_path / "client.py").write_text(
        'get("/directory/custom-fields", headers="Authorization: Bearer eyJhbGciOi")'
    )
    result = run("scan", tmp_path, "--on", EVE)
    assert "eyJhbGciOi" not in result.output
    assert "Bearer ***" in result.output


def test_code_of_others_is_passed_over(tmp_path: Path) -> None:
    for folder in (".venv", "node_modules", "__pycache__", "mine"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.py").write_text("MSGR_C_OLD")
    assert [use.path.parent.name for use in scan([tmp_path])] == ["mine"]


@pytest.mark.parametrize(
    ("name", "content"), [("a.py", b"\xff\xfe"), ("a.ipynb", b"{}"), ("a.ipynb", b"[1]")]
)
def test_what_cannot_be_read_is_told_after_what_was_found(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / "0.py").write_text("MSGR_C_OLD")
    (tmp_path / "b.py").write_text("MSGR_C_OLD")
    (tmp_path / "c.py").write_bytes(b"\xff")
    (tmp_path / name).write_bytes(content)
    result = run("scan", tmp_path, "--on", EVE)
    assert result.exit_code == 1
    assert [path in result.stdout for path in ("0.py:1", "b.py:1")] == [True, True]
    assert [f"{path} cannot be read as a" in result.stderr for path in (name, "c.py")] == [True, True]
    with pytest.raises(Unreadable):
        list(scan([tmp_path]))


@pytest.mark.parametrize(
    "content", ["{}", "[1]", '{"cells": 1}', '{"cells": [1]}', '{"cells": [{"source": ""}]}']
)
def test_json_that_is_no_notebook_is_told_so(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.ipynb").write_text(content)
    told = (
        "a.ipynb cannot be read as a notebook: "
        "it is not a JSON object with a list of cells, each with a type and a source"
    )
    assert run("scan", tmp_path).stderr.replace("\n", " ").strip().endswith(told)


def test_a_file_in_utf_16_is_named_once(tmp_path: Path) -> None:
    path = tmp_path / "wide.py"
    path.write_bytes("x = 1".encode("utf-16"))
    told = run("scan", path).stderr
    assert told.count("wide.py") == 1
    assert "cannot be read as a Python source" in told

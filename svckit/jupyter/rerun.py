"""Running a stored notebook again and comparing every output with the stored one, to the letter.

The stored outputs may be right on one machine only: the order of a set depends on the hash seed, a local time on the
time zone. So the notebook is run again with others.
"""

import json
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path
from typing import Any

from svckit.display.card import quantity
from svckit.jupyter.finding import Finding, mask_message
from svckit.jupyter.rules import is_compared
from svckit.jupyter.running import CellFailedError, CellTooSlowError, run_cells

__all__ = ["ENVIRONMENT", "SECONDS_A_CELL", "replay", "replay_elsewhere", "report_failure"]

ENVIRONMENT = {"COLUMNS": "80", "NO_COLOR": "1", "TZ": "UTC", "PYTHONHASHSEED": "0"}
"""The variables to run and store a notebook with, so that its outputs are the same everywhere."""

ELSEWHERE = (
    {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati"},
    {"PYTHONHASHSEED": "2", "TZ": "Pacific/Pago_Pago"},
)
"""The variables to check a notebook with: twice, as half of all hash seeds put a set of two in the same order.

The first zone is 14 hours ahead of UTC, the second 11 hours behind: in one of them it is always another day.
"""
PORTABLE = {
    "PYTHONHASHSEED": "sort sets before you show them: their order depends on the hash seed, which is new in every run",
    "TZ": "name the time zone, as in datetime.now(UTC): the local one is the reader's",
}
"""The remedy by variable if outputs are right with one value only."""

SECONDS_A_CELL = 120
"""The default time limit for a cell."""
ANSI = re.compile(r"\x1b\[[0-9;]*m")
LINES = 12
"""The number of lines to show of an error, and of those that differ."""
LABELS = {"-": "now:    ", "+": "stored: "}
OWN_LINE = re.compile(r"^Cell In\[(\d+)\], line (\d+).*?^-+> \d+ +(.*?)$", re.MULTILINE | re.DOTALL)
"""A frame of a cell in a traceback: its execution count, the line, and what is there."""
SAME = "show what is the same in every run; then store it again with svckit check --store NOTEBOOK"
FIX = "fix it, or what it needs"
Node = Any
"""A notebook or a part of one, as nbformat reads it."""


async def replay_elsewhere(path: Path, notebook: Node, seconds: int = SECONDS_A_CELL) -> list[Finding]:
    """Run a notebook with other hash seeds and time zones than it was stored with, and return what differs.

    A good notebook runs twice. One that differs is run with the stored values, to see whether it differs there too; if
    not, it is run with each of the other values alone, to see which one matters.

    Args:
        path: the file.
        notebook: its content, from ``nbformat.read(path, as_version=4)``.
        seconds: the time limit for each cell.
    """
    for other in ELSEWHERE:
        found = await replay(path, notebook, seconds, other)
        # More runs would only take more time.
        if any(finding.kind in ("unended", "stopped") for finding in found):
            return found
        if found:
            return await replay(path, notebook, seconds) or await _narrow_down(
                path, notebook, seconds, other, found
            )
    return []


async def _narrow_down(
    path: Path, notebook: Node, seconds: int, other: Mapping[str, str], found: Sequence[Finding]
) -> list[Finding]:
    """Find which of the other values causes the findings."""
    findings = [
        _qualify(finding, f"under {name}={value}", PORTABLE[name])
        for name, value in other.items()
        for finding in await replay(path, notebook, seconds, {name: value})
    ]
    return findings or [_qualify(finding, "in some runs", SAME) for finding in found]


def _qualify(found: Finding, condition: str, remedy: str) -> Finding:
    heading, colon, details = found.message.partition(":\n")
    return replace(found, message=f"{heading} {condition}{colon}{details}", remedy=remedy)


async def replay(
    path: Path, notebook: Node, seconds: int = SECONDS_A_CELL, other: Mapping[str, str] | None = None
) -> list[Finding]:
    """Run a notebook in its folder, with the variables of `ENVIRONMENT`, and return what differs.

    Args:
        path: the file, which is never written.
        notebook: its content, from ``nbformat.read(path, as_version=4)``.
        seconds: the time limit for each cell.
        other: variables that differ from `ENVIRONMENT`.

    Returns:
        A finding for each cell that failed; none if every output is the same as the stored one.
    """
    if not any(cell.cell_type == "code" for cell in notebook.cells):
        return []
    findings: list[Finding] = []
    again = deepcopy(notebook)
    variables = {**ENVIRONMENT, **(other or {})}
    place = 0
    try:
        async for cell in run_cells(again, path.resolve().parent, seconds, variables, allow_errors=True):
            stored = notebook.cells[place]
            place += 1
            if cell.cell_type == "code":
                findings += _compare(stored, cell, place)
    except (CellFailedError, RuntimeError) as error:
        findings.append(report_failure(error, seconds))
    return findings


def report_failure(error: CellFailedError | RuntimeError, seconds: int, then: str = "") -> Finding:
    """Return the finding for a notebook that was not run to its end; ``then`` says what becomes of it."""
    match error:
        case CellTooSlowError(place=place, cell=cell):
            limit = quantity(seconds, "second")
            message = f"it did not finish within {limit}, so the cells after it were not run"
            remedy = "make it finish, or allow more time: --timeout SECONDS"
            return Finding(message, "unended", place, cell.get("id"), remedy)
        case CellFailedError(place=place, cell=cell):
            return _report_error(place, cell, then)
        case _:  # a kernel that did not start, or died
            message = mask_message("it could not be run to its end:", *str(error).splitlines()[-LINES:])
            remedy = "run it in Jupyter to see why; its kernel may have died"
            return Finding(message, "stopped", remedy=remedy)


def _report_error(place: int, cell: Node, then: str = "") -> Finding:
    message = mask_message(f"it does not run to its end{then}:", *_describe_error(cell))
    return Finding(message, "raises", place, cell.get("id"), FIX)


def _describe_error(cell: Node) -> list[str]:
    """Return the author's own line that failed and the error, without the lines of libraries."""
    (output,) = (output for output in cell.outputs if output.output_type == "error")
    *frames, error = [ANSI.sub("", text) for text in output.traceback] or [f"{output.ename}: {output.evalue}"]
    own = [
        f"line {number}{'' if count == str(cell.execution_count) else f' of the cell [{count}]'}: {code}"
        for count, number, code in OWN_LINE.findall("\n".join(frames))
    ]
    return [*own[-1:], *error.strip().splitlines()[:LINES]]


def _compare(stored: Node, now: Node, place: int) -> list[Finding]:
    """Return the finding for a cell that raised an error, or has other outputs than the stored ones."""
    before, after = _list_lines(stored.outputs), _list_lines(now.outputs)
    if "error" in after and "error" not in before:
        return [_report_error(place, now)]
    lines = [
        line
        for kind in sorted({*before, *after})
        if before.get(kind) != after.get(kind)
        for line in (f"mismatch {kind!r}", *_show_difference(before.get(kind, []), after.get(kind, [])))
    ]
    message = mask_message("its output differs from the stored one:", *lines)
    return [Finding(message, "differs", place, now.get("id"), SAME)] if lines else []


def _list_lines(outputs: Sequence[Node]) -> dict[str, list[str]]:
    """Return the lines of a cell's outputs by kind; those of a stream together, as its parts come by chance."""
    texts: dict[str, list[str]] = {}
    for output in outputs:
        if output.output_type == "stream":
            texts[output.name] = ["".join([*texts.get(output.name, []), output.text])]
        elif output.output_type == "error":
            texts.setdefault("error", []).append(f"{output.ename}: {output.evalue}")
        else:
            for kind in filter(is_compared, output.data):
                content = output.data[kind]
                text = content if isinstance(content, str) else json.dumps(content, indent=1, sort_keys=True)
                texts.setdefault(kind, []).append(text)
    return {
        kind: [line for text in parts for line in text.splitlines(keepends=True)]
        for kind, parts in texts.items()
    }


def _show_difference(stored: Sequence[str], now: Sequence[str]) -> list[str]:
    """Return the lines that differ; as Python writes them if they look like another.

    Examples:
        >>> _show_difference(["a\\n"], ["b\\n"])
        ['now:    b', 'stored: a']
        >>> _show_difference(["a"], ["a\\n"])
        ["now:    'a\\\\n'", "stored: 'a'"]
    """
    _, _, *differing = unified_diff(now, stored, n=0)
    lines = [(LABELS[line[0]], line[1:]) for line in differing if line[0] in LABELS]
    seen = [line.rstrip() for _, line in lines]
    shown = [
        label + (repr(line) if seen.count(line.rstrip()) > 1 else line.rstrip("\n"))
        for label, line in lines[:LINES]
    ]
    more = len(lines) - len(shown)
    return [*shown, f"… and {more} more lines that differ"] if more else shown

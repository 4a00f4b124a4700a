"""Running a stored notebook again and comparing every output with the stored one, to the letter.

The stored outputs may be right on one machine only: the order of a set depends on the hash seed, a local time on the
time zone. So the notebook is run again with others.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from svckit.jupyter.finding import Finding, mask_message

__all__ = ["ENVIRONMENT", "SECONDS_A_CELL", "replay", "replay_elsewhere", "report_timeout"]

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

PYTEST = (
    sys.executable,
    *("-P", "-m", "pytest"),  # -P, or a module of the notebook's folder may take the place of another
    *("-p", "no:cacheprovider", "-p", "nbval.plugin", "--nbval", "--nbval-current-env"),
    "--disable-plugin-autoload",  # not by its variable, which cells that run pytest would inherit
    *("-q", "--no-header", "-o", "console_output_style=classic"),
    *("-o", "verbosity_assertions=2"),  # or pytest truncates a comparison before the line that differs
    *("-c", os.devnull, "--rootdir=.", "--noconftest"),  # no configuration around the notebook
)
"""The start of the command."""

SECONDS_A_CELL = 120
"""The default time limit for a cell."""
SECONDS_BESIDE = 180
"""The time limit for everything else, such as starting the kernel."""
UNENDED = re.compile(r"^Cell \d+: Timeout of ", re.MULTILINE)
"""The start of nbval's message about a cell that it had to interrupt."""
DONE = re.compile(r"[.FsxX]")
"""The characters that pytest prints for each cell that has run, whatever the result."""
ANSI = re.compile(r"\x1b\[[0-9;]*m")
FAILED = re.compile(r"^_{2,} (?:.*::)?Cell (\d+) _{2,}$", re.MULTILINE)
LINES = 12
"""The number of lines to show: the last of a traceback, and the first of those that differ."""
LABELS = {"  + ": "stored: ", "  - ": "now:    "}
HINT = "  ? "
"""The start of a line in which pytest points at characters of the line above."""
SAME = "show what is the same in every run; then store it again with svckit check --store NOTEBOOK"
FIX = "fix it, or what it needs"
Node = Any
"""A notebook or a part of one, as nbformat reads it."""
END = re.compile(r"^=+ .*", re.MULTILINE | re.DOTALL)
"""The summary after the last message."""


def replay_elsewhere(path: Path, notebook: Node, seconds: int = SECONDS_A_CELL) -> list[Finding]:
    """Run a notebook with other hash seeds and time zones than it was stored with, and return what differs.

    A good notebook runs twice. One that differs is run with the stored values, to see whether it differs there too; if
    not, it is run with each of the other values alone, to see which one matters.

    Args:
        path: the file.
        notebook: its content, from ``nbformat.read(path, as_version=4)``.
        seconds: the time limit for each cell.
    """
    for other in ELSEWHERE:
        found = replay(path, notebook, seconds, other)
        # More runs would only take more time.
        if any(finding.kind in ("unended", "stopped") for finding in found):
            return found
        if found:
            return replay(path, notebook, seconds) or _narrow_down(path, notebook, seconds, other, found)
    return []


def _narrow_down(
    path: Path, notebook: Node, seconds: int, other: Mapping[str, str], found: Sequence[Finding]
) -> list[Finding]:
    """Find which of the other values causes the findings."""
    findings = [
        _qualify(finding, f"under {name}={value}", PORTABLE[name])
        for name, value in other.items()
        for finding in replay(path, notebook, seconds, {name: value})
    ]
    return findings or [_qualify(finding, "in some runs", SAME) for finding in found]


def _qualify(found: Finding, condition: str, remedy: str) -> Finding:
    heading, colon, details = found.message.partition(":\n")
    return replace(found, message=f"{heading} {condition}{colon}{details}", remedy=remedy)


def replay(
    path: Path, notebook: Node, seconds: int = SECONDS_A_CELL, other: Mapping[str, str] | None = None
) -> list[Finding]:
    """Run a notebook with nbval in its folder, in its own process, and return what differs.

    The file itself is never written. The process has the variables of `ENVIRONMENT` and this Python's kernel, and
    ignores any pytest configuration around the notebook.

    Args:
        path: the file.
        notebook: its content, from ``nbformat.read(path, as_version=4)``.
        seconds: the time limit for each cell.
        other: variables that differ from `ENVIRONMENT`.

    Returns:
        A finding for each cell that failed; none if every output is the same as the stored one.

    Raises:
        ModuleNotFoundError: nbval is not installed; it comes with the extra ``check``.
    """
    import nbval  # type: ignore[import-untyped] # noqa: F401  # it ships no types; imported to check that it is installed

    code = [(place, cell) for place, cell in enumerate(notebook.cells, 1) if cell.cell_type == "code"]
    if not code:
        return []
    variables = {**ENVIRONMENT, **(other or {})}
    environment = {**os.environ, **variables, "PYTEST_ADDOPTS": ""}
    try:
        run = subprocess.run(  # noqa: S603 - this Python, with a name that cannot be mistaken for an option
            [*PYTEST, f"--nbval-cell-timeout={seconds}", f"./{path.name}"],
            cwd=path.parent,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=seconds * len(code) + SECONDS_BESIDE,
        )
    except subprocess.TimeoutExpired as error:  # a cell that ignores the interrupt
        return [report_timeout(*code[min(_count_run_cells(error.stdout), len(code) - 1)], seconds)]
    if run.returncode == 0:
        return []
    # Below the heading of each cell that failed is nbval's message: the split has numbers and messages in turn.
    _, *failed = FAILED.split(ANSI.sub("", run.stdout))
    if not failed:  # not a cell, but the notebook or the kernel
        last = (run.stdout + run.stderr).strip().splitlines()[-LINES:]
        message = mask_message("it could not be run again:", *last)
        return [Finding(message, "stopped", remedy="run it in Jupyter to see why; its kernel may have died")]
    return [
        _parse_failure(END.sub("", words).strip(), *code[int(number)], seconds)
        for number, words in zip(failed[::2], failed[1::2], strict=True)
    ]


def _count_run_cells(printed: bytes | None) -> int:
    """Count the cells that pytest has run.

    Examples:
        >>> _count_run_cells(b"F.s"), _count_run_cells(None)
        (3, 0)
    """
    return len(DONE.findall((printed or b"").decode()))


def report_timeout(place: int, cell: Node, seconds: int) -> Finding:
    """Return the finding for a cell that exceeded the time limit."""
    message = (
        f"it did not finish within {seconds} second{'s' * (seconds != 1)}, so the cells after it were not run"
    )
    remedy = "make it finish, or allow more time: --timeout SECONDS"
    return Finding(message, "unended", place, cell.get("id"), remedy=remedy)


def _parse_failure(text: str, place: int, cell: Node, seconds: int) -> Finding:
    """Turn nbval's message about a cell into a finding."""
    heading, _, details = text.partition("\nTraceback:\n")
    if UNENDED.search(heading):
        return report_timeout(place, cell, seconds)
    lines = details.strip("\n").splitlines()
    if "Cell outputs differ" in heading:
        message = mask_message("its output differs from the stored one:", *_label_lines(lines))
        return Finding(message, "differs", place, cell.get("id"), remedy=SAME)
    last = lines[-LINES:] if lines else text.splitlines()[-LINES:]
    message = mask_message("it does not run to its end:", *(["…"] if len(lines) > len(last) else []), *last)
    return Finding(message, "raises", place, cell.get("id"), remedy=FIX)


def _label_lines(lines: Sequence[str]) -> list[str]:
    """Label the lines that differ in a comparison by pytest, which marks stored lines as added.

    Examples:
        >>> _label_lines(["  - a", "  + a"])
        ["now:    'a', up to the line break at its end", "stored: 'a', up to the line break at its end"]
        >>> _label_lines(["  + b", "    a", "  - b"])
        ["stored: 'b', in another place", "now:    'b', in another place"]
        >>> _label_lines(["mismatch 'stdout'", "  assert reference_output == test_output failed:", "  - a", "  + b"])
        ["mismatch 'stdout'", 'now:    a', 'stored: b']
    """
    compared = [line for line in lines if line[:4] != HINT]
    differing = [(place, line[:4], line[4:]) for place, line in enumerate(compared) if line[:4] in LABELS]
    if not differing:
        return list(lines)
    labeled = [
        LABELS[mark]
        + _format_line(text, place, [(where, other) for where, its, other in differing if its != mark])
        for place, mark, text in differing[:LINES]
    ]
    more = [] if len(differing) <= LINES else [f"… and {len(differing) - LINES} more lines that differ"]
    return [*(line.strip() for line in lines if "mismatch" in line[:9]), *labeled, *more]


def _format_line(text: str, place: int, others: Sequence[tuple[int, str]]) -> str:
    """Format a line so that it can be told apart from lines that look the same."""
    same = [where for where, other in others if other == text]
    if same:
        is_there = any(abs(where - place) == 1 for where in same)
        return f"{text!r}, {'up to the line break at its end' if is_there else 'in another place'}"
    return repr(text) if any(other.rstrip() == text.rstrip() for _, other in others) else text

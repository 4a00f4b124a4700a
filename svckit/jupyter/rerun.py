"""Running a stored notebook again, and comparing every output with the stored one, to the letter.

What a notebook shows may be right only where it was stored: the order of a set follows the hash seed, a local time the
time zone. So it is run again under others.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from svckit.jupyter.finding import Finding

__all__ = ["ENVIRONMENT", "SECONDS_A_CELL", "replay", "replay_elsewhere", "report_timeout"]

ENVIRONMENT = {"COLUMNS": "80", "NO_COLOR": "1", "TZ": "UTC", "PYTHONHASHSEED": "0"}
"""What a notebook is run and stored under, so that its outputs are the same everywhere."""

ELSEWHERE = (
    {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati"},
    {"PYTHONHASHSEED": "2", "TZ": "Pacific/Pago_Pago"},
)
"""What a notebook is checked under: two, as a set of two is in the same order under half of all hash seeds.

In the first zone it is 14 hours later than in UTC, in the second 11 earlier: in one of them it is always another day.
"""
PORTABLE = {
    "PYTHONHASHSEED": "sort sets before you show them: their order follows the hash seed, which is new in every run",
    "TZ": "name the time zone, as in datetime.now(UTC): the local one is the reader's",
}
"""By variable, what to do where outputs are right under one value only."""

SECONDS_A_CELL = 120
"""So long a cell may take, where nothing else is said."""
SECONDS_BESIDE = 180
"""So long all the rest may take, such as starting the kernel."""
UNENDED = re.compile(r"^Cell \d+: Timeout of ", re.MULTILINE)
"""How nbval begins what it says of a cell that it had to interrupt."""
DONE = re.compile(r"[.FsxX]")
"""What pytest writes of each cell that has been run, whatever came of it."""
ANSI = re.compile(r"\x1b\[[0-9;]*m")
FAILED = re.compile(r"^_{2,} (?:.*::)?Cell (\d+) _{2,}$", re.MULTILINE)
LINES = 12
"""So many of a traceback are shown, whose end says what went wrong; and of the lines that differ the first."""
LABELS = {"  + ": "stored: ", "  - ": "now:    "}
HINT = "  ? "
"""Begins a line in which pytest points at characters of the line above."""
SAME = "show what is the same in every run; then svckit check --store NOTEBOOK stores it anew"
MEND = "mend it, or what it needs"
Node = Any
"""A notebook or a part of one, as nbformat reads it."""
END = re.compile(r"^=+ .*", re.MULTILINE | re.DOTALL)


def replay_elsewhere(path: Path, notebook: Node, seconds: int = SECONDS_A_CELL) -> list[Finding]:
    """Run a notebook under other hash seeds and time zones than it was stored under, and say what came out otherwise.

    That is two runs for a good notebook. One that comes out otherwise is run as it was stored, to tell whether it does
    so there too; if not, it is run under each of the other values alone, to tell which one matters.

    Args:
        path: the file.
        notebook: what it holds, as ``nbformat.read(path, as_version=4)`` gives it.
        seconds: so long each cell may take.
    """
    for other in ELSEWHERE:
        found = replay(path, notebook, seconds, other)
        if any(each.kind in ("unended", "stopped") for each in found):  # no time to lose with it
            return found
        if found:
            return replay(path, notebook, seconds) or _narrow_down(path, notebook, seconds, other, found)
    return []


def _narrow_down(
    path: Path, notebook: Node, seconds: int, other: Mapping[str, str], found: Sequence[Finding]
) -> list[Finding]:
    """Say under which of other values what was found comes out so."""
    alone = [
        _qualify(each, f"under {name}={value}", PORTABLE[name])
        for name, value in other.items()
        for each in replay(path, notebook, seconds, {name: value})
    ]
    return alone or [_qualify(each, "in some runs", SAME) for each in found]


def _qualify(found: Finding, condition: str, remedy: str) -> Finding:
    heading, colon, details = found.message.partition(":\n")
    return replace(found, message=f"{heading} {condition}{colon}{details}", remedy=remedy)


def replay(
    path: Path, notebook: Node, seconds: int = SECONDS_A_CELL, other: Mapping[str, str] | None = None
) -> list[Finding]:
    """Run a notebook with nbval where it lies, in a process of its own, and say what came out otherwise.

    The file itself is never written. The process has the variables of `ENVIRONMENT`, this Python's kernel, and
    nothing of the pytest configuration around the notebook.

    Args:
        path: the file.
        notebook: what it holds, as ``nbformat.read(path, as_version=4)`` gives it.
        seconds: so long each cell may take.
        other: variables that differ from `ENVIRONMENT`.

    Returns:
        Of each cell that failed what came out; nothing, where everything came out as it is stored.

    Raises:
        ModuleNotFoundError: nbval is not installed; it comes with the extra ``check``.
    """
    import nbval  # type: ignore[import-untyped] # noqa: F401  # it ships no types; only that it is there matters

    options = ["-p", "no:cacheprovider", "-p", "nbval.plugin", "--nbval", "--nbval-current-env"]
    options += [
        f"--nbval-cell-timeout={seconds}",
        "-q",
        "-o",
        "console_output_style=classic",
        "--no-header",
        "-o",
        "verbosity_assertions=2",  # or pytest cuts a comparison before the line that differs
        "-c",
        os.devnull,
        "--rootdir=.",
    ]
    code = [(place, cell) for place, cell in enumerate(notebook.cells, 1) if cell.cell_type == "code"]
    if not code:
        return []
    variables = {**ENVIRONMENT, **(other or {})}
    environment = {**os.environ, **variables, "PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    try:
        run = subprocess.run(  # noqa: S603 - this Python, on a name that cannot be taken for an option
            [sys.executable, "-m", "pytest", *options, f"./{path.name}"],
            cwd=path.parent,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=seconds * len(code) + SECONDS_BESIDE,
        )
    except subprocess.TimeoutExpired as late:  # a cell that goes on in spite of the interrupt
        return [report_timeout(*code[min(_count_run_cells(late.stdout), len(code) - 1)], seconds)]
    if run.returncode == 0:
        return []
    _, *failed = FAILED.split(ANSI.sub("", run.stdout))
    if not failed:  # no cell, but the notebook or the kernel
        last = (run.stdout + run.stderr).strip().splitlines()[-LINES:]
        told = "\n".join(["it could not be run again:", *last])
        return [Finding(told, "stopped", remedy="run it in Jupyter to see why; its kernel may have died")]
    return [
        _parse_failure(END.sub("", words).strip(), *code[int(number)], seconds)
        for number, words in zip(failed[::2], failed[1::2], strict=True)
    ]


def _count_run_cells(printed: bytes | None) -> int:
    """How many cells pytest had been through.

    Examples:
        >>> _count_run_cells(b"F.s"), _count_run_cells(None)
        (3, 0)
    """
    return len(DONE.findall((printed or b"").decode()))


def report_timeout(place: int, cell: Node, seconds: int) -> Finding:
    """What is said of a cell that takes too long."""
    told = f"it does not end within {seconds} second{'s' * (seconds != 1)}, so what is after it was not run"
    return Finding(
        told, "unended", place, cell.get("id"), "make it end, or give it longer: --timeout SECONDS"
    )


def _parse_failure(words: str, place: int, cell: Node, seconds: int) -> Finding:
    """What nbval says of a cell, without what is known already."""
    heading, _, told = words.partition("\nTraceback:\n")
    if UNENDED.search(heading):
        return report_timeout(place, cell, seconds)
    lines = told.strip("\n").splitlines()
    if "Cell outputs differ" in heading:
        message = "\n".join(["it produces something else than what is stored:", *_label_lines(lines)])
        return Finding(message, "differs", place, cell.get("id"), SAME)
    last = lines[-LINES:] if lines else words.splitlines()[-LINES:]
    message = "\n".join(["it does not run to its end:", *(["…"] if len(lines) > len(last) else []), *last])
    return Finding(message, "raises", place, cell.get("id"), MEND)


def _label_lines(lines: Sequence[str]) -> list[str]:
    """The lines that differ in a comparison of pytest, which shows what is stored as what was added.

    Examples:
        >>> _label_lines(["  - a", "  + a"])
        ["now:    'a', up to the line break at its end", "stored: 'a', up to the line break at its end"]
        >>> _label_lines(["  + b", "    a", "  - b"])
        ["stored: 'b', in another place", "now:    'b', in another place"]
    """
    compared = [line for line in lines if line[:4] != HINT]
    differing = [(place, line[:4], line[4:]) for place, line in enumerate(compared) if line[:4] in LABELS]
    if not differing:
        return list(lines)
    told = [
        LABELS[mark]
        + _format_line(text, place, [(where, other) for where, its, other in differing if its != mark])
        for place, mark, text in differing[:LINES]
    ]
    more = [] if len(differing) <= LINES else [f"… and {len(differing) - LINES} lines more that differ"]
    return [*(line.strip() for line in lines if "mismatch" in line[:9]), *told, *more]


def _format_line(text: str, place: int, others: Sequence[tuple[int, str]]) -> str:
    """A line as it can be told from those it is compared with, each with its place, where they look like it."""
    same = [where for where, other in others if other == text]
    if same:
        is_there = any(abs(where - place) == 1 for where in same)
        return f"{text!r}, {'up to the line break at its end' if is_there else 'in another place'}"
    return repr(text) if any(other.rstrip() == text.rstrip() for _, other in others) else text

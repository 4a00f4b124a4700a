"""All checks of a notebook: those of the stored file, and those of running it again."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import nbformat

from svckit.jupyter.finding import Finding, mask_message
from svckit.jupyter.left_files import find_left_files, list_files
from svckit.jupyter.links import find_broken_links
from svckit.jupyter.rerun import (
    ANSI,
    FIX,
    LINES,
    SECONDS_A_CELL,
    replay_elsewhere,
    report_timeout,
)
from svckit.jupyter.rules import find_problems

__all__ = ["check", "find_notebooks", "store"]

CURRENT = 4
"""The current major version of the notebook format."""
UNREADABLE = (nbformat.ValidationError, OSError, ValueError, TypeError, LookupError, RecursionError)


def find_notebooks(paths: Iterable[Path]) -> Iterator[Path]:
    """Find the notebooks in paths and folders, sorted, without Jupyter's checkpoints."""
    for path in paths:
        if path.is_dir():
            yield from sorted(
                each for each in path.rglob("*.ipynb") if ".ipynb_checkpoints" not in each.parts
            )
        else:
            yield path


def check(path: Path, seconds: int = SECONDS_A_CELL) -> list[Finding]:
    """Check a stored notebook, run it again, and return all findings; none for a good one.

    Args:
        path: the file.
        seconds: the time limit for each cell.

    Raises:
        ModuleNotFoundError: nbval is not installed; it comes with the extra ``check``.
    """
    notebook, findings = _read_python(path)
    if notebook is None:
        return findings
    stored = _check_stored(notebook, path)
    if findings:
        return [*stored, *findings]
    before = list_files(path.resolve().parent)
    differing = replay_elsewhere(path, notebook, seconds)
    return [*stored, *differing, *find_left_files(before, list_files(path.resolve().parent), notebook)]


def store(path: Path, seconds: int = SECONDS_A_CELL) -> list[Finding]:
    """Run a notebook and store its outputs; return the findings on what is then stored.

    A notebook that cannot be read or run to its end stays as it was.

    Args:
        path: the file.
        seconds: the time limit for each cell.

    Raises:
        ModuleNotFoundError: nbclient is not installed; it comes with the extra ``check``.
    """
    from svckit.jupyter import store as stored  # loads the parts of Jupyter that run notebooks
    from svckit.jupyter.lab import CellFailedError, CellTooSlowError

    _, findings = _read_python(path)
    if findings:
        return findings
    before = list_files(path.resolve().parent)
    try:
        stored.store(path, seconds)
    except CellTooSlowError as error:
        return [report_timeout(error.place, error.cell, seconds)]
    except (CellFailedError, RuntimeError) as error:  # the latter if the kernel dies
        last = ANSI.sub("", str(error)).strip().splitlines()[-LINES:]
        message = mask_message("it does not run to its end, and stays as it was:", *last)
        return [Finding(message, "raises", remedy=FIX)]
    notebook = _read(path)
    return [
        *_check_stored(notebook, path),
        *find_left_files(before, list_files(path.resolve().parent), notebook),
    ]


def _check_stored(notebook: Any, path: Path) -> list[Finding]:
    """Check a stored notebook and its links."""
    folder = path.resolve().parent
    return [*find_problems(notebook, folder), *find_broken_links(notebook, folder)]


def _read_python(path: Path) -> tuple[Any, list[Finding]]:
    """Read a notebook; return it, if it is readable, and a finding if it cannot be run."""
    try:
        notebook = _read(path)
    except UNREADABLE as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        remedy = "open it in JupyterLab and save it; a file that does not open there has to be rewritten"
        message = mask_message(f"it cannot be read as a notebook: {reason}")
        return None, [Finding(message, "unreadable", remedy=remedy)]
    language = str(notebook.metadata.get("kernelspec", {}).get("language", "python")).lower()
    if language == "python":
        return notebook, []
    message = f"it is written in {language} and was not run again: only Python notebooks are"
    return notebook, [Finding(message, "stopped", remedy="check it with the tools of that language")]


def _read(path: Path) -> Any:
    """Read a notebook, which has to be in Jupyter's current format."""
    text = path.read_text(encoding="utf-8")
    match json.loads(text):
        case {"nbformat": int(declared)} if declared != CURRENT:
            raise ValueError(f"it is not a notebook of format {CURRENT}; it declares format {declared}")
        case {"nbformat": _, "cells": list(), "metadata": _}:
            read = nbformat.reads(text, as_version=CURRENT)  # type: ignore[no-untyped-call]  # nbformat has few types
        case _:
            raise ValueError("it is not a JSON object with cells and metadata, and a format")
    nbformat.validate(read)
    return read

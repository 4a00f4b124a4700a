"""All checks of a notebook: those of the stored file, and those of running it again."""

import asyncio
import hashlib
import json
import os
import sys
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import nbformat

from svckit.jupyter import store as storing
from svckit.jupyter.bundled import PACKAGE
from svckit.jupyter.finding import Finding, mask_message
from svckit.jupyter.left_files import (
    find_written_files,
    is_named,
    list_files,
    read_leaves,
    report_left_files,
)
from svckit.jupyter.links import find_broken_links
from svckit.jupyter.rerun import SECONDS_A_CELL, replay_elsewhere
from svckit.jupyter.rules import find_problems
from svckit.jupyter.running import iterate
from svckit.local_files import write_atomically

__all__ = ["check", "check_all", "find_notebooks"]

CURRENT = 4
"""The current major version of the notebook format."""
UNREADABLE = (nbformat.ValidationError, OSError, ValueError, TypeError, LookupError, RecursionError)


def find_notebooks(paths: Iterable[Path]) -> Iterator[Path]:
    """Find the notebooks in paths and folders, sorted, without Jupyter's checkpoints."""
    for path in paths:
        if path.is_dir():
            yield from sorted(
                notebook for notebook in path.rglob("*.ipynb") if ".ipynb_checkpoints" not in notebook.parts
            )
        else:
            yield path


def check(path: Path, seconds: int = SECONDS_A_CELL) -> list[Finding]:
    """Check a stored notebook, run it again, and return all findings; none for a good one."""
    ((_, findings),) = check_all([path], seconds)
    return findings


def check_all(
    paths: Iterable[Path],
    seconds: int = SECONDS_A_CELL,
    *,
    store: bool = False,
    changed: bool = False,
    cache: Path | None = None,
) -> Iterator[tuple[Path, list[Finding]]]:
    """Check notebooks on all cores, and yield each with its findings; none for a good one.

    Notebooks that run at the same time may write the same file or listen on the same port. So one that fails then is
    run once more, alone, and comes after all that do not.

    Args:
        paths: the files.
        seconds: the time limit for each cell.
        store: whether to store the outputs of a run first. A notebook that cannot be read or run to its end stays as
            it was.
        changed: whether to run only those that have changed since they last passed.
        cache: the folder that keeps which passed; by default that is not kept.
    """
    yield from iterate(_check_all([*dict.fromkeys(paths)], seconds, store, Passed(cache), changed))


class Passed:
    """The digests of notebooks that passed, which a folder keeps.

    Args:
        folder: the folder, which need not exist; None to keep nothing.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._states: dict[str, str] = {}
        if folder is not None:
            with suppress(OSError, ValueError):  # the first time, or somebody has edited it
                self._states = dict(json.loads((folder / "passed.json").read_text("utf-8")))

    def holds(self, path: Path, state: str) -> bool:
        """Return whether a notebook passed in this state."""
        return self._states.get(path.as_posix()) == state

    def add(self, path: Path, state: str) -> None:
        """Keep that a notebook passed."""
        self._states[path.as_posix()] = state
        if self._folder is None:
            return
        with suppress(OSError):  # where nothing can be written, it runs the next time too
            self._folder.mkdir(exist_ok=True)
            (self._folder / ".gitignore").write_text("*\n", "utf-8")
            with write_atomically(self._folder / "passed.json") as file:
                file.write(json.dumps(self._states, indent=1, sort_keys=True).encode())


@dataclass
class _Result:
    """The result of checking a notebook.

    Attributes:
        findings: all but those on files that it leaves.
        state: the state in which it ran; empty if it did not run.
        left: the files that were written meanwhile, by this notebook or another.
        named: those of them that its metadata names.
    """

    findings: list[Finding]
    state: str = ""
    left: frozenset[Path] = frozenset()
    named: frozenset[Path] = frozenset()

    @property
    def is_settled(self) -> bool:
        """True if no other notebook can be the reason for a finding."""
        return not self.left and all(finding.kind in ("stored", "unreadable") for finding in self.findings)


async def _check_all(
    paths: list[Path], seconds: int, store: bool, passed: Passed, changed: bool
) -> AsyncIterator[tuple[Path, list[Finding]]]:
    free = asyncio.Semaphore(os.cpu_count() or 1)

    async def check_one(path: Path) -> _Result:
        async with free:
            return await _check(path, seconds, store, passed, changed)

    def conclude(path: Path, result: _Result) -> tuple[Path, list[Finding]]:
        folder = path.resolve().parent
        left = sorted(file.relative_to(folder).as_posix() for file in result.left)
        findings = [*result.findings, *report_left_files(left)]
        if result.state and not findings:
            passed.add(path, result.state)
        return path, findings

    first, tasks = {}, {path: asyncio.create_task(check_one(path)) for path in paths}
    for path, task in tasks.items():
        first[path] = await task
        if first[path].is_settled:
            yield conclude(path, first[path])
    named = frozenset[Path]().union(*(result.named for result in first.values()))
    alone = {}
    for path, result in first.items():
        if result.is_settled:
            continue
        result.left -= named
        alone[path] = result if result.is_settled or len(paths) == 1 else await check_one(path)
    left = frozenset[Path]().union(*(result.left for result in alone.values()))
    for path, result in alone.items():
        # A file that is there now may be left only once: it is told of all that ran when it was.
        result.left |= first[path].left - left
        yield conclude(path, result)


async def _check(path: Path, seconds: int, store: bool, passed: Passed, changed: bool) -> _Result:
    notebook, findings = _read_python(path)
    if notebook is None:
        return _Result(findings)
    state = describe_state(path, notebook)
    if findings or (changed and passed.holds(path, state)):
        return _Result([*_check_stored(notebook, path), *findings])
    folder = path.resolve().parent
    before = list_files(folder)
    if store:
        failures = await storing.store(path, seconds)
        if failures:
            return _Result(failures)
        notebook = _read(path)
        state = describe_state(path, notebook)
    findings = [*_check_stored(notebook, path), *await replay_elsewhere(path, notebook, seconds)]
    written = find_written_files(before, list_files(folder))
    leaves = read_leaves(notebook)
    named = frozenset(folder / name for name in written if is_named(name, leaves))
    return _Result(findings, state, frozenset(folder / name for name in written) - named, named)


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


def describe_state(path: Path, notebook: Any) -> str:
    """Return a digest of what the outputs of a notebook depend on.

    That is the notebook, the files in its folder but for other notebooks and those that it leaves, the versions of
    installed packages, and the source of svckit, which a checkout may change.
    """
    named = read_leaves(notebook)
    files = [
        name
        for name in list_files(path.resolve().parent)
        if name == path.name or not (name.endswith(".ipynb") or is_named(name, named))
    ]
    return hashlib.sha256(_digest(path.resolve().parent, files) + _describe_surroundings()).hexdigest()


@cache
def _describe_surroundings() -> bytes:
    packages = [path.name for folder in sys.path for path in sorted(Path(folder).glob("*.dist-info"))]
    sources = [_digest(root, list_files(root)) for root in (PACKAGE, PACKAGE.with_name("fakes"))]
    return b"\0".join([sys.version.encode(), json.dumps(packages).encode(), *sources])


def _digest(folder: Path, names: Iterable[str]) -> bytes:
    digest = hashlib.sha256()
    for name in sorted(names):
        with suppress(OSError), (folder / name).open("rb") as file:  # it may be gone, or a broken link
            digest.update(f"{name}\0".encode() + hashlib.file_digest(file, "sha256").digest())
    return digest.digest()

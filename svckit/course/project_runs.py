"""Running a project in processes of their own, each in a copy of its folder."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from svckit.course.isolation import run_module

__all__ = ["CLIENT", "SECONDS", "Suite", "SuiteRun", "run_client", "run_suites"]

CLIENT = "hr_sync.py"
PROCESS = "svckit.course.project_process"
SECONDS = 120
"""The time limit for each process."""


class Suite(NamedTuple):
    """The tests of a project, with some of its files replaced.

    Attributes:
        files: the new contents of files, by name.
        options: options of pytest.
    """

    files: Mapping[str, str] = {}
    options: Sequence[str] = ()

    @classmethod
    def of(cls, client: str, *options: str) -> "Suite":
        """Return the suite with the source of another client."""
        return cls({CLIENT: client}, options)


class SuiteRun(NamedTuple):
    """A run of the learner's tests with one client.

    Attributes:
        run: the tests that were run.
        failed: the lines with which pytest explains a failed test, or a file that could not be imported, by name.
        slept: the seconds that tests slept, by name.
        ended: why the run has no outcomes, in words; empty if it has.
    """

    run: Sequence[str] = ()
    failed: Mapping[str, Sequence[str]] = {}
    slept: Mapping[str, float] = {}
    ended: str = ""

    @property
    def passed(self) -> bool:
        """True if there are tests, and all passed."""
        return bool(self.run) and not self.failed and not self.ended


@contextmanager
def copy_project(folder: Path) -> Iterator[Path]:
    """Copy a project without its environments and caches, until the block is left."""

    def leave_out(inside: str, names: list[str]) -> set[str]:
        return {
            name
            for name in names
            if name.startswith(".") or name == "__pycache__" or Path(inside, name, "pyvenv.cfg").exists()
        }

    with TemporaryDirectory(prefix="svckit-project-", ignore_cleanup_errors=True) as temporary:
        copy = Path(temporary, "project")
        shutil.copytree(folder, copy, ignore=leave_out)
        yield copy


def run_client(folder: Path, seed: int, earlier: list[str]) -> dict[str, Any]:
    """Grade the client of a project by its traffic; see `grade_client` of `svckit.course.project_process`."""
    with copy_project(folder) as copy:
        done = run_module(PROCESS, task={"seed": seed, "earlier": earlier}, folder=copy, seconds=SECONDS)
    return done.result or {"unrun": ["stopped", {"text": done.words}]}


def run_suites(folder: Path, suites: Sequence[Suite]) -> list[SuiteRun]:
    """Run suites one after the other in a new process, or if it ends before they do, each in one of its own."""
    with copy_project(folder) as copy:
        done = run_module(PROCESS, task={"suites": suites}, folder=copy, seconds=SECONDS)
    if done.result:
        return [SuiteRun(**outcomes) for outcomes in done.result["suites"]]
    if len(suites) == 1:
        return [SuiteRun(ended=done.words)]
    return [run for suite in suites for run in run_suites(folder, [suite])]

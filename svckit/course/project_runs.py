"""Running a project in processes of their own, each in a copy of its folder."""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from svckit.course.catalogue import PROJECT
from svckit.course.isolation import run_module
from svckit.course.project_plugin import OPTION

__all__ = ["CLIENT", "SECONDS", "SuiteRun", "run_client", "run_tests"]

CLIENT = "hr_sync.py"
SECONDS = 120
"""The time limit for each process."""
PLUGINS = ("svckit.fakes_plugin", "svckit.pytest_plugin", "svckit.course.project_plugin", "no:cacheprovider")


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """A run of the learner's tests with one client.

    Attributes:
        run: the tests that were run.
        failed: messages of failed tests and of files that could not be imported, by name.
        slept: the seconds that tests slept, by name.
        ended: why the run has no outcomes, in words; empty if it has.
    """

    run: tuple[str, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)
    slept: Mapping[str, float] = field(default_factory=dict)
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
    """Grade the client of a project by its traffic; see `svckit.course.project_process`."""
    with copy_project(folder) as copy:
        done = run_module(
            "svckit.course.project_process",
            task={"seed": seed, "earlier": earlier},
            folder=copy,
            seconds=SECONDS,
        )
    return done.result or {
        "goals": [[goal.words, False] for goal in PROJECT.load().goals],
        "happened": done.words,
        "hint": "What does your client wait for, or what ends the process?",
        "mistake": "stopped",
        "sent": 0,
    }


def run_tests(folder: Path, source: str | None = None, *, stop: bool = False) -> SuiteRun:
    """Run the tests of a project.

    Args:
        folder: the project.
        source: the source of the client that takes the place of the project's own.
        stop: whether one failed test is enough.
    """
    with copy_project(folder) as copy:
        if source is not None:
            (copy / CLIENT).write_text(source, "utf-8")
        outcomes = copy / "outcomes.json"
        plugins = (
            f"-p{name}" for name in PLUGINS
        )  # -vv: messages are whole, so that secrets in them are found
        options = ["-vv", *plugins, *(["-x"] if stop else []), OPTION, str(outcomes)]
        done = run_module("pytest", *options, folder=copy, seconds=SECONDS)
        try:
            found = json.loads(outcomes.read_text("utf-8"))
        except (ValueError, OSError):
            return SuiteRun(ended=done.words)
    return SuiteRun(tuple(found["run"]), found["failed"], found["slept"])

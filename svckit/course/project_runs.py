"""Running a project in processes of their own, each in a copy of its folder."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from svckit.course.catalogue import PROJECT
from svckit.course.project_plugin import OPTION
from svckit.display.masking import mask

__all__ = ["CLIENT", "SECONDS", "SuiteRun", "run_client", "run_tests"]

CLIENT = "hr_sync.py"
SECONDS = 120
"""The time limit for each process."""
PLUGINS = ("fakes.pytest_plugin", "svckit.pytest_plugin", "svckit.course.project_plugin", "no:cacheprovider")

ENVIRONMENT = {
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # twice as fast
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUTF8": "1",
}


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
    task = json.dumps({"seed": seed, "earlier": earlier})
    with copy_project(folder) as copy:
        done = _run(copy, "svckit.course.project_process", input=task)
    try:
        result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        goals = [[goal.words, False] for goal in PROJECT.load().goals]
        hint = "What does your client wait for, or what ends the process?"
        return {
            "goals": goals,
            "happened": _describe_end(done),
            "hint": hint,
            "mistake": "stopped",
            "sent": 0,
        }
    return result


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
        done = _run(copy, "pytest", "-vv", *plugins, *(["-x"] if stop else []), OPTION, str(outcomes))
        try:
            found = json.loads(outcomes.read_text("utf-8"))
        except (ValueError, OSError):
            return SuiteRun(ended=_describe_end(done))
    return SuiteRun(tuple(found["run"]), found["failed"], found["slept"])


def _run(folder: Path, module: str, *arguments: str, input: str = "") -> subprocess.CompletedProcess[str]:  # noqa: A002
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment = {**plain, **ENVIRONMENT}
    command = [sys.executable, "-m", module, *arguments]
    try:
        return subprocess.run(  # noqa: S603 - this Python
            command, cwd=folder, env=environment, input=input, capture_output=True, encoding="utf-8", errors="replace",
            timeout=SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", f"It was stopped after {SECONDS} seconds.")


def _describe_end(done: subprocess.CompletedProcess[str]) -> str:
    """Return the last line of what a process printed, masked."""
    lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
    last = lines[-1] if lines else "It printed nothing."
    return mask(last if done.returncode == -1 else f"The process ended without a result. {last}")

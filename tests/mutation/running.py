"""Mutants, one after the other, in a copy of the source, and the tests that look at them there."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from .measuring import TABLE
from .mutants import ROOT, Mutant

FIRST = 6  # files with tests that are tried first
LIMITS = (120, 400)  # seconds of computing for the first files, and for the others
BUSY = 30  # how many times as long they may take, as other processes compute as well
WAITING = 600  # seconds for a test, which may wait for ever
SLOW = ("benchmarks", "browser", "mutation")
FLAKY = 3  # tests of one mutant that may fail without it too
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "node_modules")
PLUGINS = ("-p", "no:nbval", "-p", "no:cacheprovider", "-p", "tests.mutation.computing")
OPTIONS = ("-x", "-q", "--tb=no", "-rfE", *PLUGINS, f"--timeout={WAITING}")
FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


class Tree:
    """A copy of the source and the tests, of which one file at a time is changed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._table: dict[str, list[str]] = json.loads(TABLE.read_text("utf-8"))
        self._times = count(1_000_000_000)  # so that no compiled file is taken for that of another change

    @classmethod
    @contextmanager
    def copied(cls) -> Iterator[Self]:
        """Copy the source and the tests, until the block is left."""
        with TemporaryDirectory(prefix="svckit-mutants-") as folder:
            root = Path(folder) / "tree"
            shutil.copytree(ROOT, root, ignore=LEFT_OUT)
            yield cls(root)

    def caught_by(self, mutant: Mutant, limits: tuple[int, int] = LIMITS) -> str:
        """The test that fails under a mutant, and not without it; empty where there is none."""
        tests = self._tests(mutant)
        flaky: list[str] = []
        for some, limit in zip((tests[:FIRST], tests[FIRST:]), limits, strict=True):
            while some and len(flaky) < FLAKY:
                _, failed = self._under(mutant, some, limit, flaky)
                if not failed:
                    break
                code, _ = self._run([failed], limit, ())
                if code != 1:
                    return failed
                flaky.append(failed)  # such as one that compares times, on a busy machine
        return ""

    def _tests(self, mutant: Mutant) -> list[str]:
        """Return the files with tests of a mutant, the likeliest first.

        What runs when a module is imported is measured for none of them, so those that name what is changed look too.
        """
        measured = self._table.get(mutant.path, [])
        named = naming(mutant.code.partition("  #")[0], mutant.path.replace("_", " "))
        tests = [mutant.path, *measured[:FIRST], *named[: 2 * FIRST], *measured]
        return [test for test in dict.fromkeys(tests) if (ROOT / test).exists()]

    def _under(
        self, mutant: Mutant, tests: Sequence[str], limit: int, flaky: Sequence[str]
    ) -> tuple[int, str]:
        path = self._root / mutant.path
        whole = path.read_text("utf-8")
        self._write(path, mutant.source)
        try:
            return self._run(tests, limit, flaky)
        finally:
            self._write(path, whole)

    def _write(self, path: Path, text: str) -> None:
        path.write_text(text, "utf-8")
        time = next(self._times)
        os.utime(path, (time, time))

    def _run(self, tests: Sequence[str], limit: int, flaky: Sequence[str]) -> tuple[int, str]:
        """Run tests up to the first that fails; the exit code, and that test, if one does within the time.

        The time is what the tests' process computes, so that what else runs on the machine does not decide.
        """
        import resource  # which Windows lacks

        command = [
            sys.executable,
            "-m",
            "pytest",
            *OPTIONS,
            *(f"--deselect={test}" for test in flaky),
            *tests,
        ]
        environment = {
            **os.environ,
            "PYTHONPATH": str(self._root),
            "COLUMNS": "1000",
            "HYPOTHESIS_PROFILE": "unshrunk",
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        output = self._root.parent / "output"
        with output.open("wb") as file:
            running = subprocess.Popen(
                command,
                cwd=self._root,
                env=environment,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=partial(resource.setrlimit, resource.RLIMIT_CPU, (limit, limit)),  # noqa: PLW1509 - no threads
            )
            with suppress(subprocess.TimeoutExpired):
                running.wait(BUSY * limit)
            with suppress(ProcessLookupError):  # also what a process started that was killed at its limit
                os.killpg(running.pid, signal.SIGKILL)
            code = running.wait()
        if code in (0, 5, -signal.SIGKILL):  # all pass, there are none, or they ran out of time
            return code, ""
        found = FAILED.search(output.read_text("utf-8", "replace"))
        return code, found[1] if found else tests[0]


def naming(*texts: str) -> list[str]:
    """Return the test files in which words of some texts stand; rare words count for more than frequent ones."""
    words = {word.lower().replace("-", "_") for text in texts for word in re.findall(r"[\w-]{4,}", text)}
    scores: Counter[str] = Counter()
    for word in words:
        found = [path for path, text in _test_files().items() if word in text]
        scores.update(dict.fromkeys(found, 1 / max(len(found), 1)))
    return sorted(scores, key=lambda path: (-scores[path], path))


@cache
def _test_files() -> dict[str, str]:
    return {
        path.relative_to(ROOT).as_posix(): f"{path.stem} {path.read_text('utf-8').lower().replace('-', '_')}"
        for path in sorted(ROOT.glob("tests/**/test_*.py"))
        if path.parent.name not in SLOW
    }

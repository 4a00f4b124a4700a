"""Running the tests of a project with one client after another, in the process of a learner's code.

Starting Python takes longer than the tests of a client do, so one process runs them with one client after another.
"""

import sys
import threading
import time
from pathlib import Path
from typing import Any, SupportsIndex

import pytest

import svckit.fakes_plugin
import svckit.pytest_plugin
from svckit.course.project_clients import CLIENT
from svckit.display.masking import mask

__all__ = ["run_suite"]

LINES, WIDTH = 12, 160
"""How much of pytest's explanation of a failure is kept."""

wait = time.sleep


class Recorder:
    """A plugin of pytest that notes the outcomes of tests, and their sleeps instead of sleeping."""

    def __init__(self) -> None:
        self.run: list[str] = []
        self.failed: dict[str, list[str]] = {}
        self.slept: dict[str, float] = {}

    def sleep(self, seconds: SupportsIndex | float, /) -> None:
        """Note a sleep; threads of servers really wait."""
        if threading.current_thread() is not threading.main_thread():
            wait(seconds)
        elif seconds:
            test = self.run[-1] if self.run else ""
            self.slept[test] = self.slept.get(test, 0) + float(seconds)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note which test begins."""
        self.run.append(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        """Note why a test failed, in pytest's words."""
        if report.failed:
            self.failed.setdefault(report.nodeid, explain(report.longreprtext))

    pytest_collectreport = pytest_runtest_logreport


def explain(text: str) -> list[str]:
    """Return the lines of a report that say what failed: those that pytest marks with E, masked."""
    lines = mask(text).splitlines()
    marked = [line.removeprefix("E").strip("\n") for line in lines if line.startswith("E  ")] or lines[-1:]
    indent = min((len(line) - len(line.lstrip()) for line in marked if line.strip()), default=0)
    shown = [line[indent:][:WIDTH] for line in marked if line.strip()]
    return [*shown[:LINES], *(["…"] if len(shown) > LINES else [])]


def run_suite(client: str, *options: str) -> dict[str, Any]:
    """Run the tests in the current folder, perhaps with another client, and return what became of each."""
    if client:
        Path(CLIENT).write_text(client, "utf-8")
    folder = str(Path.cwd())
    for name, module in list(sys.modules.items()):  # those of the suite before
        if str(getattr(module, "__file__", None)).startswith(folder):
            del sys.modules[name]
    recorder = Recorder()
    time.sleep = recorder.sleep
    try:  # -vv: messages are whole, so that secrets in them are found
        pytest.main(
            ["-vv", "-pno:cacheprovider", *options],
            plugins=[svckit.fakes_plugin, svckit.pytest_plugin, recorder],
        )
    finally:
        time.sleep = wait
    return vars(recorder)

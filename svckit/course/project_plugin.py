"""A pytest plugin for the tests of a project: without a network and without waiting, and with the outcomes in a file.

It is loaded with ``-p svckit.course.project_plugin``, before the tests, so that they import what it replaces.
"""

import json
import threading
import time
from pathlib import Path
from typing import Any, SupportsIndex

import pytest

from svckit.course.isolation import confine
from svckit.display.masking import mask

__all__ = ["OPTION", "pytest_addoption", "pytest_configure"]

OPTION = "--svckit-outcomes"
LONGEST = 160
"""The longest message of a failed test, in characters."""


class Recorder:
    """The outcomes of a run, and how long each test slept."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.test = ""
        self.failed: dict[str, str] = {}
        self.slept: dict[str, float] = {}
        self.run: set[str] = set()

    def sleep(self, seconds: SupportsIndex | float, /) -> None:
        """Note a sleep instead of waiting; threads of servers really wait."""
        if threading.current_thread() is threading.main_thread():
            self.slept[self.test] = self.slept.get(self.test, 0) + float(seconds)
        else:
            wait(seconds)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note which test begins."""
        self.test = nodeid
        self.run.add(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure."""
        if report.failed:
            self.failed.setdefault(report.nodeid, describe(report.longrepr))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that cannot be imported."""
        if report.failed:
            self.failed.setdefault(report.nodeid, describe(report.longrepr))

    def pytest_sessionfinish(self) -> None:
        """Write the outcomes."""
        slept = {test: seconds for test, seconds in self.slept.items() if seconds}
        found = {"run": sorted(self.run), "failed": self.failed, "slept": slept}
        self.path.write_text(json.dumps(found), "utf-8")


wait = time.sleep


def describe(failure: Any) -> str:
    """Return the message of a failure: the last line that pytest marks as an error, masked."""
    crash = getattr(failure, "reprcrash", None)
    lines = [line for line in str(crash.message if crash else failure).splitlines() if line.strip()]
    if crash is None:
        lines = [line.removeprefix("E").strip() for line in lines if line.startswith("E  ")][-1:] or lines
    return mask(lines[0])[:LONGEST] if lines else ""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the file of the outcomes."""
    parser.addoption(OPTION, type=Path, help="the file to write the outcomes to")


def pytest_configure(config: pytest.Config) -> None:
    """Confine the process, and note sleeps and outcomes from now on."""
    recorder = Recorder(config.getoption(OPTION))
    confine()
    time.sleep = recorder.sleep
    config.pluginmanager.register(recorder)

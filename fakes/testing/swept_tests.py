"""Swept tests: run a marked test, then repeat it under each alternative of the assumptions that it relied on.

pytest fixes parameters before any test has run, when the relevant assumptions are not known yet. So a marked test is
collected once and run several times, each time from setup to teardown, with a new fake and new function-scoped
fixtures. Wider fixtures stay, as between two tests of a module. Plugins that retry tests work the same way.

Each alternative has its own reports, which name it. They keep the test's node ID, since pytest-xdist accepts only
reports of tests that it has scheduled.
"""

import inspect
from collections import deque
from collections.abc import Generator, Mapping
from typing import Any

import pytest
from _pytest.runner import call_and_report

from fakes.engine.alternatives import alternatives, vary
from fakes.rulebook.rule import RULEBOOK
from fakes.service import FakeService
from svckit.fakes_plugin import LABEL, PASSED

__all__ = ["run_swept"]


def run_swept(test: pytest.Function, next_item: pytest.Item | None, rule_ids: tuple[str, ...]) -> None:
    """Run a test as it is, then under the alternatives of the assumptions it relied on, or of the named rules.

    Alternatives are tried only if the test passes as it is, and one at a time: `fakes.sweep` explains why.
    """
    session = test.session
    properties = list(test.user_properties)
    waiting: deque[tuple[str, str] | None] = deque([None])
    test.ihook.pytest_runtest_logstart(nodeid=test.nodeid, location=test.location)
    while waiting:
        tried = waiting.popleft()
        test.user_properties[:] = properties
        test._report_sections.clear()  # the output of the previous run
        run = Run({} if tried is None else {tried[0]: tried[1]})
        test.config.pluginmanager.register(run)
        try:
            if not test._request:
                _renew(test)
            report = _report(test, "setup", tried)
            if report.passed:
                report = _report(test, "call", tried)
            if tried is None and report.when == "call" and report.passed and not hasattr(report, "wasxfail"):
                waiting.extend(alternatives(run.fakes, *rule_ids))
            if session.shouldfail or session.shouldstop:
                waiting, next_item = deque(), None  # as pytest does itself
            _report(test, "teardown", tried, nextitem=test.parent if waiting else next_item)
        finally:
            test.config.pluginmanager.unregister(run)
            test._request, test.funcargs = False, None  # type: ignore[assignment] # as pytest leaves them
    test.ihook.pytest_runtest_logfinish(nodeid=test.nodeid, location=test.location)


class Run:
    """A plugin for one run of a test, which sets the alternative of its fake."""

    def __init__(self, assumed: Mapping[str, str]) -> None:
        self.assumed = assumed
        self.fakes: list[FakeService] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        """Set the alternative of the test's fake, whoever created it, before its first use."""
        value = yield
        if fixturedef.argname == "fake_service" and isinstance(value, FakeService):
            vary(value, self.assumed)
            self.fakes.append(value)
        return value


def _renew(test: pytest.Function) -> None:
    """Give a test that has run a new fixture request and, for a method, a new instance."""
    test._initrequest()
    if inspect.ismethod(test.obj):
        test._instance = test._getinstance()  # type: ignore[no-untyped-call]
        test.obj = getattr(test._instance, test.originalname)


def _report(
    test: pytest.Function, phase: Any, tried: tuple[str, str] | None, **options: Any
) -> pytest.TestReport:
    """Run one phase of a test, and report it under the name of the alternative."""
    report = call_and_report(test, phase, log=False, **options)
    if tried is not None:
        _label(report, *tried)
    test.ihook.pytest_runtest_logreport(report=report)
    return report


def _label(report: pytest.TestReport, rule_id: str, alternative: str) -> None:
    label = f"{rule_id}={alternative}"
    path, line, domain = report.location
    report.location = (path, line, f"{domain}[{label}]")
    report.user_properties.append((LABEL, label))
    if report.failed:
        rule = RULEBOOK[rule_id]
        lines = [
            f"The test passes with the fake as it is, but not under this alternative of an assumption: {rule.text}",
            f"To run it under this alternative only: @pytest.mark.fake(assume={{{rule_id!r}: {alternative!r}}})",
        ]
        report.sections.append((f"assumption {label}", "\n".join(lines)))
    elif report.passed and report.when == "call":
        report.when = PASSED  # type: ignore[assignment]

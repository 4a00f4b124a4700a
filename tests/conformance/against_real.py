"""A run against a real service: its safe cases only, the verdicts they lead to, and the shapes of what was answered."""

from collections import Counter
from pathlib import Path

import httpx
import pytest

from .coverage import case_name
from .description import ASSUMPTIONS
from .shapes import Recording

HERE = Path(__file__).parent
NAME = "svckit-against-real"
HELD, BROKEN, UNTRIED = "held", "broken", "could not be tried"


class AgainstReal:
    """A pytest plugin for the run; a refuted assumption is a finding and fails nothing, a broken document does."""

    def __init__(self, path):
        self.secrets = set()
        self.recording = None
        self._path = Path(path)
        self._cases = {}
        self._resting = Counter()  # how many cases the suite has for each assumption

    def begin(self, facts):
        """The addresses are known."""
        self.recording = Recording(facts)

    def masked(self, text):
        """A text without the secrets of the run."""
        for secret in sorted(self.secrets, key=len, reverse=True):
            text = text.replace(secret, "***")
        return text

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        ours = [item for item in items if HERE in item.path.parents]
        for item in ours:
            self._resting.update(cited(item, "assumed"))
        unsafe = {item for item in ours if item.get_closest_marker("safe") is None}
        config.hook.pytest_deselected(items=[item for item in ours if item in unsafe])
        items[:] = [item for item in items if item not in unsafe]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        if HERE not in item.path.parents or report.when == "teardown" or report.skipped:
            return report
        if report.when == "setup" and report.passed:
            return report
        assumptions, sections = cited(item, "assumed"), cited(item, "section")
        verdict, words = HELD, ""
        if report.failed:
            unreachable = call.excinfo.errisinstance(httpx.TransportError)
            verdict = UNTRIED if unreachable or report.when == "setup" else BROKEN
            words = self.masked(" ".join(f"{call.excinfo.typename}: {call.excinfo.value}".split())[:300])
            report.longrepr = words  # what a traceback shows of a real service is not for logs
            report.sections.clear()
        if verdict == BROKEN and assumptions:
            report.outcome, report.wasxfail = "skipped", "an assumption that the service does not share"
        self._cases[case_name(item, "real")] = (verdict, sections, assumptions, words)
        return report

    def pytest_sessionfinish(self):
        if self.recording is not None:
            self._path.write_text(self.recording.as_text(), encoding="utf-8")

    def pytest_terminal_summary(self, terminalreporter):
        terminalreporter.section("the service beside its description")
        for line in self.lines():
            terminalreporter.write_line(line)
        if self.recording is not None:
            terminalreporter.write_line(f"Shapes of the answers, without values: {self._path}")

    def lines(self):
        """The report."""
        documented = {name: case for name, case in self._cases.items() if not case[2]}
        for verdict in (HELD, BROKEN, UNTRIED):
            for name, (found, sections, _, words) in documented.items():
                if found == verdict:
                    yield f"documented, {verdict}: {name} ({'; '.join(sections)}){': ' * bool(words)}{words}"
        for key, text in ASSUMPTIONS.items():
            yield f"assumed, {self._standing(key)}: {key}: {text}"

    def _standing(self, key):
        """What the cases that rest on an assumption say of it."""
        cases = {name: case for name, case in self._cases.items() if key in case[2]}
        broken = [name for name, case in cases.items() if case[0] == BROKEN]
        alone = [name for name in broken if set(cases[name][2]) == {key}]
        if alone:
            return f"refuted by {', '.join(f'{name} ({cases[name][3]})' for name in alone)}"
        if broken:
            return f"in doubt, it or what else {', '.join(broken)} rests on"
        held = sum(case[0] == HELD for case in cases.values())
        return f"confirmed by {held} of its {self._resting[key]} cases" if held else "not tried"


def cited(item, mark):
    """What a case cites by a mark, each once."""
    return list(dict.fromkeys(key for each in item.iter_markers(mark) for key in each.args))

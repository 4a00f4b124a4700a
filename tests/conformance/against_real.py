"""A run against a real service: its safe cases, and those that write if that is asked for, what they
say of each rule, and the shapes of what was answered.
"""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from svckit.profiles.keys import RENEW_ON_403

from .accepting import Accepting
from .coverage import case_name, cited
from .findings import BROKEN, HELD, NOT_TOLD, NOT_TRIED, UNTRIED, Findings, Tried, cases_of, cut
from .measuring import measure
from .shapes import Recording
from .symptom import Symptom

HERE = Path(__file__).parent
NAME = "svckit-against-real"


class AgainstReal:
    """A pytest plugin for the run; a refuted assumption is a finding and fails nothing, a broken document does."""

    def __init__(self, path, may_write=None):
        self.secrets = set()
        self.recording = self.accepting = None
        self.may_write = may_write
        self.left = []  # what could not be put back, in sentences
        self.sent = []  # what the case that runs has sent
        self._path = Path(path)
        self._measured = self._path.with_name("assumptions.toml")
        self._findings = Findings()

    def begin(self, facts):
        """The addresses are known."""
        self.recording = Recording(facts)
        self.accepting = Accepting(self.recording)

    @property
    def findings(self):
        """What the run says of each rule."""
        return self._findings.all()

    def masked(self, text):
        """A text without the secrets of the run."""
        for secret in sorted(self.secrets, key=len, reverse=True):
            text = text.replace(secret, "***")
        return text

    @pytest.hookimpl(tryfirst=True)  # before -k and the like leave cases out
    def pytest_collection_modifyitems(self, config, items):
        ours = [item for item in items if HERE in item.path.parents]
        for item in ours:
            self._findings.expect(tried(item, NOT_TRIED))
        left_out = {item for item in ours if not self._may_run(item)}
        config.hook.pytest_deselected(items=[item for item in ours if item in left_out])
        items[:] = [item for item in items if item not in left_out]

    def _may_run(self, item):
        """Whether a case changes nothing whatever the service does, or may change only what was named for it."""
        kinds = cited(item, "writes")
        if kinds:
            return self.may_write is not None and all(map(self.may_write.allows, kinds))
        return item.get_closest_marker("safe") is not None

    def pytest_collection_finish(self, session):
        """Say what will be written, before anybody is asked to sign in."""
        if self.may_write is not None:
            written = Counter(kind for item in session.items for kind in cited(item, "writes"))
            terminal = session.config.pluginmanager.get_plugin("terminalreporter")
            for line in self.may_write.announcement(written):
                terminal.write_line(line)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        if report.when == "teardown":
            self.sent.clear()
        if HERE not in item.path.parents or report.when == "teardown" or report.skipped:
            return report
        if report.when == "setup" and report.passed:
            return report
        case = self.note(item, call.excinfo if report.failed else None, is_set_up=report.when != "setup")
        if report.failed:
            report.longrepr = case.words  # what a traceback shows of a real service is not for logs
            report.sections.clear()
        if case.verdict == BROKEN and case.assumptions:
            report.outcome, report.wasxfail = "skipped", "an assumption that the service does not share"
        return report

    def note(self, item, excinfo, *, is_set_up):
        """Add a case to the findings: what failed it, if anything, and whether that was in the case itself."""
        verdict, words, symptom = HELD, "", None
        sent = tuple(self.recording.operations(self.sent)) if self.recording is not None else ()
        if excinfo is not None:
            unreachable = excinfo.errisinstance(httpx.TransportError)
            verdict = BROKEN if is_set_up and not unreachable else UNTRIED
            words = self.masked(" ".join(f"{excinfo.typename}: {excinfo.value}".split())[:300])
            symptom = Symptom.of(excinfo)
        case = tried(item, verdict, words=words, symptom=symptom, sent=sent)
        self._findings.add(case)
        return case

    def pytest_sessionfinish(self, session):
        if session.exitstatus == pytest.ExitCode.OK and any(
            each.standing == "broken" for each in self.findings
        ):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if self.recording is not None and self._findings.any():
            rules = [record for found in self.findings for record in found.records()]
            self._path.write_text(self.recording.as_text(rules), encoding="utf-8")
            accepted, today = self.accepting.deviations(), datetime.now(UTC).date()
            measured = measure(self.findings, accepted, self.recording.requests, today)
            self._measured.write_text(measured.to_toml(), encoding="utf-8")

    def pytest_terminal_summary(self, terminalreporter, config):
        for line in self.left:
            terminalreporter.write_line(self.masked(line), red=True)
        if not self._findings.any():  # what is printed last says why
            return
        found = self.findings
        against = [each for each in found if each.broken]
        terminalreporter.section("the service beside its description")
        for line in (*self.lines(against), *self.totals(found)):
            terminalreporter.write_line(line)
        if self.recording is not None:
            terminalreporter.write_line(f"What was measured, for fakes that do the same: {self._measured}")
            terminalreporter.write_line(f"Shapes of the answers, without values, and the rules: {self._path}")
        if config.get_verbosity() <= 0:
            return
        terminalreporter.section("the other rules")
        undecided = (NOT_TRIED, NOT_TOLD)
        for each in sorted(
            (each for each in found if not each.broken), key=lambda each: each.standing in undecided
        ):
            for line in each.lines():
                terminalreporter.write_line(line)

    def lines(self, against):
        """What is otherwise than described or assumed: the broken rules first; then what could not be found out."""
        for each in sorted(against, key=lambda each: each.standing != "broken"):
            yield from each.lines()
        if any("api.unauthorized" in each.rules and each.like == ("403",) for each in against):
            yield f"{RENEW_ON_403}."
        for sentence in () if self.accepting is None else self.accepting.found:
            yield f"{sentence} (accepted)"
        for operation, statuses in self._findings.refused().items():
            answered = ", ".join(map(str, sorted(statuses)))
            yield f"{operation} was never taken, but answered {answered}: what rests on it is not told."
        for words, count in Counter(case.words for case in self._findings.untried()).items():
            yield cut(f"{UNTRIED}: {cases_of(count)} ({words})")

    def totals(self, found):
        """How many rules the run tells of."""
        for provenance, words in (("documented", "documented rules"), ("assumed", "assumptions")):
            of_it = [each for each in found if each.provenance == provenance for _ in each.rules]
            count = sum(each.standing not in (NOT_TRIED, NOT_TOLD) for each in of_it)
            yield f"Of {len(of_it)} {words}, the run tells of {count}."


def tried(item, verdict, **more):
    """A case with what it cites."""
    marked = {"assumptions": tuple(cited(item, "assumed")), "documented": tuple(cited(item, "documented"))}
    return Tried(case_name(item, "real"), verdict, **marked, **more)

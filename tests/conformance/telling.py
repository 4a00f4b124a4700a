"""Which cases of a real run tell the alternatives of an assumption apart: those that fail in a fake with another one.

    python3 binder/run.py python -m tests.conformance.telling         prints the table for `told_apart`
    python3 binder/run.py python -m tests.conformance.telling FILE    looks only whether a table, as JSON, still holds

A case that holds in every alternative says nothing of the assumption, though it may rest on it.
"""

import contextlib
import json
import sys
from pathlib import Path

import pytest

import fakes.rulebook  # noqa: F401 - declares the rules
from fakes.rules import RULEBOOK

from . import in_process
from .coverage import case_name, cited
from .rule_ids import ids_of

HERE = Path(__file__).parent
KIND = "in-process"


class Telling:
    """A pytest plugin that runs cases under each alternative of what they assume, and notes which fail."""

    def __init__(self, table=None):
        self.found = {}
        self._table = table
        self._failed = False
        self._make = in_process.FakeService

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if is_told(item)]

    def pytest_runtestloop(self, session):
        rules = {
            item: [rule_id for key in cited(item, "assumed") for rule_id in ids_of(key)]
            for item in session.items
        }
        for rule in RULEBOOK.values():
            for alternative in rule.alternatives[1:]:
                resting = [item for item in session.items if rule.id in rules[item]]
                told = self._told(rule.id, alternative, resting)
                if told:
                    self.found.setdefault(rule.id, {})[alternative] = told
        return True

    def _told(self, rule_id, alternative, items):
        """The functions of which a case fails under an alternative; each is left at its first that does."""
        looked_for = None if self._table is None else self._table.get(rule_id, {}).get(alternative, ())
        told = []
        for item in items:
            function = case_name(item, KIND).partition("[")[0]
            asked = function not in told and (looked_for is None or function in looked_for)
            if asked and self._fails(item, {rule_id: alternative}):
                told.append(function)
        return told

    def _fails(self, item, assume):
        in_process.FakeService = Assuming(self._make, assume)
        self._failed = False
        try:
            item._initrequest()  # as it is run again and again
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        finally:
            in_process.FakeService = self._make
        return self._failed

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self):
        report = yield
        self._failed |= report.failed
        report.outcome, report.longrepr = "passed", None
        return report


class Assuming:
    """Makes fakes that assume otherwise."""

    def __init__(self, make, assume):
        self._make = make
        self._assume = assume

    def sample(self, **options):
        return self._make.sample(**options, assume=self._assume)


def is_told(item):
    """Whether a real run has this case, and it assumes something."""
    real = item.get_closest_marker("safe") or item.get_closest_marker("writes")
    callspec = getattr(item, "callspec", None)
    return bool(real and callspec and callspec.params.get("target") == KIND and cited(item, "assumed"))


def main(*table):
    """Print what was found, as JSON."""
    plugin = Telling(*(json.loads(Path(each).read_text(encoding="utf-8")) for each in table))
    options = ["-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    with contextlib.redirect_stdout(sys.stderr):
        code = pytest.main([*options, str(HERE)], plugins=[plugin])
    print(json.dumps(plugin.found, indent=1))
    return code


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))

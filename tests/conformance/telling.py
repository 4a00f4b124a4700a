"""Which cases of a real run tell the alternatives of an assumption apart: those that fail in a fake with another one.

    python3 binder/run.py python -m tests.conformance.telling            writes the table that `told_apart` reads
    python3 binder/run.py python -m tests.conformance.telling --check    looks only whether it still holds

A case that holds in every alternative says nothing of the assumption, though it may rest on it.
"""

import argparse
import sys
from pathlib import Path

import pytest

import fakes.rulebook  # noqa: F401 - declares the rules
from fakes.rulebook.rule import RULEBOOK

from .coverage import ALONE, case_name, cited
from .remote import InProcess
from .rule_ids import rule_of
from .symptom import Symptom
from .told_apart import TABLE, TOLD_APART, written

HERE = Path(__file__).parent
KIND = "in-process"


class Telling:
    """A pytest plugin that runs cases under each alternative of what they assume, and notes which fail."""

    def __init__(self, table=None):
        self.found = {}
        self._table = table
        self._symptom = None

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if is_told(item)]

    def pytest_runtestloop(self, session):
        InProcess.is_fake = False  # held to what a service is held to
        rules = {item: [*map(rule_of, cited(item, "assumed"))] for item in session.items}
        for rule in RULEBOOK.values():
            for alternative in rule.alternatives[1:]:
                resting = [item for item in session.items if rule.id in rules[item]]
                told = self._told(rule.id, alternative, resting)
                if told:
                    self.found.setdefault(rule.id, {})[alternative] = told
        return True

    def _told(self, rule_id, alternative, items):
        """The cases that fail under an alternative, and how; only those that are in the table, if there is one."""
        told = {}
        for item in items:
            name = case_name(item, KIND)
            if self._table is None or name in self._table.get(rule_id, {}).get(alternative, ()):
                symptom = self._symptom_of(item, {rule_id: alternative})
                if symptom is not None:
                    told[name] = symptom
        return told

    def _symptom_of(self, item, assume):
        """How a case fails in a fake that assumes otherwise; None where it holds."""
        InProcess.assume = assume
        self._symptom = None
        item._initrequest()  # as it is run again and again
        # One of another module comes next, as far as pytest knows: what all modules share is then kept.
        other = next(each for each in item.session.items if each.parent is not item.parent)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=other)
        return self._symptom

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, call):
        report = yield
        if report.failed:
            self._symptom = Symptom.of(call.excinfo)
        report.outcome, report.longrepr = "passed", None
        return report


def is_told(item):
    """Whether a real run has this case, and it assumes something."""
    real = item.get_closest_marker("safe") or item.get_closest_marker("writes")
    callspec = getattr(item, "callspec", None)
    return bool(real and callspec and callspec.params.get("target") == KIND and cited(item, "assumed"))


def main(*arguments):
    """Write what was found, or say whether it is what was written; the exit code is 1 where it is not."""
    parser = argparse.ArgumentParser(
        description="Find which cases tell the alternatives of an assumption apart."
    )
    parser.add_argument("--check", action="store_true", help=f"only look whether {TABLE.name} still holds")
    checks = parser.parse_args(arguments).check
    plugin = Telling(TOLD_APART if checks else None)
    options = [*ALONE, "-q", "--tb=no", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    code = pytest.main([*options, str(HERE)], plugins=[plugin])
    if code == 0 and checks and plugin.found != TOLD_APART:
        print(f"{TABLE.name} does not hold any more; without --check it is rewritten")
        return 1
    if code == 0 and not checks:
        TABLE.write_text(written(plugin.found), encoding="utf-8")
    return code


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))

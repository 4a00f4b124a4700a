"""The tables of rule IDs, held to the rulebook; `test_coverage` holds them to the cases."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import fakes.rulebook  # noqa: F401 - declares the rules
from fakes.rules import RULEBOOK

from .description import ASSUMPTIONS
from .findings import BROKEN, HELD, Findings, Tried
from .rule_ids import ASSUMED, DOCUMENTED, OF_THE_SAMPLE, READINGS
from .told_apart import TOLD_APART

ROOT = Path(__file__).parents[2]


def ids(provenance):
    return {rule.id for rule in RULEBOOK.values() if rule.provenance == provenance}


def test_every_assumption_of_the_suite_has_its_rules():
    assert sorted([*ASSUMED, *READINGS, *OF_THE_SAMPLE]) == sorted(ASSUMPTIONS)
    assert {rule_id for found in ASSUMED.values() for rule_id in found} <= ids("assumed")
    assert set(READINGS.values()) <= ids("documented")


def test_every_documented_rule_has_its_cases():
    assert set(DOCUMENTED) == ids("documented")


REFRESHED = "test_tokens::test_refresh_answers_no_refresh_token"
AGAIN = "test_tokens::test_refresh_does_not_end_earlier_access_tokens"
REGISTERED = "test_statuses::test_registration_answers_200_and_the_status"
BEYOND = "test_directory_limits::test_length_above_the_limit[task]"


@pytest.mark.parametrize(
    ("cases", "rule_id", "standing", "others"),
    [
        ([], "token.refreshed", "not tried", ()),
        ([Tried(REFRESHED, HELD, ())], "token.refreshed", "held", ()),
        ([Tried(REFRESHED, HELD, ()), Tried(REFRESHED, BROKEN, ())], "token.refreshed", "broken", ()),
        ([Tried(BEYOND, BROKEN, ("limit errors",))], "user.limits", "in doubt", ("api.invalid",)),
        (
            [Tried(BEYOND, BROKEN, ("limit errors",)), Tried(BEYOND, HELD, ("limit errors",))],
            "user.limits",
            "held",
            (),
        ),
        ([Tried(BEYOND, BROKEN, ("limit errors",))], "api.invalid", "refuted", ()),
        ([Tried(BEYOND, HELD, ("limit errors",))], "api.invalid", "confirmed", ()),
        ([Tried(BEYOND, HELD, ("limit errors",))], "api.unauthorized", "not tried", ()),
        ([Tried(AGAIN, HELD, ("refresh again",))], "token.refresh-scope", "not tried", ()),
        ([Tried(REGISTERED, HELD, ("status names",))], "status.name", "confirmed in part", ()),
        (
            [Tried(BEYOND, BROKEN, ("limit errors", "telephone"))],
            "user.telephone",
            "in doubt",
            ("api.invalid",),
        ),
        (
            [Tried(AGAIN, BROKEN, ("refresh again",))],
            "token.earlier-access",
            "refuted",
            ("token.refresh-reuse", "token.refresh-scope"),
        ),
    ],
)
def test_what_cases_say_of_a_rule(cases, rule_id, standing, others):
    findings = Findings()
    for case in cases:
        findings.add(case)
    (found,) = (each for each in findings.all() if each.rule_id == rule_id and "read here" not in each.text)
    assert (found.standing, found.others) == (standing, others)
    assert f": {rule_id}: " in found.line()


def test_cases_tell_apart_what_the_table_says(tmp_path):
    table = tmp_path / "table.json"
    table.write_text(json.dumps(TOLD_APART), encoding="utf-8")
    command = [sys.executable, "-m", "tests.conformance.telling", str(table)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout) == json.loads(table.read_text(encoding="utf-8"))

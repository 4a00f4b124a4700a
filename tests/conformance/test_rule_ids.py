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
REFUSED = "test_tokens::test_refused_refresh_leaves_the_refresh_token_good"
AGAIN = "test_tokens::test_refresh_does_not_end_earlier_access_tokens"
REGISTERED = "test_statuses::test_registration_answers_200_and_the_status"
BEYOND = "test_directory_limits::test_length_above_the_limit[task]"
BEARER = "test_directory::test_authorization_header_is_required"
UPLOAD_BEARER = "test_files_upload_addresses::test_each_path_needs_the_bearer"
NO_SUCH = "test_cross_cutting::test_shape_of_a_resource_error"
PARENT = "test_files_drive::test_upload_into_a_folder"


def finding(cases, rule_id):
    """What cases say of a rule, which is no reading of a documented one."""
    findings = Findings()
    for case in cases:
        findings.add(case)
    (found,) = (each for each in findings.all() if rule_id in each.rules and "read here" not in each.text)
    return found


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
        ([Tried(BEARER, HELD, ("resource errors",))], "api.unauthorized", "confirmed", ()),
        ([Tried(BEARER, HELD, ("resource errors",))], "api.not-found", "not tried", ()),
        ([Tried(BEARER, HELD, ("resource errors",))], "api.content-type", "not tried", ()),
        ([Tried(AGAIN, HELD, ("refresh again",))], "token.refresh-scope", "not tried", ()),
        ([Tried(AGAIN, BROKEN, ("refresh again",))], "token.refresh-scope", "not tried", ()),
        ([Tried(AGAIN, BROKEN, ("refresh again",))], "token.earlier-access", "refuted", ()),
        ([Tried(REGISTERED, HELD, ("status names",))], "status.name", "confirmed in part", ()),
        ([Tried(BEYOND, BROKEN, ("limit errors", "telephone"))], "user.telephone", "not tried", ()),
        ([Tried(BEYOND, BROKEN, ("limit errors", "telephone"))], "api.invalid", "refuted", ()),
    ],
)
def test_what_cases_say_of_a_rule(cases, rule_id, standing, others):
    found = finding(cases, rule_id)
    assert (found.standing, found.others) == (standing, others)
    assert next(found.lines()).startswith(f"{rule_id}: ")


def test_only_the_rule_whose_alternative_explains_what_did_not_hold_is_refuted():
    broken = [Tried(each, BROKEN, ("resource errors",)) for each in (BEARER, UPLOAD_BEARER)]
    cases = [*broken, Tried(NO_SUCH, HELD, ("resource errors",))]
    found = finding(cases, "api.unauthorized")
    assert (found.rules, found.like, found.broken) == (("api.unauthorized",), ("403",), broken)
    assert next(found.lines()).startswith("api.unauthorized: assumed, refuted by 2 cases, as under 403: ")
    assert finding(cases, "api.error-body").standing == "confirmed"
    assert finding(cases, "api.invalid").standing == "not tried"


def test_where_it_cannot_be_told_which_of_some_rules_is_refuted_they_are_one_line():
    broken = [Tried(REFUSED, BROKEN, ("token errors",), "AssertionError: it is so")]
    found = finding(broken, "token.error-body")
    assert found.rules == ("token.error-body", "token.error-status")
    told = "one of these refuted by 1 case, as under code-description or always-401"
    assert list(found.lines()) == [
        f"token.error-body, token.error-status: assumed, {told}",
        f"    {REFUSED}: AssertionError: it is so",
    ]
    assert finding(broken, "token.content-type").standing == "not tried"
    assert [(each["id"], each["or"]) for each in found.records()] == [
        ("token.error-body", ["token.error-status"]),
        ("token.error-status", ["token.error-body"]),
    ]


def test_what_no_alternative_explains_is_put_down_to_all_that_the_case_rests_on():
    found = finding([Tried(PARENT, BROKEN, ("drive values",))], "drive.root")
    assert (found.rules, found.like) == (("drive.root", "drive.path", "drive.type", "drive.permission"), ())


def test_a_case_holds_only_where_all_of_its_kind_do_that_may_be_run():
    findings = Findings()
    for name in ("[nickName]", "[task]"):
        findings.expect(BEYOND.replace("[task]", name), ("limit errors",), may_run=True)
    findings.expect(BEYOND.replace("[task]", "[email]"), ("limit errors",), may_run=False)
    findings.add(Tried(BEYOND, HELD, ("limit errors",)))
    assert [each.standing for each in findings.all() if each.rules == ("api.invalid",)] == ["not tried"]
    findings.add(Tried(BEYOND.replace("[task]", "[nickName]"), HELD, ("limit errors",)))
    assert [each.standing for each in findings.all() if each.rules == ("api.invalid",)] == ["confirmed"]


def test_of_the_cases_against_a_rule_a_few_are_shown_and_those_cut_short():
    cases = [Tried(f"{BEYOND}{number}", BROKEN, ("limit errors",), "x" * 300) for number in range(12)]
    first, *shown, last = finding(cases, "api.invalid").lines()
    assert "refuted by 12 cases, as under 422: " in first
    assert [len(line) for line in shown] == [160, 160]
    assert last == "    and 10 more"


def test_cases_tell_apart_what_the_table_says(tmp_path):
    table = tmp_path / "table.json"
    table.write_text(json.dumps(TOLD_APART), encoding="utf-8")
    command = [sys.executable, "-m", "tests.conformance.telling", str(table)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout) == json.loads(table.read_text(encoding="utf-8"))

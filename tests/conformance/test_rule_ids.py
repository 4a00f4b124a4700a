"""What cases that were run say of each rule; each has cases, and they tell its alternatives apart."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from .cases import RESOURCE_ERRORS
from .findings import BROKEN, HELD, Findings, Tried
from .symptom import Symptom
from .told_apart import TOLD_APART

ROOT = Path(__file__).parents[2]


REFRESHED = "test_tokens::test_refresh_answers_no_refresh_token"
AGAIN = "test_tokens::test_refresh_does_not_end_earlier_access_tokens"
NAMED = "test_statuses::test_each_status_has_a_name_and_an_icon[profileStatusName-BUSY]"
UPDATED = "test_directory::test_update_answers_200_and_the_user"
BEYOND = "test_directory_limits::test_length_above_the_limit[location-Latin]"
TELEPHONE = "test_directory_limits::test_what_is_no_telephone_number[blank-telephone]"
WITHOUT_BEARER = "test_cross_cutting::test_call_without_a_valid_bearer_is_unauthorized"
BEARER = f"{WITHOUT_BEARER}[update a user-none]"
STATUS_BEARER = f"{WITHOUT_BEARER}[register a status-none]"
NO_SUCH = "test_cross_cutting::test_shape_of_a_resource_error[no such user]"
PARENT = "test_files_drive::test_upload_into_a_folder"
UPDATE = "PATCH /users/{userId}"
DOCUMENTED = {
    REFRESHED: ("token.refreshed",),
    UPDATED: ("user.partial",),
    BEYOND: ("user.limits",),
    TELEPHONE: ("user.limits",),
    BEARER: ("api.bearer",),
    STATUS_BEARER: ("api.bearer",),
}
ASSUMED = {
    AGAIN: ("token.earlier-access",),
    NAMED: ("status.name", "status.icon"),
    BEYOND: ("api.invalid",),
    TELEPHONE: ("user.telephone", *RESOURCE_ERRORS),
    BEARER: RESOURCE_ERRORS,
    STATUS_BEARER: RESOURCE_ERRORS,
    NO_SUCH: RESOURCE_ERRORS,
    PARENT: ("drive.root", "drive.path", "drive.type", "drive.permission"),
}


def tried(name, verdict, **more):
    """A case of the suite that was run."""
    return Tried(name, verdict, ASSUMED.get(name, ()), DOCUMENTED.get(name, ()), **more)


def held(name, **more):
    """A case that holds."""
    return tried(name, HELD, **more)


def broken(name, rule_id=None, alternative=None, **changes):
    """A case that fails as it does under an alternative, or not as under any."""
    symptom = TOLD_APART[rule_id][alternative][name] if rule_id else Symptom("assert it == other")
    return tried(name, BROKEN, words="AssertionError: it is so", symptom=replace(symptom, **changes))


def found_of(cases, rule_id):
    """What cases say of a rule, which is no reading of a documented one."""
    findings = Findings()
    for case in cases:
        findings.add(case)
    (found,) = (each for each in findings.all() if rule_id in each.rules and "read here" not in each.text)
    return found


BEYOND_422 = broken(BEYOND, "api.invalid", "422")


@pytest.mark.parametrize(
    ("cases", "rule_id", "standing", "others"),
    [
        ([], "token.refreshed", "not tried", ()),
        ([held(REFRESHED)], "token.refreshed", "held", ()),
        ([held(REFRESHED), broken(REFRESHED)], "token.refreshed", "broken", ()),
        ([BEYOND_422], "user.limits", "in doubt", ("api.invalid",)),
        ([BEYOND_422, held(BEYOND)], "user.limits", "held", ()),
        ([BEYOND_422], "api.invalid", "refuted", ()),
        ([held(BEYOND)], "api.invalid", "confirmed", ()),
        ([held(BEYOND)], "api.unauthorized", "not tried", ()),
        ([held(BEARER)], "api.unauthorized", "confirmed", ()),
        ([held(BEARER)], "api.not-found", "not tried", ()),
        ([held(BEARER)], "api.content-type", "not tried", ()),
        ([held(AGAIN)], "token.refresh-scope", "not tried", ()),
        ([broken(AGAIN, "token.earlier-access", "ended")], "token.earlier-access", "refuted", ()),
        ([held(NAMED)], "status.name", "confirmed in part", ()),
    ],
)
def test_what_cases_say_of_a_rule(cases, rule_id, standing, others):
    found = found_of(cases, rule_id)
    assert (found.standing, found.others) == (standing, others)
    assert next(found.lines()).startswith(f"{rule_id}: ")


def test_only_the_rule_that_explains_failures_is_refuted():
    refused = [broken(case, "api.unauthorized", "403") for case in (BEARER, STATUS_BEARER)]
    cases = [*refused, held(NO_SUCH)]
    found = found_of(cases, "api.unauthorized")
    assert (found.rules, found.like, found.broken) == (("api.unauthorized",), ("403",), refused)
    assert next(found.lines()).startswith("api.unauthorized: assumed, refuted by 2 cases, as under 403: ")
    assert found_of(cases, "api.error-body").standing == "confirmed"
    assert found_of(cases, "api.invalid").standing == "not tried"


@pytest.mark.parametrize(
    ("rule_id", "alternative"),
    [("api.invalid", "422"), ("api.error-body", "oauth2"), ("user.telephone", "prefix")],
)
def test_how_a_case_fails_tells_which_rule_it_is(rule_id, alternative):
    cases = [broken(TELEPHONE, rule_id, alternative)]
    assert found_of(cases, rule_id).standing == "refuted"
    for other in {"api.invalid", "api.error-body", "user.telephone"} - {rule_id}:
        found = found_of(cases, other)
        assert (found.standing, found.why) == ("not told", f"{rule_id} explains what does not hold")


def test_what_is_otherwise_in_several_things_is_told_together():
    cases = [
        broken(BEARER, "api.unauthorized", "403"),
        broken(NO_SUCH, "api.error-body", "oauth2"),
        broken(TELEPHONE, "user.telephone", "prefix"),
    ]
    assert [
        found_of(cases, each).standing for each in ("api.unauthorized", "api.error-body", "user.telephone")
    ] == ["refuted"] * 3


def test_another_status_refutes_but_fits_no_alternative():
    found = found_of([broken(BEYOND, "api.invalid", "422", status=409)], "api.invalid")
    assert (found.standing, found.like) == ("refuted", ())
    assert next(found.lines()).startswith("api.invalid: assumed, refuted by 1 case: ")


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_what_may_have_any_reason_tells_nothing(status):
    found = found_of([broken(BEYOND, "api.invalid", "422", status=status)], "api.invalid")
    assert found.standing == "not told"
    assert found.why == f"{BEYOND} was answered {status}, for which there may be any reason"
    assert next(found.lines()).startswith("api.invalid: assumed, not told, as test_directory_limits::")


def test_unsupported_operation_breaks_only_its_promise():
    sent = ((UPDATE, 403, False), (UPDATE, 403, True))
    cases = [
        replace(broken(UPDATED), sent=sent),
        replace(broken(BEYOND, "api.invalid", "422", status=403), sent=sent),
        held(BEARER, sent=sent[1:]),
    ]
    assert found_of(cases, "user.partial").standing == "broken"
    for rule_id in ("api.invalid", "api.unauthorized", "user.limits", "api.bearer"):
        found = found_of(cases, rule_id)
        assert (found.standing, found.why) == ("not told", f"{UPDATE} was never taken")
        assert {record["why"] for record in found.records()} == {found.why}
    taken = [*cases, held(UPDATED, sent=((UPDATE, 200, False),))]
    assert found_of(taken, "api.unauthorized").standing == "confirmed"


def test_an_operation_that_was_only_asked_to_refuse_may_still_tell():
    cases = [held(BEARER, sent=((UPDATE, 401, True),))]
    assert found_of(cases, "api.unauthorized").standing == "confirmed"


def test_unexplained_case_blames_all_its_rules():
    found = found_of([broken(PARENT)], "drive.root")
    rules = ("drive.root", "drive.path", "drive.type", "drive.permission")
    assert (found.rules, found.like, found.standing) == (rules, (), "one refuted")
    assert list(found.lines()) == [
        f"{', '.join(rules)}: assumed, one of these refuted by 1 case",
        f"    {PARENT}: AssertionError: it is so",
    ]
    assert next(record["or"] for record in found.records()) == list(rules[1:])


def test_cases_against_a_rule_are_abbreviated():
    names = [name for name in TOLD_APART["api.invalid"]["422"] if "null" in name or "length" in name][:12]
    assumed = {"assumptions": ("api.invalid",), "words": "x" * 300}
    cases = [replace(broken(name, "api.invalid", "422"), **assumed) for name in names]
    first, *shown, last = found_of(cases, "api.invalid").lines()
    assert "refuted by 12 cases, as under 422: " in first
    assert [len(line) for line in shown] == [160, 160]
    assert last == "    and 10 more"


def run(module, *arguments):
    """Run one of the suite's own programs, in a process that has a pytest of its own."""
    command = [sys.executable, "-m", f"tests.conformance.{module}", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)


def test_every_documented_rule_has_cases():
    """And no case is without a rule, and no endpoint without a case through every door."""
    done = run("coverage")
    missing = [line for line in done.stdout.splitlines() if line.startswith("NO ")]
    assert (done.returncode, missing) == (0, []), done.stderr


def test_cases_tell_apart_what_the_table_says():
    done = run("telling", "--check")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_services_that_are_otherwise_are_told_as_they_are():
    """Some of those that ``python -m tests.conformance.standing_in`` tries."""
    one = ("user.addressing=", "file.same-name=")
    area = ("users.update answered 403", "upload.* answered 403", "notifications.post answered 503")
    several = ("api.unauthorized and", "drive.type and")
    done = run("standing_in", *one, *area, *several)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("Of 8 services each was told as it is.")

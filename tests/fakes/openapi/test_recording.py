"""The recorded tables are what a new run records, and the document claims no more than that."""

import json

import pytest

from fakes.openapi.outcomes import OUTCOMES
from fakes.openapi.recorded import TABLE, name_family, read_rules
from fakes.parts.logs import LOGGED

from ..caller import make
from .recording import read, record, write
from .revising import format_outcomes, group_rules, list_described, revise
from .test_openapi import every_operation

NOT_SEEN = {
    ("auth.login", "auth.redirect-status")  # its default fits the description, so no response names it
} | {("storage.send", rule.id) for rule in LOGGED}
"""What the document claims without a call that shows it: a log may rest on what any earlier call rested on."""


@pytest.fixture(scope="module")
def recorded():
    return record()


@pytest.fixture(scope="module")
def stored_outcomes():
    return json.loads(OUTCOMES.read_text(encoding="utf-8"))


def test_the_table_is_what_a_new_run_records(recorded):
    """If it is not, record it again, as `recording.py` says, and look at what changed."""
    assert TABLE.read_text(encoding="utf-8") == write(recorded)


def test_the_outcomes_are_those_that_a_new_run_records(recorded, stored_outcomes):
    revised = revise(stored_outcomes, recorded, known=read())
    assert OUTCOMES.read_text(encoding="utf-8") == format_outcomes(revised)


def test_described_outcomes_were_recorded(recorded):
    described = list(list_described())
    seen = group_rules(recorded, {key for key, _ in described})
    assert seen.keys() == {key for key, _ in described}
    assert [(key, rules) for key, rules in described if not seen[key].issuperset(rules)] == []


def test_an_operation_claims_no_rule_that_no_response_rested_on():
    claimed, document = set(), make().openapi()
    for _, _, operation in every_operation(document):
        family = name_family(operation["operationId"])
        claimed |= {(family, rule) for rule in operation["x-provenance"]["rules"]}
    shown = {(operation, rule) for operation, rules in read_rules().items() for rule in rules}
    assert claimed - shown == NOT_SEEN - shown


def test_a_new_rule_of_an_outcome_is_added_to_it(stored_outcomes):
    rows = read()
    known = {row for row in rows if (row.kind, row.rule) != ("conflict", "user.concurrent")}
    update = next(each for each in stored_outcomes["users.update"] if each.get("kind") == "conflict")
    update["rules"].remove("user.concurrent")
    revised = revise(stored_outcomes, rows, known)["users.update"]
    (conflict,) = (each for each in revised if each.get("kind") == "conflict")
    assert conflict["rules"] == [*update["rules"], "user.concurrent"]


def test_an_operation_without_outcomes_gets_them(recorded):
    rows = {row._replace(operation="rooms.list") for row in recorded if row.operation == "users.update"}
    outcomes = revise({}, rows, known=set())["rooms.list"]
    assert {outcome.get("kind", outcome.get("status")) for outcome in outcomes} == {
        row.kind or row.status for row in rows
    }


def test_what_no_call_has_shown_is_removed(stored_outcomes):
    rows = {row for row in read() if (row.operation, row.kind) != ("storage.send", "no_file")}
    outcomes = revise(stored_outcomes, rows, known=rows)["storage.send"]
    assert [outcome.get("kind") for outcome in outcomes] == [None, "invalid"]

"""How a case says which rules it tries."""

import pytest

import fakes.rulebook  # noqa: F401 - declares the rules
from fakes.rulebook.rule import RULEBOOK

from .rule_ids import OF_THE_SAMPLE, READINGS

RESOURCE_ERRORS = ("api.error-body", "api.unauthorized", "api.invalid", "api.not-found", "api.content-type")
TOKEN_ERRORS = ("token.error-body", "token.error-status", "token.content-type")
NULLS = ("api.null", "api.null-optional")


def documented(*rule_ids):
    """Mark a test with the documented rules that it holds a target to; what it rests on besides is ``assumed``."""
    wrong = [each for each in rule_ids if RULEBOOK[each].provenance != "documented"]
    assert not wrong, f"the description does not show {wrong}"
    return pytest.mark.documented(*rule_ids)


def assumed(*names):
    """Mark a test as resting on assumptions: the IDs of rules, or what `rule_ids` names besides."""
    rule_ids = {*names} - {*READINGS, OF_THE_SAMPLE}
    wrong = [each for each in rule_ids if RULEBOOK[each].provenance != "assumed"]
    assert not wrong, f"the description shows {wrong}"
    return pytest.mark.assumed(*names)


every_door = pytest.mark.every_door
"""Marks a case, or a row of its table, that a door could break: it is about framing, headers, URLs or bodies, or the
first of its operation. It runs through every door each time; others in process, and elsewhere as they are `wide`.
"""

safe = pytest.mark.safe
"""Marks a case that leaves nothing changed in a service: one to try on a real one."""


def writes(kind):
    """Mark a test that changes something of one kind in a service, and nothing else: one to try on a real one only
    with a throw-away user or webhook.
    """
    assert kind in WRITTEN, f"nothing of the kind {kind!r} is written"
    return pytest.mark.writes(kind)


WRITTEN = ("user", "status", "drive", "webhook")


def case(*values, id, marks=()):  # noqa: A002 - as pytest.param has it
    """A row of a table; ``marks`` are assumptions of this row alone."""
    return pytest.param(*values, id=id, marks=marks)

"""Rules and deviations of a fake as data of their views, and the outcomes of a sweep."""

from collections.abc import Mapping
from typing import Any, Final

from svckit.display.card import quantity
from svckit.display.masking import mask

__all__ = ["OFF", "build_outcome_row", "build_rule", "list_rules"]

OFF: Final = "as described"


def list_rules(fake: Any) -> list[Mapping[str, Any]]:
    """Return the records of all rules and deviations of a fake, also of those that are off.

    Examples:
        >>> from fakes import FakeService
        >>> records = list_rules(FakeService.sample(now="2026-06-01T09:00:00+09:00"))
        >>> records[0]["id"], records[-1]["provenance"], records[-1]["chosen"]
        ('api.bearer', 'deviation', None)
    """
    return [
        *(rule.record() for rule in fake.rules),
        *(deviation.record_as_rule() for deviation in fake.rules.deviations),
    ]


def build_rule(fake: Any, rule_id: str, *, deviation: bool) -> dict[str, Any]:
    """Return a rule or a deviation with the choices for it, which a documented rule does not have.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> rule = build_rule(fake, "api.unauthorized", deviation=False)
        >>> rule["about"], rule["chosen"], rule["choices"]
        ('assumed, used 0 times', '401', [('401', '401'), ('403', '403')])
        >>> build_rule(fake, "file.stored", deviation=True)["choices"]
        [('', 'as described'), ('200', '200')]
    """
    source = fake.rules.deviations if deviation else fake.rules
    record = source[rule_id].record_as_rule() if deviation else source[rule_id].record()
    return {
        "id": rule_id,
        "about": f"{_describe_provenance(record)}, used {quantity(record['used'], 'time')}",
        "section": record["section"],
        "text": record["text"],
        "more": f"Needed by: {source[rule_id].need}" if deviation else "",
        "chosen": record["chosen"] or "",
        "shown": record["chosen"] or OFF,
        "choices": [
            *([("", OFF)] if deviation else []),
            *((alternative, alternative) for alternative in record["alternatives"]),
        ],
    }


def _describe_provenance(record: Mapping[str, Any]) -> str:
    """Return the provenance of a rule, with the result, the date and the source of a measurement."""
    if not (measured := record.get("observed")):
        return str(record["provenance"])
    return f"{record['provenance']} ({measured['result']} on {measured['date']} by {measured['source']})"


def build_outcome_row(number: int, outcome: Any) -> dict[str, Any]:
    """Return a row of a sweep: the outcome of a test under one alternative, as `FakeService.sweep_steps` yields it.

    Examples:
        >>> from types import SimpleNamespace
        >>> outcome = SimpleNamespace(rule_id="api.unauthorized", alternative="403", broke_with=None)
        >>> build_outcome_row(1, outcome)["cells"]
        ('api.unauthorized', '403', 'holds')
    """
    return {
        "key": number,
        "cells": (
            outcome.rule_id,
            outcome.alternative,
            f"✗ {mask(outcome.broke_with)}" if outcome.broke_with else "holds",
        ),
        "selected": False,
    }

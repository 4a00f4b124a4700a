"""The provenance of a document's content: the service's description, a measurement or an assumption."""

from collections.abc import Collection, Iterable
from typing import Any

from fakes.rulebook.rule import Rule
from fakes.rulebook.rules import Rules

__all__ = ["Described", "describe_provenance", "list_rules"]

Described = dict[str, Any]
"""A part of a document: a JSON object."""


def describe_provenance(rules: Iterable[Rule], observed: Collection[str] = ()) -> Described:
    """Return the value of ``x-provenance``: ``assumed`` if one of the rules is, and the IDs of the rules.

    It is ``observed`` if all assumptions among them are, by their IDs.

    Examples:
        >>> from fakes.rulebook import api
        >>> describe_provenance([api.BEARER, api.UNAUTHORIZED])
        {'provenance': 'assumed', 'rules': ['api.bearer', 'api.unauthorized']}
    """
    distinct = list(dict.fromkeys(rules))
    words = {"observed" if rule.id in observed else rule.provenance for rule in distinct}
    word = next((word for word in ("assumed", "observed") if word in words), "documented")
    return {"provenance": word, "rules": [rule.id for rule in distinct]}


def list_rules(rules: Rules) -> Described:
    """Return the value of ``x-rules``: every rule by its ID, with the chosen alternative."""
    return {
        rule.id: {
            "provenance": rule.provenance,
            "section": rule.section,
            "text": rule.text,
            **({"chosen": rule.chosen, "alternatives": list(rule.alternatives)} if rule.alternatives else {}),
            **({"observed": rule.observed} if rule.observed else {}),
        }
        for rule in rules
    }

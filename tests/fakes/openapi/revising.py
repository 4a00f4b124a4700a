"""Revises the stored outcomes of operations by what was recorded of them."""

import json

from fakes.handlers.routes import ROUTES
from fakes.openapi.outcomes import list_all_outcomes
from fakes.openapi.recorded import name_family
from fakes.rulebook.rule import RULEBOOK

ALIKE = {"missing": "invalid", "no_object": "invalid"}
"""Kinds of refusal that get the response of another, where an operation has none of their own."""


def group_rules(rows, described):
    """The rules by operation and outcome: its kind of refusal, or its status as a text."""
    found = {}
    for row in rows:
        outcome = row.kind or str(row.status)
        if (row.operation, outcome) not in described:
            outcome = ALIKE.get(outcome, outcome)
        found.setdefault((row.operation, outcome), set()).add(row.rule)
    return found


def name_outcomes(kind, status):
    """The outcomes that a described one stands for: one for each status that an assumption may choose."""
    statuses = getattr(RULEBOOK.get(status), "alternatives", (status,))
    return [kind] if kind else [str(each) for each in statuses]


def list_described():
    """The outcomes of all operations, each with the rules that decide for it."""
    for route in ROUTES:
        for outcome in list_all_outcomes(route):
            for name in name_outcomes(outcome.kind, outcome.status):
                yield (name_family(route.operation), name), outcome.rules


def revise(outcomes, rows, known):
    """Return the stored outcomes by operation, with what is recorded and not known, and without what is not recorded.

    A new rule is added to the first outcome of its kind. A new outcome has all rules that it was seen to rest on, and
    its kind or status as its words: an author rewrites them, and removes the rules that do not decide.
    """
    described = {key for key, _ in list_described()}
    seen, before = group_rules(rows, described), group_rules(known, described)
    new = {key: sorted(rules - before.get(key, rules)) for key, rules in seen.items()}
    revised = {}
    for operation in dict.fromkeys([*outcomes, *sorted({operation for operation, _ in seen})]):
        kept = revised[operation] = []
        for outcome in outcomes.get(operation, ()):
            keys = [
                (operation, name) for name in name_outcomes(outcome.get("kind"), outcome.get("status", 200))
            ]
            rules = {rule for key in keys for rule in seen.get(key, ())}
            if rules:
                deciding = [rule for rule in outcome["rules"] if rule in rules]
                added = [rule for key in keys for rule in new.pop(key, ())]
                kept.append(outcome | {"rules": list(dict.fromkeys([*deciding, *added]))})
        for name in sorted(name for of, name in seen if of == operation and (of, name) not in described):
            what = {"status": int(name)} if name.isdecimal() else {"kind": name}
            kept.append({**what, "words": name, "rules": sorted(seen[operation, name])})
    return revised


def format_outcomes(outcomes):
    """Return the outcomes as text."""
    return json.dumps(outcomes, indent=1, ensure_ascii=False) + "\n"

"""Which assumptions are otherwise in a service, as the cases that do not hold there tell."""

from dataclasses import dataclass

from fakes.rulebook.rule import RULEBOOK

from .rule_ids import rule_of
from .told_apart import TOLD_APART


@dataclass(frozen=True)
class Blame:
    """Rules of which one is otherwise, by cases that do not hold.

    Attributes:
        rules: their IDs; one, where it can be told.
        like: the alternatives under which these cases fail in the same way.
        cases: the cases.
    """

    rules: tuple[str, ...]
    like: tuple[str, ...]
    cases: tuple


def blame(broken, held):
    """What explains the cases that do not hold by few rules, and the cases of which nothing is told.

    A case is explained by an alternative under which it fails in the same way; else by a rule of which an alternative
    fails it at the same place, with another status; else by what it rests on, where what was answered is not as it
    assumes. What was refused for reasons of which the suite knows nothing tells nothing.

    Args:
        broken: the cases that do not hold and assume something.
        held: the names of the cases that hold.
    """
    found, unexplained = [], list(broken)
    for explain in (as_under_an_alternative, at_the_same_place):
        while (each := most_telling(unexplained, held, explain)) is not None:
            unexplained = [case for case in unexplained if case not in each.cases]
            merge(found, each)
    for case in unexplained:
        if case.symptom.status is None:
            merge(found, Blame(resting(case, held), (), (case,)))
    return found, [case for case in unexplained if case.symptom.status is not None]


def as_under_an_alternative(case, rule_id, alternative, held):
    """Whether a case fails as it does under an alternative that no other case excludes."""
    symptom = TOLD_APART[rule_id][alternative].get(case.name)
    return symptom == case.symptom and not shown_otherwise(rule_id, alternative, held)


def at_the_same_place(case, rule_id, alternative, held):
    """Whether a case fails where it does under an alternative, which is then not what the service does."""
    symptom = TOLD_APART[rule_id][alternative].get(case.name)
    return symptom is not None and symptom.is_like(case.symptom)


def most_telling(broken, held, explain):
    """What explains the most cases; None where nothing explains any."""
    explained = {}
    for rule_id, alternatives in TOLD_APART.items():
        for alternative in alternatives:
            cases = tuple(case for case in broken if explain(case, rule_id, alternative, held))
            if cases:
                explained.setdefault(cases, []).append((rule_id, alternative))
    if not explained:
        return None
    cases = max(explained, key=len)
    rules = tuple(dict.fromkeys(rule_id for rule_id, _ in explained[cases]))
    like = tuple(each for _, each in explained[cases]) if explain is as_under_an_alternative else ()
    return Blame(rules, like, cases)


def merge(found, new):
    """Add to what was found; where one rule explains two things, it alone is to blame."""
    for place, earlier in enumerate(found):
        rules = tuple(rule_id for rule_id in earlier.rules if rule_id in new.rules)
        if rules:
            likely = earlier if rules == earlier.rules else new
            found[place] = Blame(
                rules, likely.like if rules == likely.rules else (), earlier.cases + new.cases
            )
            return
    found.append(new)


def resting(case, held):
    """The rules that a case assumes which no alternative explains; those that other cases confirm only alone."""
    rules = tuple(map(rule_of, case.assumptions))
    return tuple(rule_id for rule_id in rules if open_alternatives(rule_id, held) != ()) or rules


def open_alternatives(rule_id, held):
    """The alternatives of an assumption that no case shows not to be the service's; None for a documented rule."""
    alternatives = RULEBOOK[rule_id].alternatives[1:]
    left = tuple(each for each in alternatives if not shown_otherwise(rule_id, each, held))
    return left if alternatives else None


def shown_otherwise(rule_id, alternative, held):
    """Whether a case holds that does not under an alternative."""
    return not held.isdisjoint(TOLD_APART.get(rule_id, {}).get(alternative, ()))

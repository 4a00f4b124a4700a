"""Which assumptions are otherwise in a service, as the cases that do not hold there tell."""

from dataclasses import dataclass

from fakes.rules import RULEBOOK

from .rule_ids import ids_of
from .told_apart import TOLD_APART


@dataclass(frozen=True)
class Blame:
    """Rules of which one is otherwise, by cases that do not hold.

    Attributes:
        rules: their IDs; one, where it can be told.
        like: the alternatives under which these cases do not hold either.
        cases: the cases.
    """

    rules: tuple[str, ...]
    like: tuple[str, ...]
    cases: tuple


def blame(broken, held):
    """What explains all the cases that do not hold by few rules, the one first that explains the most of them.

    Args:
        broken: the cases that do not hold and assume something.
        held: the functions of which every case holds.
    """
    found, unexplained = [], list(broken)
    while unexplained:
        rules, like, cases = most_telling(unexplained, held)
        if not rules:
            rules, cases = resting(unexplained[0], held), (unexplained[0],)
        unexplained = [case for case in unexplained if case not in cases]
        merge(found, Blame(rules, like, cases))
    return found


def most_telling(broken, held):
    """The rules and alternatives that explain the most cases, and these; empty where nothing explains any."""
    explained = {}
    for rule_id, alternatives in TOLD_APART.items():
        for alternative in alternatives:
            if not shown_otherwise(rule_id, alternative, held):
                cases = tuple(case for case in broken if tells(case, rule_id, alternative))
                explained.setdefault(cases, []).append((rule_id, alternative))
    cases = max(explained, key=len, default=())
    pairs = explained[cases] if cases else []
    return tuple(dict.fromkeys(rule_id for rule_id, _ in pairs)), tuple(each for _, each in pairs), cases


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
    rules = resting_on(case.assumptions)
    return tuple(rule_id for rule_id in rules if open_alternatives(rule_id, held) != ()) or rules


def resting_on(assumptions):
    """The IDs of the rules that assumptions of the suite are about, each once."""
    return tuple(dict.fromkeys(rule_id for key in assumptions for rule_id in ids_of(key)))


def open_alternatives(rule_id, held):
    """The alternatives of an assumption that no case shows not to be the service's; None for a documented rule."""
    alternatives = RULEBOOK[rule_id].alternatives[1:]
    left = tuple(each for each in alternatives if not shown_otherwise(rule_id, each, held))
    return left if alternatives else None


def shown_otherwise(rule_id, alternative, held):
    """Whether a case holds that does not under an alternative."""
    return not held.isdisjoint(TOLD_APART.get(rule_id, {}).get(alternative, ()))


def tells(case, rule_id, alternative):
    """Whether a case rests on a rule, and its function does not hold under an alternative of it."""
    return rule_id in resting_on(case.assumptions) and case.function in TOLD_APART[rule_id][alternative]

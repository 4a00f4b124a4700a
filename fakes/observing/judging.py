"""The judgment of a search: what the traffic shows of each rule and deviation."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from fakes.observing.replaying import Played
from fakes.observing.searching import Search
from fakes.observing.shapes import STATUS
from fakes.rulebook.deviations import DEVIATIONS
from fakes.rulebook.rule import RULEBOOK, Rule

__all__ = ["Finding", "judge"]

Result = Literal["confirmed", "alternative", "deviation", "refuted", "not seen"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding about one rule or deviation.

    Attributes:
        id: the rule or deviation.
        result: whether it was confirmed or refuted, which kind of value fits, or that the traffic cannot tell.
        value: the alternative or value that fits; None if none does, or if it is documented.
        seen: the number of requests that it rests on.
        statuses: the statuses of their responses.
        section: the section of the service's description.
    """

    id: str
    result: Result
    value: str | None
    seen: int
    statuses: tuple[int, ...]
    section: str


# What a response contains is described by these. All other documented rules say what is accepted, which the status
# alone shows.
CONTENTS = frozenset(
    {
        "auth.failure-screen",
        "auth.login-screen",
        "auth.redirect",
        "file.content",
        "file.location",
        "file.stored",
        "file.upload-url",
        "notification.parameters",
        "notification.rate",
        "notification.success",
        "notification.webhook-url",
        "status.must-be-enabled",
        "status.not-used",
        "status.registered",
        "token.issued",
        "token.refreshed",
        "user.forbidden-word",
        "user.messenger",
        "user.partial",
        "user.permission",
        "user.read-only",
    }
)
# Of the responses that rest on these, only those with the status are described by them.
RESPONSE_STATUS = {"notification.rate": 429}


def judge(search: Search) -> Iterator[Finding]:
    """Yield a finding for each rule, and for each deviation that fits."""
    refuting = _list_refuting(search)
    for rule in RULEBOOK.values():
        yield _judge_rule(rule, search, refuting)
    for deviation in DEVIATIONS.values():
        if (value := search.chosen.get(deviation.id)) and deviation.id not in search.undecided:
            seen = sum(deviation.id in played.deviations for played in search.best.played)
            yield Finding(deviation.id, "deviation", value, seen=seen, statuses=(), section=deviation.section)


def _list_refuting(search: Search) -> list[frozenset[Rule]]:
    """Return, for each response, the rules that it contradicts: those that govern a part in which it differs."""
    best = search.best
    wrong = [number for number, played in enumerate(best.played) if played.differing]
    used = {rule for number in wrong for rule in best.played[number].used if rule.alternatives}
    governed = {rule: search.list_governed(rule) for rule in used}
    refuting = [frozenset[Rule]()] * len(best.played)
    for number in wrong:
        played = best.played[number]
        own = {rule: governed[rule][number] & played.differing for rule in played.used if rule in governed}
        rest = played.differing.difference(*own.values())
        documented = (rule for rule in played.used if rest and not rule.alternatives)
        refuting[number] = frozenset(
            {
                *(rule for rule, parts in own.items() if parts),
                *(rule for rule in documented if _describes(rule, played) or not played.succeeds_alike),
            }
        )
    return refuting


def _describes(rule: Rule, played: Played) -> bool:
    """Return whether a documented rule describes what the twin's response contains."""
    return rule.id in CONTENTS and RESPONSE_STATUS.get(rule.id) in (None, played.shape.get(STATUS))


def _judge_rule(rule: Rule, search: Search, refuting: list[frozenset[Rule]]) -> Finding:
    best = search.best
    numbers = [number for number, played in enumerate(best.played) if rule in played.used]
    right = [number for number in numbers if best.matches(number)]
    described = [number for number in numbers if _describes(rule, best.played[number])] or numbers
    wrong = [number for number in described if rule in refuting[number]]
    result: Result = "not seen"
    value: str | None = None
    if wrong and not any(map(best.matches, described)):
        result, right = "refuted", wrong
    elif not rule.alternatives:
        result = "confirmed" if numbers else "not seen"
        right = right or numbers
    elif rule.id in best.first and _is_decided(rule, search):
        value = search.get(rule.id)
        result = "confirmed" if value == rule.alternatives[0] else "alternative"
    statuses = tuple(sorted({search.traffic[number].status for number in right}))
    seen = len(right) or int(value is not None)
    return Finding(rule.id, result, value, seen=seen, statuses=statuses, section=rule.section)


def _is_decided(rule: Rule, search: Search) -> bool:
    """Return whether every other alternative explains less."""
    others = (other for other in rule.alternatives if other != search.get(rule.id))
    return rule.id not in search.undecided and all(
        search.costs[rule.id, other] > search.best.cost for other in others
    )

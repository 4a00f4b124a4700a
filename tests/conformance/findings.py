"""What a run against a real service says of each rule of the rulebook."""

from collections import Counter
from dataclasses import dataclass, field

import fakes.rulebook  # noqa: F401 - declares the rules
from fakes.rulebook.rule import RULEBOOK

from .blame import blame, open_alternatives
from .rule_ids import READINGS, promised_by
from .symptom import Symptom
from .told_apart import TOLD_APART

HELD, BROKEN, UNTRIED = "held", "broken", "could not be tried"
NOT_TRIED, NOT_TOLD = "not tried", "not told"
READ_HERE = "as it is read here: "
SHOWN, WIDTH = 2, 160  # how many of the cases against a rule are shown, and how much of each


@dataclass(frozen=True)
class Tried:
    """A case that was run.

    Attributes:
        name: as `coverage.case_name` has it.
        verdict: whether it held.
        assumptions: what it assumes.
        documented: the IDs of the documented rules that it tries.
        words: what went wrong.
        symptom: how it fails.
        sent: its requests: the operation, the status of the response, and whether it was to be refused.
    """

    name: str
    verdict: str
    assumptions: tuple[str, ...]
    documented: tuple[str, ...] = ()
    words: str = ""
    symptom: Symptom | None = None
    sent: tuple[tuple[str, int, bool], ...] = ()


@dataclass(frozen=True)
class Finding:
    """What the cases say of one rule, or of rules of which it cannot be told which is otherwise."""

    rules: tuple[str, ...]
    provenance: str
    text: str
    standing: str
    held: int = 0
    cases: int = 0
    broken: list[Tried] = field(default_factory=list)
    others: tuple[str, ...] = ()
    """Assumptions that are refuted, and explain the cases against it."""
    like: tuple[str, ...] = ()
    """Alternatives under which the cases against it do not hold either."""
    left: tuple[str, ...] = ()
    """Alternatives that no case has shown to be otherwise."""
    why: str = ""
    """Why its cases tell nothing."""

    def lines(self):
        """The finding for the report: the IDs first, then some of the cases against it, cut short."""
        of_its = f"{self.held} of its {cases_of(self.cases)}"
        against = cases_of(len(self.broken))
        as_by = f", as under {' or '.join(self.like)}" * bool(self.like)
        words = {
            "held": f"held by {of_its}",
            "broken": f"broken by {against}",
            "confirmed": f"confirmed by {of_its}",
            "confirmed in part": f"confirmed by {of_its}, unless {' or '.join(self.left)}",
            "refuted": f"refuted by {against}{as_by}",
            "one refuted": f"one of these refuted by {against}{as_by}",
            "in doubt": f"in doubt by {against}, unless {' or '.join(self.others)} explains them",
            NOT_TOLD: f"{NOT_TOLD}, as {self.why}",
            NOT_TRIED: NOT_TRIED + f" by any of its {cases_of(self.cases)}" * bool(self.cases),
        }
        yield f"{', '.join(self.rules)}: {self.provenance}, {words[self.standing]}" + f": {self.text}" * bool(
            self.text
        )
        yield from (cut(f"    {case.name}: {case.words}") for case in self.broken[:SHOWN])
        if len(self.broken) > SHOWN:
            yield f"    and {len(self.broken) - SHOWN} more"

    def records(self):
        """The finding for the recording, by rule; no words of the service are in it."""
        for rule_id in self.rules:
            yield {
                "id": rule_id,
                "provenance": self.provenance,
                "standing": self.standing,
                "held": self.held,
                "cases": self.cases,
                "broken": [case.name for case in self.broken],
                "or": [other for other in (*self.rules, *self.others) if other != rule_id],
                "like": list(self.like),
                "unless": list(self.left),
                "why": self.why,
            }


def cases_of(count):
    """Cases, counted in words."""
    return f"{count} case" + "s" * (count != 1)


def cut(text):
    """A text that is not longer than a line or two."""
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"


class Findings:
    """The cases of a run, and what follows from them."""

    def __init__(self):
        self._tried = []
        self._expected = []

    def expect(self, case):
        """The suite has this case."""
        self._expected.append(case)

    def add(self, case):
        """A case was run."""
        self._tried.append(case)

    def any(self):
        """Whether any case was run."""
        return bool(self._tried)

    def untried(self):
        """The cases that were to be run and could not be."""
        return [case for case in self._tried if case.verdict == UNTRIED]

    def refused(self):
        """The operations that were never taken, with the statuses of what was answered instead."""
        statuses = {}
        for case in self._tried:
            for operation, status, expects_refusal in case.sent:
                if status < 400 or not expects_refusal:
                    statuses.setdefault(operation, Counter())[status] += 1
        return {name: found for name, found in statuses.items() if min(found) >= 400}

    def all(self):
        """A finding for every rule, and for each reading of a documented one; rules of which one is refuted, once."""
        return Reading(self._tried, self._expected, self.refused()).findings()


class Reading:
    """What cases say, of which only those count whose operations the service takes when they are asked for properly."""

    def __init__(self, tried, expected, refused):
        self._tried = tried
        self._expected = expected
        self._refused = refused
        counting = [case for case in tried if not self._blocks(case)]
        self._held = {case.name for case in counting if case.verdict == HELD}
        against = [case for case in counting if case.verdict == BROKEN and case.assumptions]
        self._blamed, self._unexplained = blame(against, self._held)

    def findings(self):
        """A finding for every rule."""
        suspected = {rule_id for each in self._blamed for rule_id in each.rules}
        documented = [rule for rule in RULEBOOK.values() if not rule.alternatives]
        assumed = [rule for rule in RULEBOOK.values() if rule.alternatives and rule.id not in suspected]
        return [
            *map(self._documented, documented),
            *map(self._assumed, assumed),
            *(self._reading(*each) for each in READINGS.items() if each[1].rule_id not in suspected),
            *map(refuted, self._blamed),
        ]

    def _blocks(self, case):
        """The operations of a case that were never taken."""
        return [name for name in dict.fromkeys(name for name, *_ in case.sent) if name in self._refused]

    def _documented(self, rule):
        """A documented rule is broken by cases that assume nothing, or where it promises what is never taken; by others
        it is in doubt, where none holds.
        """
        tried = [case for case in self._tried if rule.id in case.documented]
        cases = [case for case in tried if all(promised_by(name) == rule.id for name in self._blocks(case))]
        broken = [case for case in cases if self._breaks(case)]
        held = sum(case.verdict == HELD for case in cases)
        doubted = [] if broken or held else [case for case in cases if self._explained_by(case)]
        others = tuple(dict.fromkeys(rule_id for case in doubted for rule_id in self._explained_by(case)))
        standing = "broken" if broken else "held" if held else "in doubt" if doubted else undecided(tried)
        count = sum(rule.id in case.documented for case in self._expected)
        why = self._why(tried) if standing == NOT_TOLD else ""
        return Finding(
            (rule.id,), "documented", rule.text, standing, held, count, broken or doubted, others, why=why
        )

    def _assumed(self, rule):
        """An assumption is confirmed by cases that hold, and do not with another alternative of it."""
        telling = {name for cases in TOLD_APART.get(rule.id, {}).values() for name in cases}
        tried = [case for case in self._tried if case.name in telling]
        held = sum(case.name in self._held for case in tried)
        count = sum(case.name in telling for case in self._expected)
        left = open_alternatives(rule.id, self._held)
        standing = ("confirmed in part" if left else "confirmed") if held else undecided(tried)
        why = self._why(tried) if standing == NOT_TOLD else ""
        return Finding((rule.id,), "assumed", rule.text, standing, held, count, left=left, why=why)

    def _reading(self, key, reading):
        """A reading of a documented rule is confirmed by any case that rests on it: the fake has no other."""
        tried = [case for case in self._tried if key in case.assumptions]
        held = sum(case.name in self._held for case in tried)
        count = sum(key in case.assumptions for case in self._expected)
        standing = "confirmed" if held else undecided(tried)
        why = self._why(tried) if standing == NOT_TOLD else ""
        text = f"{READ_HERE}{reading.text}"
        return Finding((reading.rule_id,), "assumed", text, standing, held, count, why=why)

    def _breaks(self, case):
        """Whether a case speaks against a documented rule that it tries, whatever is assumed."""
        return case.verdict != HELD and (
            bool(self._blocks(case)) or (case.verdict == BROKEN and not case.assumptions)
        )

    def _explained_by(self, case):
        """The rules that are to blame for a case."""
        return [rule_id for each in self._blamed if case in each.cases for rule_id in each.rules]

    def _why(self, cases):
        """Why cases tell nothing: each reason once."""
        reasons = dict.fromkeys(reason for case in cases for reason in self._reasons(case))
        return " and ".join(list(reasons)[:SHOWN])

    def _reasons(self, case):
        blocks, rules = self._blocks(case), self._explained_by(case)
        if blocks:
            yield from (f"{name} was never taken" for name in blocks)
        elif rules:
            yield f"{' or '.join(rules)} explains what does not hold"
        elif case.verdict == UNTRIED:
            yield f"{case.name} could not be tried"
        elif case in self._unexplained:
            yield f"{case.name} was answered {case.symptom.status}, for which there may be any reason"
        else:
            yield f"{case.name} does not hold"


def undecided(tried):
    """How a rule stands of which no case that was tried says anything."""
    return NOT_TOLD if tried else NOT_TRIED


def refuted(found):
    """What is said of rules that explain cases which do not hold."""
    texts = {rule.id: rule.text for rule in RULEBOOK.values() if rule.alternatives}
    texts |= {rule_id: f"{READ_HERE}{text}" for rule_id, text in READINGS.values()}
    alone = len(found.rules) == 1
    text, standing = (texts[found.rules[0]], "refuted") if alone else ("", "one refuted")
    return Finding(found.rules, "assumed", text, standing, broken=list(found.cases), like=found.like)

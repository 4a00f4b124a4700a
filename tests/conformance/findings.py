"""What a run against a real service says of each rule of the rulebook."""

from dataclasses import dataclass, field

import fakes.rulebook  # noqa: F401 - declares the rules
from fakes.rules import RULEBOOK

from .blame import blame, open_alternatives
from .description import ASSUMPTIONS
from .rule_ids import READINGS, documented_by
from .told_apart import TOLD_APART

HELD, BROKEN, UNTRIED = "held", "broken", "could not be tried"
NOT_TRIED = "not tried"
READ_HERE = "as it is read here: "
SHOWN, WIDTH = 2, 160  # how many of the cases against a rule are shown, and how much of each


@dataclass(frozen=True)
class Tried:
    """A case that was run: its verdict, what it assumes, and the words of what went wrong."""

    name: str
    verdict: str
    assumptions: tuple[str, ...]
    words: str = ""

    @property
    def function(self):
        """Its function, as `told_apart` has it."""
        return self.name.partition("[")[0]


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
        self._runnable = []

    def expect(self, name, assumptions, may_run):
        """The suite has this case, and it may be run, or not."""
        self._expected.append(Tried(name, NOT_TRIED, tuple(assumptions)))
        self._runnable += [self._expected[-1]] * may_run

    def add(self, case):
        """A case was run."""
        self._tried.append(case)

    def any(self):
        """Whether any case was run."""
        return bool(self._tried)

    def untried(self):
        """The cases that were to be run and could not be."""
        return [case for case in self._tried if case.verdict == UNTRIED]

    def all(self):
        """A finding for every rule, and for each reading of a documented one; rules of which one is refuted, once."""
        against = [case for case in self._tried if case.verdict == BROKEN and case.assumptions]
        blamed = blame(against, self._held())
        suspected = {rule_id: each for each in blamed for rule_id in each.rules}
        return [
            *(self._documented(rule, blamed) for rule in RULEBOOK.values() if not rule.alternatives),
            *(
                self._assumed(rule)
                for rule in RULEBOOK.values()
                if rule.alternatives and rule.id not in suspected
            ),
            *(self._reading(key) for key in READINGS if READINGS[key] not in suspected),
            *(refuted(each) for each in blamed),
        ]

    def _held(self):
        """The functions of which every case that may be run holds: not each of them tells."""
        held = {case.name for case in self._tried if case.verdict == HELD}
        every = {case.function for case in self._tried if case.verdict == HELD}
        return every - {case.function for case in (*self._tried, *self._runnable) if case.name not in held}

    def _documented(self, rule, blamed):
        """A documented rule is broken by cases that assume nothing; by others it is in doubt, where none holds."""
        cases = [case for case in self._tried if rule.id in documented_by(case.name)]
        against = [case for case in cases if case.verdict == BROKEN]
        broken = [case for case in against if not case.assumptions]
        held = sum(case.verdict == HELD for case in cases)
        doubted = [] if broken or held else against
        standing = "broken" if broken else "held" if held else "in doubt" if doubted else NOT_TRIED
        others = tuple(rule_id for each in blamed if set(each.cases) & set(doubted) for rule_id in each.rules)
        count = sum(rule.id in documented_by(case.name) for case in self._expected)
        return Finding((rule.id,), "documented", rule.text, standing, held, count, broken or doubted, others)

    def _assumed(self, rule):
        """An assumption is confirmed by cases that hold, and do not with another alternative of it."""
        telling = {function for each in TOLD_APART.get(rule.id, {}).values() for function in each}
        held = sum(case.function in telling & self._held() for case in self._tried)
        count = sum(case.function in telling for case in self._expected)
        left = open_alternatives(rule.id, self._held())
        standing = ("confirmed in part" if left else "confirmed") if held else NOT_TRIED
        return Finding((rule.id,), "assumed", rule.text, standing, held, count, left=left)

    def _reading(self, key):
        """A reading of a documented rule is confirmed by any case that rests on it: the fake has no other."""
        held = sum(key in case.assumptions for case in self._tried if case.verdict == HELD)
        count = sum(key in case.assumptions for case in self._expected)
        text = f"{READ_HERE}{ASSUMPTIONS[key]}"
        return Finding((READINGS[key],), "assumed", text, "confirmed" if held else NOT_TRIED, held, count)


def refuted(found):
    """What is said of rules that explain cases which do not hold."""
    texts = {rule.id: rule.text for rule in RULEBOOK.values() if rule.alternatives}
    texts |= {rule_id: f"{READ_HERE}{ASSUMPTIONS[key]}" for key, rule_id in READINGS.items()}
    alone = len(found.rules) == 1
    text, standing = (texts[found.rules[0]], "refuted") if alone else ("", "one refuted")
    return Finding(found.rules, "assumed", text, standing, broken=list(found.cases), like=found.like)

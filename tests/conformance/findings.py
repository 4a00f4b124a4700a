"""What a run against a real service says of each rule of the rulebook."""

from collections import Counter
from dataclasses import dataclass, field

import fakes.rulebook  # noqa: F401 - declares the rules
from fakes.rules import RULEBOOK

from .description import ASSUMPTIONS
from .rule_ids import READINGS, documented_by, ids_of
from .told_apart import TOLD_APART

HELD, BROKEN, UNTRIED = "held", "broken", "could not be tried"
NOT_TRIED = "not tried"
READ_HERE = "as it is read here: "


@dataclass(frozen=True)
class Tried:
    """A case that was run: its verdict, what it assumes, and the words of what went wrong."""

    name: str
    verdict: str
    assumptions: tuple[str, ...]
    words: str = ""


@dataclass(frozen=True)
class Finding:
    """What the cases say of one rule."""

    rule_id: str
    provenance: str
    text: str
    standing: str
    held: int = 0
    cases: int = 0
    broken: list[Tried] = field(default_factory=list)
    others: tuple[str, ...] = ()
    """Rules that may be at fault as well."""
    left: tuple[str, ...] = ()
    """Alternatives that no case has shown to be otherwise."""

    def line(self):
        """The finding for the report."""
        against = ", ".join(f"{case.name} ({case.words})" for case in self.broken)
        either = f", it or {' or '.join(self.others)}" * bool(self.others)
        words = {
            "held": f"held by {self.held} of its {self.cases} cases",
            "broken": f"broken by {against}",
            "confirmed": f"confirmed by {self.held} of its {self.cases} cases",
            "confirmed in part": f"confirmed by {self.held} of its {self.cases} cases, unless {' or '.join(self.left)}",
            "refuted": f"refuted by {against}{either}",
            "in doubt": f"in doubt by {against}{either}",
            NOT_TRIED: f"{NOT_TRIED} by any of its {self.cases} cases" if self.cases else NOT_TRIED,
        }
        return f"{self.provenance}, {words[self.standing]}: {self.rule_id}: {self.text}"

    def record(self):
        """The finding for the recording; no words of the service are in it."""
        return {
            "id": self.rule_id,
            "provenance": self.provenance,
            "standing": self.standing,
            "held": self.held,
            "cases": self.cases,
            "broken": [case.name for case in self.broken],
            "or": list(self.others),
            "unless": list(self.left),
        }


class Findings:
    """The cases of a run, and what follows from them."""

    def __init__(self):
        self._tried = []
        self._resting = Counter()  # cases of the suite by assumption
        self._trying = Counter()  # and by documented rule

    def expect(self, name, assumptions):
        """The suite has this case, whether it is run or not."""
        self._resting.update(assumptions)
        self._trying.update(documented_by(name))

    def add(self, case):
        """A case was run."""
        self._tried.append(case)

    def untried(self):
        """The cases that were to be run and could not be."""
        return [case for case in self._tried if case.verdict == UNTRIED]

    def all(self):
        """A finding for every rule, and for each reading of a documented one."""
        documented = [rule for rule in RULEBOOK.values() if rule.provenance == "documented"]
        assumed = [rule for rule in RULEBOOK.values() if rule.provenance == "assumed"]
        return [
            *(self._documented(rule.id, rule.text) for rule in documented),
            *(self._assumed(rule.id, rule.text, keys_of(rule.id)) for rule in assumed),
            *(self._assumed(READINGS[key], f"{READ_HERE}{ASSUMPTIONS[key]}", [key]) for key in READINGS),
        ]

    def _documented(self, rule_id, text):
        """A documented rule is broken by cases that assume nothing; by others it is in doubt, where none holds."""
        cases = [case for case in self._tried if rule_id in documented_by(case.name)]
        against = [case for case in cases if case.verdict == BROKEN]
        broken = [case for case in against if not case.assumptions]
        held = sum(case.verdict == HELD for case in cases)
        doubted = [] if broken or held else against
        standing = "broken" if broken else "held" if held else "in doubt" if doubted else NOT_TRIED
        others = tuple(sorted({other for case in doubted for other in resting_on(case)}))
        count = self._trying[rule_id]
        return Finding(rule_id, "documented", text, standing, held, count, broken or doubted, others)

    def _assumed(self, rule_id, text, keys):
        """An assumption is confirmed by cases that hold, and do not with another alternative of it."""
        cases = [case for case in self._tried if not set(keys).isdisjoint(case.assumptions)]
        broken = [case for case in cases if case.verdict == BROKEN]
        alone = [case for case in broken if set(case.assumptions) <= set(keys)]
        held = [case for case in cases if case.verdict == HELD]
        left = ()
        if not text.startswith(READ_HERE):
            shown = {alternative for case in held for alternative in told_by(case, rule_id)}
            left = tuple(each for each in RULEBOOK[rule_id].alternatives[1:] if each not in shown)
            held = [case for case in held if told_by(case, rule_id)]
        whole = "confirmed in part" if left else "confirmed"
        standing = "refuted" if alone else "in doubt" if broken else whole if held else NOT_TRIED
        others = tuple(sorted({other for case in alone or broken for other in resting_on(case)} - {rule_id}))
        count = sum(self._resting[key] for key in keys)
        return Finding(rule_id, "assumed", text, standing, len(held), count, alone or broken, others, left)


def told_by(case, rule_id):
    """The alternatives of a rule that a case which holds shows not to be the service's."""
    function = case.name.partition("[")[0]
    return [alternative for alternative, cases in TOLD_APART.get(rule_id, {}).items() if function in cases]


def keys_of(rule_id):
    """The assumptions of the suite that are about a rule."""
    return [key for key in ASSUMPTIONS if key not in READINGS and rule_id in ids_of(key)]


def resting_on(case):
    """The rules that a case assumes."""
    return [rule_id for key in case.assumptions for rule_id in ids_of(key)]

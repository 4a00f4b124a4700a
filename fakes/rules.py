"""Rules: what the service's description says, and what this fake assumes where it says nothing."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from pydantic import field_validator

from fakes.cards import card
from fakes.saved import Saved

__all__ = ["AssumptionRefused", "Policy", "Rule", "RuleStatus", "Rules", "assumed", "documented"]

Provenance = Literal["documented", "assumed"]
Policy = Literal["allow", "refuse"]

RULEBOOK: dict[str, "Rule"] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One observable behaviour of the service.

    Attributes:
        id: area and behaviour, such as ``token.error-body``.
        provenance: ``documented``, or ``assumed`` where the description does not show it.
        section: the section of the service's description it comes from, or that leaves it open.
        text: what the fake does; for an assumption, by default.
        alternatives: for an assumption, the names of what else is plausible, the default first; empty otherwise.
    """

    id: str
    provenance: Provenance
    section: str
    text: str
    alternatives: tuple[str, ...] = ()


def documented(rule_id: str, section: str, text: str) -> Rule:
    """Declare a behaviour that the service's description states."""
    return _declare(Rule(rule_id, "documented", section, text))


def assumed(rule_id: str, section: str, text: str, *alternatives: str) -> Rule:
    """Declare a behaviour that the description leaves open; the first alternative is the default."""
    return _declare(Rule(rule_id, "assumed", section, text, alternatives))


def _declare(rule: Rule) -> Rule:
    if rule.id in RULEBOOK:
        raise ValueError(f"the rule {rule.id} is declared twice")
    RULEBOOK[rule.id] = rule
    return rule


class AssumptionRefused(AssertionError):
    """An answer would have rested on an assumption while ``assumptions="refuse"`` is set."""


@dataclass(frozen=True, slots=True)
class RuleStatus:
    """A rule as one fake applies it: with the alternative chosen (None where documented) and the times used."""

    rule: Rule
    chosen: str | None
    used: int


class RulesData(Saved):
    """Choices as a snapshot has them; how often rules were used is no part of it."""

    policy: Policy
    chosen: dict[str, str]

    @field_validator("chosen")
    @classmethod
    def _known(cls, chosen: dict[str, str]) -> dict[str, str]:
        Rules(chosen)
        return chosen


class Rules:
    """The rules of one fake: which alternative is chosen for each assumption, and what each answer rested on.

    Args:
        assume: alternatives by rule id, such as ``{"token.error-body": "resource"}``.
        policy: ``"refuse"`` raises `AssumptionRefused` where an answer would rest on an assumption.

    Raises:
        ValueError: an unknown rule, a documented one, or an unknown alternative.
    """

    def __init__(self, assume: Mapping[str, str] | None = None, policy: Policy = "allow") -> None:
        if policy not in ("allow", "refuse"):
            raise ValueError(f'assumptions is "allow" or "refuse", not {policy!r}')
        self.policy: Policy = policy
        self._chosen = {rule.id: rule.alternatives[0] for rule in RULEBOOK.values() if rule.alternatives}
        for rule_id, alternative in (assume or {}).items():
            self._choose(rule_id, alternative)
        self._used: list[Rule] | None = None
        self._counts = dict.fromkeys(RULEBOOK, 0)

    def _choose(self, rule_id: str, alternative: str) -> None:
        rule = RULEBOOK.get(rule_id)
        if rule is None or not rule.alternatives:
            what = "is documented, so it has no alternatives" if rule else "is no rule of this fake"
            raise ValueError(f"{rule_id!r} {what}; `fake.rules` lists the assumptions")
        if alternative not in rule.alternatives:
            raise ValueError(
                f"{alternative!r} is no alternative of {rule_id}; these are: {', '.join(rule.alternatives)}"
            )
        self._chosen[rule_id] = alternative

    def follow(self, rule: Rule) -> None:
        """Note that the answer in the making follows a documented rule; where none is, count it at once."""
        if self._used is None:
            self._counts[rule.id] += 1
        else:
            self._used.append(rule)

    def choice(self, rule: Rule) -> str:
        """The alternative chosen for an assumption, noted as one that the answer in the making rests on.

        Raises:
            AssumptionRefused: assumptions are refused.
        """
        if self.policy == "refuse":
            raise AssumptionRefused(
                f"this answer would rest on the assumption {rule.id} ({rule.text}), which section "
                f"{rule.section} of the service's description does not show; "
                'allow it with assumptions="allow", or keep to documented behaviour'
            )
        self.follow(rule)
        return self._chosen[rule.id]

    def begin(self) -> None:
        """Start a new answer."""
        self._used = []

    def end(self) -> tuple[Rule, ...]:
        """Finish an answer: the rules it used, each once, in order of use."""
        used, self._used = tuple(dict.fromkeys(self._used or ())), None
        for rule in used:
            self._counts[rule.id] += 1
        return used

    def forget(self) -> None:
        """Count from zero again how often rules were used."""
        self._counts = dict.fromkeys(RULEBOOK, 0)

    def dump(self) -> RulesData:
        """The choices as a snapshot has them."""
        return RulesData(policy=self.policy, chosen=self._chosen)

    def load(self, data: RulesData) -> None:
        """Replace the choices by saved ones; a rule that is not among them takes its default."""
        self.policy, self._chosen = data.policy, Rules(data.chosen)._chosen

    @contextmanager
    def recording(self) -> Iterator[list[Rule]]:
        """Note what is used inside in the list that is given, apart from the answer in the making, if there is one."""
        outer, self._used = self._used, []
        inner = self._used
        try:
            yield inner
        finally:
            self._used = outer
            for rule in dict.fromkeys(inner):
                self._counts[rule.id] += 1

    def __iter__(self) -> Iterator[RuleStatus]:
        for rule in RULEBOOK.values():
            yield RuleStatus(rule, self._chosen.get(rule.id), self._counts[rule.id])

    def __len__(self) -> int:
        return len(RULEBOOK)

    def __getitem__(self, rule_id: str) -> RuleStatus:
        rule = RULEBOOK[rule_id]
        return RuleStatus(rule, self._chosen.get(rule_id), self._counts[rule_id])

    def records(self) -> Iterator[dict[str, object]]:
        """The rules as plain data."""
        for status in self:
            rule = status.rule
            yield {
                "id": rule.id,
                "provenance": rule.provenance,
                "section": rule.section,
                "text": rule.text,
                "alternatives": list(rule.alternatives),
                "chosen": status.chosen,
                "used": status.used,
            }

    def __repr__(self) -> str:
        assumptions = len(self._chosen)
        return (
            f"<Rules: {len(self) - assumptions} documented, {assumptions} assumed, assumptions {self.policy}>"
        )

    def _repr_html_(self) -> str:
        rows = (
            (
                s.rule.id,
                s.rule.provenance,
                s.rule.text,
                s.chosen or "",
                ", ".join(s.rule.alternatives),
                str(s.used),
            )
            for s in self
        )
        title = repr(self).strip("<>")
        return card(title, ("rule", "provenance", "text", "chosen", "alternatives", "times used"), rows)

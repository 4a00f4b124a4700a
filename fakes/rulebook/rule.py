"""Rules: documented ones from the service's description, and assumptions for what it leaves open."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["RULEBOOK", "Provenance", "Rule", "Section"]

Provenance = Literal["documented", "assumed", "observed"]

RULEBOOK: dict[str, "Rule"] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One observable behavior of the service.

    Attributes:
        id: area and behavior, such as ``token.error-body``.
        provenance: ``documented``, or ``assumed`` if the description does not show it; ``observed`` only in the
            status of a rule that was measured.
        section: the section of the service's description that states it, or leaves it open.
        text: what the fake does; for an assumption, by default.
        alternatives: the names of an assumption's plausible behaviors, the default first; empty otherwise.
    """

    id: str
    provenance: Provenance
    section: str
    text: str
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the service's description, in which rules are declared."""

    heading: str

    def documented(self, rule_id: str, text: str) -> Rule:
        """Declare a behavior that the section states."""
        return _declare(Rule(rule_id, "documented", self.heading, text))

    def assumed(self, rule_id: str, text: str, alternatives: tuple[str, ...]) -> Rule:
        """Declare a behavior that the section leaves open; the first alternative is the default."""
        return _declare(Rule(rule_id, "assumed", self.heading, text, alternatives))


def _declare(rule: Rule) -> Rule:
    if rule.id in RULEBOOK:
        raise ValueError(f"the rule {rule.id} is declared twice")
    RULEBOOK[rule.id] = rule
    return rule

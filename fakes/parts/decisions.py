"""The assumptions that decided stored things, for the responses that show these later."""

from typing import Self

from pydantic import model_validator

from fakes.parts.changes import ChangeLog, Stored
from fakes.persistence import Saved
from fakes.rulebook.rule import RULEBOOK, Rule
from fakes.rulebook.rules import Rules

__all__ = ["ADMITTED", "MESSAGES", "Decisions", "DecisionsData"]

MESSAGES = "log/messages"
"""The name of what decided which messages there are, apart from the journal and the deliveries."""
ADMITTED = "log/admitted"
"""The name of what decided which notifications the rate admitted."""


class DecisionsData(Saved):
    """The decisions in a snapshot: rule IDs by the thing they decided."""

    made: dict[str, tuple[str, ...]]

    @model_validator(mode="after")
    def _check_rules(self) -> Self:
        unknown = {rule_id for ids in self.made.values() for rule_id in ids if rule_id not in RULEBOOK}
        if unknown:
            raise ValueError(f"there is no rule {', '.join(sorted(unknown))}")
        return self


class Decisions:
    """The assumptions that decided stored things, if the response of that call does not show them.

    A thing has a name, such as ``code/<code>`` or ``download/<address>``. Whatever later depends on the thing follows
    those assumptions, so the first response that would have been different names them.

    Examples:
        >>> from fakes import rulebook
        >>> rules = Rules()
        >>> decisions = Decisions(rules, ChangeLog())
        >>> with rules.recording() as used:
        ...     decisions.apply(rulebook.tokens.WRONG_SECRET_KEEPS_CODE, "code/1")
        'keeps-code'
        >>> with rules.recording() as used_later:
        ...     decisions.follow("code/1")
        >>> used, [rule.id for rule in used_later]
        ([], ['token.wrong-secret'])
    """

    def __init__(self, rules: Rules, changes: ChangeLog) -> None:
        self._rules = rules
        self._made: Stored[str, tuple[str, ...]] = Stored(changes, "decisions.made")

    def apply(self, rule: Rule, *things: str) -> str:
        """Return the chosen alternative of an assumption, and remember that it decides things.

        The current response would be the same under any alternative; the first that shows a thing rests on it.
        """
        chosen = self._rules.decide(rule)
        self.remember(rule, *things)
        return chosen

    def remember(self, rule: Rule, *things: str) -> None:
        """Remember that an assumption decided things."""
        for thing in things:
            known = self._made.get(thing, ())
            if rule.id not in known:
                self._made[thing] = (*known, rule.id)

    def follow(self, thing: str) -> None:
        """Note that the current response rests on the assumptions that decided a thing."""
        for rule_id in self._made.get(thing, ()):
            self._rules.apply(RULEBOOK[rule_id])

    def forget(self, thing: str) -> None:
        """Forget the assumptions that decided a thing that no longer exists."""
        self._made.pop(thing, None)

    def dump(self) -> DecisionsData:
        """Return the decisions for a snapshot, shared."""
        return DecisionsData.model_construct(made=self._made)

    def load(self, data: DecisionsData) -> None:
        """Replace the decisions with saved ones."""
        self._made.replace(data.made)

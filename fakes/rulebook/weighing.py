"""The assumptions on which a judgment rests, found by trying their other alternatives: each alone, then in pairs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from fakes.rulebook.refusing import describe_choices, is_refusing
from fakes.rulebook.rule import Rule

__all__ = ["Weighing"]

Attempt = Callable[[dict[str, str]], tuple[Any, Sequence[Rule]]]
"""Makes a judgment under other alternatives, given by rule ID; returns its outcome and the rules it used."""
Choice = tuple[Rule, str]
"""An assumption and one of its other alternatives."""


class Weighing:
    """A judgment and what it rests on: create it, then read `rules` and `remedy`.

    A judgment rests on an assumption if another alternative of it gives another outcome. A refusal also rests on two
    assumptions of which each is enough for it, so that it takes another alternative of both to change it. What no such
    choice changes rests on neither. Three assumptions that are each enough hide one another.

    With n other alternatives of all assumptions looked at, this costs n trials, and for a refusal at most n²/2 more:
    none if only one assumption is looked at, and none of two that are known to matter.

    Args:
        attempt: makes the judgment.
        report: returns the part of an outcome that a response shows.
        look_up: returns the chosen alternative of an assumption.

    Attributes:
        outcome: what the judgment returns, or the exception it raises.
        rules: the documented rules it follows and the assumptions it rests on, in the order of use.
        remedy: the settings that would allow what it refuses; empty if none would.
    """

    def __init__(
        self, attempt: Attempt, report: Callable[[Any], object], look_up: Callable[[Rule], str]
    ) -> None:
        self._attempt, self._report, self._look_up = attempt, report, look_up
        outcome, used = attempt({})
        self.outcome: Any = outcome
        self._is_refusal = isinstance(self.outcome, Exception)
        self._hinges: dict[Rule, None] = {}
        self._allowing: list[str] = []
        if any(rule.alternatives for rule in used):
            self._shown = report(self.outcome)
            same = self._try_each(used)
            if self._is_refusal:
                self._try_pairs(used, same)
        rules = tuple(dict.fromkeys((*used, *self._hinges)))
        self.rules: list[Rule] = [rule for rule in rules if not rule.alternatives or rule in self._hinges]
        self.remedy: str = " or ".join(self._allowing)

    def _try_each(self, used: Iterable[Rule]) -> dict[Choice, Sequence[Rule]]:
        """Try each choice alone; return those that change nothing, each with the rules used under it."""
        same = {}
        for choice in self._vary(used):
            if choice[0] in self._hinges and not self._is_refusal:
                continue  # one is enough; only of a refusal all that would allow it are named
            then_used = self._try(choice)
            if then_used is not None:
                same[choice] = then_used
        return same

    def _try_pairs(self, used: Iterable[Rule], same: dict[Choice, Sequence[Rule]]) -> None:
        """Try two choices at once of which neither alone changes anything; the first may lead to the second."""
        changing = {choice for choice in self._vary(used) if choice not in same}
        pairs = {
            frozenset((one, two)): (one, two)
            for one, then_used in same.items()
            for two in self._vary(then_used)
            if two[0] is not one[0] and two not in changing
        }
        for one, two in pairs.values():
            if not {one[0], two[0]} <= self._hinges.keys():
                self._try(one, two)

    def _vary(self, used: Iterable[Rule]) -> Iterator[Choice]:
        """Yield the alternatives that are not chosen, of the assumptions among rules."""
        for rule in dict.fromkeys(used):
            for alternative in rule.alternatives:
                if alternative != self._look_up(rule):
                    yield rule, alternative

    def _try(self, *choices: Choice) -> Sequence[Rule] | None:
        """Return the rules used under other choices; None if the outcome is another, which rests on these rules."""
        outcome, used = self._attempt({rule.id: alternative for rule, alternative in choices})
        if self._report(outcome) == self._shown:
            return used
        self._hinges |= dict.fromkeys(rule for rule, _ in choices)
        allows = self._is_refusal and not isinstance(outcome, Exception)
        if allows and not any(is_refusing(*choice) for choice in choices):
            self._allowing.append(describe_choices({rule.id: alternative for rule, alternative in choices}))
        return None

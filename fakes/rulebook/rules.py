"""The rules of one fake: what is chosen for assumptions, and the rules behind each response.

Code that makes a response asks for the rules that it rests on, in one of these ways:

=========== ===================================================================================================
`follow`    a documented rule: noted
`apply`     an assumption: noted, and refused where assumptions are refused
`look_up`   an assumption: nothing is noted, as it does not show, or as `apply` follows where it does
`decide`    an assumption that only later responses show: counted now, and noted by those (see `fakes.parts.decisions`)
`weigh`     a judgment by several rules: only the assumptions are noted that turned its outcome
`peek`      a judgment that is only tried: nothing is noted
`deviate`   a deviation: noted, and the documented rules that it departs from are not
=========== ===================================================================================================

`recording` keeps what is noted inside it apart from the current response, and `begin_again` forgets what was noted when
another response takes its place.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from threading import Lock, get_ident
from typing import Any, Self, TypeVar

from pydantic import model_validator

from fakes.persistence import Saved
from fakes.rulebook.assumptions_file import Measured
from fakes.rulebook.choices import check_alternative, check_mapping
from fakes.rulebook.deviating import Deviations
from fakes.rulebook.deviations import Deviation
from fakes.rulebook.refusing import Policy, check_policy, describe_allowing, describe_refused
from fakes.rulebook.rule import RULEBOOK, Rule
from fakes.rulebook.status import RuleStatus, render_rules
from fakes.rulebook.weighing import Weighing
from svckit.display.suggestions import UnknownName
from svckit.display.tab import PublicNames

__all__ = ["AssumptionRefused", "Rules", "RulesData"]

Outcome = TypeVar("Outcome")


def _make_comparable(outcome: object) -> object:
    """Return the part of an outcome that can be compared."""
    return (type(outcome), str(outcome)) if isinstance(outcome, Exception) else outcome


class AssumptionRefused(AssertionError):
    """A response would have rested on an assumption that is refused, as ``assumptions`` says."""


class RulesData(Saved):
    """Choices in a snapshot, without the counts of how often rules were used."""

    policy: Policy
    chosen: dict[str, str]
    deviations: dict[str, str]
    measured: Measured

    @model_validator(mode="after")
    def _check_choices(self) -> Self:
        self.make_rules()
        return self

    def make_rules(self) -> "Rules":
        """Return rules with these choices, of which those that were measured stay so."""
        measured = self.measured
        chosen = {name: value for name, value in self.chosen.items() if name not in measured.chosen}
        deviations = {
            name: value for name, value in self.deviations.items() if name not in measured.deviations
        }
        return Rules(chosen, self.policy, deviations, measured)


class Rules(
    PublicNames,
    internal="apply begin begin_again copy_choices decide deviate dump end find_remedy follow forget "
    "load look_up measured observed peek recording refuses weigh",
):
    """The rules of one fake: the alternative chosen for each assumption, and the rules behind each response.

    Args:
        assume: alternatives by rule ID, such as ``{"token.error-body": "code-description"}``.
        policy: what to do if a response would rest on an assumption; unless allowed, `AssumptionRefused` is raised.
        deviations: values by the ID of the deviation, such as ``{"file.stored": "200"}``.
        measured: what was measured of a real service; what is chosen otherwise counts as assumed.

    Attributes:
        deviations: the deviations from documented rules, off unless they are chosen.

    Raises:
        ValueError: an unknown rule, a documented one, an unknown alternative, deviation or value, or deviations
            that were not measured together with a policy that refuses.
    """

    def __init__(
        self,
        assume: Mapping[str, str] | None = None,
        policy: Policy = "allow",
        deviations: Mapping[str, str] | None = None,
        measured: Measured | None = None,
    ) -> None:
        self.measured: Measured = (measured or Measured()).without({*(assume or ()), *(deviations or ())})
        self.observed: frozenset[str] = frozenset(self.measured.chosen)
        self.deviations: Deviations = Deviations({**self.measured.deviating, **(deviations or {})})
        check_policy(policy, self.deviations.describe(), measured=not deviations)
        self._policy = policy
        self.refuses: bool = policy != "allow"
        self._chosen = {rule.id: rule.alternatives[0] for rule in RULEBOOK.values() if rule.alternatives}
        for rule_id, alternative in {**self.measured.chosen, **(assume or {})}.items():
            check_alternative(rule_id, alternative)
            self._chosen[rule_id] = alternative
        self._used: list[Rule] = []
        """The rules that were noted for the current response, in order."""
        self._maker = 0
        """The thread that makes a response; 0 outside a response. Lookups by other threads do not count for it."""
        self._responses: dict[tuple[Rule, ...], int] = {}
        """The number of responses by the exact rules they rested on."""
        self._trial: dict[str, str] | None = None
        """Alternatives that a judgment is tried under, in place of those chosen; None if nothing is weighed."""
        self._weighed: tuple[list[Rule], int, str] = ([], 0, "")
        """The used rules as the latest weighed refusal left them, their number, and what would have allowed it."""
        self._looks = dict.fromkeys(RULEBOOK, 0)
        """The uses that belong to no response, by rule; any thread may add some, so under the lock."""
        self._looking = Lock()

    @property
    def policy(self) -> Policy:
        """``"refuse"`` or ``"refuse-unobserved"`` if assumptions are refused, else ``"allow"``; `choose` changes it.

        Examples:
            >>> Rules(policy="refuse").policy
            'refuse'
        """
        return self._policy

    def choose(
        self,
        assume: Mapping[str, str],
        policy: Policy | None = None,
        *,
        deviations: Mapping[str, str | None] | None = None,
        measured: Measured | None = None,
    ) -> None:
        """Choose other alternatives; the rest stay, and so does the policy unless it is given.

        A rule that was measured is an assumption again if an alternative is chosen for it.

        Args:
            assume: alternatives by rule ID.
            policy: ``"allow"``, or ``"refuse"`` to raise where a response would rest on an assumption;
                ``"refuse-unobserved"`` lets those pass that were measured.
            deviations: values by the ID of the deviation; None turns one off. The others stay.
            measured: what was measured of a real service, in place of what was measured before.

        Raises:
            ValueError: an unknown rule, a documented one, an unknown alternative, deviation or value, or deviations
                together with a policy that refuses; then nothing has changed.
            TypeError: ``assume`` is not a mapping.

        Examples:
            >>> rules = Rules()
            >>> rules.choose({"api.unauthorized": "403"})
            >>> rules["api.unauthorized"].chosen
            '403'
        """
        check_mapping(assume, policy)
        departures = {**self.deviations.chosen, **(deviations or {})}
        data = RulesData.model_construct(
            policy=policy or self.policy,
            chosen=self._chosen | dict(assume),
            deviations={name: value for name, value in departures.items() if value is not None},
            measured=(measured or self.measured).without({*assume, *(deviations or ())}),
        )
        self._take_over(data.make_rules())

    def _take_over(self, other: "Rules") -> None:
        self._policy, self.refuses, self._chosen = other._policy, other.refuses, other._chosen
        self.measured, self.observed = other.measured, other.observed
        self.deviations.take_over(other.deviations)

    def deviate(self, deviation: Deviation) -> str | None:
        """Return the chosen value of a deviation, and note that it shapes the current response; None if it is off."""
        value = self.deviations.get(deviation)
        if value is not None and self._maker == get_ident():
            self.deviations.note(deviation)
        return value

    def follow(self, rule: Rule) -> None:
        """Note that the current response follows a documented rule; outside a response, count it at once."""
        if self._maker == get_ident():
            self._used.append(rule)
        else:
            self._count(rule)

    def _count(self, rule: Rule) -> None:
        with self._looking:
            self._looks[rule.id] += 1

    def apply(self, rule: Rule) -> str:
        """Return the alternative chosen for an assumption, and note that the current response rests on it.

        Raises:
            AssumptionRefused: assumptions are refused.
        """
        if self._trial is not None and self._maker == get_ident():
            self._used.append(rule)
            return self._trial.get(rule.id) or self._chosen[rule.id]
        if self.refuses and not (self._policy == "refuse-unobserved" and rule.id in self.observed):
            raise AssumptionRefused(describe_refused(rule))
        self.follow(rule)
        return self._chosen[rule.id]

    def decide(self, rule: Rule) -> str:
        """Return the alternative chosen for an assumption that only later responses show, and count the use."""
        self._count(rule)
        return self.look_up(rule)

    def look_up(self, rule: Rule) -> str:
        """Return the alternative chosen for an assumption, without noting that anything rests on it."""
        if self._trial and self._maker == get_ident():
            return self._trial.get(rule.id) or self._chosen[rule.id]
        return self._chosen[rule.id]

    def weigh(
        self, judge: Callable[[], Outcome], report: Callable[[Any], object] | None = None
    ) -> tuple[Outcome, list[Rule]]:
        """Return the outcome of a judgment, and the assumptions on which it rests, the only ones that are noted.

        `Weighing` finds them, and says what it costs.

        Args:
            judge: makes the judgment. It must have no other effect, because it is called under each alternative.
            report: returns the part of an outcome or exception that a response shows; by default, all of it.

        Raises:
            AssumptionRefused: the outcome rests on an assumption, and those are refused.

        Examples:
            >>> from fakes import rulebook
            >>> rules = Rules()
            >>> outcome, hinges = rules.weigh(lambda: rules.apply(rulebook.api.TEXT_LIMIT) == "refused")
            >>> outcome, [rule.id for rule in hinges]
            (True, ['api.text-limit'])
        """
        weighing = Weighing(partial(self._try, judge), report or _make_comparable, self.look_up)
        for rule in weighing.rules:
            if rule.alternatives:
                self.apply(rule)
            else:
                self.follow(rule)
        outcome = weighing.outcome
        if isinstance(outcome, Exception):
            self._weighed = (self._used, len(self._used), weighing.remedy)
            raise outcome
        return outcome, [rule for rule in weighing.rules if rule.alternatives]

    def find_remedy(self, known: str) -> str:
        """Return the choices that would have allowed what has just been refused; empty if none is known.

        Args:
            known: those that the refusal names itself.
        """
        if self.policy != "allow":
            return ""
        of, number, remedy = self._weighed
        # Still the same response, which has rested on no other assumption since.
        if of is self._used and not any(rule.alternatives for rule in of[number:]):
            return remedy
        if known or not self._used:
            return known
        return describe_allowing(self._used[-1], self._chosen)

    def peek(self, judge: Callable[[], Outcome]) -> Outcome | Exception:
        """Return the outcome of a judgment, or its exception, without noting that anything rests on it."""
        return self._try(judge, {})[0]

    def _try(
        self, judge: Callable[[], Outcome], trial: dict[str, str]
    ) -> tuple[Outcome | Exception, list[Rule]]:
        """Return the outcome of a judgment, or its exception, under other alternatives, and the rules it used."""
        before = self._used, self._maker, self._trial
        used: list[Rule] = []
        self._used, self._maker, self._trial = used, get_ident(), trial
        try:
            return judge(), used
        except Exception as failure:  # noqa: BLE001 - a refusal is an outcome too
            return failure, used
        finally:
            self._used, self._maker, self._trial = before

    def begin(self) -> None:
        """Start a new response, made in this thread, which holds the fake's lock until its end."""
        self._maker, self._used = get_ident(), []
        if self.deviations.noted:
            self.deviations.noted = []

    def begin_again(self, *rules: Rule) -> None:
        """Forget that the current response used some rules; all, and deviations, if it is another response."""
        self._used[:] = [rule for rule in self._used if rules and rule not in rules]
        self.deviations.noted = self.deviations.noted if rules else []

    def end(self) -> tuple[Rule, ...]:
        """Finish a response, and return the rules it used, each once, in order of use.

        The rules that a deviation departed from are not among them.
        """
        used, self._maker = tuple(dict.fromkeys(self._used)), 0
        if self.deviations.noted:
            departed = self.deviations.end()
            used = tuple(rule for rule in used if rule.id not in departed)
        self._responses[used] = self._responses.get(used, 0) + 1
        return used

    def copy_choices(self) -> "Rules":
        """Return rules with the same alternatives, measured or not, that refuse nothing and count for themselves."""
        return RulesData.model_construct(
            policy="allow", chosen=self._chosen, deviations={}, measured=self.measured
        ).make_rules()

    def forget(self) -> None:
        """Reset the counts of how often rules were used."""
        self._responses = {}
        self._looks = dict.fromkeys(RULEBOOK, 0)
        self.deviations.forget()

    def dump(self) -> RulesData:
        """Return the choices for a snapshot."""
        return RulesData.model_construct(
            policy=self.policy,
            chosen=dict(self._chosen),
            deviations=dict(self.deviations.chosen),
            measured=self.measured,
        )

    def load(self, data: RulesData) -> None:
        """Replace the choices with saved ones; a rule that is not among them takes its default."""
        self._take_over(data.make_rules())

    @contextmanager
    def recording(self) -> Iterator[list[Rule]]:
        """Record the rules used inside in the list it yields, separately from the current response."""
        outer, maker, noted = self._used, self._maker, self.deviations.noted
        self._maker, self._used, self.deviations.noted = get_ident(), [], []
        inner = self._used
        try:
            yield inner
        finally:
            self._used, self._maker, self.deviations.noted = outer, maker, noted
            used = tuple(dict.fromkeys(inner))
            self._responses[used] = self._responses.get(used, 0) + 1

    def __iter__(self) -> Iterator[RuleStatus]:
        return map(self._status, RULEBOOK.values())

    def __len__(self) -> int:
        return len(RULEBOOK)

    def __getitem__(self, rule_id: str) -> RuleStatus:
        if rule_id not in RULEBOOK:
            raise UnknownName("rule", rule_id, RULEBOOK, "fake.rules")
        return self._status(RULEBOOK[rule_id])

    def _status(self, rule: Rule) -> RuleStatus:
        used = self._looks[rule.id] + sum(
            count for rules, count in tuple(self._responses.items()) if rule in rules
        )
        return RuleStatus(
            rule.id,
            "observed" if rule.id in self.observed else rule.provenance,
            rule.section,
            rule.text,
            rule.alternatives,
            chosen=self._chosen.get(rule.id),
            used=used,
            observed=self.measured.describe(rule.id),
        )

    def records(self) -> Iterator[dict[str, object]]:
        """Yield the rules as plain data.

        Examples:
            >>> next(Rules().records())["id"]
            'api.bearer'
        """
        return (rule.record() for rule in self)

    def __repr__(self) -> str:
        assumptions = len(self._chosen)
        observed = f", {len(self.observed)} observed" if self.observed else ""
        deviating = f", deviating: {self.deviations.describe()}" if self.deviations.chosen else ""
        return (
            f"<Rules: {len(self) - assumptions} documented, {assumptions - len(self.observed)} assumed{observed}, "
            f"assumptions {self.policy}{deviating}>"
        )

    def _repr_html_(self) -> str:
        return render_rules(repr(self).strip("<>"), self, self.deviations)

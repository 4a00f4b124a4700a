"""The search for the alternatives and deviations under which a twin responds as the recorded service did."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from fakes import rulebook
from fakes.observing.recording import Recorded
from fakes.observing.replaying import Played, Twin
from fakes.observing.shapes import STATUS, find_differences
from fakes.rulebook.choices import can_choose
from fakes.rulebook.deviations import DEVIATIONS
from fakes.rulebook.rule import RULEBOOK, Rule
from svckit.display.card import quantity
from svckit.display.progress import progress_bar

__all__ = ["Choice", "Run", "Search"]

STRIDE = 10
"""The number of requests after which a replay keeps a copy of its twin."""
UNMARKED = (rulebook.auth.REDIRECT_STATUS.id, rulebook.notifications.REFUSED_HEADERS.id)
"""Rules whose default is as described, so that no response is marked with them."""
SUCCESS_OR_NOT, OTHER_STATUS, MOST = 10_000, 1000, 999
"""The cost of a response that succeeds where the other fails, of another status, and at most of all other parts."""
Item = TypeVar("Item")
Choice = tuple[str, str | None]
"""A rule or deviation by its ID, and the value to choose; None turns a deviation off."""


@dataclass
class Run:
    """A replay of all the traffic: where each response differs, and the rules that it rests on."""

    played: list[Played] = field(default_factory=list)
    costs: list[int] = field(default_factory=list)
    """How far each response is from the recorded one, so that rules that shape one response are found one by one."""
    undecidable: set[int] = field(default_factory=set)
    """The requests that nothing can be told from, as the recording lacks what they refer to."""
    first: dict[str, tuple[int, Twin]] = field(default_factory=dict)
    """A request not long before the first response that used each rule, and the twin before it."""

    @property
    def cost(self) -> int:
        """The distance of all responses from the recorded ones."""
        return sum(self.costs)

    def matches(self, number: int) -> bool:
        """Return whether a response matches as a whole."""
        return not self.played[number].differing


class Search:
    """Coordinate descent: adopts each choice that brings the responses closer to the recorded ones.

    Attributes:
        traffic: the requests that it compares: those that something can be told from.
        best: the replay under the choices adopted.
        undecided: the rules that explain some responses just as well as others do.
        costs: the cost of each other choice; too low by what was not replayed, if it was certain to exceed the best.
    """

    traffic: list[Recorded]

    def __init__(self, twin: Twin, traffic: list[Recorded], *, progress: bool | None = None) -> None:
        self.traffic, self._start, self._progress = traffic, twin, progress
        self.chosen: dict[str, str | None] = {}
        self.costs: dict[Choice, int] = {}
        self.undecided: set[str] = set()
        self.best: Run = self._replay()
        while self.best.undecidable:
            self.traffic = [
                call for number, call in enumerate(self.traffic) if number not in self.best.undecidable
            ]
            self.best = self._replay()
        while self._improve() or self._simplify() or self._exchange():
            pass

    def get(self, name: str) -> str | None:
        """Return the value adopted for a rule or deviation."""
        default = RULEBOOK[name].alternatives[0] if name not in DEVIATIONS else None
        return self.chosen.get(name, default)

    def list_governed(self, rule: Rule) -> list[set[str]]:
        """Return where another alternative of a rule changes each response."""
        governed: list[set[str]] = [set() for _ in self.traffic]
        start = self.best.first.get(rule.id, (0, self._start))[0]
        for value in rule.alternatives:
            if value != self.get(rule.id):
                for number, played in enumerate(self._iterate((rule.id, value), self.best), start):
                    governed[number] |= find_differences(played.shape, self.best.played[number].shape)
        return governed

    def _improve(self) -> bool:
        """Try each other choice once, and adopt those that lower the cost; return whether any did."""
        self.costs, before = {}, self.best.cost
        for choice in self._show("alternatives", list(self._list_choices(self.best))):
            cost = self._try(choice, self.best)
            if cost < self.best.cost:
                self._adopt(choice)
            else:
                self.costs[choice] = cost
        return self.best.cost < before

    def _adopt(self, choice: Choice) -> None:
        self.chosen[choice[0]] = choice[1]
        self.best = self._replay()

    def _simplify(self) -> bool:
        """Return to the defaults that explain as much as the choices adopted; return whether any does."""
        before = dict(self.chosen)
        for name in before:
            value = self.chosen.pop(name)
            without = self._replay()
            if without.cost <= self.best.cost:
                self.best = without
            else:
                self.chosen[name] = value
        return self.chosen != before

    def _exchange(self) -> bool:
        """Try each choice in place of one adopted; adopt the first that lowers the cost, and return whether one does.

        Those that explain as much leave both undecided.
        """
        self.undecided = set()
        for name, value in self._show("rivals of what was found", list(self.chosen.items())):
            del self.chosen[name]
            without = self._replay()
            for choice in list(self._list_choices(without)):
                cost = self._try(choice, without) if choice[0] != name else self.best.cost + 1
                if cost < self.best.cost:
                    self._adopt(choice)
                    return True
                if cost == self.best.cost:
                    self.undecided |= {name, choice[0]}
            self.chosen[name] = value
        return False

    def _show(self, words: str, items: list[Item]) -> Iterator[Item]:
        """Yield items, and show the progress through them."""
        what = f"observe {quantity(len(self.traffic), 'request')}: {words}"
        with progress_bar(what, len(items), unit="items", shown=self._progress) as advance:
            for item in items:
                yield item
                advance(1)

    def _list_choices(self, run: Run) -> Iterator[Choice]:
        """Yield each other choice, those first that may explain a response that differs."""
        suspects = {rule.id for played in run.played if played.differing for rule in played.used}
        rules = run.first.keys() - DEVIATIONS.keys()
        for name in (*sorted(rules & suspects), *DEVIATIONS, *sorted(rules - suspects)):
            values: tuple[str | None, ...] = RULEBOOK[name].alternatives if name in rules else ()
            if name in DEVIATIONS:
                values = None, *(value for value in DEVIATIONS[name].values if can_choose(name, value))
            yield from ((name, value) for value in values if value != self.get(name))

    def _iterate(self, choice: Choice, run: Run) -> Iterator[Played]:
        """Return the replay under one other choice, from the first response that it can change."""
        start, before = run.first.get(choice[0], (0, self._start))
        twin = before.fork()
        choose(twin, {**self.chosen, choice[0]: choice[1]})
        return map(twin.play, self.traffic[start:])

    def _try(self, choice: Choice, run: Run) -> int:
        """Return the cost of a replay under one other choice; less if it exceeds that of the best."""
        cost = sum(run.costs[: run.first.get(choice[0], (0, self._start))[0]])
        if cost <= self.best.cost:  # else what it can change does not matter
            for played in self._iterate(choice, run):
                cost += _weigh(played)
                if cost > self.best.cost:
                    break
        return cost

    def _replay(self) -> Run:
        """Replay all the traffic under the choices adopted."""
        twin, run = self._start.fork(), Run()
        choose(twin, self.chosen)
        before = start = 0, twin.fork()  # the latest copy, and the first: other choices are tried from there
        for number, recorded in enumerate(self.traffic):
            if number % STRIDE == 0:
                before = number, twin.fork()
            played = twin.play(recorded)
            run.played.append(played)
            run.costs.append(_weigh(played))
            if not played.is_telling:
                run.undecidable.add(number)
            for used in (*(rule.id for rule in played.used if rule.alternatives), *played.deviations):
                run.first.setdefault(used, before)
        noted = Counter(rule.id for played in run.played for rule in played.used)
        for status in twin.fake.rules:
            if status.alternatives and (status.used > noted[status.id] or status.id in UNMARKED):
                run.first[status.id] = start  # later responses showed what was decided without a note
        return run


def _weigh(played: Played) -> int:
    """Return how far a response is from the recorded one: what succeeds comes first, then the status, then the rest."""
    if not played.differing:
        return 0
    if STATUS not in played.differing:
        return min(len(played.differing), MOST)
    return (OTHER_STATUS if played.succeeds_alike else SUCCESS_OR_NOT) + min(len(played.differing), MOST)


def choose(twin: Twin, choices: dict[str, str | None]) -> None:
    """Choose alternatives and deviations for a twin."""
    rules = twin.fake.rules
    assume = {name: value for name, value in choices.items() if name not in DEVIATIONS and value}
    rules.choose(assume, deviations={name: value for name, value in choices.items() if name in DEVIATIONS})

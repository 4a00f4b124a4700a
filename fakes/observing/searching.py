"""The search for the alternatives and deviations under which a twin responds as the recorded service did."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from fakes import rulebook
from fakes.observing.recording import Recorded
from fakes.observing.replaying import Twin
from fakes.observing.shapes import PARTS
from fakes.rulebook.deviations import DEVIATIONS
from fakes.rulebook.rule import RULEBOOK, Rule

__all__ = ["Choice", "Run", "Search"]

STRIDE = 10
"""The number of requests after which a replay keeps a copy of its twin."""
FITTING = (rulebook.auth.REDIRECT_STATUS.id, rulebook.notifications.REFUSED_HEADERS.id)
"""Rules whose default is as described, so that no response rests on them."""
Choice = tuple[str, str | None]
"""A rule or deviation by its ID, and the value to choose; None turns a deviation off."""


@dataclass
class Run:
    """A replay of all the traffic: how many parts of each response match, and the rules that it rests on."""

    parts: list[int] = field(default_factory=list)
    used: list[tuple[Rule, ...]] = field(default_factory=list)
    untold: set[int] = field(default_factory=set)
    """The requests that nothing can be told from, as the recording lacks what they refer to."""
    first: dict[str, tuple[int, Twin]] = field(default_factory=dict)
    """A request not long before the first response that used each rule, and the twin before it."""

    @property
    def score(self) -> int:
        """The number of parts of responses that match, so that rules that shape one response are found one by one."""
        return sum(self.parts)

    def matches(self, number: int) -> bool:
        """Return whether a response matches as a whole."""
        return self.parts[number] == PARTS


class Search:
    """Coordinate ascent: adopts each choice that lets more of the responses match, until none does.

    Attributes:
        traffic: the requests that it compares: those that something can be told from.
        best: the replay under the choices adopted.
        undecided: the rules that explain some responses just as well as others do.
        scores: the number of matching parts under each other choice; too high by what was not replayed, if it was
            certain to be less than the best.
    """

    def __init__(self, twin: Twin, traffic: list[Recorded]) -> None:
        self.traffic, self._start = traffic, twin
        self.chosen: dict[str, str | None] = {}
        self.scores: dict[Choice, int] = {}
        self.best = self._replay()
        while self.best.untold:
            self.traffic = [
                each for number, each in enumerate(self.traffic) if number not in self.best.untold
            ]
            self.best = self._replay()
        while self._improve():
            pass
        self.undecided = set(self._list_rivals())

    def get(self, rule_id: str) -> str | None:
        """Return the value adopted for a rule or deviation."""
        default = RULEBOOK[rule_id].alternatives[0] if rule_id not in DEVIATIONS else None
        return self.chosen.get(rule_id, default)

    def _improve(self) -> bool:
        """Try each other choice once, and adopt those that raise the score; return whether any did."""
        self.scores, improved = {}, False
        for choice in list(self._list_choices(self.best)):
            score = self._try(choice, self.best)
            if score > self.best.score:
                self.chosen[choice[0]] = choice[1]
                self.best, improved = self._replay(), True
            else:
                self.scores[choice] = score
        return improved

    def _list_rivals(self) -> Iterator[str]:
        """Yield the rules and deviations that can take the place of each other."""
        for name, value in list(self.chosen.items()):
            del self.chosen[name]
            without = self._replay()
            for choice in list(self._list_choices(without)):
                if choice[0] != name and self._try(choice, without) >= self.best.score:
                    yield from (name, choice[0])
            self.chosen[name] = value

    def _list_choices(self, run: Run) -> Iterator[Choice]:
        wrong = [used for number, used in enumerate(run.used) if not run.matches(number)]
        suspects = {rule.id for used in wrong for rule in used}
        for rule_id in sorted(run.first, key=lambda each: (each not in suspects, each)):
            alternatives = RULEBOOK[rule_id].alternatives
            yield from ((rule_id, each) for each in alternatives if each != self.get(rule_id))
        for name, deviation in DEVIATIONS.items():
            yield from ((name, each) for each in (None, *deviation.values) if each != self.chosen.get(name))

    def _try(self, choice: Choice, run: Run) -> int:
        """Return the score of a replay under one other choice, from the first response that it can change."""
        start, before = run.first.get(choice[0], (0, self._start))
        twin = before.fork()
        choose(twin, {**self.chosen, **dict([choice])})
        score = sum(run.parts[:start])
        left = PARTS * (len(self.traffic) - start)
        for recorded in self.traffic[start:]:
            left -= PARTS
            score += twin.play(recorded).matches
            if score + left < self.best.score:
                break
        return score + left

    def _replay(self) -> Run:
        """Replay all the traffic under the choices adopted."""
        twin, run = self._start.fork(), Run()
        choose(twin, self.chosen)
        before = start = 0, twin.fork()
        for number, recorded in enumerate(self.traffic):
            if number % STRIDE == 0:
                before = number, twin.fork()
            played = twin.play(recorded)
            run.parts.append(played.matches)
            run.used.append(played.used)
            if not played.is_telling:
                run.untold.add(number)
            for rule in played.used:
                if rule.alternatives:
                    run.first.setdefault(rule.id, before)
        noted = Counter(rule.id for used in run.used for rule in used)
        for status in twin.fake.rules:
            if status.alternatives and (status.used > noted[status.id] or status.id in FITTING):
                run.first[status.id] = start  # later responses showed what was decided without a note
        return run


def choose(twin: Twin, choices: dict[str, str | None]) -> None:
    """Choose alternatives and deviations for a twin."""
    rules = twin.fake.rules
    assume = {name: value for name, value in choices.items() if name not in DEVIATIONS and value}
    rules.choose(assume, deviations={name: value for name, value in choices.items() if name in DEVIATIONS})

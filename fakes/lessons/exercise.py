"""The parts of an exercise: variants of data, runs and checks."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from fakes.lessons.feedback import GoalState
from fakes.lessons.words import Said, Words
from fakes.parts.journal_entry import JournalEntry
from fakes.service import FakeService

__all__ = ["Exercise", "Look", "Options", "Run", "Seen"]

NOW = "2026-06-01T09:00:00+09:00"
"""The instant at which the clock of each exercise's fake stands."""

Options = Mapping[str, Any]
"""What the words of a lesson say of a variant: one set of data that the learner's function has to cope with.

``words`` has the data in words, such as ``"150 messages"``; feedback names it. The rest is what `Exercise.prepare` and
checks go by; ``assume`` has alternatives of rules, which the fake then follows.
"""


@dataclass
class Run:
    """One call of a learner's function: its requests, its result, and the state it left.

    Attributes:
        fake: the fake, as the function left it.
        options: the data of the variant, as the words have them.
        arguments: what the function was called with.
        result: what it returned, or what `Exercise.play` made of that; None if it raised.
        error: what it raised; None if it returned.
        started, ended: the fake's time before and after.
        line: where in the function the error was raised, as ``line 3: ``, a backquoted line of source; may be empty.
    """

    fake: FakeService
    options: Options
    arguments: tuple[Any, ...]
    result: Any
    error: BaseException | None
    started: datetime
    ended: datetime
    line: str

    @cached_property
    def entries(self) -> tuple[JournalEntry, ...]:
        """All requests, oldest first; the first has the number 1."""
        return tuple(self.fake.journal)

    @property
    def waited(self) -> timedelta:
        """The time that passed, by the fake's clock."""
        return self.ended - self.started

    def sent(self, operation: str, *statuses: int) -> tuple[JournalEntry, ...]:
        """Return the requests of an operation, with one of these statuses if any are given."""
        return tuple(
            entry
            for entry in self.entries
            if entry.operation == operation and (not statuses or entry.status in statuses)
        )

    def names(self, users: Collection[str]) -> bool | None:
        """Return whether the result has these users and nobody else; None after an error, or for nothing of nobody."""
        if self.error is not None or (self.result is None and not users):
            return None
        return isinstance(self.result, Collection) and {*map(str, self.result)} == {*users}


Seen = bool | Said | None
"""What a run shows about a goal: True if it was reached, None if it shows neither, and otherwise what happened: a
sentence by its name, or False to leave the words to the findings that any function gets."""
Look = Callable[[Run], Seen | Iterator[Seen]]
"""Looks at a run, and returns what it shows, or yields that for one request after another."""
Play = Callable[[Callable[..., Any], Sequence[object], FakeService, Options], object]


def call_once(
    function: Callable[..., Any], arguments: Sequence[object], fake: FakeService, options: Options
) -> object:
    """Call a function with its arguments, and return its result; lists and dicts are copied, as checks look at them."""
    return function(*(deepcopy(value) if isinstance(value, list | dict) else value for value in arguments))


def has_sent(run: Run) -> bool:
    """Return whether any request reached the fake."""
    return bool(run.entries)


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """A function for a learner to write, and how its traffic is graded.

    Attributes:
        words: what feedback says, in one language, and the data of the variants.
        prepare: puts a new fake into its initial state and returns the arguments of the function.
        checks: the looks at a run, by the name of the check in the words. All goals have to be reached, under each
            variant. The first sentence that a check has, in this order, is what feedback is about.
        summarize: returns values for the sentence ``solved``: what a successful run did, in figures.
        calls: the most requests that the function may send.
        seconds: the most seconds that it may take, by the system's clock.
        play: calls the function with its arguments, and returns what the run keeps as its result; given only where one
            call is not enough, such as for a receiver of events.
        shows: returns whether a run shows anything to grade; if not, no goal is reached and no check is looked at. If
            omitted, that a request was sent.
    """

    words: Words
    prepare: Callable[[FakeService, Options], Sequence[object]]
    checks: Mapping[str, Look]
    summarize: Callable[[Run], Mapping[str, object]] = lambda run: {}
    calls: int = 1_500
    seconds: float = 20
    play: Play = call_once
    shows: Callable[[Run], bool] = has_sent

    @property
    def name(self) -> str:
        """The name of the function."""
        return str(self.words.content["function"])

    @property
    def title(self) -> str:
        """The title of the lesson."""
        return str(self.words.content["title"])

    @property
    def variants(self) -> Sequence[Options]:
        """The variants: first what the learner sees, then hidden tests."""
        return list(self.words.content["variants"])

    @property
    def goals(self) -> tuple[GoalState, ...]:
        """The goals, none of them reached."""
        return tuple(GoalState(words, False) for words in map(self.words.goal, self.checks) if words)

    def translate(self, language: str) -> "Exercise":
        """Return the exercise with feedback in another language; what is not translated stays English."""
        return replace(self, words=self.words.translate(language))

    def new_fake(self, seed: int = 0) -> FakeService:
        """Create the fake of a run, before `prepare`.

        Args:
            seed: determines users, IDs and secrets.
        """
        return FakeService.sample(seed=seed, now=NOW)

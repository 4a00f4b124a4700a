"""The parts of an exercise: variants of data, runs, goals and mistakes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from fakes.parts.journal_entry import JournalEntry
from fakes.service import FakeService

__all__ = ["Exercise", "Goal", "Mistake", "Run", "Variant"]

NOW = "2026-06-01T09:00:00+09:00"
"""The instant at which the clock of each exercise's fake stands."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One set of data that the learner's function has to cope with.

    Attributes:
        words: the data in words, such as ``"150 messages"``; feedback names it.
        options: what `Exercise.prepare` goes by.
    """

    words: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Run:
    """One call of a learner's function: its requests, its result, and the state it left.

    Attributes:
        fake: the fake, as the function left it.
        variant: the data.
        arguments: what the function was called with.
        result: what it returned, or what `Exercise.play` made of that; None if it raised.
        error: what it raised; None if it returned.
        started, ended: the fake's time before and after.
        line: where in the function the error was raised, as ``line 3: ``, a backquoted line of source; may be empty.
    """

    fake: FakeService
    variant: Variant
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


@dataclass(frozen=True, slots=True)
class Goal:
    """Something that a run should reach.

    Attributes:
        words: the goal in words, such as ``"each message is posted once"``.
        look: returns True if a run reached it, False if not, and None if the run shows neither.
    """

    words: str
    look: Callable[[Run], bool | None]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake that a run shows by its traffic.

    Attributes:
        name: a short name, unique in the exercise; progress files contain it.
        look: returns what happened, with the numbers of requests, or None if the mistake was not made.
        hints: for the first, second and third time: a question, a pointer, and the place in the lesson. None of them
            says what to write.
    """

    name: str
    look: Callable[[Run], str | None]
    hints: tuple[str, str, str]


Play = Callable[[Callable[..., Any], Sequence[object], FakeService, Variant], object]


def call_once(
    function: Callable[..., Any], arguments: Sequence[object], fake: FakeService, variant: Variant
) -> object:
    """Call a function with its arguments, and return its result."""
    return function(*arguments)


def has_sent(run: Run) -> bool:
    """Return whether any request reached the fake."""
    return bool(run.entries)


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """A function for a learner to write, and how its traffic is graded.

    Attributes:
        name: the name of the function.
        title: the title of its lesson.
        minutes: how long it takes.
        section: the section of the service's description that it is about.
        starter: the source to start from; it runs without an error and reaches no goal.
        prepare: puts a new fake into its initial state and returns the arguments of the function.
        variants: the data: first what the learner sees, then hidden tests.
        goals: all have to be reached, under each variant.
        mistakes: in the order in which they are looked for; the first one found is the one that feedback is about.
        summarize: returns what a successful run did, in figures.
        calls: the most requests that the function may send.
        seconds: the most seconds that it may take, by the system's clock.
        play: calls the function with its arguments, and returns what the run keeps as its result; given only where one
            call is not enough, such as for a receiver of events.
        shows: returns whether a run shows anything to grade; if not, no goal is reached and no mistake was made. If
            omitted, that a request was sent.
    """

    name: str
    title: str
    minutes: int
    section: str
    starter: str
    prepare: Callable[[FakeService, Variant], Sequence[object]]
    variants: tuple[Variant, ...]
    goals: tuple[Goal, ...]
    mistakes: tuple[Mistake, ...]
    summarize: Callable[[Run], str]
    calls: int = 1_500
    seconds: float = 20
    play: Play = call_once
    shows: Callable[[Run], bool] = has_sent

    def new_fake(self, seed: int = 0) -> FakeService:
        """Create the fake of a run, before `prepare`.

        Args:
            seed: determines users, IDs and secrets.
        """
        return FakeService.sample(seed=seed, now=NOW)

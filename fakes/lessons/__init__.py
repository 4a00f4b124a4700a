"""Exercises that are graded by what the learner's code sent, not by its text.

An `Exercise` runs a function against a new fake and looks at the journal, the clock and the state. `grade` turns that
into `Feedback`: which goals are reached, what happened, and a hint. What feedback says is data: `Words`.

Names load on first use, so that the process of a learner's code starts without the fake.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fakes.lessons.exercise import Exercise, Look, Options, Run, Seen, Variant
    from fakes.lessons.feedback import Feedback
    from fakes.lessons.grading import grade
    from fakes.lessons.running import run
    from fakes.lessons.words import Said, Words, said, say_first
    from fakes.parts.journal_entry import JournalEntry

__all__ = [
    "Exercise",
    "Feedback",
    "JournalEntry",
    "Look",
    "Options",
    "Run",
    "Said",
    "Seen",
    "Variant",
    "Words",
    "grade",
    "run",
    "said",
    "say_first",
]

_HOMES = {
    "Exercise": "exercise",
    "Feedback": "feedback",
    "JournalEntry": "words",
    "Look": "exercise",
    "Options": "exercise",
    "Run": "exercise",
    "Said": "words",
    "Seen": "exercise",
    "Variant": "exercise",
    "Words": "words",
    "grade": "grading",
    "run": "running",
    "said": "words",
    "say_first": "words",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        from svckit.display.suggestions import no_attribute

        raise no_attribute(__name__, name, __all__)
    return getattr(import_module(f"fakes.lessons.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)

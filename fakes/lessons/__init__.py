"""Exercises that are graded by what the learner's code sent, not by its text.

An `Exercise` runs a function against a new fake and looks at the journal, the clock and the state. `grade` turns that
into `Feedback`: which goals are reached, what happened, and a hint. What feedback says is data: `Words`.

Names load on first use, so that the process of a learner's code starts without the fake.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fakes.lessons.exercise import Exercise, Look, Options, Run, Seen
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
    "Words",
    "grade",
    "run",
    "said",
    "say_first",
]

_HOMES = {
    **dict.fromkeys(("Exercise", "Look", "Options", "Run", "Seen"), "fakes.lessons.exercise"),
    **dict.fromkeys(("Said", "Words", "said", "say_first"), "fakes.lessons.words"),
    "Feedback": "fakes.lessons.feedback",
    "JournalEntry": "fakes.parts.journal_entry",
    "grade": "fakes.lessons.grading",
    "run": "fakes.lessons.running",
}


def __getattr__(name: str) -> Any:
    from svckit.display.lazy_names import load_name

    return load_name(__name__, name, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)

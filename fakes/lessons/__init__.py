"""Exercises that are graded by what the learner's code sent, not by its text.

An `Exercise` runs a function against a new fake and looks at the journal, the clock and the state. `grade` turns that
into `Feedback`: which goals are reached, what happened, and a hint. What feedback says is data: `Words`.
"""

from fakes.lessons.exercise import Exercise, Look, Run, Seen, Variant
from fakes.lessons.feedback import Feedback
from fakes.lessons.grading import grade
from fakes.lessons.running import run
from fakes.lessons.words import Said, Words, said, say_first

__all__ = [
    "Exercise",
    "Feedback",
    "Look",
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

"""Exercises that are graded by what the learner's code sent, not by its text.

An `Exercise` runs a function against a new fake and looks at the journal, the clock and the state. `grade` turns that
into `Feedback`: which goals are reached, what happened, and a hint.
"""

from fakes.lessons.exercise import Exercise, Goal, Mistake, Run, Variant
from fakes.lessons.feedback import Feedback
from fakes.lessons.grading import grade
from fakes.lessons.running import run

__all__ = ["Exercise", "Feedback", "Goal", "Mistake", "Run", "Variant", "grade", "run"]

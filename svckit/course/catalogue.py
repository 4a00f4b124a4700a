"""The lessons, in order, and the paths through them."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from svckit.display.suggestions import UnknownName
from svckit.extras import check_fakes

if TYPE_CHECKING:
    from fakes.lessons import Exercise

__all__ = ["COURSE", "LESSONS", "PATHS", "PROJECT", "Lesson", "find_exercise", "find_lesson"]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson: a notebook with one exercise, or the project.

    Attributes:
        number: two digits.
        notebook: its file in ``notebooks/course``; empty for the project.
        module: the module of its exercise, in `svckit.course.exercises`.
        function: the function that its exercise asks for.
        title: its title.
        minutes: how long it takes.
    """

    number: str
    notebook: str
    module: str
    function: str
    title: str
    minutes: int

    def load(self) -> "Exercise":
        """Import the exercise of the lesson."""
        exercise: Exercise = self._import_module().EXERCISE
        return exercise

    def count_goals(self) -> int:
        """Return the number of goals, including those of a project's tests."""
        module = self._import_module()
        return len(module.EXERCISE.goals) + len(getattr(module, "TEST_GOALS", ()))

    def _import_module(self) -> Any:
        check_fakes()
        return import_module(f"svckit.course.exercises.{self.module}")

    @property
    def place(self) -> str:
        """The way to the lesson, in words."""
        return f"in {self.notebook}" if self.notebook else "with svckit course start"


LESSONS = (
    Lesson("00", "00-look-around.ipynb", "mentions", "mention_somebody", "Look around", 15),
    Lesson("01", "01-what-goes-over-the-wire.ipynb", "wire", "send_three", "What goes over the wire", 12),
    Lesson("02", "02-sign-in.ipynb", "signing_in", "sign_in", "Sign in", 20),
    Lesson("03", "03-a-day-later.ipynb", "renewal", "keep_working", "A day later", 15),
    Lesson("04", "04-change-one-field.ipynb", "changes", "move_people", "Change one field", 20),
    Lesson("05", "05-busy-away.ipynb", "statuses", "enter_holidays", "Busy, away", 15),
    Lesson("06", "06-upload-in-two-steps.ipynb", "uploading", "upload_folder", "Upload in two steps", 20),
    Lesson("07", "07-download-and-resume.ipynb", "resuming", "carry_file", "Download and resume", 20),
    Lesson("08", "08-wait-when-told.ipynb", "patience", "post_all", "120 a minute", 15),
    Lesson("09", "09-hear-from-a-bot.ipynb", "receiving", "make_receiver", "Hear from a bot", 20),
    Lesson(
        "10", "10-known-and-assumed.ipynb", "assumptions", "welcome", "What is known, what is assumed", 15
    ),
    Lesson("11", "11-what-retires-when.ipynb", "retiring", "move_team", "What retires when", 12),
    Lesson("12", "12-tables-of-people.ipynb", "tables", "tidy_people", "Tables of people", 20),
)
"""The lessons that are notebooks."""

PROJECT = Lesson("13", "", "hr_sync", "hr_sync", "An afternoon: a tested integration", 90)
"""The last lesson: a folder that a learner copies, and works in with an editor and pytest."""

COURSE = (*LESSONS, PROJECT)
"""All lessons."""

PATHS = {
    "explorer": ("00", "04", "05", "08", "11", "12"),
    "developer": ("00", "01", "02", "03", "04", "06", "07", "08", "09", "10", "13"),
}
"""Lessons by the kind of reader. A trainer takes the developer's path and reads TRAINER.md."""


def find_exercise(function: str) -> "Exercise":
    """Return the exercise that asks for a function of this name.

    Raises:
        UnknownName: no exercise does.
    """
    for lesson in LESSONS:
        if lesson.function == function:
            return lesson.load()
    raise UnknownName("exercise", function, [lesson.function for lesson in LESSONS])


def find_lesson(number: str) -> Lesson:
    """Return the lesson of a number, with or without its leading zero.

    Raises:
        UnknownName: no lesson has it.
    """
    for lesson in COURSE:
        if lesson.number == number.zfill(2):
            return lesson
    raise UnknownName("lesson", number, [lesson.number for lesson in COURSE])

"""The rules that the lessons use, with their exercises solved."""

import contextlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from fakes import FakeService
from fakes.lessons import grade
from fakes.rulebook.rule import RULEBOOK
from svckit.course.catalogue import PROJECT, Lesson, list_lessons
from svckit.course.project_clients import CORRECT, load_client
from svckit.course.submissions import list_cells
from svckit.display.card import quantity

__all__ = ["Coverage", "measure_coverage"]

DOCUMENTED = tuple(rule.id for rule in RULEBOOK.values() if not rule.alternatives)
"""The rules that the service's description shows."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The rules that the responses in each lesson used, by its number."""

    used: dict[str, set[str]]

    @property
    def rules(self) -> set[str]:
        """The rules that any lesson uses."""
        return set().union(*self.used.values())

    @property
    def unused_documented(self) -> list[str]:
        """The documented rules that no lesson uses."""
        return [name for name in DOCUMENTED if name not in self.rules]

    def __str__(self) -> str:
        covered = len(DOCUMENTED) - len(self.unused_documented)
        lines = [f"lesson {number}: {quantity(len(rules), 'rule')}" for number, rules in self.used.items()]
        lines.append(
            f"all lessons: {covered} of {len(DOCUMENTED)} documented rules, {len(self.rules)} of {len(RULEBOOK)} rules"
        )
        if self.unused_documented:
            lines.append(f"documented rules without a lesson: {', '.join(self.unused_documented)}")
        return "\n".join(lines)


def measure_coverage() -> Coverage:
    """Run each lesson with its exercise solved, and return the rules that were used.

    Raises:
        ValueError: a lesson is not in order, or a solution does not solve its exercise.
    """
    return Coverage({lesson.number: _find_rules(lesson) for lesson in list_lessons()})


def _find_rules(lesson: Lesson) -> set[str]:
    fakes: list[FakeService] = []
    create = FakeService.__init__

    def remember(self: FakeService, *args: Any, **options: Any) -> None:
        create(self, *args, **options)
        fakes.append(self)

    with patch.object(FakeService, "__init__", remember):
        if lesson == PROJECT:
            functions = list[Callable[..., Any]](map(load_client, CORRECT))
        else:
            _run_cells(lesson)
            functions = [*lesson.load_solutions()]
        exercise = lesson.load()
        for solve in functions:
            feedback = grade(exercise, solve)
            if not feedback.solved:
                raise ValueError(f"lesson {lesson.number}\n{feedback}")
    return {rule.id for fake in fakes for rule in fake.rules if rule.used}


def _run_cells(lesson: Lesson) -> None:
    """Run the cells of a lesson but for its exercise."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()), contextlib.chdir(lesson.notebook.parent):
        for cell in list_cells(lesson.notebook, tagged=False):
            exec(compile(cell, lesson.notebook.name, "exec"), names)  # noqa: S102 - svckit's own, or the trainer's

"""The rules that the lessons use, with their exercises solved."""

import contextlib
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Any

from fakes import FakeService
from fakes.lessons import grade
from fakes.rulebook.rule import RULEBOOK
from svckit.course.catalogue import PROJECT, Lesson, list_lessons
from svckit.course.project_clients import CORRECT, load_client
from svckit.course.submissions import TAG
from svckit.display.card import quantity

__all__ = ["Coverage", "measure_coverage"]


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
        return [rule.id for rule in RULEBOOK.values() if not rule.alternatives and rule.id not in self.rules]

    def __str__(self) -> str:
        documented = [rule.id for rule in RULEBOOK.values() if not rule.alternatives]
        covered = len(documented) - len(self.unused_documented)
        lines = [f"lesson {number}: {quantity(len(rules), 'rule')}" for number, rules in self.used.items()]
        lines.append(
            f"all lessons: {covered} of {len(documented)} documented rules, {len(self.rules)} of {len(RULEBOOK)} rules"
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
    with _remember_fakes() as fakes:
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
    with contextlib.redirect_stdout(io.StringIO()), TemporaryDirectory() as folder, contextlib.chdir(folder):
        for number, cell in enumerate(json.loads(lesson.notebook.read_text("utf-8"))["cells"]):
            if cell["cell_type"] == "code" and TAG not in cell["metadata"].get("tags", ()):
                code = compile("".join(cell["source"]), f"<lesson {lesson.number}, cell {number}>", "exec")
                exec(code, names)  # noqa: S102 - svckit's own


@contextlib.contextmanager
def _remember_fakes() -> Iterator[list[FakeService]]:
    """Yield all fakes that are created in the block, so that their rules can be read afterwards."""
    created: list[FakeService] = []
    create = FakeService.__init__

    def remember(self: FakeService, *args: Any, **options: Any) -> None:
        create(self, *args, **options)
        created.append(self)

    FakeService.__init__ = remember  # type: ignore[method-assign, assignment]
    try:
        yield created
    finally:
        FakeService.__init__ = create  # type: ignore[method-assign]

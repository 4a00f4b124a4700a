"""Running a lesson with its exercise solved, to see that it can be, and which rules it uses."""

import ast
import contextlib
import inspect
import io
import json
import shutil
import sys
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

__all__ = ["Coverage", "measure_coverage", "read_solved_cells", "write_solution"]


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


def write_solution(lesson: Lesson, solve: Callable[..., Any]) -> str:
    """Return the source of the exercise's cell with the module of a function, but for its exercise, as the solution."""
    module = ast.parse(inspect.getsource(sys.modules[solve.__module__]))
    module.body = [node for node in module.body if not ast.unparse(node).startswith("EXERCISE =")]
    return (
        f"{ast.unparse(module)}\n\n{lesson.function} = {solve.__name__}\n\nfrom svckit import course\n\n"
        f"feedback = course.check({lesson.function})\nfeedback\n"
    )


def read_solved_cells(lesson: Lesson, solve: Callable[..., Any]) -> list[str]:
    """Return the sources of a lesson's code cells, with the exercise solved."""
    cells = [
        cell
        for cell in json.loads(lesson.notebook.read_text("utf-8"))["cells"]
        if cell["cell_type"] == "code"
    ]
    return [
        write_solution(lesson, solve) if TAG in cell["metadata"].get("tags", ()) else "".join(cell["source"])
        for cell in cells
    ]


def measure_coverage() -> Coverage:
    """Run each lesson with its exercise solved, and return the rules that were used.

    Raises:
        AssertionError: a solution does not solve its exercise.
    """
    return Coverage(
        {
            lesson.number: _find_project_rules() if lesson == PROJECT else _find_rules(lesson)
            for lesson in list_lessons()
        }
    )


def _find_project_rules() -> set[str]:
    with _remember_fakes() as fakes:
        for source in CORRECT:
            feedback = grade(PROJECT.load(), load_client(source))
            if not feedback.solved:
                raise AssertionError(f"lesson {PROJECT.number}\n{feedback}")
    return {rule.id for fake in fakes for rule in fake.rules if rule.used}


def _find_rules(lesson: Lesson) -> set[str]:
    rules: set[str] = set()
    for solve in lesson.load_solutions():
        with _remember_fakes() as fakes, TemporaryDirectory() as folder, contextlib.chdir(folder):
            for file in lesson.words.parent.glob(f"{lesson.words.stem}.*"):
                shutil.copy(file, folder)  # a lesson is found beside its notebook
            _run_solved(lesson, solve)
            rules |= {rule.id for fake in fakes for rule in fake.rules if rule.used}
    return rules


def _run_solved(lesson: Lesson, solve: Callable[..., Any]) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()):
        for number, source in enumerate(read_solved_cells(lesson, solve), 1):
            code = compile(source, f"<lesson {lesson.number}, cell {number}>", "exec")
            exec(code, names)  # noqa: S102 - svckit's own
    if not names["feedback"].solved:
        raise AssertionError(f"lesson {lesson.number}: {solve.__name__}\n{names['feedback']}")


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

"""Grading submitted notebooks: each exercise in a process of its own, with data that nobody has seen."""

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from svckit.course.catalogue import LESSONS
from svckit.course.isolation import describe_end, read_result, run_module
from svckit.course.learners import Learner
from svckit.display.templates import TEMPLATES

__all__ = ["TAG", "Grade", "find_exercise_cells", "grade_submission", "write_grades"]

TAG = "exercise"
"""The tag of the cells that are run."""
HIDDEN_SEEDS = 2
"""How many seeds each exercise is run with that the learner could not know."""

_PAGE = TEMPLATES.from_string(
    """\
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>{{ learner }}</title></head>
<body>
<h1>{{ learner }}</h1>
{% for grade in grades %}
<section>
<h2>{{ grade.title }}: {{ "solved" if grade.solved else "not yet" }}</h2>
<ul>
{% for words, outcome in grade.goals %}
<li>{{ outcome }}: {{ words }}</li>
{% endfor %}
</ul>
<p>{{ grade.happened }}</p>
</section>
{% endfor %}
</body>
</html>
"""
)


@dataclass(frozen=True, slots=True)
class Grade:
    """The result of one exercise of one learner.

    Attributes:
        learner: the name of the submitted file, without its extension.
        exercise: the function that the exercise asks for.
        title: the title of the exercise.
        solved: True if all goals were reached, with every seed.
        goals: each goal in words, and its state in words.
        happened: what the function did.
    """

    learner: str
    exercise: str
    title: str
    solved: bool
    goals: tuple[tuple[str, str], ...]
    happened: str


def find_exercise_cells(path: Path) -> str:
    """Return the source of a notebook's cells that are tagged as exercises.

    Raises:
        ValueError: the file is not a notebook.
    """
    try:
        cells = json.loads(path.read_text("utf-8"))["cells"]
        tagged = [
            cell for cell in cells if cell["cell_type"] == "code" and TAG in cell["metadata"].get("tags", ())
        ]
        return "\n\n".join("".join(cell["source"]) for cell in tagged)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"{path} is not a notebook") from None


def grade_submission(path: Path, group: str = "", seconds: int = 60) -> list[Grade]:
    """Grade the exercises of a submitted notebook.

    Only its tagged cells are run, each exercise in a new process, without a network, with a limit on requests and on
    time. This is not a sandbox: the code can read and write files. Grade strangers' code in a container.

    Args:
        path: the notebook; the name of its file is the learner's.
        group: the name of the class.
        seconds: the time limit for each exercise.

    Returns:
        A grade for each exercise whose function the cells define.

    Raises:
        ValueError: the file is not a notebook.
    """
    source = find_exercise_cells(path)
    defined = [lesson for lesson in LESSONS if f"def {lesson.function}(" in source]
    return [_grade(path.stem, source, lesson.function, group, seconds) for lesson in defined]


def _grade(name: str, source: str, function: str, group: str, seconds: int) -> Grade:
    seeds = [Learner(f"{name}/{number}", group).seed for number in range(HIDDEN_SEEDS)]
    task = {"source": source, "function": function, "seeds": seeds}
    done = run_module("svckit.course.grading_process", task=task, seconds=seconds)
    found: dict[str, Any] = read_result(done) or {"happened": describe_end(done)}
    return Grade(
        name,
        function,
        found.get("title", function),
        bool(found.get("solved")),
        tuple((words, outcome) for words, outcome in found.get("goals", ())),
        found["happened"],
    )


def write_grades(grades: Sequence[Grade], folder: Path) -> Path:
    """Write a page for each learner and a table of all, and return the path of the table.

    Args:
        grades: the grades.
        folder: where to write; it is created.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for learner in dict.fromkeys(grade.learner for grade in grades):
        own = [grade for grade in grades if grade.learner == learner]
        (folder / f"{learner}.html").write_text(_PAGE.render(learner=learner, grades=own), "utf-8")
    table = folder / "grades.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["learner", "exercise", "solved", "goals", "of", "happened"])
        writer.writerows(map(_make_row, grades))
    return table


def _make_row(grade: Grade) -> Iterable[object]:
    done = sum(outcome == "done" for _, outcome in grade.goals)
    solved = "yes" if grade.solved else "no"
    learner = f"'{grade.learner}" if grade.learner.startswith(("=", "+", "-", "@")) else grade.learner
    return learner, grade.exercise, solved, done, len(grade.goals), grade.happened

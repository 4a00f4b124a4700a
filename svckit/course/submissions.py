"""Grading submitted notebooks: each exercise in a process of its own, with data that nobody has seen."""

import csv
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from symtable import symtable
from typing import NamedTuple

from fakes import lessons
from fakes.lessons import Feedback
from svckit.course.catalogue import PROJECT, Lesson, describe_error, list_lessons
from svckit.course.channel import Ended, describe_end
from svckit.course.far_function import connect_to
from svckit.course.learners import Learner
from svckit.display.formulas import defuse
from svckit.display.masking import mask
from svckit.display.templates import TEMPLATES

__all__ = [
    "TAG",
    "Grade",
    "grade_class",
    "grade_exercise",
    "grade_submission",
    "list_cells",
    "write_grades",
]

TAG = "exercise"
"""The tag of the cells that are run."""
LONGEST = 2_000
"""How much of what happened is shown, in characters."""
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
{{ grade.feedback._repr_html_() | safe }}
{% endfor %}
</body>
</html>
"""
)


class Grade(NamedTuple):
    """The result of one exercise of one learner.

    Attributes:
        learner: the name of the submitted file, without its extension; after that of its folder if another file has
            the same.
        exercise: the function that the exercise asks for; empty if nothing in the file could be graded, or if the
            lesson is not in order.
        feedback: what the function did, with the first seed with which it did not solve the exercise.
    """

    learner: str
    exercise: str
    feedback: Feedback


def list_cells(path: Path, *, tagged: bool) -> list[str]:
    """Return the sources of a notebook's code cells: of those that are tagged as exercises, or of all others.

    Raises:
        ValueError: the file is not a notebook.
        OSError: it cannot be read.
    """
    try:
        cells = [cell for cell in json.loads(path.read_bytes())["cells"] if cell["cell_type"] == "code"]
        return [
            "".join(cell["source"]) for cell in cells if (TAG in cell["metadata"].get("tags", ())) is tagged
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError(f"{path} is not a notebook") from None


def grade_class(paths: Sequence[Path], group: str = "", seconds: int = 60) -> Iterator[Grade]:
    """Grade submitted notebooks, one after the other; a file that cannot be graded gets a grade that says why.

    Args:
        paths: the notebooks.
        group: the name of the class.
        seconds: the time limit for each exercise.
    """
    for name, path in zip(_name_learners(paths), paths, strict=True):
        try:
            grades = grade_submission(path, group, seconds, name)
            problem = f"{path}: no exercise found"
        except (ValueError, OSError) as error:
            grades, problem = [], str(error)
        yield from grades or [Grade(name, "", Feedback(path.name, False, (), problem))]


def _name_learners(paths: Sequence[Path]) -> list[str]:
    """Return a name for each file, and no two that a file system takes for the same."""

    def fold(name: str) -> str:
        return unicodedata.normalize("NFC", name).casefold()

    stems = Counter(fold(path.stem) for path in paths)
    seen: Counter[str] = Counter()
    names = []
    for path in paths:
        name = path.stem if stems[fold(path.stem)] == 1 else f"{path.resolve().parent.name}-{path.stem}"
        seen[fold(name)] += 1
        names.append(name if seen[fold(name)] == 1 else f"{name} ({seen[fold(name)]})")
    return names


def grade_submission(path: Path, group: str = "", seconds: int = 60, name: str = "") -> list[Grade]:
    """Grade the exercises of a submitted notebook.

    Only its tagged cells are run, each exercise in a new process: without a network, other programs, the files and the
    variables of this process, and with limits on requests, time, memory and files. The fake and the checks stay in
    this process, so the code cannot change its grade. It is still not a sandbox: the code can read files, and attack
    the operating system (see `svckit.course.isolation`). Grade strangers' code in a container.

    Args:
        path: the notebook.
        group: the name of the class.
        seconds: the time limit for each exercise.
        name: the learner's name; by default that of the file.

    Returns:
        A grade for each exercise whose function the cells define.

    Raises:
        ValueError: the file is not a notebook.
        OSError: it cannot be read.
    """
    source = "\n\n".join(list_cells(path, tagged=True))
    bound = find_names(source)
    defined = [lesson for lesson in list_lessons() if lesson != PROJECT and lesson.function in bound]
    return [grade_exercise(name or path.stem, source, lesson, group, seconds) for lesson in defined]


def find_names(source: str) -> set[str]:
    """Return the names that cells define: functions, classes, and whatever else they assign; all names if unclear."""
    try:
        symbols = symtable(source, "<submission>", "exec").get_symbols()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set(re.findall(r"\w+", source))
    return {symbol.get_name() for symbol in symbols if symbol.is_assigned()}


def grade_exercise(name: str, source: str, lesson: Lesson, group: str = "", seconds: int = 60) -> Grade:
    """Grade the exercise of a lesson, whose function is what cells define under its name."""
    exercise, graded = lesson.load(), lesson.function
    try:
        with connect_to(seconds) as code:
            match code.ask("define", source, [lesson.function]):
                case [function] if callable(function):
                    pass
                case [_]:
                    raise Ended(f"{graded} is not a function.")
                case [error, text]:
                    raise Ended(f"The cell raised {error}: {text}")
                case _:
                    raise Ended("The process returned something that could not be read.")
            for number in range(HIDDEN_SEEDS):
                feedback = lessons.grade(exercise, function, Learner(f"{name}/{number}", group).seed)
                if not feedback.solved:
                    break
    except Ended as error:
        feedback = Feedback(exercise.title, False, exercise.goals, describe_end(error))
    except Exception as error:  # noqa: BLE001 - others keep their grades, whatever a check meets in this one
        happened, graded = mask(f"{graded}: {describe_error(error, lesson.words.parent)}"), ""
        feedback = Feedback(exercise.title, False, exercise.goals, happened)
    return Grade(name, graded, replace(feedback, happened=feedback.happened[:LONGEST]))


def write_grades(grades: Sequence[Grade], folder: Path) -> Path:
    """Write a page for each learner and a table of all, and return the path of the table.

    Args:
        grades: the grades.
        folder: where to write; it is created.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for learner in dict.fromkeys(grade.learner for grade in grades):
        own = [grade for grade in grades if grade.learner == learner]
        page = _PAGE.render(learner=learner, grades=own)
        (folder / f"{learner}.html").write_text(
            page, "utf-8", "replace"
        )  # a learner's text may have half characters
    table = folder / "grades.csv"
    with table.open("w", encoding="utf-8", errors="replace", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["learner", "exercise", "solved", "goals", "of", "happened"])
        writer.writerows(map(_make_row, grades))
    return table


def _make_row(grade: Grade) -> Iterable[object]:
    feedback = grade.feedback
    done = sum(goal.reached is True for goal in feedback.goals)
    figures = "yes" if feedback.solved else "no", done, len(feedback.goals)
    return defuse(grade.learner), grade.exercise, *figures, defuse(feedback.happened)

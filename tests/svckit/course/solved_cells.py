"""The cells of a lesson with its exercise solved."""

import inspect
import json
import sys
from collections.abc import Callable
from typing import Any

from svckit.course.catalogue import Lesson
from svckit.course.submissions import TAG


def write_solution(lesson: Lesson, solve: Callable[..., Any]) -> str:
    """Return the source of the exercise's cell with the module of a function as the solution."""
    module = inspect.getsource(sys.modules[solve.__module__])
    return (
        f"{module}\n\n{lesson.function} = {solve.__name__}\n\nfrom svckit import course\n\n"
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

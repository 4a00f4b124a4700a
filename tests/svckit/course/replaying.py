"""Run lessons without a kernel, as published and with the exercise solved, and compare what they show.

    python -m tests.svckit.course.replaying [NUMBER...]

prints the first thing that is not as it should be, and exits with 1 if there is one.
"""

import ast
import contextlib
import io
import json
import os
import sys
from tempfile import TemporaryDirectory
from typing import Any

from IPython.lib.pretty import pretty

from svckit.course import progress
from svckit.course.catalogue import LESSONS, Lesson

from .solved_cells import read_solved_cells

ENVIRONMENT = {"COLUMNS": "80", "NO_COLOR": "1", "TZ": "UTC", "PYTHONHASHSEED": "0"}


def run_cell(source: str, names: dict[str, Any]) -> str:
    """Run a cell and return all that it shows, as text."""
    tree, shown = ast.parse(source), io.StringIO()
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(shown):
        exec(compile(tree, "<cell>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
            if value is not None:
                print(pretty(value))
    return shown.getvalue()


def read_stored(cell: dict[str, Any]) -> str:
    """Return all that a stored cell shows, as text."""
    parts = []
    for output in cell["outputs"]:
        text = output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
        parts.append("".join(text).rstrip("\n"))
    return "\n".join(parts)


def find_difference(lesson: Lesson) -> str:
    """Run a lesson as it is published; return a description of the first cell that shows something else."""
    cells = json.loads(lesson.notebook.read_text("utf-8"))["cells"]
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(cells):
        if cell["cell_type"] != "code":
            continue
        shown, stored = run_cell("".join(cell["source"]), names), read_stored(cell)
        if shown.split() != stored.split():
            return f"lesson {lesson.number}, cell {number}:\n{shown}\ninstead of\n{stored}"
    return ""


def find_unsolved(lesson: Lesson) -> str:
    """Run a lesson with its first solution; return the feedback unless it is solved."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for source in read_solved_cells(lesson, lesson.load_solutions()[0]):
        run_cell(source, names)
    return "" if names["feedback"].solved else repr(names["feedback"])


def find_problem(lesson: Lesson) -> str:
    """Return what is not as it should be in a lesson; empty for a good one."""
    for look in (find_difference, find_unsolved):
        progress._unnamed.tries.clear()
        with TemporaryDirectory() as folder, contextlib.chdir(folder):
            try:
                found = look(lesson)
            except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a cell raises
                found = f"lesson {lesson.number}: {type(error).__name__}: {error}"
        if found:
            return found
    return ""


def main(numbers: list[str]) -> int:
    """Look at lessons, in the order of their numbers; all of them if none is named."""
    for lesson in LESSONS:
        if not numbers or lesson.number in numbers:
            problem = find_problem(lesson)
            if problem:
                print(problem)
                return 1
    return 0


if __name__ == "__main__":
    os.environ.update(ENVIRONMENT)
    sys.exit(main(sys.argv[1:]))

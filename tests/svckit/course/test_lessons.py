"""Each lesson as a page: its form, and that it runs as published and solved."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
import pytest

from svckit.course.catalogue import LESSONS, PATHS, PROJECT, Lesson
from svckit.course.submissions import TAG
from svckit.jupyter.bundled import own_notebooks
from svckit.jupyter.running import execute

from .replaying import ENVIRONMENT, find_problem
from .solved_cells import write_solution

COURSE = own_notebooks() / "course"
MOST_CELLS, MOST_WORDS = 12, 600
ELSEWHERE = (
    {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "2", "TZ": "Pacific/Pago_Pago", "LC_ALL": "C.UTF-8"},
)
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.number)


def read(lesson: Lesson) -> Any:
    return nbformat.read(lesson.notebook, as_version=4)


def markdown(lesson: Lesson) -> str:
    return "\n\n".join(cell.source for cell in read(lesson).cells if cell.cell_type == "markdown")


def test_every_notebook_of_the_course_is_in_the_catalogue() -> None:
    assert [lesson.number for lesson in LESSONS] == [f"{number:02}" for number in range(len(LESSONS))]
    assert all(lesson.notebook.is_file() for lesson in LESSONS)


def test_paths_name_lessons_in_order() -> None:
    for numbers in PATHS.values():
        assert list(numbers) == sorted(numbers)


@each_lesson
def test_a_lesson_is_short(lesson: Lesson) -> None:
    cells = [cell for cell in read(lesson).cells if cell.cell_type == "code"]
    assert len(cells) <= MOST_CELLS
    assert len(markdown(lesson).split()) <= MOST_WORDS


@each_lesson
def test_a_lesson_has_the_form_of_a_lesson(lesson: Lesson) -> None:
    text = markdown(lesson)
    assert text.startswith("# ")
    assert re.search(rf"^\*{lesson.minutes} minutes · needs .+ · covers .+\*$", text, re.MULTILINE)
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings[-2:] == ["Exercise", "What you can do now"]
    _, _, ending = text.partition("## What you can do now")
    assert len(re.findall(r"^- ", ending, re.MULTILINE)) == 3
    assert re.search(r"^\*\*In your own code:\*\* .*\]\(\.\./how-to/.+\.ipynb\)", ending, re.MULTILINE)
    following = (*LESSONS, PROJECT)[LESSONS.index(lesson) + 1]
    page = "project/README.md" if following == PROJECT else following.notebook.name
    link = f"[lesson {following.number}: {following.title}]({page})"
    assert ending.rstrip().endswith(f"\n\n**Next:** {link}.")
    assert "course.predict(" in "".join(cell.source for cell in read(lesson).cells)


@each_lesson
def test_a_lesson_names_its_exercise(lesson: Lesson) -> None:
    notebook = read(lesson)
    assert notebook.metadata["svckit"]["course"] == {
        "lesson": lesson.number,
        "exercise": lesson.function,
        "minutes": lesson.minutes,
    }
    (cell,) = (cell for cell in notebook.cells if TAG in cell.metadata.get("tags", ()))
    assert cell.source.endswith(f"feedback = course.check({lesson.function})\nfeedback")


@each_lesson
def test_it_shows_what_is_stored_and_can_be_solved(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    assert find_problem(lesson) == ""


@pytest.mark.long
@pytest.mark.parametrize("elsewhere", ELSEWHERE, ids=lambda elsewhere: elsewhere["TZ"])
@each_lesson
def test_a_solution_solves_it_in_a_kernel(
    lesson: Lesson, elsewhere: Mapping[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook = read(lesson)
    (cell,) = (cell for cell in notebook.cells if TAG in cell.metadata.get("tags", ()))
    cell.source = write_solution(lesson, lesson.load_solutions()[-1])
    path = tmp_path / lesson.notebook.name
    nbformat.write(notebook, path)
    for name, value in (ENVIRONMENT | dict(elsewhere)).items():
        monkeypatch.setenv(name, value)
    shown = [cell for cell in execute(path) if TAG in cell.metadata.get("tags", ())]
    assert ": solved\n" in shown[0].outputs[-1].data["text/plain"]
    assert os.listdir(tmp_path) == [lesson.notebook.name]

"""Grading a class: only tagged cells run, in a process of their own, with data that nobody has seen."""

import csv
from functools import partial
from pathlib import Path

import nbformat
import pytest
from nbformat import v4

from svckit.course.catalogue import find_lesson
from svckit.course.submissions import grade_submission

from ..command import run_command
from .solved_cells import write_solution
from .wrong.patience import drops

LESSON = find_lesson("08")


def submit(folder: Path, name: str, source: str, others: str = "raise SystemExit('not tagged')") -> Path:
    exercise = v4.new_code_cell(source, metadata={"tags": ["exercise"]})
    path = folder / f"{name}.ipynb"
    nbformat.write(v4.new_notebook(cells=[v4.new_code_cell(others), exercise]), path)
    return path


run = partial(run_command, "course")


def test_a_class_is_graded(tmp_path: Path) -> None:
    good = submit(tmp_path, "mina", write_solution(LESSON, LESSON.load_solutions()[0]))
    bad = submit(tmp_path, "jun", write_solution(LESSON, drops))
    result = run("grade", good, bad, "--group", "spring", "--out", tmp_path / "grades")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[:2] == ["mina: post_all: solved", "jun: post_all: not yet"]
    with (tmp_path / "grades" / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["learner"], row["solved"], row["goals"], row["of"]) for row in rows] == [
        ("mina", "yes", "5", "5"),
        ("jun", "no", "2", "5"),
    ]
    assert "was never posted" in (tmp_path / "grades" / "jun.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("source", "happened"),
    [
        ("def post_all(*_):\n    while True: pass", "stopped"),
        ("import nothing_there\ndef post_all(*_): ...", "The cell raised ModuleNotFoundError"),
        ("def post_all(*_):\n    return {}['count']", "raised KeyError (line 2: return {}['count'])"),
        ("post_all = None", "post_all is not a function."),
    ],
    ids=["endless", "import", "raises", "none"],
)
def test_whatever_a_submission_does_it_gets_a_grade(source: str, happened: str, tmp_path: Path) -> None:
    seconds = 3 if "while True" in source else 60
    (graded,) = grade_submission(submit(tmp_path, "mina", source), seconds=seconds)
    assert (graded.exercise, graded.feedback.solved) == ("post_all", False)
    assert happened in graded.feedback.happened


def test_a_page_escapes_what_a_learner_wrote(tmp_path: Path) -> None:
    source = "def post_all(*_):\n    raise ValueError('<script>')"
    run("grade", submit(tmp_path, "mina", source), "--out", tmp_path)
    assert "&lt;script&gt;" in (tmp_path / "mina.html").read_text("utf-8")


def test_lessons_are_listed_with_their_minutes() -> None:
    lines = run("list").stdout.splitlines()
    assert "08   15 min  120 a minute" in lines
    assert "08   15 min  120 a minute" in run("list", "--path", "explorer").stdout.splitlines()
    assert "'nobody' is not a path" in run("list", "--path", "nobody").stderr


def test_an_unknown_lesson_is_explained() -> None:
    told = " ".join(run("open", "99").stderr.replace("│", "").split())
    assert "Invalid value for NUMBER: there is no lesson '99'; they are 00, 01, 02, 03, " in told
    assert ", 12, 13" in told


def test_the_board_of_a_class_has_a_line_for_each(tmp_path: Path) -> None:
    for name in ("mina", "jun"):
        (tmp_path / f"{name}.json").write_text(f'{{"name": "{name}", "tries": []}}', "utf-8")
    lines = run("board", tmp_path / "mina.json", tmp_path / "jun.json").stdout.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["mina", "jun"]
    assert run("board", tmp_path / "mina.json").stdout.startswith("Course: mina")

"""Everyday correct code solves each exercise, in the kernel and in `svckit course grade`, however it is written."""

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fakes.lessons import grade
from svckit.course.catalogue import LESSONS, Lesson
from svckit.course.submissions import grade_submission

from .test_submissions import submit

LEAST = 120
"""How many variants there are at least."""


def load(lesson: Lesson) -> ModuleType:
    return import_module(f".variants.{lesson.content['module'].rpartition('.')[2]}", __package__)


def variants() -> Iterator[Any]:
    for lesson in LESSONS:
        for name in load(lesson).VARIANTS:
            yield pytest.param(lesson, name, id=f"{lesson.number}-{name}")


@pytest.mark.parametrize(("lesson", "name"), list(variants()))
def test_it_solves_the_exercise(
    lesson: Lesson, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    feedback = grade(lesson.load(), load(lesson).VARIANTS[name], 7)
    assert feedback.solved, feedback


@pytest.mark.long
@pytest.mark.parametrize(("lesson", "name"), list(variants()))
def test_it_gets_the_grade(lesson: Lesson, name: str, tmp_path: Path) -> None:
    source = f"{inspect.getsource(load(lesson))}\n{lesson.function} = VARIANTS[{name!r}]\n"
    (graded,) = grade_submission(submit(tmp_path, "mina", source))
    assert graded.feedback.solved, graded


def test_there_are_many() -> None:
    assert len(list(variants())) >= LEAST

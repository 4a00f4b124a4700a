"""Each exercise: solutions solve it, and what does not gets the sentence that is meant for it."""

import ast
import builtins
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dis import get_instructions
from importlib import import_module
from itertools import chain, count
from types import CodeType
from typing import Any

import pytest

from fakes.lessons import Exercise, grade
from fakes.lessons.grading import GENERAL
from svckit import course
from svckit.course.catalogue import LESSONS, Lesson, find_lesson
from svckit.course.proofreading import SEEDS, find_problems

MANY_SEEDS = range(1, 21)
HALF_SHOWN = "x" * 60 + " at_" + "0" * 40
NAMES = re.compile(r"[Rr]equests? \{|\{where\}|\{line\}|the lines \{")
LEAST_WRONG, LEAST_NAMED = 266, 220
MOST_LINES = 60
"""How many lines of words a lesson may have."""


def load_wrong(lesson: Lesson) -> dict[str, tuple[Callable[..., Any], ...]]:
    """Return functions that don't solve the exercise of a lesson, by the name of the sentence that they get."""
    module = lesson.content["module"].rpartition(".")[2]
    return import_module(f".wrong.{module}", __package__).WRONG


each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.number)


def solutions() -> Iterator[Any]:
    for lesson in LESSONS:
        for solve in lesson.load_solutions():
            yield pytest.param(lesson.load(), solve, id=f"{lesson.number}-{solve.__name__}")


def mistakes() -> Iterator[Any]:
    """Functions that are wrong, with the data of one seed, and as wide with those of another."""
    numbers = count()
    for lesson in LESSONS:
        for name, functions in load_wrong(lesson).items():
            for function, number in zip(functions, numbers, strict=False):
                for each, seed in enumerate(SEEDS[:2]):
                    marks = [pytest.mark.wide] * ((number + each) % 2)
                    case = f"{lesson.number}-{name}-{seed}"
                    yield pytest.param(lesson.load(), name, function, seed, id=case, marks=marks)


@pytest.mark.long
@pytest.mark.parametrize(("exercise", "solve"), list(solutions()))
def test_a_solution_solves_it_under_many_seeds(exercise: Exercise, solve: Callable[..., Any]) -> None:
    for seed in MANY_SEEDS:
        feedback = grade(exercise, solve, seed)
        assert feedback.solved, feedback


def list_globals(code: CodeType) -> Iterator[str]:
    """Yield the global names that a function uses, with the functions in it."""
    yield from (each.argval for each in get_instructions(code) if each.opname == "LOAD_GLOBAL")
    yield from chain(*(list_globals(each) for each in code.co_consts if isinstance(each, CodeType)))


@pytest.mark.parametrize(("exercise", "solve"), list(solutions()))
def test_a_solution_is_shown_with_all_that_it_uses(exercise: Exercise, solve: Any) -> None:
    module = ast.parse(inspect.getsource(sys.modules[solve.__module__]))
    imported = [each for each in module.body if isinstance(each, ast.Import | ast.ImportFrom)]
    known = {each.asname or each.name for line in imported for each in line.names}
    assert set(list_globals(solve.__code__)) <= known | set(dir(builtins))


@pytest.mark.parametrize(("exercise", "name", "function", "seed"), list(mistakes()))
def test_what_does_not_solve_it_gets_its_own_sentence(
    exercise: Exercise, name: str, function: Callable[..., Any], seed: int
) -> None:
    feedback = grade(exercise, function, seed)
    assert (feedback.solved, feedback.mistake) == (False, name), feedback


def test_a_goal_that_a_refused_request_misses_is_not_done() -> None:
    lesson = find_lesson("06")
    for function in load_wrong(lesson)["no form"][-2:]:  # they send the content as it is
        assert grade(lesson.load(), function).goals[-1].outcome == "not yet", function


@each_lesson
def test_every_sentence_has_an_example(lesson: Lesson) -> None:
    assert set(lesson.load().words.sentences) - set(load_wrong(lesson)) == set()


def test_most_of_what_does_not_solve_it_gets_a_sentence_that_names_a_request_or_a_line() -> None:
    count = named = 0
    for lesson in LESSONS:
        sentences = GENERAL.sentences | lesson.load().words.sentences
        for name, functions in load_wrong(lesson).items():
            count += len(functions)
            named += len(functions) * bool(NAMES.search(sentences[name][0]))
    assert (count >= LEAST_WRONG, named >= LEAST_NAMED) == (True, True), (count, named)


@each_lesson
def test_it_can_be_taught(lesson: Lesson) -> None:
    assert find_problems(lesson) == []


@each_lesson
def test_hints_judge_nobody(lesson: Lesson) -> None:
    for name, (_, hints) in lesson.load().words.sentences.items():
        assert "wrong" not in " ".join(hints).lower(), name


@each_lesson
def test_words_are_data_of_a_page_at_most(lesson: Lesson) -> None:
    words = lesson.load().words
    names = [
        name for table in words.content["checks"].values() for name in table if name not in ("goal", "hints")
    ]
    assert len(names) == len(set(names))
    assert sum(map(bool, lesson.words.read_text("utf-8").splitlines())) <= MOST_LINES


@pytest.mark.parametrize("number", ["04", "05"])
def test_a_secret_in_a_result_is_masked_before_it_is_cut(number: str) -> None:
    lesson = find_lesson(number)
    solve = lesson.load_solutions()[0]
    feedback = grade(lesson.load(), lambda *arguments: (solve(*arguments), HALF_SHOWN)[1])
    assert "***" in feedback.happened
    assert "at_0" not in feedback.happened


def test_a_secret_in_place_of_a_function_is_masked_before_it_is_cut() -> None:
    with pytest.raises(TypeError, match="without parentheses") as caught:
        course.check(HALF_SHOWN)  # type: ignore[arg-type]
    assert "at_0" not in str(caught.value)
    with pytest.raises(TypeError, match="without parentheses") as caught:
        grade(LESSONS[0].load(), HALF_SHOWN)  # type: ignore[arg-type]
    assert "at_0" not in str(caught.value)

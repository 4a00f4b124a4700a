"""Each exercise: solutions solve it, typical mistakes get the hint that is meant for them, and so does a starter."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest

from fakes.lessons import Exercise, grade
from svckit import course
from svckit.course.catalogue import LESSONS, find_lesson

SEEDS = (0, 1_234_567, 16_777_215)
MANY_SEEDS = range(1, 21)
HALF_SHOWN = "x" * 60 + " at_" + "0" * 40


def solutions() -> Iterator[Any]:
    for lesson in LESSONS:
        for solve in import_module(f"svckit.course.solutions.{lesson.module}").SOLUTIONS:
            yield pytest.param(lesson.load(), solve, id=f"{lesson.number}-{solve.__name__}")


def mistakes() -> Iterator[Any]:
    for lesson in LESSONS:
        for name, functions in import_module(f"svckit.course.solutions.{lesson.module}").MISTAKES.items():
            for function in functions:
                yield pytest.param(lesson.load(), name, function, id=f"{lesson.number}-{function.__name__}")


@pytest.mark.parametrize(("exercise", "solve"), list(solutions()))
def test_a_solution_solves_it_for_everybody(exercise: Exercise, solve: Callable[..., Any]) -> None:
    for seed in SEEDS:
        feedback = grade(exercise, solve, seed)
        assert feedback.solved, feedback


@pytest.mark.long
@pytest.mark.parametrize(("exercise", "solve"), list(solutions()))
def test_a_solution_solves_it_under_many_seeds(exercise: Exercise, solve: Callable[..., Any]) -> None:
    for seed in MANY_SEEDS:
        feedback = grade(exercise, solve, seed)
        assert feedback.solved, feedback


@pytest.mark.parametrize(("exercise", "name", "function"), list(mistakes()))
def test_a_mistake_gets_its_own_hint(exercise: Exercise, name: str, function: Callable[..., Any]) -> None:
    for seed in SEEDS[:2]:
        feedback = grade(exercise, function, seed)
        assert (feedback.solved, feedback.mistake) == (False, name), feedback


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.number)
def test_every_mistake_has_an_example(lesson: Any) -> None:
    known = [mistake.name for mistake in lesson.load().mistakes]
    examples = import_module(f"svckit.course.solutions.{lesson.module}").MISTAKES
    assert sorted(known) == sorted(set(known) & set(examples))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.number)
def test_a_starter_reaches_no_goal_and_gets_a_hint(lesson: Any) -> None:
    exercise, names = lesson.load(), {}
    exec(exercise.starter, names)
    feedback = grade(exercise, names[lesson.function])
    assert not feedback.solved
    assert not any(goal.reached for goal in feedback.goals)
    assert feedback.hint


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.number)
def test_hints_get_clearer_and_end_at_the_place_in_the_lesson(lesson: Any) -> None:
    for mistake in lesson.load().mistakes:
        question, pointer, place = mistake.hints
        assert question.endswith("?"), mistake.name
        assert pointer != question
        assert "“" in place, mistake.name
        assert "wrong" not in " ".join(mistake.hints).lower()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.number)
def test_the_catalogue_agrees_with_the_exercise(lesson: Any) -> None:
    exercise = lesson.load()
    assert (exercise.name, exercise.title, exercise.minutes) == (
        lesson.function,
        lesson.title,
        lesson.minutes,
    )


@pytest.mark.parametrize("number", ["04", "05"])
def test_a_secret_in_a_result_is_masked_before_it_is_cut(number: str) -> None:
    lesson = find_lesson(number)
    solve = import_module(f"svckit.course.solutions.{lesson.module}").SOLUTIONS[0]
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

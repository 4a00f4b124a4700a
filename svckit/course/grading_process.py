"""The process that grades one exercise: reads the task from standard input, and prints the result as a line of JSON."""

from types import SimpleNamespace
from typing import Any

from fakes.lessons import grade
from svckit.course.catalogue import find_exercise
from svckit.course.isolation import carry_out
from svckit.display.masking import mask

__all__ = ["main"]


def define(source: str, function: str) -> Any:
    """Run the cells of a submission, and return the function of this name.

    ``course.check(…)`` does nothing meanwhile, so a cell may call it.
    """
    silent = SimpleNamespace(check=lambda _: None, learner=lambda *_, **__: None, predict=lambda *_: None)
    names: dict[str, Any] = {"__name__": "__main__", "course": silent}
    exec(compile(source, "<submission>", "exec"), names)  # noqa: S102 - grading runs what was submitted
    return names[function]


def grade_source(source: str, function: str, seeds: list[int]) -> dict[str, Any]:
    """Grade the function that a source defines: with each seed, until one fails."""
    exercise = find_exercise(function)
    try:
        defined = define(source, function)
    except BaseException as error:  # noqa: BLE001 - whatever a learner's code raises
        happened = mask(f"The cell raised {type(error).__name__}: {error}")
        return {"title": exercise.title, "solved": False, "goals": [], "happened": happened}
    graded = (grade(exercise, defined, seed) for seed in seeds)
    feedback = next((each for each in graded if not each.solved), None) or grade(exercise, defined)
    goals = [[state.words, state.outcome] for state in feedback.goals]
    return {"title": exercise.title, "solved": feedback.solved, "goals": goals, "happened": feedback.happened}


def main() -> None:
    """Grade the task on standard input."""
    carry_out(lambda task: grade_source(task["source"], task["function"], task["seeds"]))


if __name__ == "__main__":
    main()

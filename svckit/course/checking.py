"""Checking the function that an exercise asks for."""

from collections.abc import Callable
from typing import Any

from fakes.lessons import Feedback, grade
from svckit.course.catalogue import find_exercise
from svckit.course.progress import current_progress, record
from svckit.display.masking import mask

__all__ = ["check"]


def check(function: Callable[..., Any]) -> Feedback:
    """Run the exercise that asks for this function, and return feedback on what it sent.

    Each check starts with a new fake, first with the data that the lesson shows, then with other data. Sleeps move the
    clock of that fake, so nobody waits.

    Args:
        function: the function, under the name that the exercise gives it.

    Returns:
        Feedback: the goals, what happened, and a question or a pointer, which gets clearer when the same thing happens
        again. It shows itself as a card; ``feedback.journal`` has the requests.

    Raises:
        UnknownName: no exercise asks for a function of this name.
        TypeError: it is not a function.

    Examples:
        >>> from svckit import course
        >>> def post_all(http, webhook, messages):
        ...     for text in messages:
        ...         http.post(webhook, json={"body": {"text": text}})
        >>> feedback = course.check(post_all)
        >>> feedback.solved, len(feedback.journal), feedback.journal[120].status
        (False, 150, 429)
    """
    name = getattr(function, "__name__", None)
    if not callable(function) or not isinstance(name, str):
        raise TypeError(f"pass the function itself, without parentheses; given {mask(repr(function)):.80}")
    exercise = find_exercise(name)
    progress = current_progress()
    earlier = [each.mistake for each in progress.of(name)]
    feedback = grade(exercise, function, progress.seed, earlier)
    record(name, feedback)
    return feedback

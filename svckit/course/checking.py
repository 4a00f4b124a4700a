"""Checking the function that an exercise asks for."""

import sys
from collections.abc import Callable, Container, Iterator, Mapping
from functools import partial
from typing import Any

from fakes.lessons import Feedback, grade
from svckit.course.catalogue import PROJECT, list_lessons
from svckit.course.comparing import add_solutions
from svckit.course.progress import current_progress, record
from svckit.display.masking import mask_beginning
from svckit.display.suggestions import UnknownName

__all__ = ["check"]


def check(function: Callable[..., Any], exercise: str | None = None, *, language: str = "en") -> Feedback:
    """Run the exercise that asks for this function, and return feedback on what it sent.

    Each check starts with a new fake, first with the data that the lesson shows, then with other data. Sleeps move the
    clock of that fake, so nobody waits.

    Args:
        function: the function, or anything else that can be called.
        exercise: the name of the function that the exercise asks for; by default that which the function has, or under
            which the notebook knows it.
        language: of the feedback, such as ``"ja"``; what is not translated is in English.

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
    if not callable(function):
        given = mask_beginning(repr(function), 80)
        raise TypeError(f"pass the function itself, without parentheses; given {given}")
    lessons = {lesson.function: lesson for lesson in list_lessons() if lesson != PROJECT}
    name = exercise or _find_name(function, sys._getframe(1).f_globals, lessons)
    if name not in lessons:
        raise UnknownName("exercise", name, list(lessons))
    asked, progress = lessons[name].load().translate(language), current_progress()
    feedback = grade(asked, function, progress.seed, [each.mistake for each in progress.of(name)])
    record(name, feedback)
    if feedback.solved:
        feedback = add_solutions(feedback, asked, lessons[name].load_solutions(), progress.seed)
    return feedback


def _find_name(function: Any, names: Mapping[str, Any], known: Container[str]) -> str:
    """Return the name of a function that an exercise asks for; if none does, the function's own."""
    bound = (name for name, value in names.items() if value is function)
    own = list(_list_own_names(function))
    return next((name for name in (*own, *bound) if name in known), own[0])


def _list_own_names(function: Any) -> Iterator[str]:
    """Yield the names of a function, and of those that a partial or a decorator has in it; then that of its class."""
    inner = function
    while inner is not None:
        if isinstance(name := getattr(inner, "__name__", None), str):
            yield name
        inner = inner.func if isinstance(inner, partial) else getattr(inner, "__wrapped__", None)
    yield type(function).__name__

"""Checking the function that an exercise asks for, and showing a solved one beside the solutions of its lesson."""

import inspect
import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from textwrap import dedent
from typing import Any

from fakes.lessons import Exercise, Feedback, Said, grade, run, said
from fakes.lessons.grading import speak
from fakes.parts.journal_entry import JournalEntry
from svckit.course.catalogue import PROJECT, list_lessons
from svckit.course.progress import current_progress, record
from svckit.display.masking import mask, mask_beginning
from svckit.display.suggestions import UnknownName

__all__ = ["check"]

SHOWN = 80
"""The most characters of a body to show."""


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
    feedback = grade(asked, function, progress.seed, [attempt.mistake for attempt in progress.of(name)])
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


def add_solutions(
    feedback: Feedback, exercise: Exercise, solutions: Sequence[Callable[..., Any]], seed: int
) -> Feedback:
    """Return feedback with the solutions of the lesson, and the first request that each of them sends otherwise.

    Args:
        feedback: on a function that solves the exercise.
        exercise: the exercise.
        solutions: the functions of the lesson.
        seed: the seed of the learner's data.
    """
    words, lines = speak(exercise), []
    for number, solve in enumerate(solutions, 1):
        entries = run(exercise, solve, exercise.variants[0], seed).entries
        lines.append(words.explain(find_difference(feedback.journal, entries), {"number": number}).happened)
    sources = [
        dedent(inspect.getsource(solve)).replace(f"def {solve.__name__}(", f"def {exercise.name}(", 1)
        for solve in solutions
    ]
    return replace(feedback, details=mask("\n".join(lines)), solutions=tuple(sources))


def find_difference(own: Sequence[JournalEntry], other: Sequence[JournalEntry]) -> Said:
    """Find the first request that is another one, has another body, or is sent at another time."""
    for mine, its in zip(own, other, strict=False):
        for name, look in (("other call", describe_call), ("other body", describe_body)):
            if look(mine) != look(its):
                return said(name, mine, own=look(mine), other=look(its))
    if len(own) != len(other):
        return said("other count", own=len(own), other=len(other))
    for request, waits in enumerate(zip(list_waits(own), list_waits(other), strict=True), 2):
        if waits[0] != waits[1]:
            return said("other time", request=request, own=waits[0], other=waits[1])
    return said("same requests", count=len(own))


def describe_call(entry: JournalEntry) -> str:
    """Return the method, the path and the status of a request."""
    return f"{entry.method} {entry.path} ({entry.status})"


def describe_body(entry: JournalEntry) -> str:
    """Return the body of a request, shortened."""
    body = mask(str(entry.json if entry.json is not None else entry.request_body or "no body"))
    return body if len(body) <= SHOWN else f"{body[:SHOWN]}…"


def list_waits(entries: Sequence[JournalEntry]) -> list[float]:
    """Return the seconds before each request but the first."""
    return [(after.at - before.at).total_seconds() for before, after in pairwise(entries)]

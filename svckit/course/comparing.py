"""A solved exercise beside the solutions of its lesson."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from textwrap import dedent
from typing import Any

from fakes.lessons import Exercise, Feedback, Said, run, said
from fakes.lessons.grading import speak
from fakes.parts.journal_entry import JournalEntry
from svckit.display.masking import mask

__all__ = ["add_solutions"]

SHOWN = 80
"""The most characters of a body to show."""


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

"""The form of exercises before there were checks, until the last of them has the new form."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from fakes.lessons import exercise as new
from fakes.lessons.exercise import Run, Variant
from fakes.lessons.words import Said, Words, said

__all__ = ["Exercise", "Goal", "Mistake", "Variant"]


class Goal(NamedTuple):
    """Something that a run should reach."""

    words: str
    look: Callable[[Run], bool | None]


class Mistake(NamedTuple):
    """A mistake that a run shows by its traffic."""

    name: str
    look: Callable[[Run], str | None]
    hints: tuple[str, str, str]


def Exercise(  # noqa: N802 - it was a class
    *,
    name: str,
    title: str,
    minutes: int,
    section: str,
    starter: str,
    variants: Sequence[Variant],
    goals: Sequence[Goal],
    mistakes: Sequence[Mistake],
    summarize: Callable[[Run], str],
    **more: Any,
) -> new.Exercise:
    """Return an exercise in the new form; each mistake is a check without a goal."""

    def report(mistake: Mistake, run: Run) -> Said | None:
        happened = mistake.look(run)
        return None if happened is None else said(mistake.name, happened=happened)

    checks = {goal.words: {"goal": goal.words} for goal in goals}
    sentences = {each.name: {each.name: ["{happened}", *each.hints]} for each in mistakes}
    content = {
        "function": name,
        "title": title,
        "minutes": minutes,
        "section": section,
        "solved": "{summary}",
    }
    content |= {"variants": [variant.words for variant in variants], "checks": {**checks, **sentences}}
    return new.Exercise(
        words=Words(content),
        options=[variant.options for variant in variants],
        checks={goal.words: goal.look for goal in goals}
        | {mistake.name: partial(report, mistake) for mistake in mistakes},
        summarize=lambda run: {"summary": summarize(run)},
        **more,
    )

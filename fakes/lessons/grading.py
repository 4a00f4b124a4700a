"""From a run to feedback: which goals are reached, and what happened."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fakes.engine.budget import BudgetSpent
from fakes.lessons.exercise import Exercise, Look, Options, Run, Seen
from fakes.lessons.feedback import Feedback, Finding, GoalState
from fakes.lessons.functions import is_library
from fakes.lessons.interrupting import TookTooLong
from fakes.lessons.running import run
from fakes.lessons.words import Said, Words, said
from svckit.display.masking import mask, mask_beginning

__all__ = ["grade", "speak"]

GENERAL = Words.read(Path(__file__).with_name("general.toml"))
"""Sentences about any function: that it did not return, raised, sent nothing, or sent what was refused."""


def grade(
    exercise: Exercise, function: Callable[..., Any], seed: int = 0, earlier: Sequence[str] = ()
) -> Feedback:
    """Run a function under each variant of an exercise until one fails, and return feedback.

    Args:
        exercise: the exercise.
        function: what the learner wrote.
        seed: determines users, IDs and secrets of the fakes.
        earlier: the mistakes of earlier tries, by name. Hints get clearer with each repetition.

    Returns:
        Feedback on the first run that failed, or on the one with the data shown.

    Raises:
        TypeError: it is not a function.

    Examples:
        >>> from fakes.lessons import Exercise, Words, grade
        >>> ping = Exercise(
        ...     words=Words(
        ...         {
        ...             "function": "ping",
        ...             "title": "Say hello",
        ...             "variants": [{"words": "one room"}],
        ...             "checks": {"hello": {"goal": "a message is posted"}},
        ...         }
        ...     ),
        ...     prepare=lambda fake, options: [fake.transport(), fake.facts["webhooks"][0]],
        ...     checks={"hello": lambda run: bool(run.sent("notifications.post", 200))},
        ... )
        >>> grade(ping, lambda transport, webhook: None)
        Say hello: not yet
          not yet   a message is posted
          Your function returned, and no request reached the service.
          Which line of it should send one?
    """
    if not callable(function):
        given = mask_beginning(repr(function), 80)
        raise TypeError(f"pass the function itself, {exercise.name}, without parentheses; given {given}")
    shown = run(exercise, function, exercise.variants[0], seed)
    if not solves(exercise, shown):
        return explain(exercise, shown, earlier)
    states = find_states(exercise, shown)
    for variant in exercise.variants[1:]:
        tried = run(exercise, function, variant, seed)
        if not solves(exercise, tried):
            return explain(exercise, tried, earlier, variant)
        states = tuple(map(merge_states, states, find_states(exercise, tried)))
    return Feedback(
        exercise.title,
        solved=True,
        goals=states,
        happened=exercise.words.fill(
            exercise.words.content["solved"],
            exercise.summarize(shown),
            {**describe_run(shown), **shown.options},
        ),
        journal=shown.entries,
        labels=speak(exercise).content["labels"],
    )


def speak(exercise: Exercise) -> Words:
    """Return what is said about any function, in the language of an exercise."""
    return GENERAL.translate(exercise.words.language)


def merge_states(first: GoalState, second: GoalState) -> GoalState:
    """Return the state of a goal after two runs that reached it, or showed nothing about it."""
    return first if first.reached is not None else second


def solves(exercise: Exercise, tried: Run) -> bool:
    """Return whether a run returned, and reached all goals that it shows."""
    states = [state.reached for state in find_states(exercise, tried)]
    return tried.error is None and False not in states and True in states


def find_states(exercise: Exercise, tried: Run) -> tuple[GoalState, ...]:
    """Return the state of each goal; no goal is reached in a run that shows nothing to grade."""
    if not exercise.shows(tried):
        return exercise.goals
    return tuple(
        GoalState(goal, False if isinstance(seen := see(look, tried), Said) else seen)
        for name, look in exercise.checks.items()
        if (goal := exercise.words.goal(name))
    )


def explain(
    exercise: Exercise, tried: Run, earlier: Sequence[str], variant: Options | None = None
) -> Feedback:
    """Return feedback on a run that does not solve the exercise; it names the variant, if one is given."""
    found = find_mistake(exercise, tried)
    happened = found.happened
    if variant:
        other = said("other data", variant=variant["words"], happened=happened)
        happened = speak(exercise).explain(other).happened
    return Feedback(
        exercise.title,
        solved=False,
        goals=find_states(exercise, tried),
        happened=mask(happened),
        hint=found.choose_hint(earlier),
        mistake=found.mistake,
        journal=tried.entries,
        labels=speak(exercise).content["labels"],
    )


def see(look: Look, tried: Run) -> Seen:
    """Return what a look finds in a run; of several, what happened first, or whether all are in order."""
    seen = look(tried)
    if not isinstance(seen, Iterator):
        return seen
    found: list[bool] = []
    for answer in seen:
        if isinstance(answer, Said):
            return answer
        found += [] if answer is None else [answer]
    return all(found) if found else None


def find_mistake(exercise: Exercise, tried: Run) -> Finding:
    """Find what a run shows: the first sentence of a check, or about a refusal, or what any function can do."""
    known = describe_run(tried)
    if exercise.shows(tried):
        own = (seen for look in exercise.checks.values() if isinstance(seen := see(look, tried), Said))
        if happened := next(own, None) or find_refused(exercise, tried):
            return exercise.words.explain(happened, {**known, **tried.options})
    found = speak(exercise).explain(find_general_mistake(tried), known)
    mistake = found.mistake.partition(",")[0]  # such as endless, of "endless, refused"
    return found._replace(mistake=mistake)


def find_refused(exercise: Exercise, tried: Run) -> Said | None:
    """Find the first refusal whose reason has words for which the lesson has a sentence."""
    for entry in tried.entries:
        for words, name in exercise.words.content.get("refused", {}).items():
            if entry.is_error and words in (entry.reason or ""):
                return said(name, entry)
    return None


@dataclass(frozen=True)
class Returned:
    """The result of a function, for sentences that name it, without most of its URLs."""

    result: object

    def __str__(self) -> str:
        return re.sub(r"https://[^'\"]+", "https://…", repr(self.result))


def describe_run(tried: Run) -> dict[str, object]:
    """Return what any sentence about a run can name: how many requests it sent, and how it ended."""
    error, where = type(tried.error).__name__, f" ({tried.line})" if tried.line else ""
    return {
        "count": len(tried.entries),
        "ending": Returned(tried.result) if tried.error is None else f"{error}{where}",
        "error": error,
        "kind": type(tried.result).__name__,
        "line": tried.line,
        "text": tried.error,
        "where": where,
    }


def find_general_mistake(tried: Run) -> Said:
    """Find what any function can do wrong: not return, raise, send nothing, or send what is refused."""
    if tried.error is not None:
        return find_end(tried, tried.error)
    if not tried.entries:
        is_object = not is_library(type(tried.result).__module__)
        return said("nothing sent, object" if is_object else "nothing sent")
    refused = next((entry for entry in tried.entries if entry.is_error), None)
    return said("refused", refused) if refused else said("not reached")


def find_end(tried: Run, error: BaseException) -> Said:
    """Find what ended a function that did not return: a limit, the refusal of its last request, or an error alone."""
    refused = [entry for entry in tried.entries if entry.is_error]
    last = refused[-1] if refused and refused[-1] is tried.entries[-1] else None
    if isinstance(error, BudgetSpent):
        # In a loop around a refusal, the first refusal says more than the loop.
        return said("endless, refused", refused[0]) if last else said("endless")
    if isinstance(error, TookTooLong):
        return said("too slow, waiting" if error.waits else "too slow")
    awaits = re.search(r"\b(?:await|async)", str(error))  # also "can't be awaited", and "asynchronous"
    if last and not awaits:
        return said("refused, raised", last)
    if type(error).__name__ in ("ConnectError", "ConnectionError"):  # of httpx, of requests
        return said("raised, elsewhere")
    return said("raised, awaiting" if awaits else "raised")

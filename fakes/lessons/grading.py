"""From a run to feedback: which goals are reached, and which mistake was made."""

from collections.abc import Callable, Sequence
from typing import Any

from fakes.engine.budget import BudgetSpent
from fakes.lessons.exercise import Exercise, Run
from fakes.lessons.feedback import Feedback, Finding, GoalState
from fakes.lessons.interrupting import TookTooLong
from fakes.lessons.running import run
from fakes.parts.journal_entry import JournalEntry
from svckit.display.card import quantity
from svckit.display.masking import mask

__all__ = ["grade"]


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
        >>> from fakes.lessons import Exercise, Goal, Variant, grade
        >>> ping = Exercise(
        ...     name="ping",
        ...     title="Say hello",
        ...     minutes=1,
        ...     section="Incoming notification endpoint",
        ...     starter="def ping(session): ...",
        ...     prepare=lambda fake, variant: [fake.transport(), fake.facts["webhooks"][0]],
        ...     variants=(Variant("one room"),),
        ...     goals=(Goal("a message is posted", lambda run: bool(run.sent("notification.post", 200))),),
        ...     mistakes=(),
        ...     summarize=lambda run: "1 message posted",
        ... )
        >>> grade(ping, lambda transport, webhook: None)
        Say hello: not yet
          not yet   a message is posted
          Your function returned, and no request reached the service.
          Which line of it should send one?
    """
    if not callable(function):
        raise TypeError(
            f"pass the function itself, {exercise.name}, without parentheses; given {mask(repr(function)):.80}"
        )
    shown = run(exercise, function, exercise.variants[0], seed)
    if not solves(exercise, shown):
        return explain(exercise, shown, earlier)
    states = find_states(exercise, shown)
    for variant in exercise.variants[1:]:
        tried = run(exercise, function, variant, seed)
        if not solves(exercise, tried):
            intro = f"With the data shown, it works. Then it was called with other data: {variant.words}. "
            return explain(exercise, tried, earlier, intro)
        states = tuple(map(merge_states, states, find_states(exercise, tried)))
    return Feedback(
        exercise.title,
        solved=True,
        goals=states,
        happened=exercise.summarize(shown),
        hint="",
        mistake="",
        journal=shown.entries,
    )


def merge_states(first: GoalState, second: GoalState) -> GoalState:
    """Return the state of a goal after two runs that reached it, or showed nothing about it."""
    return first if first.reached is not None else second


def solves(exercise: Exercise, tried: Run) -> bool:
    """Return whether a run returned, and reached all goals that it shows."""
    states = [state.reached for state in find_states(exercise, tried)]
    return tried.error is None and False not in states and True in states


def find_states(exercise: Exercise, tried: Run) -> tuple[GoalState, ...]:
    """Return the state of each goal. None is reached where a run shows nothing."""
    shows = exercise.shows(tried)
    return tuple(GoalState(goal.words, goal.look(tried) if shows else False) for goal in exercise.goals)


def explain(exercise: Exercise, tried: Run, earlier: Sequence[str], intro: str = "") -> Feedback:
    """Return feedback on a run that does not solve the exercise."""
    found = find_mistake(exercise, tried)
    return Feedback(
        exercise.title,
        solved=False,
        goals=find_states(exercise, tried),
        happened=mask(intro + found.happened),
        hint=found.choose_hint(earlier),
        mistake=found.mistake,
        journal=tried.entries,
    )


def find_mistake(exercise: Exercise, tried: Run) -> Finding:
    """Find the first mistake that a run shows: one of the exercise's own, or one that any function can make."""
    if exercise.shows(tried):
        for mistake in exercise.mistakes:
            happened = mistake.look(tried)
            if happened is not None:
                return Finding(mistake.name, happened, mistake.hints)
    return find_general_mistake(tried)


def find_general_mistake(tried: Run) -> Finding:
    """Find what any function can do wrong: not return, raise, send nothing, or send what is refused."""
    count = quantity(len(tried.entries), "request")
    where = f" in {tried.line}" if tried.line else ""
    if isinstance(tried.error, BudgetSpent):
        return Finding(
            "endless",
            f"Your function was stopped after {count}: it would not have ended.",
            (
                "What has to happen for its loop to end?",
                "Look at the last requests: what did each response say?",
            ),
        )
    if isinstance(tried.error, TookTooLong):
        return Finding(
            "too slow",
            f"Your function was stopped{where}: it did not return in time. Until then it had sent {count}.",
            ("Which loop might not end?", "What changes between two rounds of the loop?"),
        )
    if tried.error is not None:
        return explain_error(tried, tried.error, count, where)
    if not tried.entries:
        return Finding(
            "nothing sent",
            "Your function returned, and no request reached the service.",
            (
                "Which line of it should send one?",
                "Is that line reached? Perhaps a condition before it is never true, or a function is not called.",
            ),
        )
    refused = next((entry for entry in tried.entries if entry.is_error), None)
    if refused is not None:
        return explain_refusal(refused)
    return Finding(
        "not reached",
        f"Your function sent {count}, and none was refused, but a goal is not reached.",
        (
            "Which goal is that, and which requests would show it?",
            "Read the requests one by one: `feedback.journal`.",
        ),
    )


def explain_refusal(refused: JournalEntry) -> Finding:
    """Return what a refused request says about itself."""
    happened = f"Request {refused.number} ({refused.method} {refused.path}) was refused with {refused.status}"
    if refused.reason:
        happened += f": {refused.reason.rstrip('.')}"
    happened += f" (section “{refused.section}”)." if refused.section else "."
    hints = (
        "Which part of the request is that about?",
        "Compare it with the request that the lesson shows.",
    )
    return Finding("refused", happened, hints)


def explain_error(tried: Run, error: BaseException, count: str, where: str) -> Finding:
    """Return what a function raised, after the refusal of its last request if it was refused."""
    if tried.entries and tried.entries[-1].is_error:
        refused = explain_refusal(tried.entries[-1])
        happened = f"{refused.happened} Then your function raised {type(error).__name__}{where}."
        return refused._replace(happened=happened)
    return Finding(
        "raised",
        f"Your function raised {type(error).__name__}{where}, after {count}. It says: {error}",
        (
            "What did that line expect, and what did it get?",
            "Print what it works with, just before that line.",
        ),
    )

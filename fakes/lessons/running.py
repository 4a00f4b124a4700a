"""Running a learner's function against a new fake."""

from collections.abc import Callable
from contextlib import ExitStack, suppress
from copy import deepcopy
from functools import partial
from typing import Any

from fakes.engine.budget import BudgetSpent
from fakes.lessons.exercise import Exercise, Options, Run
from fakes.lessons.functions import awaiting, find_line
from fakes.lessons.interrupting import TookTooLong, call_within
from fakes.lessons.moving_clocks import moving_clocks

__all__ = ["run"]


def run(exercise: Exercise, function: Callable[..., Any], variant: Options, seed: int = 0) -> Run:
    """Call a function with the data of a variant, and return what it did.

    While it runs, Python's clocks move with the fake's, its requests are counted, and it is abandoned if it does not
    return, or goes on after the last request that it may send.

    Args:
        exercise: the exercise.
        function: what the learner wrote; what it returns is awaited if it can be.
        variant: the data.
        seed: determines users, IDs and secrets of the fake.
    """
    fake = exercise.new_fake(seed)
    fake.rules.choose(variant.get("assume", {}))
    options = deepcopy(variant)  # a function may change what it gets, and checks look at the variant
    arguments = tuple(exercise.prepare(fake, options))
    if begin := getattr(function, "begin", None):  # a function in another process
        begin(fake, exercise.seconds)
    fake.journal.restart()
    started, result, error = fake.clock.now(), None, None

    moving = partial(moving_clocks, fake.clock, function, lambda: fake.journal.mark().number)

    def play() -> Any:
        return exercise.play(awaiting(function), arguments, fake, options)

    def end() -> None:
        with suppress(BudgetSpent):
            requests.close()

    requests = ExitStack()
    budget = requests.enter_context(fake.budget(exercise.calls))
    try:
        result = call_within(exercise.seconds, play, moving, lambda: budget.used > budget.calls, end)
        budget.check()
    except (Exception, BudgetSpent, TookTooLong, SystemExit) as raised:  # noqa: BLE001 - whatever a learner's code raises
        error = raised
    budget.calls = -1  # whatever an abandoned function sends comes too late
    return Run(
        fake=fake,
        options=variant,
        arguments=arguments,
        result=result,
        error=error,
        started=started,
        ended=fake.clock.now(),
        line=find_line(function, error),
    )

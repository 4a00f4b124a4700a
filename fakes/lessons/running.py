"""Running a learner's function against a new fake."""

import traceback
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from fakes.engine.budget import BudgetSpent
from fakes.lessons.exercise import Exercise, Run, Variant
from fakes.lessons.interrupting import TookTooLong, interrupt_after
from svckit.display.masking import mask

__all__ = ["find_line", "run"]


def run(exercise: Exercise, function: Callable[..., Any], variant: Variant, seed: int = 0) -> Run:
    """Call a function with the data of a variant, and return what it did.

    While it runs, its sleeps move the fake's clock, its requests are counted, and it is stopped if it does not return.

    Args:
        exercise: the exercise.
        function: what the learner wrote.
        variant: the data.
        seed: determines users, IDs and secrets of the fake.
    """
    fake = exercise.new_fake(seed)
    arguments = tuple(exercise.prepare(fake, variant))
    fake.journal.restart()
    started, result, error = fake.clock.now(), None, None
    try:
        with ExitStack() as stack:
            stack.enter_context(interrupt_after(exercise.seconds))
            stack.enter_context(fake.clock.sleeping())
            stack.enter_context(fake.budget(exercise.calls))
            result = exercise.play(function, arguments, fake, variant)
    except (Exception, BudgetSpent, TookTooLong, SystemExit) as raised:  # noqa: BLE001 - whatever a learner's code raises
        error = raised
    return Run(
        fake=fake,
        variant=variant,
        arguments=arguments,
        result=result,
        error=error,
        started=started,
        ended=fake.clock.now(),
        line=find_line(function, error),
    )


def find_line(function: Callable[..., Any], error: BaseException | None) -> str:
    """Return the line of a function where an error passed, masked; empty if it passed none."""
    code = getattr(function, "__code__", None)
    if error is None or code is None:
        return ""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == code.co_filename and frame.line
    ]
    return f"line {frames[-1].lineno}: {mask(frames[-1].line or '')}" if frames else ""

"""Regular expressions that are compiled when they are first needed."""

import re
from collections.abc import Callable
from functools import cache, partial

__all__ = ["LatePattern", "compile_later"]

LatePattern = Callable[[], re.Pattern[str]]
"""A function that returns a pattern, which its first call compiles."""


def compile_later(pattern: str, flags: int = 0) -> LatePattern:
    """Return a function that compiles a pattern once, for long ones that a start does not need.

    Examples:
        >>> find_digits = compile_later("[0-9]+")
        >>> find_digits().search("at 9:00")[0]
        '9'
    """
    return cache(partial(re.compile, pattern, flags))

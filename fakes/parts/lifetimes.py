"""Lifetimes of tokens, codes and URLs, and whether they include their last instant."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from fakes import rulebook
from fakes.rulebook.rules import Rule

__all__ = ["has_expired"]

Time = TypeVar("Time", datetime, timedelta)


def has_expired(now: Time, end: Time, choice: Callable[[Rule], str]) -> bool:
    """Return whether a lifetime has expired; at its exact end an assumption decides.

    Args:
        now: the time, or the age.
        end: the end, or the lifetime.
        choice: returns the chosen alternative of a rule.
    """
    return now > end or (now == end and choice(rulebook.tokens.LAST_INSTANT) == "excluded")

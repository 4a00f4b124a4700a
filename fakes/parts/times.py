"""Times by the assumptions about them: how they are written, and whether a lifetime includes its last instant."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from fakes import rulebook
from fakes.rulebook.rule import Rule
from fakes.rulebook.rules import Rules

__all__ = ["has_expired", "write_offset"]

Time = TypeVar("Time", datetime, timedelta)


def write_offset(time: str, rules: Rules) -> str:
    """Write the offset of a time, by the assumption about that of UTC.

    Examples:
        >>> write_offset("2026-06-01T00:00:00Z", Rules({"api.utc-offset": "numeric"}))
        '2026-06-01T00:00:00+00:00'
    """
    if time.endswith("Z") and rules.choice(rulebook.api.UTC_OFFSET) == "numeric":
        return time.removesuffix("Z") + "+00:00"
    return time


def has_expired(now: Time, end: Time, choice: Callable[[Rule], str]) -> bool:
    """Return whether a lifetime has expired; at its exact end an assumption decides.

    Args:
        now: the time, or the age.
        end: the end, or the lifetime.
        choice: returns the chosen alternative of a rule.
    """
    return now > end or (now == end and choice(rulebook.tokens.LAST_INSTANT) == "excluded")

"""Retrying: which failed calls are sent again, and after how long.

Only what cannot be done twice by that is sent again: calls that say so (``Call.repeatable``), and any call whose
connection could not be made. The schedule is three numbers. stamina, and tenacity beneath it, sleep themselves
between attempts; here a step of the driver waits, with or without ``await``, by the clock of a fake too, and what
would be left of them is ``first * 2 ** attempt``.
"""

import random
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

from svckit.models.header_values import parse_seconds

__all__ = ["BUSY", "RETRIES", "check_retries", "choose_delay", "parse_retry_after"]

RETRIES = 2
"""How often a session sends a call again, unless told otherwise."""

BUSY = frozenset({429, 502, 503, 504})
"""The statuses that say that the same call may succeed later."""

FIRST = 0.5  # seconds; twice as long before each further attempt
LONGEST = 60.0


def check_retries(retries: object) -> int:
    """A number of retries as given by a person.

    Raises:
        ValueError: it is no whole number from 0.
    """
    if not isinstance(retries, int) or isinstance(retries, bool) or retries < 0:
        raise ValueError(f"retries is a whole number, 0 for none; given {retries!r}")
    return retries


def choose_delay(attempt: int, asked: float | None, *, spread: bool) -> float | None:
    """How many seconds to wait before the next attempt.

    Args:
        attempt: how many there have been.
        asked: the seconds the service asks for, if it does.
        spread: whether to shorten the wait at random, to a half at most, so that the clients of a classroom do not
            come back all at once.

    Returns:
        The seconds; ``None`` where the service asks for more than a minute, which is better told than waited.

    Examples:
        >>> [choose_delay(attempt, None, spread=False) for attempt in (1, 2, 3, 10)]
        [0.5, 1.0, 2.0, 60.0]
        >>> choose_delay(1, 30, spread=False), choose_delay(1, 3600, spread=False)
        (30, None)
    """
    if asked is not None:
        return asked if asked <= LONGEST else None
    own = min(FIRST * 2.0 ** (attempt - 1), LONGEST)
    return own * random.uniform(0.5, 1) if spread else own  # noqa: S311 - a wait is no secret


def parse_retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """The seconds a ``Retry-After`` header asks to wait: a number, or a date; ``None`` where there is none.

    Examples:
        >>> from datetime import UTC
        >>> now = datetime(2026, 6, 1, tzinfo=UTC)
        >>> parse_retry_after({"retry-after": "30"}, now)
        30.0
        >>> parse_retry_after({"retry-after": "Mon, 01 Jun 2026 00:01:00 GMT"}, now)
        60.0
        >>> parse_retry_after({"retry-after": "soon"}, now) is parse_retry_after({}, now) is None
        True
    """
    value = headers.get("retry-after", "").strip()
    wait = parse_seconds(value)
    if wait is not None:
        return float(wait)
    try:
        then = parsedate_to_datetime(value)
    except (ValueError, OverflowError, TypeError, IndexError):  # what it raises for dates that are none
        return None
    return None if then.tzinfo is None else max(0.0, (then - now).total_seconds())

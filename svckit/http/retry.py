"""Retries: which failed requests are sent again, and after how long.

A request is sent again only if that cannot do anything twice: if it says so (``Request.repeatable``), if the service
refused it as one too many, or if no connection was made. A read of a user that overlapped another process's request for
that user is sent again too; a change is not. The schedule is three numbers. stamina, and tenacity beneath
it, sleep between attempts; here a step of the driver waits, with or without ``await``, on a fake's clock too, so all
they would add is ``first * 2 ** attempt``.
"""

import random
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

from svckit.http.messages import Request
from svckit.models.header_values import parse_seconds

__all__ = [
    "BUSY",
    "RETRIES",
    "check_retries",
    "choose_delay",
    "find_pause",
    "may_succeed_later",
    "parse_retry_after",
]

RETRIES = 2
"""The default number of times a session sends a request again."""

CONFLICT = 409
TOO_MANY = 429
BUSY = frozenset({TOO_MANY, 502, 503, 504})
"""The statuses that mean that the same request may succeed later."""

FIRST = 0.5  # seconds; doubled before each further attempt
LONGEST = 60.0


def check_retries(retries: object) -> int:
    """Check a number of retries, and return it.

    Raises:
        ValueError: it is not a whole number from 0.
    """
    if not isinstance(retries, int) or isinstance(retries, bool) or retries < 0:
        raise ValueError(f"retries must be a whole number from 0; given {retries!r}")
    return retries


def may_succeed_later(request: Request, status: int) -> bool:
    """Return whether a request that got a status may succeed if it is sent again, and cannot do anything twice.

    Examples:
        >>> from svckit.operations import users
        >>> read, update = next(users.read("u-001")), next(users.update("u-001", task="Sales"))
        >>> [(status, may_succeed_later(read, status), may_succeed_later(update, status)) for status in (409, 429, 503)]
        [(409, True, False), (429, True, True), (503, True, False)]
    """
    if status in BUSY:  # `svc.notify` has an argument of its own for what is one too many
        return request.repeatable or (status == TOO_MANY and request.area != "hooks")
    # Nothing else is in a read's way.
    return status == CONFLICT and request.repeatable and bool(request.exclusive)


def choose_delay(attempt: int, asked: float | None, *, spread: bool) -> float | None:
    """Return the seconds to wait before the next attempt.

    Args:
        attempt: the number of attempts so far.
        asked: the seconds the service asks for, if it does.
        spread: whether to shorten the wait at random, by up to a half, so that the clients of a classroom do not all
            come back at once.

    Returns:
        The seconds; ``None`` if the service asks for more than a minute, which is better reported than waited for.

    Examples:
        >>> [choose_delay(attempt, None, spread=False) for attempt in (1, 2, 3, 10)]
        [0.5, 1.0, 2.0, 60.0]
        >>> choose_delay(1, 30, spread=False), choose_delay(1, 3600, spread=False)
        (30, None)
    """
    if asked is not None:
        return asked if asked <= LONGEST else None
    own = min(FIRST * 2.0 ** (attempt - 1), LONGEST)
    return own * random.uniform(0.5, 1) if spread else own  # noqa: S311 - not a secret


def parse_retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds a ``Retry-After`` header asks to wait, from a number or a date; else ``None``.

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
    except (ValueError, OverflowError, TypeError, IndexError):  # raised for invalid dates
        return None
    return None if then.tzinfo is None else max(0.0, (then - now).total_seconds())


def find_pause(status: int, headers: Mapping[str, str], now: datetime) -> float:
    """Return the seconds for which a response asks to send nothing more; 0 if it does not.

    A 429 response asks with ``Retry-After``, any other with the headers that say that none are left. More than a
    minute is not waited for.

    Examples:
        >>> from datetime import UTC
        >>> now = datetime(2026, 6, 1, tzinfo=UTC)
        >>> find_pause(200, {"ratelimit-remaining": "0", "ratelimit-reset": "3"}, now)
        3.0
        >>> find_pause(429, {"retry-after": "2"}, now), find_pause(200, {"ratelimit-remaining": "1"}, now)
        (2.0, 0.0)
    """
    asked = parse_retry_after(headers, now) if status == TOO_MANY else None
    left = headers.get("ratelimit-remaining")
    if asked is None and left is not None and parse_seconds(left) == 0:
        asked = parse_seconds(headers.get("ratelimit-reset"))
    return float(asked) if asked is not None and asked <= LONGEST else 0.0

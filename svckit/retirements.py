"""Features of the service that are retired or will retire: the table, and the warnings of a session.

The dates are those of `svckit.models.lifecycle`, from the service's description, section "Versioning".

Examples:
    >>> from datetime import date
    >>> print(table(date(2026, 12, 4))[0].status)
    retires in 1 day
"""

import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, Protocol

from svckit.addresses import compile_template
from svckit.display.card import Shown, render_table
from svckit.http.messages import Request
from svckit.models.lifecycle import (
    MESSENGER_OLD_VALUE_END,
    OLD_MESSENGER,
    RETIREMENTS,
    LifecycleStatus,
    Retirement,
    list_lifecycle_statuses,
)

__all__ = [
    "HasClock",
    "ServiceDeprecationWarning",
    "Table",
    "find_feature",
    "find_retirement",
    "table",
    "warn_of_feature",
]


class ServiceDeprecationWarning(DeprecationWarning):
    """A warning that a call uses a feature that is retired or will retire; names the day and the replacement."""


class Table(Shown, list[LifecycleStatus]):
    """The status of features on a date; displays as a table, and provides the records for ``frames.lifecycle``.

    Args:
        today: the date.

    Examples:
        >>> found = table(date(2026, 12, 4))
        >>> found.title
        'Retired and retiring features on 2026-12-04'
        >>> next(found.records())["status"]
        'retires in 1 day'
    """

    def __init__(self, today: date) -> None:
        super().__init__(list_lifecycle_statuses(today))
        self.today = today

    @property
    def title(self) -> str:
        """The title, with the date."""
        return f"Retired and retiring features on {self.today}"

    def records(self, _kind: str = "lifecycle", /) -> Iterator[Mapping[str, Any]]:
        """Yield the rows as plain data, with the keys of a `svckit.models.LifecycleStatus`."""
        return (status.record() for status in self)

    def _render(self) -> tuple[str, str]:
        rows = [
            (feature.item, feature.status, feature.date_wording, feature.replacement or "no replacement")
            for feature in self
        ]
        return render_table(self.title, ("what", "status", "date", "replacement"), rows)


class HasClock(Protocol):
    """A source of the current time, such as a session or a ``FakeService``."""

    @property
    def clock(self) -> Any:
        """The clock; ``now()`` returns its time, with an offset."""


def table(today: "date | HasClock | None" = None) -> Table:
    """Return the status of everything that is retired, will retire or changes, with the days left.

    Args:
        today: the date, as a ``date`` or a ``datetime``, or a session or a ``FakeService``, whose clock has it; if
            omitted, today in UTC, which in Japan is yesterday until nine.

    Returns:
        The table, a list of statuses that also displays as one.

    Raises:
        TypeError: ``today`` is neither a date nor a datetime, and has no clock.

    Examples:
        >>> for feature in table(date(2026, 6, 1)):
        ...     if feature.days_left is None or feature.days_left > 0:
        ...         print(f"{feature.key}: {feature.status}")
        custom-fields: retires in 187 days
        shared-drive-permissions: planned
        employment-types: planned
        messenger-response: retires in 60 days
        messenger-old-value: retires in 167 days
    """
    if today is None:
        today = datetime.now(UTC)
    if (clock := getattr(today, "clock", None)) is not None:
        today = clock.now()
    if not isinstance(today, date):
        raise TypeError(f"today must be a date or a datetime, such as date(2026, 12, 5); given {today!r}")
    return Table(today.date() if isinstance(today, datetime) else today)


def find_retirement(method: str, path: str) -> Retirement | None:
    """Return the retirement of an operation, if it is retired or will be.

    Args:
        method: HTTP method, in capitals.
        path: path below the base URL, without a query.

    Returns:
        The retirement; ``None`` if the operation does not retire.

    Examples:
        >>> find_retirement("DELETE", "/users/u-001/mail").key
        'mail-bulk-delete'
        >>> find_retirement("GET", "/users/u-001/mail") is None
        True
    """
    for retired, paths, item in _compile_paths():
        if retired == method and paths.fullmatch(path):
            return item
    return None


@cache
def _compile_paths() -> list[tuple[str, re.Pattern[str], Retirement]]:
    return [
        (method, compile_template(template), item)
        for item in RETIREMENTS
        for method, template in item.operations
    ]


def find_feature(call: Request) -> str | None:
    """Return the key of the retired feature that a call uses, if any."""
    if call.area != "api" or not isinstance(call.target, str):
        return None
    messenger = call.json.get("messenger") if isinstance(call.json, Mapping) else None
    if isinstance(messenger, Mapping) and messenger.get("protocol") == OLD_MESSENGER:
        return MESSENGER_OLD_VALUE_END.key
    item = find_retirement(call.method, call.target)
    return None if item is None else item.key


def warn_of_feature(key: str, today: date) -> None:
    """Warn of a retired feature by its key; the warning is on the line of the user's code."""
    status = next(status for status in list_lifecycle_statuses(today) if status.key == key)
    warnings.warn(_format_warning(status), ServiceDeprecationWarning, stacklevel=_find_user_level())


def _format_warning(status: LifecycleStatus) -> str:
    feature = status.item
    if status.key == MESSENGER_OLD_VALUE_END.key:
        feature = f"the messenger protocol value {OLD_MESSENGER}"
    if status.days_left is None:
        when = "retires on a date that is not decided yet"
    elif status.days_left > 0:
        when = f"{status.status}, on {status.date} (described as {status.date_wording})"
    else:
        when = f"retired on {status.date}"
    replacement = (
        f"the replacement is {status.replacement}" if status.replacement else "no replacement is named"
    )
    return f"{feature}: {when}; {replacement}"


def _find_user_level() -> int:
    """Count the stack levels from the caller up to the first line outside the toolkit."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "svckit":
        level, frame = level + 1, frame.f_back
    return level

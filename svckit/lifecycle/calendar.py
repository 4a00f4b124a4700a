"""Features of the service that have ended or are planned to end: the table, and the warning of a session.

The days are those of `svckit.models.lifecycle`, from the service's description, section "Versioning".

Examples:
    >>> from datetime import date
    >>> print(table(date(2026, 12, 4))[0].status)
    ends in 1 day
"""

import sys
import warnings
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any

from svckit.display.card import render_table
from svckit.http.messages import Request
from svckit.models.lifecycle import (
    MESSENGER_OLD_VALUE_END,
    MESSENGER_RESPONSE_SWITCH,
    RETIREMENTS,
    LifecycleStatus,
    Retirement,
    list_lifecycle_statuses,
)

__all__ = ["Notices", "ServiceDeprecationWarning", "Table", "find_retirement", "table"]

OLD_MESSENGER = MESSENGER_RESPONSE_SWITCH.before


class ServiceDeprecationWarning(DeprecationWarning):
    """A call uses a feature that has ended or is planned to end; says when, and what to use instead."""


class Table(list[LifecycleStatus]):
    """Where features stand on a day; shows itself as a table, and gives records to ``frames.lifecycle``."""

    def __init__(self, today: date) -> None:
        super().__init__(list_lifecycle_statuses(today))
        self.today = today

    @property
    def title(self) -> str:
        """What it shows, and as of which day."""
        return f"Retired and planned to be, on {self.today}"

    def records(self, _kind: str = "lifecycle", /) -> Iterator[Mapping[str, Any]]:
        """The rows as plain data."""
        return (each.record() for each in self)

    def __repr__(self) -> str:
        return self._render()[1]

    def _repr_html_(self) -> str:
        return self._render()[0]

    def _render(self) -> tuple[str, str]:
        rows = [
            (each.item, each.status, each.date_wording, each.replacement or "none named") for each in self
        ]
        return render_table(self.title, ("what", "status", "end", "use instead"), rows)


def table(today: date | None = None) -> Table:
    """Where everything that has ended, is planned to end or changes stands, each with the days that are left.

    Args:
        today: the day, as a ``date`` or a ``datetime`` such as ``fake.clock.now()``; left out, today in UTC.

    Examples:
        >>> for each in table(date(2026, 6, 1)):
        ...     if each.days_left is None or each.days_left > 0:
        ...         print(f"{each.key}: {each.status}")
        custom-fields: ends in 187 days
        shared-drive-permissions: works
        employment-types: works
        messenger-response: ends in 60 days
        messenger-old-value: ends in 167 days
    """
    if today is None:
        today = datetime.now(UTC)
    return Table(today.date() if isinstance(today, datetime) else today)


def find_retirement(method: str, path: str) -> Retirement | None:
    """The retirement an operation belongs to, if it is retired or planned to be.

    Examples:
        >>> find_retirement("DELETE", "/users/u-001/mail").key
        'mail-bulk-delete'
        >>> find_retirement("GET", "/users/u-001/mail") is None
        True
    """
    given = path.split("/")
    for item in RETIREMENTS:
        for retired, template in item.operations:
            if retired == method and _fits(given, template.split("/")):
                return item
    return None


def _fits(given: list[str], template: list[str]) -> bool:
    return len(given) == len(template) and all(
        bool(value) if part[:1] == "{" else value == part for value, part in zip(given, template, strict=True)
    )


class Notices:
    """Warns of each retired feature once."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def check(self, call: Request, today: date) -> None:
        """Warn, on the line of the caller's own code, if a call uses a retired feature for the first time."""
        key = _find_key(call)
        if key is None or key in self._given:
            return
        self._given.add(key)
        standing = next(each for each in list_lifecycle_statuses(today) if each.key == key)
        warnings.warn(_format_warning(standing), ServiceDeprecationWarning, stacklevel=_find_user_level())


def _find_key(call: Request) -> str | None:
    """The retired feature that a call uses."""
    if call.area != "api" or not isinstance(call.target, str):
        return None
    messenger = call.json.get("messenger") if isinstance(call.json, Mapping) else None
    if isinstance(messenger, Mapping) and messenger.get("protocol") == OLD_MESSENGER:
        return MESSENGER_OLD_VALUE_END.key
    item = find_retirement(call.method, call.target)
    return None if item is None else item.key


def _format_warning(standing: LifecycleStatus) -> str:
    what = standing.item
    if standing.key == MESSENGER_OLD_VALUE_END.key:
        what = f"the messenger protocol value {OLD_MESSENGER}"
    if standing.days_left is None:
        end = "is planned to end, on a day that is undecided"
    elif standing.days_left > 0:
        end = f"{standing.status}, on {standing.date} (described as {standing.date_wording})"
    else:
        end = f"ended on {standing.date}"
    instead = f"use {standing.replacement} instead" if standing.replacement else "no replacement is named"
    return f"{what}: {end}; {instead}"


def _find_user_level() -> int:
    """How many levels up the stack, seen from the caller, the first line outside the toolkit is."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "svckit":
        level, frame = level + 1, frame.f_back
    return level

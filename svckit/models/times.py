"""Dates and times as the service writes them.

Three shapes (the service's description, section "Resources and their fields" and "Events"):

- a date, ``YYYY-MM-DD``: :data:`WireDate`, a ``datetime.date`` in Python;
- a time with its offset, ``YYYY-MM-DDThh:mm:ssTZD`` where TZD is ``Z`` or ``±hh:mm``: :data:`WireDateTime`,
  an aware ``datetime`` in Python, cut to whole seconds; it keeps its offset, and an offset of zero is ``Z``;
- the time of an event, ``YYYY-MM-DDThh:mm:ss.SSSZ``: :data:`EventTime`, in UTC and cut to milliseconds. The
  description does not say whether the final ``Z`` is the letter itself or stands for an offset, so ``+0900`` and
  ``+09:00`` are read too; the letter is written.

Python ``date`` and ``datetime`` objects are accepted as well as text. A ``datetime`` without an offset is
refused, because it does not name an instant.
"""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import cache
from typing import Annotated, TypeVar

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from svckit.models.phrases import describe_given

__all__ = [
    "EventTime",
    "WireDate",
    "WireDateTime",
    "format_date_time",
    "format_event_time",
    "parse_date",
    "parse_date_time",
    "parse_event_time",
    "parse_iso_time",
    "time_zones",
]

T = TypeVar("T")

_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_CLOCK = r"[0-9]{2}:[0-9]{2}:[0-9]{2}"
_DATE = re.compile(_DAY)
_DATE_TIME = re.compile(rf"{_DAY}T{_CLOCK}(Z|[+-][0-9]{{2}}:[0-9]{{2}})")
# In any of the forms that `datetime.fromisoformat` reads.
_HOUR_24 = re.compile(r"([0-9]{4}-?[0-9]{2}-?[0-9]{2}|[0-9]{4}-?W[0-9]{2}(-?[0-9])?).24")
_EVENT_TIME = re.compile(rf"{_DAY}T{_CLOCK}\.[0-9]{{3}}(Z|[+-][0-9]{{2}}:?[0-9]{{2}})")


def parse_iso_time(text: str) -> datetime:
    """Return the time that an ISO 8601 text names, which has the hours 00 to 23.

    Python reads the hour 24 as the next day's midnight from version 3.14 on, and refuses it before; a result must not
    depend on that.

    Args:
        text: the text, in any of the forms that ``datetime.fromisoformat`` reads.

    Raises:
        ValueError: the text is not a time.

    Examples:
        >>> parse_iso_time("2026-06-01 09:00").isoformat()
        '2026-06-01T09:00:00'
        >>> parse_iso_time("2026-06-01T24:00:00Z")
        Traceback (most recent call last):
        ...
        ValueError: ...
    """
    found = datetime.fromisoformat(text)
    if _HOUR_24.match(text):
        raise ValueError("the hours of a day are 00 to 23")
    return found


def parse_date(value: str | date) -> date:
    """Return a date read from ``YYYY-MM-DD``.

    Args:
        value: the text; or a ``date``, which is returned as it is.

    Raises:
        ValueError: the text has another shape, or names a day that does not exist.

    Examples:
        >>> parse_date("2026-02-28")
        datetime.date(2026, 2, 28)
        >>> parse_date("2026-02-30")
        Traceback (most recent call last):
        ...
        ValueError: must be a date written YYYY-MM-DD, such as 2026-06-01; given '2026-02-30', which does not exist
    """
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    return _parse(value, _DATE, date.fromisoformat, "a date written YYYY-MM-DD, such as 2026-06-01")


def parse_date_time(value: str | datetime) -> datetime:
    """Return a time read with its offset, ``YYYY-MM-DDThh:mm:ssTZD``, in whole seconds.

    Args:
        value: the text; or a ``datetime``, which is cut to whole seconds.

    Raises:
        ValueError: the text has another shape, there is no such time, or the ``datetime`` has no offset or
            one that is not in whole minutes.

    Examples:
        >>> parse_date_time("2026-06-01T09:00:00+09:00").isoformat()
        '2026-06-01T09:00:00+09:00'
        >>> parse_date_time("2026-06-01T09:00:00")
        Traceback (most recent call last):
        ...
        ValueError: must be a time written YYYY-MM-DDThh:mm:ss and then Z or ±hh:mm, such as
        2026-06-01T09:00:00+09:00; given '2026-06-01T09:00:00'
    """
    if isinstance(value, datetime):
        return _require_offset(value).replace(microsecond=0)
    wanted = "a time written YYYY-MM-DDThh:mm:ss and then Z or ±hh:mm, such as 2026-06-01T09:00:00+09:00"
    return _parse(value, _DATE_TIME, parse_iso_time, wanted)


def format_date_time(value: datetime) -> str:
    """Return the text of a time with its offset, ``YYYY-MM-DDThh:mm:ssTZD``; an offset of zero is ``Z``.

    Args:
        value: a time with an offset; its fraction of a second is cut off.

    Raises:
        ValueError: the time has no offset, or one that is not in whole minutes.

    Examples:
        >>> format_date_time(datetime(2026, 6, 1, 9, tzinfo=UTC))
        '2026-06-01T09:00:00Z'
    """
    return _require_offset(value).isoformat(timespec="seconds").replace("+00:00", "Z")


def parse_event_time(value: str | datetime) -> datetime:
    """Return the time of an event, read from ``YYYY-MM-DDThh:mm:ss.SSSZ``, in UTC and in whole milliseconds.

    Args:
        value: the text, which may have ``+09:00`` or ``+0900`` in place of the ``Z``; or a ``datetime``.

    Raises:
        ValueError: the text has another shape, there is no such time, or the ``datetime`` has no offset.

    Examples:
        >>> parse_event_time("2026-06-01T00:00:00.250Z")
        datetime.datetime(2026, 6, 1, 0, 0, 0, 250000, tzinfo=datetime.timezone.utc)
        >>> parse_event_time("2026-06-01T09:00:00.250+0900").isoformat()
        '2026-06-01T00:00:00.250000+00:00'
    """
    if isinstance(value, datetime):
        instant = _require_offset(value).astimezone(UTC)
        return instant.replace(microsecond=instant.microsecond // 1000 * 1000)
    wanted = "a time written YYYY-MM-DDThh:mm:ss.SSSZ, such as 2026-06-01T00:00:00.000Z"
    return _parse(value, _EVENT_TIME, _parse_in_utc, wanted)


def _parse_in_utc(text: str) -> datetime:
    try:
        return parse_iso_time(text).astimezone(UTC)
    except OverflowError:
        raise ValueError("outside the years 1 to 9999 in UTC") from None


def format_event_time(value: datetime) -> str:
    """Return the text of an event's time in UTC, ``YYYY-MM-DDThh:mm:ss.SSSZ``.

    Args:
        value: a time with an offset; it is cut to whole milliseconds.

    Raises:
        ValueError: the time has no offset.

    Examples:
        >>> format_event_time(parse_date_time("2026-06-01T09:00:00+09:00"))
        '2026-06-01T00:00:00.000Z'
    """
    return _require_offset(value).astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@cache
def time_zones() -> frozenset[str]:
    """Return the names of the time zone database.

    They come from the package ``tzdata``, not from the machine's own data, so a name is valid everywhere or nowhere.

    Examples:
        >>> "Asia/Tokyo" in time_zones(), "Mars/Phobos" in time_zones()
        (True, False)
    """
    from importlib import resources

    return frozenset(resources.files("tzdata").joinpath("zones").read_text(encoding="utf-8").split())


def _parse(value: object, shape: re.Pattern[str], read: Callable[[str], T], wanted: str) -> T:
    if not isinstance(value, str) or not shape.fullmatch(value):
        given = repr(value[:40]) if isinstance(value, str) else describe_given(value)
        raise ValueError(f"must be {wanted}; given {given}")
    try:
        return read(value)
    except ValueError:
        raise ValueError(f"must be {wanted}; given {value!r}, which does not exist") from None


def _require_offset(value: datetime) -> datetime:
    offset = value.utcoffset()
    if offset is None:
        raise ValueError(
            f"must be a time with an offset; {value.isoformat()} has none, so it does not name an instant: "
            "give it a tzinfo, such as datetime.UTC or ZoneInfo('Asia/Tokyo')"
        )
    if offset.total_seconds() % 60:
        raise ValueError(
            f"must be a time with an offset in whole minutes; {value.isoformat()} has another offset: "
            "convert it, for example with .astimezone(datetime.UTC)"
        )
    return value


WireDate = Annotated[
    date,
    PlainValidator(parse_date),
    PlainSerializer(date.isoformat, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date", "maxLength": 10}),
]
"""A date, ``YYYY-MM-DD``, at most 10 characters."""

WireDateTime = Annotated[
    datetime,
    PlainValidator(parse_date_time),
    PlainSerializer(format_date_time, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date-time", "maxLength": 25}),
]
"""A time with its offset, ``YYYY-MM-DDThh:mm:ssTZD``, at most 25 characters."""

EventTime = Annotated[
    datetime,
    PlainValidator(parse_event_time),
    PlainSerializer(format_event_time, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date-time", "maxLength": 29}),
]
"""The time of an event in UTC, ``YYYY-MM-DDThh:mm:ss.SSSZ``."""

"""Birthdays, in the solar calendar or in a lunar one."""

import re
from datetime import date
from typing import Annotated

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from svckit.models.patterns import DAY
from svckit.models.times import format_date, parse_date

__all__ = ["Birthday", "format_birthday", "parse_birthday"]

_LUNAR = re.compile(r"(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|30)")


def parse_birthday(value: str | date) -> date | str:
    """Read a birthday, ``YYYY-MM-DD``.

    Any month of a lunar calendar has 29 or 30 days. So ``1990-02-30`` is a valid day there. It stays text,
    because ``datetime.date`` only knows the solar calendar.

    Raises:
        ValueError: the text has another shape, or neither calendar has such a day.

    Examples:
        >>> parse_birthday("1990-02-28"), parse_birthday("1990-02-30")
        (datetime.date(1990, 2, 28), '1990-02-30')
        >>> parse_birthday("1990-02-31")
        Traceback (most recent call last):
        ...
        ValueError: must be a date written YYYY-MM-DD, such as 2026-06-01; given '1990-02-31', which does not exist
    """
    try:
        return parse_date(value)
    except ValueError:
        if isinstance(value, str) and _LUNAR.fullmatch(value):
            return value
        raise


def format_birthday(value: date | str) -> str:
    """Write a birthday, ``YYYY-MM-DD``."""
    return value if isinstance(value, str) else format_date(value)


Birthday = Annotated[
    date | str,
    PlainValidator(parse_birthday),
    PlainSerializer(format_birthday, when_used="json"),
    WithJsonSchema({"type": "string", "pattern": DAY, "maxLength": 10}),
]
"""A birthday, ``YYYY-MM-DD``: a ``date``, or text for a day that only a lunar calendar has."""

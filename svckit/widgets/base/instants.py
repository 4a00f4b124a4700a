"""Instants and spans of time as the views show them."""

from contextlib import suppress
from datetime import datetime, timedelta

__all__ = ["cut_to_second", "format_instant", "format_span", "shorten_instant"]

UNITS = (("days", 86_400), ("h", 3_600), ("min", 60), ("s", 1))
TWO_DAYS = 2 * 86_400  # seconds


def format_instant(at: datetime | None, like: datetime | None = None) -> str:
    """Format an instant as ISO 8601 text to the second, in the offset of `like` if given.

    Examples:
        >>> now = datetime.fromisoformat("2026-06-01T09:00:00+09:00")
        >>> format_instant(datetime.fromisoformat("2026-06-01T00:00:30.250Z"), now)
        '2026-06-01T09:00:30+09:00'
    """
    if at is None:
        return ""
    with suppress(OverflowError):  # at the ends of the calendar it keeps its own offset
        at = at if like is None else at.astimezone(like.tzinfo)
    return at.isoformat(timespec="seconds")


def shorten_instant(instant: str) -> str:
    """Return an instant without its offset, to the minute if that is exact; the whole belongs in its tooltip.

    Args:
        instant: ISO 8601 text, in the offset of the clock that the view shows.

    Examples:
        >>> shorten_instant("2026-06-01T09:00:00+09:00"), shorten_instant("2026-06-01T09:00:30.250+09:00")
        ('2026-06-01 09:00', '2026-06-01 09:00:30')
    """
    return instant[:19].replace("T", " ").removesuffix(":00")


def cut_to_second(instant: datetime) -> datetime:
    """Cut an instant to the second, as it is shown, so that spans agree with the instants shown.

    Examples:
        >>> str(cut_to_second(datetime.fromisoformat("2026-06-01T09:00:00.500+09:00")))
        '2026-06-01 09:00:00+09:00'
    """
    return instant.replace(microsecond=0)


def format_span(span: timedelta) -> str:
    """Return a span in its two largest units, cut to seconds; days are used from two days on.

    Examples:
        >>> [format_span(timedelta(seconds=s)) for s in (0, 59, 600, 86_399, 86_400, 90 * 86_400 + 7_200)]
        ['0 s', '59 s', '10 min', '23 h 59 min', '24 h', '90 days 2 h']
    """
    left = max(0, int(span.total_seconds()))
    parts = []
    for unit, seconds in UNITS if left >= TWO_DAYS else UNITS[1:]:
        count, left = divmod(left, seconds)
        parts.append(f"{count} {unit}" if count else "")
    first = next((number for number, part in enumerate(parts) if part), None)
    return "0 s" if first is None else " ".join(filter(None, parts[first : first + 2]))

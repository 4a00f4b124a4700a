"""Instants as the views show them."""

from contextlib import suppress
from datetime import datetime

__all__ = ["format_instant", "shorten_instant"]


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

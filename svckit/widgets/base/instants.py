"""Instants as the views show them."""

__all__ = ["shorten_instant"]


def shorten_instant(instant: str) -> str:
    """Return an instant without its offset, to the minute if that is exact; the whole belongs in its tooltip.

    Args:
        instant: ISO 8601 text, in the offset of the clock that the view shows.

    Examples:
        >>> shorten_instant("2026-06-01T09:00:00+09:00"), shorten_instant("2026-06-01T09:00:30.250+09:00")
        ('2026-06-01 09:00', '2026-06-01 09:00:30')
    """
    return instant[:19].replace("T", " ").removesuffix(":00")

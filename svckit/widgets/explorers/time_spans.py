"""Time spans in words, in the same form as the browser's countdown."""

from datetime import datetime, timedelta

__all__ = ["cut_to_second", "format_span"]

UNITS = (("days", 86_400), ("h", 3_600), ("min", 60), ("s", 1))
TWO_DAYS = 2 * 86_400  # seconds


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

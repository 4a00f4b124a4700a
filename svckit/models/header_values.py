"""Numbers in response headers, read without trusting the service to write them correctly."""

__all__ = ["LONGEST_WAIT", "parse_seconds", "parse_whole_number"]

MOST = 2**63 - 1
LONGEST_WAIT = 999_999_999
"""The longest plausible duration; a larger number is a timestamp, such as milliseconds since 1970."""


def parse_whole_number(text: str | None, most: int = MOST) -> int | None:
    """Read a whole number; ``None`` if the text is missing, is something else, or exceeds `most`.

    Examples:
        >>> [parse_whole_number(text) for text in ("1024", "60, 60", "-1", "9" * 5000)]
        [1024, None, None, None]
    """
    digits = (text or "").strip(" \t")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > len(str(most)):
        return None  # Python itself refuses to read thousands of digits
    number = int(digits)
    return number if number <= most else None


def parse_seconds(text: str | None) -> int | None:
    """Read a duration in seconds; ``None`` if it is not one.

    Examples:
        >>> [parse_seconds(text) for text in ("60", "1795310758431", "0.5")]
        [60, None, None]
    """
    return parse_whole_number(text, LONGEST_WAIT)

"""Times as the service writes them, by the assumptions about that."""

from fakes import rulebook
from fakes.rulebook.rules import Rules

__all__ = ["write_offset"]


def write_offset(time: str, rules: Rules) -> str:
    """Write the offset of a time, by the assumption about that of UTC.

    Examples:
        >>> write_offset("2026-06-01T00:00:00Z", Rules({"api.utc-offset": "numeric"}))
        '2026-06-01T00:00:00+00:00'
    """
    if time.endswith("Z") and rules.apply(rulebook.api.UTC_OFFSET) == "numeric":
        return time.removesuffix("Z") + "+00:00"
    return time

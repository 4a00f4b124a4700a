"""The columns of the lifecycle frame (the service's description, section "Versioning")."""

from svckit.frames.columns import Column

__all__ = ["LIFECYCLE"]

LIFECYCLE = (
    Column("key", "string", "key", "short stable name"),
    Column("item", "string", "item", "what ends, or the value that changes"),
    Column("status", "string", "status", "works, ends in N days, or ended"),
    Column(
        "days_left", "Int64", "daysLeft", "days until the end, negative after it; missing while undecided"
    ),
    Column("date", "datetime64[us]", "date", "day of the end; missing while undecided"),
    Column("date_wording", "string", "dateWording", "the day as the description gives it"),
    Column("replacement", "string", "replacement", "what to use instead; missing where none is named"),
)

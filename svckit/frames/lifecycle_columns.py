"""The columns of the lifecycle frame (the service's description, section "Versioning")."""

from svckit.frames.column import Column, Record

__all__ = ["LIFECYCLE"]

STAGES = ("works", "ends", "ended")


def stage(record: Record) -> str | None:
    """How far it has come, in the order in which features go: nothing ended works again.

    Examples:
        >>> [stage({"status": status}) for status in ("works", "ends in 1 day", "ended")]
        ['works', 'ends', 'ended']
    """
    status = record.get("status")
    return status and status.partition(" ")[0]


LIFECYCLE = (
    Column("key", "string", "key", "short stable name"),
    Column("item", "string", "item", "what ends, or the value that changes"),
    Column("status", "string", "status", "works, ends in N days, or ended"),
    Column(
        "stage",
        "category",
        "status",
        "the status without the days, in the order in which features go",
        STAGES,
        derive=stage,
    ),
    Column(
        "days_left", "Int64", "daysLeft", "days until the end, negative after it; missing while undecided"
    ),
    Column("date", "datetime64[us]", "date", "day of the end; missing while undecided"),
    Column("date_wording", "string", "dateWording", "the day as the description gives it"),
    Column("replacement", "string", "replacement", "what to use instead; missing where none is named"),
)

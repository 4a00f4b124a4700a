"""The columns of the lifecycle frame (the service's description, section "Versioning")."""

from svckit.frames.column import Column, Record

__all__ = ["LIFECYCLE"]

STAGES = ("works", "ends", "ended")


def stage(record: Record) -> str | None:
    """Return the stage of a feature: it works, its end is planned, or it has ended.

    Examples:
        >>> [stage({"status": status}) for status in ("works", "ends in 1 day", "ended")]
        ['works', 'ends', 'ended']
    """
    status = record.get("status")
    return status and status.partition(" ")[0]


LIFECYCLE = (
    Column("key", "string", "key", "short stable name"),
    Column("item", "string", "item", "feature that ends, or value that changes"),
    Column("status", "string", "status", "works, ends in N days, or ended"),
    Column(
        "stage",
        "category",
        "status",
        "status without the days, in chronological order",
        STAGES,
        derive=stage,
    ),
    Column(
        "days_left", "Int64", "daysLeft", "days until the end, negative after it; missing while undecided"
    ),
    Column("date", "datetime64[us]", "date", "day of the end; missing while undecided"),
    Column("date_wording", "string", "dateWording", "the day as worded in the description"),
    Column("replacement", "string", "replacement", "replacement; missing if none is named"),
)

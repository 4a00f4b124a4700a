"""The columns of the lifecycle frame (the service's description, section "Versioning")."""

from svckit.frames.column import Column, Record

__all__ = ["LIFECYCLE"]

STAGES = ("works", "retires", "retired")


def stage(record: Record) -> str | None:
    """Return the stage of a feature: it works, its retirement is planned, or it is retired.

    Examples:
        >>> [stage({"status": status}) for status in ("works", "retires in 1 day", "retired")]
        ['works', 'retires', 'retired']
    """
    status = record.get("status")
    return status and status.partition(" ")[0]


LIFECYCLE = (
    Column("key", "string", "key", "short stable name"),
    Column("item", "string", "item", "feature that retires, or value that changes"),
    Column("status", "string", "status", "works, retires in N days, or retired"),
    Column(
        "stage",
        "category",
        "status",
        "status without the days, in chronological order",
        STAGES,
        derive=stage,
    ),
    Column("days_left", "Int64", "daysLeft", "days until then, negative afterwards; missing while undecided"),
    Column("date", "datetime64[us]", "date", "day on which it retires; missing while undecided"),
    Column("date_wording", "string", "dateWording", "the day as worded in the description"),
    Column("replacement", "string", "replacement", "what comes after; missing if none is named"),
)

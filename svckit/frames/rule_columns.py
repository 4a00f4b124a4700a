"""The columns of the rules frame: documented behavior of a fake, and its assumptions."""

from svckit.frames.column import Column

__all__ = ["RULES"]

RULES = (
    Column("id", "string", "id", "area and behavior"),
    Column("provenance", "category", "provenance", "documented or assumed", ("documented", "assumed")),
    Column(
        "section",
        "string",
        "section",
        "section of the service's description that states it, or leaves it open",
    ),
    Column("text", "string", "text", "behavior of the fake; for an assumption, the default"),
    Column(
        "alternatives",
        "string",
        "alternatives[joined]",
        "plausible alternatives of an assumption, the default first",
    ),
    Column("chosen", "string", "chosen", "chosen alternative of an assumption"),
    Column("used", "Int64", "used", "number of responses that used it"),
)

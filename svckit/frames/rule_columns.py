"""The columns of the rules frame: what a fake does because it is described, and what it assumes."""

from svckit.frames.column import Column

__all__ = ["RULES"]

RULES = (
    Column("id", "string", "id", "area and behaviour"),
    Column("provenance", "category", "provenance", "described, or assumed", ("documented", "assumed")),
    Column(
        "section",
        "string",
        "section",
        "section of the service's description it is from, or that leaves it open",
    ),
    Column("text", "string", "text", "what the fake does, for an assumption by default"),
    Column(
        "alternatives",
        "string",
        "alternatives[joined]",
        "of an assumption, what is plausible, the default first",
    ),
    Column("chosen", "string", "chosen", "of an assumption, the alternative this fake follows"),
    Column("used", "Int64", "used", "number of answers that used it"),
)

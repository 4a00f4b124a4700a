"""Mutants that no test can catch, or need not, each with the reason."""

EXPLAINED: dict[tuple[str, str, str], str] = {
    (
        "svckit/edits/comparison.py",
        "return dict(zip(ids, origin.records, strict=True)), dict(zip(ids, range(len(ids)), strict=True))",
        "True → False",
    ): "The IDs are made of the records, and the numbers of the IDs, so there are always as many.",
}
"""By file, the line before the change, and the change."""

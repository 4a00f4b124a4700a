"""The rules that the responses of each operation rest on, as the tests recorded them under every alternative."""

import csv
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["TABLE", "name_family", "read_rules"]

TABLE: Final = Path(__file__).with_name("recorded.csv")
"""A row has an operation, a status, the kind of refusal, empty for a success, and a rule that a response used, with
its alternative if it is assumed.
"""
FAMILIES: Final = frozenset({"upload", "download", "retired"})
"""Operations with these first words respond alike."""


def name_family(operation: str) -> str:
    """Return the name under which the table has an operation.

    Examples:
        >>> name_family("upload.drive"), name_family("users.update")
        ('upload', 'users.update')
    """
    family = operation.partition(".")[0]
    return family if family in FAMILIES else operation


@cache
def read_rules() -> dict[str, frozenset[str]]:
    """Return the IDs of the rules that the responses of each operation, or family of operations, rest on.

    Examples:
        >>> "lifecycle.ended" in read_rules()["retired"]
        True
    """
    found: dict[str, set[str]] = {}
    with TABLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["operation"], set()).add(row["rule"])
    return {operation: frozenset(rules) for operation, rules in found.items()}

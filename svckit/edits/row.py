"""What was edited in one user, field by field, before it is held against the limits."""

from dataclasses import dataclass, field
from typing import Any

from svckit.models.problems import Problem

__all__ = ["EditedRow"]


@dataclass(slots=True)
class EditedRow:
    """What was edited in one user.

    Attributes:
        user_id: the user.
        values: the fields that were edited, by Python name, whole.
        drafts: nested fields of which a part was edited, by Python name, whole.
        problems: what cannot be.
    """

    user_id: str
    values: dict[str, Any] = field(default_factory=dict)
    drafts: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def refuse(self, column: str, why: str) -> None:
        """Note why a cell cannot be."""
        self.problems.append(Problem(f"{self.user_id}.{column}", f"{self.user_id}: {column} {why}"))

    def merge_drafts(self) -> "EditedRow":
        """The row with its drafts among the values."""
        for name, draft in self.drafts.items():
            if name in self.values:
                self.refuse(name, "is edited whole and in a column that shows a part of it; edit one of them")
            self.values[name] = draft or None if name == "messenger" else draft
        return self

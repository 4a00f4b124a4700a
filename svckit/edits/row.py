"""The edits of one user, field by field, before the limits are checked."""

from dataclasses import dataclass, field
from typing import Any

from svckit.models.problems import Problem

__all__ = ["EditedRow"]


@dataclass(slots=True)
class EditedRow:
    """The edits of one user.

    Attributes:
        user_id: the user.
        values: the complete values of edited fields, by Python name.
        drafts: the complete values of nested fields with an edited part, by Python name.
        problems: the edits that are not possible.
    """

    user_id: str
    values: dict[str, Any] = field(default_factory=dict)
    drafts: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def refuse(self, column: str, why: str) -> None:
        """Note why an edit is not possible."""
        self.problems.append(Problem(f"{self.user_id}.{column}", f"{self.user_id}: {column} {why}"))

    def merge_drafts(self) -> "EditedRow":
        """Move the drafts to the values, and return the row."""
        for name, draft in self.drafts.items():
            if name in self.values:
                self.refuse(
                    name, "is edited as a whole and in a column for a part of it; edit only one of them"
                )
            self.values[name] = draft or None if name == "messenger" else draft
        return self

"""Edits of users: the differences from the users that were read, to review and to apply."""

from svckit.edits.applied import Applied
from svckit.edits.changes import Changes, UserEdit
from svckit.edits.comparison import Comparison

__all__ = ["Applied", "Changes", "Comparison", "UserEdit"]

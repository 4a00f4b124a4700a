"""Edits of users: what differs between edited users and those that were read, as values to look at and to apply."""

from svckit.edits.applied import Applied
from svckit.edits.changes import Changes, UserEdit
from svckit.edits.comparison import Comparison

__all__ = ["Applied", "Changes", "Comparison", "UserEdit"]

"""Users offered as suggestions; any other user can be entered by ID."""

from itertools import islice
from typing import Final

from svckit.models.user_parts import display_name
from svckit.session.session import Session

__all__ = ["People"]

MAX_SUGGESTIONS: Final = 200


class People:
    """The first users that a session knows: their IDs and names.

    Args:
        svc: the session.

    Examples:
        >>> import svckit
        >>> people = People(svckit.connect(now="2026-06-01T09:00:00+09:00"))
        >>> people.first, people.names["u-002"], people.refresh()
        ('u-001', 'Lopez Petra', False)
    """

    def __init__(self, svc: Session) -> None:
        self._svc = svc
        self.names: dict[str, str] = {}
        self.refresh()

    def refresh(self) -> bool:
        """Update the users known to the session; return whether they changed."""
        before = self.names
        users = islice(self._svc.records("users"), MAX_SUGGESTIONS)
        self.names = {str(user["userId"]): display_name(user) or "" for user in users if user.get("userId")}
        return self.names != before

    @property
    def first(self) -> str:
        """The ID of the first user, or an empty string."""
        return next(iter(self.names), "")

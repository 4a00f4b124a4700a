"""``df.svc``: what was edited in a frame of users since it was read, and frames along a line of time."""

from typing import TYPE_CHECKING, Any

import pandas as pd

from svckit.frames.origin import forget, origin_of
from svckit.frames.source import Source, records_of

if TYPE_CHECKING:
    from svckit.edits import Changes
    from svckit.plots import Figure

__all__ = ["SvcAccessor"]


@pd.api.extensions.register_dataframe_accessor("svc")
class SvcAccessor:
    """What a frame of `svckit.frames` can do besides; there once that is imported.

    A frame of `svckit.frames.users` remembers the records it was made of, and so do copies of it, filtered and
    sorted ones, and edited ones: it keeps them in memory, about 3 KB a user, until `forget`. What makes a frame of
    two, such as ``merge``, and what writes one to a file forgets them.

    Examples:
        >>> from svckit import frames
        >>> people = frames.users([{"userId": "u-001", "userName": {"lastName": "Sato"}, "task": "Sales"}])
        >>> people.loc[0, ["last_name", "task"]] = ["Ito", None]
        >>> people.svc.changes()
        Changes: 2 fields of 1 user
          user_id  field      before                  after
          u-001    user_name  {"lastName": "Sato"}    {"lastName": "Ito"}
          u-001    task       "Sales"                 null
        >>> people.svc.to_patches()
        {'u-001': {'userName': {'lastName': 'Ito'}, 'task': None}}
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def changes(self, against: Source | None = None) -> "Changes":
        """What was edited since the frame was read: the smallest changes, to look at and for ``svc.users.apply``.

        It is the comparison of ``svc.users.diff``, without a session and without reading anybody anew.

        Args:
            against: records of users, a ``FakeService`` or a session to compare with instead, such as for a frame
                that was read from a file.

        Returns:
            The changes, with what cannot be sent as it was edited under ``problems``.

        Raises:
            ValueError: the frame does not remember what it was read as, and nothing else is given.
            InvalidInput: it is no frame of users.
        """
        from svckit.edits import Comparison

        before = origin_of(self._frame) if against is None else records_of(against, "users")
        if before is None:
            raise ValueError(
                "this frame does not remember what it was read as: it was not made by svckit.frames.users, or "
                "it was made of more than one frame, or read from a file; give what to compare with: "
                "changes(against=svc)"
            )
        return Comparison(self._frame, (), before).offline()

    def to_patches(self, against: Source | None = None) -> dict[str, dict[str, Any]]:
        """The bodies that make the users what the frame says, by user ID; see `changes`.

        Each is the smallest: only what was edited, by its names on the wire (section "Directory").

        Raises:
            ValueError: as in `changes`.
            InvalidInput: something cannot be sent as it was edited; says all that.
        """
        changes = self.changes(against)
        changes.hold()
        return {edit.user_id: edit.body for edit in changes}

    def timeline(self) -> "Figure":
        """The rows along a line of time; see `svckit.plots.timeline`."""
        from svckit.plots import timeline

        return timeline(self._frame)

    def forget(self) -> None:
        """Let go of what the frame remembers; copies that were made before still remember."""
        forget(self._frame)

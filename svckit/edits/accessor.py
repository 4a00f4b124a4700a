"""``df.svc``: the edits of a frame of users since it was read, and timelines of frames."""

from typing import TYPE_CHECKING, Any

import pandas as pd

from svckit.display.suggestions import no_attribute
from svckit.frames.origin import forget, origin_of
from svckit.frames.source import Source, records_of

if TYPE_CHECKING:
    from svckit.edits import Changes
    from svckit.edits.long_rows import MissingRows
    from svckit.plots import Figure

__all__ = ["SvcAccessor"]


@pd.api.extensions.register_dataframe_accessor("svc")
class SvcAccessor:
    """The additional methods of frames, available once `svckit.frames` is imported.

    A frame of `svckit.frames.users`, and each long frame of users, remembers the records that it was built from. So do
    its copies, also filtered, sorted and edited ones. The records stay in memory, about 3 KB per user, until `forget`.
    A frame that combines two separate reads, such as with ``merge``, or that was written to a file does not remember
    them; merged with a part of itself, a frame still does.

    Examples:
        >>> from svckit import frames
        >>> people = frames.users([{"userId": "u-001", "userName": {"lastName": "Sato"}, "task": "Sales"}])
        >>> people.loc[0, ["last_name", "task"]] = ["Ito", None]
        >>> people.svc.changes()
        Changes: 2 fields of 1 user
          user_id  field      before                  after
          u-001    user_name  {"lastName": "Sato"}    {"lastName": "Ito"}
                   task       "Sales"                 null
        >>> people.svc.to_patches()
        {'u-001': {'userName': {'lastName': 'Ito'}, 'task': None}}
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    if not TYPE_CHECKING:  # else a type checker would accept every name

        def __getattr__(self, name: str) -> None:
            known = [each for each in vars(SvcAccessor) if not each.startswith("_")]
            raise no_attribute("the svc of a frame", name, known)

    def changes(self, against: Source | None = None, *, missing_rows: "MissingRows" = "refuse") -> "Changes":
        """Return the edits since the frame was read: minimal changes, to review and for ``svc.users.apply``.

        This is the comparison of ``svc.users.diff``, without a session and without reading users again. A frame keeps
        its original records, so changes that were applied since are still listed: read the frame again after
        ``svc.users.apply``, or compare with the session's current records, ``svc.users.diff(frame)``.

        In a long frame, such as `svckit.frames.alias_emails`, the user and the number identify a row. A row without a
        number is a new item. A partial update replaces a list as a whole, so the list is sent as a whole. A missing
        row would therefore remove its item, and ``missing_rows`` must say whether it should.

        Args:
            against: records of users, a ``FakeService`` or a session to compare with instead, such as for a frame
                that was read from a file.
            missing_rows: for a long frame, the meaning of a missing row. ``refuse``: it is a problem if the user has
                other rows; a user without rows is ignored. ``keep``: the item stays as it was, as after filtering.
                ``remove``: the item is removed, even if the user has no row left.

        Returns:
            The changes; edits that cannot be sent are in ``problems``.

        Raises:
            ValueError: the frame does not remember its records, and ``against`` is not given.
            InvalidInput: it is not a frame of users.
        """
        from svckit.edits import Comparison

        origin = origin_of(self._frame)
        if against is not None:
            before = records_of(against, "users")
            return Comparison(self._frame, (), before, missing_rows=missing_rows).changes_offline()
        if origin is None:
            raise ValueError(
                "this frame does not remember the records that it was read from: it was not made by "
                "svckit.frames.users, or it combines several frames, or was read from a file; pass what to compare "
                "with, changes(against=svc) or svc.users.diff(frame); a frame still remembers after adding rows with "
                "frame.loc[len(frame)] = …"
            )
        return Comparison(
            self._frame, (), origin.records, origin=origin, missing_rows=missing_rows
        ).changes_offline()

    def to_patches(
        self, against: Source | None = None, *, missing_rows: "MissingRows" = "refuse"
    ) -> dict[str, dict[str, Any]]:
        """Return the request bodies that apply the edits, by user ID; see `changes`.

        Each body is minimal: only the edited fields, by wire name (section "Directory").

        Examples:
            >>> from svckit import frames
            >>> aliases = frames.alias_emails([{"userId": "u-001", "aliasEmails": ["a@example.com", "b@example.com"]}])
            >>> aliases.loc[1, "alias_email"] = "c@example.com"
            >>> aliases.svc.to_patches()
            {'u-001': {'aliasEmails': ['a@example.com', 'c@example.com']}}
            >>> aliases[1:].svc.to_patches(missing_rows="remove")
            {'u-001': {'aliasEmails': ['c@example.com']}}

        Raises:
            ValueError: as in `changes`.
            InvalidInput: some edits cannot be sent; the message lists them.
        """
        changes = self.changes(against, missing_rows=missing_rows)
        changes.raise_for_problems()
        return {edit.user_id: edit.body for edit in changes}

    def timeline(self) -> "Figure":
        """Plot the rows over time; see `svckit.plots.timeline`."""
        from svckit.plots import timeline

        return timeline(self._frame)

    def forget(self) -> None:
        """Forget the records of the frame; existing copies still remember them."""
        forget(self._frame)

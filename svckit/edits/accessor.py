"""``df.svc``: what was edited in a frame of users since it was read, and frames along a line of time."""

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
    """What a frame of `svckit.frames` can do besides; there once that is imported.

    A frame of `svckit.frames.users`, and each of users made long, remembers the records it was made of, and so do
    copies of it, filtered and sorted ones, and edited ones: it keeps them in memory, about 3 KB a user, until
    `forget`. What makes a frame of two that were read apart, such as ``merge``, and what writes one to a file forgets
    them; merged with a part of itself it still remembers.

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

    if not TYPE_CHECKING:  # else every name would do for a type checker

        def __getattr__(self, name: str) -> None:
            known = [each for each in vars(SvcAccessor) if not each.startswith("_")]
            raise no_attribute("the svc of a frame", name, known)

    def changes(self, against: Source | None = None, *, missing_rows: "MissingRows" = "refuse") -> "Changes":
        """What was edited since the frame was read: the smallest changes, to look at and for ``svc.users.apply``.

        It is the comparison of ``svc.users.diff``, without a session and without reading anybody anew. A frame keeps
        what it was read as, so changes that were applied since are still listed: read the frame anew after
        ``svc.users.apply``, or compare with what the session knows by now, ``svc.users.diff(frame)``.

        Of a long frame, such as `svckit.frames.alias_emails`, rows are told by their user and number. A row without
        a number is a new item. The list is sent whole, because a partial update replaces it whole; so rows that
        were read and are not there would take their items away, and it has to be said whether they are to.

        Args:
            against: records of users, a ``FakeService`` or a session to compare with instead, such as for a frame
                that was read from a file.
            missing_rows: of a long frame, what it means that a row is not there. ``refuse``: of a user who has
                other rows it is a problem, and who has none is left alone. ``keep``: the item stays as it was,
                as after filtering. ``remove``: the item is taken away, also where no row of the user is left.

        Returns:
            The changes, with what cannot be sent as it was edited under ``problems``.

        Raises:
            ValueError: the frame does not remember what it was read as, and nothing else is given.
            InvalidInput: it is no frame of users.
        """
        from svckit.edits import Comparison

        origin = origin_of(self._frame)
        if against is not None:
            before = records_of(against, "users")
            return Comparison(self._frame, (), before, missing_rows=missing_rows).changes_offline()
        if origin is None:
            raise ValueError(
                "this frame does not remember what it was read as: it was not made by svckit.frames.users, or "
                "it was made of more than one frame, or read from a file; give what to compare with, "
                "changes(against=svc) or svc.users.diff(frame); rows that are added with "
                "frame.loc[len(frame)] = … do not make it forget"
            )
        return Comparison(
            self._frame, (), origin.records, origin=origin, missing_rows=missing_rows
        ).changes_offline()

    def to_patches(
        self, against: Source | None = None, *, missing_rows: "MissingRows" = "refuse"
    ) -> dict[str, dict[str, Any]]:
        """The bodies that make the users what the frame says, by user ID; see `changes`.

        Each is the smallest: only what was edited, by its names on the wire (section "Directory").

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
            InvalidInput: something cannot be sent as it was edited; says all that.
        """
        changes = self.changes(against, missing_rows=missing_rows)
        changes.raise_for_problems()
        return {edit.user_id: edit.body for edit in changes}

    def timeline(self) -> "Figure":
        """The rows along a line of time; see `svckit.plots.timeline`."""
        from svckit.plots import timeline

        return timeline(self._frame)

    def forget(self) -> None:
        """Let go of what the frame remembers; copies that were made before still remember."""
        forget(self._frame)

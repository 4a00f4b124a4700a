"""``df.svc``: the edits of a frame of users since it was read, and timelines and files of all frames."""

from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any

import pandas as pd

from svckit.display.suggestions import no_attribute
from svckit.extras import needing
from svckit.frames.export import save
from svckit.frames.origin import forget, origin_of
from svckit.frames.source import Source, records_of
from svckit.local_files import write_atomically

if TYPE_CHECKING:
    from svckit.edits import Changes
    from svckit.plots import Figure

__all__ = ["SvcAccessor"]


@pd.api.extensions.register_dataframe_accessor("svc")
class SvcAccessor:
    """The additional methods of frames, available once `svckit.frames` is imported.

    A frame of `svckit.frames.users` remembers the records that it was built from. So do its copies, also filtered,
    sorted and edited ones. The records stay in memory, about 3 KB per user, until `forget`. A frame that combines two
    separate reads, such as with ``merge``, or that was written to a file does not remember them; merged with a part of
    itself, a frame still does.

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
            known = [attribute for attribute in vars(SvcAccessor) if not attribute.startswith("_")]
            raise no_attribute("the svc of a frame", name, known)

    def changes(self, against: Source | None = None) -> "Changes":
        """Return the edits since the frame was read: minimal changes, to review and for ``svc.users.apply``.

        This is the comparison of ``svc.users.diff``, without a session and without reading users again. A frame keeps
        its original records, so changes that were applied since are still listed: read the frame again after
        ``svc.users.apply``, or compare with the session's current records, ``svc.users.diff(frame)``.

        Args:
            against: records of users, a ``FakeService`` or a session to compare with instead, such as for a frame
                that was read from a file.

        Returns:
            The changes; edits that cannot be sent are in ``problems``.

        Raises:
            ValueError: the frame does not remember its records, and ``against`` is not given.
            InvalidInput: it is not a frame of users, or a long one, which only shows lists.
        """
        from svckit.edits import Comparison

        origin = origin_of(self._frame)
        if against is not None:
            before = records_of(against, "users")
            return Comparison(self._frame, (), before).changes_offline()
        if origin is None:
            raise ValueError(
                "this frame does not remember the records that it was read from: it was not made by "
                "svckit.frames.users, or it combines several frames, or was read from a file; pass what to compare "
                "with, changes(against=svc) or svc.users.diff(frame); a frame still remembers after adding rows with "
                "frame.loc[len(frame)] = …"
            )
        return Comparison(self._frame, (), origin.records, origin=origin).changes_offline()

    def to_patches(self, against: Source | None = None) -> dict[str, dict[str, Any]]:
        """Return the request bodies that apply the edits, by user ID; see `changes`.

        Each body is minimal: only the edited fields, by wire name (section "Directory").

        Examples:
            >>> from svckit import frames
            >>> people = frames.users([{"userId": "u-001", "aliasEmails": ["a@example.com", "b@example.com"]}])
            >>> people.loc[0, "alias_emails"] = "a@example.com, c@example.com"
            >>> people.svc.to_patches()
            {'u-001': {'aliasEmails': ['a@example.com', 'c@example.com']}}

        Raises:
            ValueError: as in `changes`.
            InvalidInput: some edits cannot be sent; the message lists them.
        """
        changes = self.changes(against)
        changes.raise_for_problems()
        return {edit.user_id: edit.body for edit in changes}

    def timeline(self) -> "Figure":
        """Plot the rows over time; see `svckit.plots.timeline`."""
        from svckit.plots import timeline

        return timeline(self._frame)

    def to_csv(self, to: str | PathLike[str]) -> None:
        """Write the frame to a CSV file: UTF-8 with a byte order mark, times as ISO 8601, formulas as text.

        `svckit.frames.read` reads it again. An index with a name is a column. An existing file is replaced as a whole.

        Args:
            to: the path of the file.

        Raises:
            OSError: the file cannot be written.

        Examples:
            >>> from svckit import frames
            >>> import tempfile
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     frames.users([{"userId": "u-001", "task": "=1+1"}]).svc.to_csv(f"{folder}/users.csv")
            ...     frames.read(f"{folder}/users.csv", "users").loc[0, "task"]
            '=1+1'
        """
        save(self._name_all_columns(), to, "csv", progress=False)

    def to_excel(self, to: str | PathLike[str]) -> None:
        """Write the frame to an Excel file, like `to_csv`; numbers and flags keep their types.

        Args:
            to: the path of the file.

        Raises:
            ModuleNotFoundError: openpyxl is missing; it comes with the extra ``lab``.
            ValueError: the frame is too large for a sheet, or a text for a cell.
            OSError: the file cannot be written.
        """
        save(self._name_all_columns(), to, "xlsx", progress=False)

    def to_parquet(self, to: str | PathLike[str]) -> None:
        """Write the frame to a Parquet file, which keeps all types, with the time zones and the order of categories.

        Args:
            to: the path of the file.

        Raises:
            ModuleNotFoundError: pyarrow is missing; it comes with the extra ``arrow``.
            OSError: the file cannot be written.
        """
        with needing("A Parquet file"):
            import_module("pyarrow")
        with write_atomically(to) as file:
            pd.DataFrame(self._name_all_columns()).to_parquet(file, engine="pyarrow", index=False)

    def _name_all_columns(self) -> "pd.DataFrame":
        """Return the frame with an index such as that of ``set_index("user_id")`` as columns."""
        return self._frame.reset_index() if any(self._frame.index.names) else self._frame

    def forget(self) -> None:
        """Forget the records of the frame; existing copies still remember them."""
        forget(self._frame)

"""The users of a service: a searchable table, and the full record of the selected user."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import pandas as pd

from svckit import frames
from svckit.frames.column import Record
from svckit.frames.source import RecordSource, Source, records_of
from svckit.frames.zones import in_zone, name_zone, write_conversion
from svckit.session.base import SessionBase
from svckit.session.session import Session
from svckit.widgets.base.argument_checks import check_session, find_badge
from svckit.widgets.explorers.explorer_box import ExplorerBox
from svckit.widgets.explorers.plain_users import COLUMNS, show_user
from svckit.widgets.record.record_view import RecordView
from svckit.widgets.table.paged_table import PagedTable

if TYPE_CHECKING:
    from svckit.widgets.explorers.bulk_edit import BulkEdit
    from svckit.widgets.explorers.users_head import UsersHead
    from svckit.widgets.form.user_form import ExplorerUserForm

__all__ = ["UsersExplorer"]

ONLY_A_SESSION = "only a session can {} users: create the explorer with UsersExplorer(svc)"


class UsersExplorer(ExplorerBox, internal="replace_users"):
    """A searchable, sortable, paged table of users, with the full record of the selected one.

    A real service does not list its users: the explorer then shows those the session has met, and those read by ID.
    A new explorer for the same session replaces the earlier one and takes over its search, filters and selection.
    If a session has very many users, the first 1,000 are shown at once; the others are read in the background.

    Args:
        source: a session, a ``FakeService`` or an iterable of records; see :mod:`svckit.frames`. The caption
            shows its ``badge``, or else FAKE or REAL according to its ``is_fake``; a note below shows its
            ``listing_note`` if it cannot list all users.
        columns: the columns of the users frame to show, in order.
        page_size: rows per page.

    Raises:
        TypeError: `source` is a session for ``await``.

    Attributes:
        head: the part that refreshes and reads users of a session; None for other sources.
        form: the form that changes the selected user, a `svckit.widgets.UserForm`; None unless :meth:`change`
            opened it.
        bulk: the form that changes all selected users; None unless :meth:`bulk_edit` opened it.
        table: the table, a :class:`~svckit.widgets.table.paged_table.PagedTable`.
        frame: the users as a frame; the first ones while the others are being read.

    Examples:
        >>> explorer = UsersExplorer([{"userId": "u-1", "email": "ken@example.com"}], columns=["user_id", "email"])
        >>> explorer.select("u-1")
        >>> explorer
        Users
          ID   Email
        > u-1  ken@example.com
        Rows 1–1 of 1
        <BLANKLINE>
        u-1
          Contact
            Email    ken@example.com
          Account
            User ID  u-1
        >>> explorer.close()

        With a session:

        >>> import svckit
        >>> explorer = UsersExplorer(svckit.connect(now="2026-06-01T09:00:00+09:00"))
        >>> explorer.wait()
        >>> explorer.read("u-002")
        >>> explorer.selected["userId"], explorer.is_reading
        ('u-002', False)
        >>> explorer.change()
        >>> explorer.form.enter("nick_name", "Mina")
        >>> explorer.close_form()
        >>> explorer.table.selection = ("u-002", "u-003")
        >>> explorer.bulk_edit(task="Sales").apply()
        >>> explorer.bulk.result
        users.apply: 2 of 2 done
        >>> explorer.close_bulk_edit()
        >>> explorer.refresh()
        >>> explorer.stop()
        >>> explorer.close()
    """

    head: "UsersHead | None" = None
    form: "ExplorerUserForm | None" = None
    bulk: "BulkEdit | None" = None

    _many: ClassVar[bool] = False
    """Whether several users can be selected."""
    _code: ClassVar[str] = ""
    """An expression for the frame, if the code of the table can have one."""
    _on_change: Callable[[], None] | None = None
    """What the button "Change" of the record does; without it there is none."""

    def __new__(cls, source: Any = None, **_options: Any) -> "UsersExplorer":
        """Create an explorer of the kind for the source, as `pathlib.Path` does for the system."""
        if cls is UsersExplorer and isinstance(source, Session):
            from svckit.widgets.explorers.session_users import SessionUsersExplorer

            cls = SessionUsersExplorer  # noqa: PLW0642 - the kind to create
        made: UsersExplorer = super().__new__(cls)
        return made

    def __init__(
        self, source: Source, *, columns: Sequence[str] = tuple(COLUMNS), page_size: int = 10
    ) -> None:
        if isinstance(source, SessionBase):
            check_session(source, "UsersExplorer")
        # Refreshing reads the source again, but a generator can be read only once.
        self._source = source if isinstance(source, RecordSource) else records_of(source, "users")
        self._records = self._read_first()
        self.frame = frames.users(self._records, lists=True)
        self.record: RecordView = RecordView(hint="Select a user to see the record.", change=self._on_change)
        self._zone = name_zone(source)
        self.table: PagedTable = PagedTable(
            in_zone(self.frame, self._zone),
            key="user_id",
            columns=columns,
            labels=COLUMNS,
            caption="Users",
            badge=find_badge(source),
            note=self._make_note(),
            page_size=page_size,
            many=self._many,
            source=write_conversion(self._code, self._zone),
        )
        self.table.observe(self._show_record, "selected")
        super().__init__(
            self._list_parts(),
            classes=("svckit-with-record",),
            flex_flow="row wrap",
            grid_gap="16px",
            align_items="flex-start",
        )
        self.table.layout.flex = "3 1 46em"
        self._show_record()

    @property
    def selected(self) -> Record | None:
        """The selected user's record, camelCase as on the wire, or None."""
        key = self.table.selected
        return None if key is None else self._records[self.table.model.position(key)]

    def select(self, user_id: str | None) -> None:
        """Select a user and show the record.

        Args:
            user_id: the user's ID; None clears the selection.

        Raises:
            KeyError: no such user in the table.
        """
        if self.is_reading and user_id is not None and user_id not in self.table.model:
            self.wait()
        self.table.select(user_id)

    def read(self, user_id: str) -> None:
        """Read one or more users by ID, and show the record of the first.

        Args:
            user_id: a user ID, a login e-mail or ``externalKey:<key>``, or several separated by blanks, commas,
                semicolons or line breaks. For a key that contains one of these, use ``svc.users.read``.

        Raises:
            TypeError: the explorer's source is not a session.
            InvalidInput: no ID is given, or more than 100.
            NotFound: no such user.
            LookupError: some of several users could not be read; the message names them. The others are shown.
        """
        raise TypeError(ONLY_A_SESSION.format("read"))

    def change(self) -> None:
        """Show the form that changes the selected user; the session keeps its draft.

        Raises:
            TypeError: the explorer's source is not a session.
            InvalidInput: no user is selected.
        """
        raise TypeError(ONLY_A_SESSION.format("change"))

    def close_form(self) -> None:
        """Close the form that :meth:`change` opened; its draft is kept."""

    def bulk_edit(self, **fields: Any) -> "BulkEdit":
        """Show the form that gives fields of all selected users the same values, with a preview, dry run and undo.

        Args:
            **fields: the values by the columns of ``svckit.frames.users``; None clears.

        Returns:
            The form.

        Raises:
            TypeError: the explorer's source is not a session.
            InvalidInput: no user is selected, or a column does not exist or cannot be edited.
        """
        raise TypeError(ONLY_A_SESSION.format("change"))

    def close_bulk_edit(self) -> None:
        """Close the form that :meth:`bulk_edit` opened; its draft is kept."""

    def refresh(self) -> None:
        """Show what has changed since, keeping the search, order, page and selection.

        If that takes long, the earlier users stay until it is done; see :meth:`wait`.
        """
        records = records_of(self._source, "users")
        self.replace_users(records, frames.users(records, lists=True))

    def wait(self, timeout: float | None = None) -> None:
        """Wait until all users are read, and show them.

        Args:
            timeout: seconds to wait at most; None waits until then.
        """

    @property
    def is_reading(self) -> bool:
        """True while users are being read; the table has the first ones or the earlier ones until then."""
        return False

    def stop(self) -> None:
        """Stop reading users; the table stays as it is."""

    def _read_first(self) -> Sequence[Record]:
        """Return the users to show first, here all."""
        return records_of(self._source, "users")

    def _make_note(self) -> str:
        """Return a note on the users missing in the table."""
        return getattr(self._source, "listing_note", None) or ""

    def _list_parts(self) -> tuple[Any, ...]:
        return self.table, self.record

    def replace_users(self, records: Sequence[Record], frame: pd.DataFrame) -> None:
        """Show these users instead of those before."""
        self._records, self.frame = records, frame
        self.table.note = self._make_note()
        self.table.replace(in_zone(frame, self._zone))
        self._show_record()

    def _show_record(self, _change: object = None) -> None:
        record = self.selected
        # The record is next to the table only when a user is selected.
        self.record.layout.flex = "1 1 100%" if record is None else "1 1 21em"
        show_user(self.record, record, str(self.table.selected), changing=self.form is not None)

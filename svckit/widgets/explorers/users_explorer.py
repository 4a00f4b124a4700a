"""The users of a service: a searchable table, and the full record of the selected user."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from svckit import frames
from svckit.errors import InvalidInput
from svckit.frames.column import Record
from svckit.frames.source import RecordSource, Source, records_of
from svckit.models.user import User
from svckit.models.user_parts import display_name
from svckit.session.base import SessionBase
from svckit.session.session import Session
from svckit.widgets.explorers.bulk_edit import BulkEdit
from svckit.widgets.explorers.explorer_box import ExplorerBox
from svckit.widgets.explorers.long_reading import LongReading, replace_record
from svckit.widgets.explorers.users_head import UsersHead
from svckit.widgets.form.session_check import check_session, find_badge
from svckit.widgets.form.user_form import ExplorerUserForm
from svckit.widgets.record.record_view import RecordView
from svckit.widgets.table.model import TableModel
from svckit.widgets.table.paged_table import PagedTable

__all__ = ["UsersExplorer"]

COLUMNS = {
    "user_id": "ID",
    "display_name": "Name",
    "email": "Email",
    "org_unit_name": "Org unit",
    "position_name": "Position",
    "state": "State",
}


class UsersExplorer(ExplorerBox, internal="collect toggle_bulk_edit"):
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
          Account
            User ID  u-1
            Email    ken@example.com
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

    head: UsersHead | None

    def __init__(
        self, source: Source, *, columns: Sequence[str] = tuple(COLUMNS), page_size: int = 10
    ) -> None:
        if isinstance(source, SessionBase):
            check_session(source, type(self).__name__)
        # Refreshing reads the source again, but a generator can be read only once.
        self._source = source if isinstance(source, RecordSource) else records_of(source, "users")
        self.head = UsersHead(source, self) if isinstance(source, Session) else None
        self._reading = self._begin()
        self._left: TableModel | None = None
        self._records = self._reading.first
        self.frame = frames.users(self._records, lists=True)
        self.form: ExplorerUserForm | None = None
        self.bulk: BulkEdit | None = None
        self.record = RecordView(
            hint="Select a user to see the record.", change=self._toggle_form if self.head else None
        )
        self.table = PagedTable(
            self.frame,
            key="user_id",
            columns=columns,
            labels=COLUMNS,
            caption="Users",
            badge=find_badge(source),
            note=self._make_note(),
            page_size=page_size,
            many=self.head is not None,
            source="svckit.frames.users(svc, lists=True)" if self.head else "",
        )
        self.table.observe(self._show_record, "selected")
        self.table.observe(self._follow_selection, "selection")
        layout = {"flex_flow": "row wrap", "align_items": "flex-start", "grid_gap": "16px"}
        super().__init__([*([self.head] if self.head else []), self.table, self.record], layout=layout)
        self.table.layout.flex = "3 1 46em"
        self._show_record()
        if self.head is not None:
            self.add_class("svckit-users-of-session")
            self.head.layout.flex = "1 1 100%"
            self.head.group = self
            left = self.head.draft.table
            self._resume(left)
            if self._reading.is_long:
                self._left, self._as_left = left, self.table.view
            self._start()

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
        if self.head is None:
            raise TypeError("only a session can read users: create the explorer with UsersExplorer(svc)")
        self.head.write(user_id)
        self.head.read()

    def change(self) -> None:
        """Show the form that changes the selected user; the session keeps its draft.

        Raises:
            TypeError: the explorer's source is not a session.
            InvalidInput: no user is selected.
        """
        if self.head is None:
            raise TypeError("only a session can change users: create the explorer with UsersExplorer(svc)")
        user = self.table.selected
        if user is None:
            raise InvalidInput("select the user to change first")
        if self.form is None:
            self.form = ExplorerUserForm(self.head.svc, user)
            self.form.layout.flex = "1 1 100%"
            if user in self.head.draft.typed:
                self.form.resume(self.head.draft.typed[user])
            self.head.keep_form(user, self.form.model)
            self.form.observe(self._follow_form, "view")
            self._lay_out()
            self._show_record()

    def bulk_edit(self, **fields: Any) -> BulkEdit:
        """Show the form that gives fields of all selected users the same values, with a preview, dry run and undo.

        Args:
            **fields: the values by the columns of ``svckit.frames.users``; None clears.

        Returns:
            The form.

        Raises:
            TypeError: the explorer's source is not a session.
            InvalidInput: no user is selected, or a column does not exist or cannot be edited.
        """
        if self.head is None:
            raise TypeError("only a session can change users: create the explorer with UsersExplorer(svc)")
        self.close_bulk_edit()
        self.bulk = BulkEdit(self.head.svc, self.table.selection, self.refresh, **fields)
        self.bulk.detach()
        self.bulk.layout.flex = "1 1 100%"
        self._lay_out()
        return self.bulk

    def toggle_bulk_edit(self) -> None:
        """Show or close the form that changes all selected users."""
        if self.bulk is None:
            self.bulk_edit().arrive()
        else:
            self.close_bulk_edit()

    def close_bulk_edit(self) -> None:
        """Close the form that :meth:`bulk_edit` opened; its draft is kept."""
        bulk, self.bulk = self.bulk, None
        if bulk is not None:
            self._lay_out()
            bulk.close()

    def close_form(self) -> None:
        """Close the form that :meth:`change` opened; its draft is kept."""
        form, self.form = self.form, None
        if form is not None and self.head is not None:
            self.head.keep_form("")
            self._lay_out()
            form.close()
            self._show_record()

    def refresh(self) -> None:
        """Show what has changed since, keeping the search, order, page and selection.

        If that takes long, the earlier users stay until it is done; see :meth:`wait`.
        """
        self._reading.stop()
        self._reading = self._begin()
        if not self._reading.is_long:
            self._take(self._reading.first, frames.users(self._reading.first, lists=True))
        self._start()

    def wait(self, timeout: float | None = None) -> None:
        """Wait until all users are read, and show them.

        Args:
            timeout: seconds to wait at most; None waits until then.
        """
        if self.is_reading:
            self._reading.wait(timeout)
            self.collect()

    @property
    def is_reading(self) -> bool:
        """True while users are being read; the table has the first ones or the earlier ones until then."""
        return self.head is not None and self.head.reading is not None

    def stop(self) -> None:
        """Stop reading users; the table stays as it is."""
        self._reading.stop()
        if self.head is not None:
            self.head.show_reading(None)

    def hand_over(self) -> None:
        """Keep only the head, which says that another explorer has replaced this one."""
        self.table.unobserve_all()
        self._reading.stop()
        super().hand_over()
        self._reading, self._left = LongReading([]), None
        self.form, self.bulk, self._records, self.frame = None, None, [], self.frame.iloc[:0]
        self.table.replace(self.frame)

    def close(self) -> None:
        """Free the explorer and its parts, here and in the browser; a session keeps the selection and drafts."""
        if "_reading" in vars(self):  # otherwise __init__ rejected its arguments
            self._reading.stop()
        super().close()

    def _make_note(self) -> str:
        """Return a note on the users missing in the table."""
        first = f"The table shows the first {len(self._records):,} users until all have been read."
        partly = [first] if self._reading.is_long and len(self._records) == len(self._reading.first) else []
        return " ".join(filter(None, [getattr(self._source, "listing_note", None), *partly]))

    def _begin(self) -> LongReading:
        """Read the first users, or all of them if the source cannot be read in the background."""
        if self.head is None or not isinstance(self._source, RecordSource):
            return LongReading.from_list(records_of(self._source, "users"))
        return LongReading(self._source.records("users"))

    def _start(self) -> None:
        """Start to read the other users, if any, in the background."""
        if self.head is not None and self._reading.is_long:
            self._reading.start()
            self.head.show_reading(self._reading.count)

    def collect(self) -> None:
        """Show the progress of the reading and, when it is finished, the users.

        The browser calls it periodically, so the reading thread does not touch the table.
        """
        if self.head is None or not self._reading.is_long:
            return
        if not self._reading.is_over:
            self.head.show_reading(self._reading.count)
            return
        self.head.show_reading(None)
        if self._reading.failure is not None:
            raise self._reading.failure
        read = self._reading.take()
        if read is not None:
            self._take(*read)

    def _take(self, records: Sequence[Record], frame: pd.DataFrame) -> None:
        """Show the users read."""
        self._records, self.frame = records, frame
        left, self._left = self._left, None
        as_left = left is not None and self.table.view == self._as_left
        self.table.note = self._make_note()
        self.table.replace(frame)
        self._resume(left if as_left else None)
        if self.form is not None:
            self.form.refresh()
        self._show_record()

    def _resume(self, left: TableModel | None) -> None:
        """Restore the earlier state of the table and the form."""
        if self.head is None:
            return
        if left is not None:
            self.table.resume(left)
        self.head.keep_table(self.table.model)
        if self.form is None and self.table.selected and self.table.selected == self.head.draft.changing:
            self.change()

    def _lay_out(self) -> None:
        self.children = tuple(filter(None, (self.head, self.table, self.bulk, self.record, self.form)))
        if self.head is not None:
            self.head.show_selection(len(self.table.selection), changing=self.bulk is not None)

    def _toggle_form(self) -> None:
        if self.form is None:
            self.change()
            if self.form is not None:
                self.form.arrive()
        else:
            self.close_form()

    def _follow_form(self, change: dict[str, Any]) -> None:
        """Show a user that the form has changed."""
        old, new = change["old"], change["new"]
        same = all(new[name] == old[name] for name in ("outcome", "changes"))
        if self.head is None or not new["outcome"] or same:
            return
        key = str(self.table.selected)
        record = self.head.svc.user_record(key)
        if record is None or self.is_reading:  # the reading may still return the old record
            self.refresh()
        else:
            self._take(*replace_record(self._records, self.frame, self.table.model.position(key), record))

    def _follow_selection(self, change: dict[str, Any]) -> None:
        """Have the head and the form for several users follow the selection."""
        if not change["new"]:
            self.close_bulk_edit()
        elif self.bulk is not None:
            self.bulk.select(change["new"])
        self._lay_out()

    def _show_record(self, _change: object = None) -> None:
        record = self.selected
        # The record is next to the table only when a user is selected; long cells of the table then shrink.
        self.record.layout.flex = "1 1 100%" if record is None else "1 1 21em"
        (self.table.remove_class if record is None else self.table.add_class)("svckit-beside")
        if self.form is not None and self.form.user_id != self.table.selected:
            self.close_form()
        elif record is None:
            self.record.clear()
        else:
            key = str(self.table.selected)
            title, changing = display_name(record) or key, self.form is not None
            self.record.show(record, title=title, key=key, order=User.groups, changing=changing)

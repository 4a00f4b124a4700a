"""The users explorer of a session, which reads users in the background or by ID, and changes them."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from svckit.errors import InvalidInput
from svckit.frames.column import Record
from svckit.session.session import Session
from svckit.widgets.explorers.bulk_edit import BulkEdit
from svckit.widgets.explorers.users_explorer import UsersExplorer
from svckit.widgets.explorers.users_head import UsersHead, replace_record
from svckit.widgets.form.user_form import ExplorerUserForm
from svckit.widgets.table.model import TableModel

__all__ = ["SessionUsersExplorer"]


class SessionUsersExplorer(UsersExplorer, internal="update_users"):
    """The explorer that ``UsersExplorer(svc)`` creates: its head reads users, and its forms change them.

    Args:
        source: the session.
        options: those of the base class.
    """

    head: UsersHead

    _many = True
    _code = "svckit.frames.users(svc, lists=True)"

    def __init__(self, source: Session, **options: Any) -> None:
        self.head = UsersHead(source, self)
        self._on_change = self._toggle_form
        super().__init__(source, **options)
        self.table.observe(self._follow_selection, "selection")
        self.add_class("svckit-users-of-session")
        self.head.layout.flex = "1 1 100%"
        # What the explorer before showed. If the users selected there are not read yet, it is restored again once
        # they are, unless somebody has used the table since, so that its view is not the one of now any more.
        saved = self.head.draft.table
        self._restore(saved)
        self._saved_view = saved if self.head.users.is_long else None
        self._view_when_saved = self.table.view
        self.head.start()

    def read(self, user_id: str) -> None:
        """Read one or more users by ID, and show the record of the first."""
        self.head.write(pasted=user_id)
        self.head.read()

    def change(self) -> None:
        """Show the form that changes the selected user; the session keeps its draft."""
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

    def close_form(self) -> None:
        """Close the form of the selected user; its draft is kept."""
        form, self.form = self.form, None
        if form is not None:
            self.head.keep_form("")
            self._lay_out()
            form.close()
            self._show_record()

    def bulk_edit(self, **fields: Any) -> BulkEdit:
        """Show the form that gives fields of all selected users the same values."""
        self.close_bulk_edit()
        self.bulk = BulkEdit(self.head.svc, self.table.selection, self.refresh, **fields)
        self.bulk.embed()
        self.bulk.layout.flex = "1 1 100%"
        self._lay_out()
        return self.bulk

    def close_bulk_edit(self) -> None:
        """Close the form for all selected users; its draft is kept."""
        bulk, self.bulk = self.bulk, None
        if bulk is not None:
            self._lay_out()
            bulk.close()

    def refresh(self) -> None:
        """Show what has changed since; if that takes long, the earlier users stay until it is done."""
        self.head.refresh()

    def wait(self, timeout: float | None = None) -> None:
        """Wait until all users are read, and show them."""
        self.head.wait(timeout)

    @property
    def is_reading(self) -> bool:
        """True while users are being read; the table has the first ones or the earlier ones until then."""
        return self.head.reading is not None

    def stop(self) -> None:
        """Stop reading users; the table stays as it is."""
        self.head.stop()

    def retire(self) -> None:
        """Keep only the head, which says that another explorer has replaced this one."""
        self.table.unobserve_all()
        super().retire()
        self.form = self.bulk = self._saved_view = None
        self._records, self.frame = [], self.frame.iloc[:0]
        self.table.replace(self.table.model.frame.iloc[:0])

    def update_users(self, user_ids: Sequence[str]) -> None:
        """Show these users as they are now; the others are read again only if they must be."""
        table, svc = self.table.model, self.head.svc
        shown = {user_id: self._records[table.position(user_id)] for user_id in user_ids if user_id in table}
        changed = [user_id for user_id in user_ids if svc.user_record(user_id) != shown.get(user_id)]
        if not changed:
            return
        first, record = changed[0], svc.user_record(changed[0])
        if len(changed) == 1 and first in shown and record is not None and not self.is_reading:
            self.replace_users(*replace_record(self._records, self.frame, table.position(first), record))
        else:  # also while users are read, as the reading may still return an old record
            self.refresh()

    def _read_first(self) -> Sequence[Record]:
        return self.head.users.first

    def _make_note(self) -> str:
        first = f"The table shows the first {len(self._records):,} users until all have been read."
        users = self.head.users
        partly = [first] if users.is_long and len(self._records) == len(users.first) else []
        return " ".join(filter(None, [super()._make_note(), *partly]))

    def _list_parts(self) -> tuple[Any, ...]:
        return tuple(filter(None, (self.head, self.table, self.bulk, self.record, self.form)))

    def replace_users(self, records: Sequence[Record], frame: pd.DataFrame) -> None:
        """Show these users instead of those before; search, selection and forms stay."""
        saved, self._saved_view = self._saved_view, None
        is_untouched = self.table.view == self._view_when_saved
        super().replace_users(records, frame)
        self._restore(saved if is_untouched else None)
        if self.form is not None:
            self.form.refresh()

    def _restore(self, saved: TableModel | None) -> None:
        """Restore the earlier state of the table, if any, and the form."""
        if saved is not None:
            self.table.resume(saved)
        self.head.keep_table(self.table.model)
        if self.form is None and self.table.selected and self.table.selected == self.head.draft.changing:
            self.change()

    def _lay_out(self) -> None:
        self.children: tuple[Any, ...] = self._list_parts()
        self.head.show_selection(len(self.table.selection), changing=self.bulk is not None)

    def _toggle_form(self) -> None:
        if self.form is None:
            self.change()
            if self.form is not None:
                self.form.focus()
        else:
            self.close_form()

    def _follow_form(self, change: dict[str, Any]) -> None:
        """Show a user that the form has changed."""
        old, new = change["old"], change["new"]
        if new["outcome"] and any(new[name] != old[name] for name in ("outcome", "changes")):
            self.update_users([str(self.table.selected)])

    def _follow_selection(self, change: dict[str, Any]) -> None:
        """Have the head and the form for several users follow the selection."""
        if not change["new"]:
            self.close_bulk_edit()
        elif self.bulk is not None:
            self.bulk.select(change["new"])
        self._lay_out()

    def _show_record(self, change: object = None) -> None:
        if self.form is not None and self.form.user_id != self.table.selected:
            self.close_form()  # which shows the record
        else:
            super()._show_record(change)

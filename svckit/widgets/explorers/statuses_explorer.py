"""Profile statuses: a user's current and reserved status, a form to set one, and all statuses known."""

from collections.abc import Mapping
from typing import Any, Final

from svckit.session.session import Session
from svckit.widgets.explorers.explorer_box import ExplorerBox, on_head
from svckit.widgets.explorers.records_table import make_table
from svckit.widgets.explorers.statuses_head import StatusesHead
from svckit.widgets.form.session_check import check_session
from svckit.widgets.form.status_form import StatusForm

__all__ = ["StatusesExplorer"]

COLUMNS = {
    "user_id": "User",
    "schedule_type": "Schedule",
    "profile_status_id": "Status",
    "profile_status_name": "Status name",
    "status_message": "Message",
    "start_time": "Starts",
    "end_time": "Ends",
    "user_profile_status_id": "Entry ID",
}


class ExplorerStatusForm(StatusForm):
    """The form of an explorer, independent of other forms for the same user."""

    shared = False


class StatusesExplorer(ExplorerBox):
    """An explorer for statuses: choose a user, see the current and the reserved status on a timeline, and set one.

    With an in-process fake it shows the statuses at the fake's time. :meth:`look` updates them; a notebook does so
    every second while the clock runs. The description shows no operation that reads statuses, so the explorer then
    shows those that this session has set, and says so. When the service refuses a status, the form shows its error.

    A new explorer for the same session replaces the earlier one and takes over the drafts for each user.

    Args:
        svc: a session.

    Attributes:
        head: the user and the user's statuses.
        form: the form that sets a status of that user, a `svckit.widgets.StatusForm`; None unless
            :meth:`toggle_form` opened it.
        table: all statuses the session knows, a `svckit.widgets.PagedTable`; a plain one without pandas.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> explorer = StatusesExplorer(svc)
        >>> explorer.choose("u-002")
        >>> explorer.toggle_form()
        >>> explorer.form.enter("profile_status_id", "AWAY")
        >>> explorer.form.enter("start", "2026-06-01T13:00:00+09:00")
        >>> explorer.form.enter("end", "2026-06-01T15:00:00+09:00")
        >>> explorer.form.submit()
        >>> explorer.head
        Statuses [FAKE]
        User: u-002 (Lopez Petra)
        Time: 2026-06-01T09:00:00+09:00
        Current: none
        Reserved
          Status  Away (AWAY)
          Starts  2026-06-01T13:00:00+09:00, in 4 h
          Ends    2026-06-01T15:00:00+09:00, in 6 h
        Next: Away (AWAY) starts in 4 h
        >>> now = svc.fake.clock.advance(hours=5)
        >>> explorer.refresh()
        >>> [len(slot["lines"]) > 0 for slot in explorer.head.view["slots"]]
        [True, False]
        >>> explorer.close()
    """

    head: StatusesHead

    def __init__(self, svc: Session) -> None:
        check_session(svc, type(self).__name__)
        self.svc = svc
        self.head = StatusesHead(svc)
        self.form: ExplorerStatusForm | None = None
        self.table: Any = make_table(
            "statuses",
            self.head,
            COLUMNS,
            self._pick,
            source="svckit.frames.statuses(svc)",
            caption="Statuses this session knows" if svc.listing_note else "All statuses",
        )
        super().__init__([self.head, self.table])
        self.head.observe(self._follow, "view")
        self._follow()

    choose: Final = on_head(StatusesHead.choose)
    toggle_form: Final = on_head(StatusesHead.toggle_form)
    refresh: Final = on_head(StatusesHead.refresh)

    def retire(self) -> None:
        """Keep only the head, which says that another explorer has replaced this one."""
        self.head.unobserve(self._follow, "view")
        super().retire()
        self.form = None

    def _follow(self, change: dict[str, Any] | None = None) -> None:
        """Show the chosen user's form, if it is open."""
        draft, before = self.head.draft, self.form
        user = draft.user if draft.changing else ""
        if user != (before.user_id if before else ""):
            self.form = self._make_form(user) if user else None
        self.children: tuple[Any, ...] = tuple(filter(None, (self.head, self.form, self.table)))
        if before is not None and before is not self.form:
            before.close()
        elif self.form is not None and change is not None and not change["old"]["draft"].changing:
            self.form.focus()

    def _make_form(self, user: str) -> ExplorerStatusForm:
        form = ExplorerStatusForm(self.svc, user)
        if user in self.head.draft.typed:
            form.resume(self.head.draft.typed[user])
        self.head.keep_typed(form.model)
        form.observe(self._follow_form, "view")
        return form

    def _follow_form(self, change: dict[str, Any]) -> None:
        """Update the head after the form has set a status."""
        if change["new"]["outcome"] and not change["old"]["outcome"]:
            self.head.refresh()

    def _pick(self, record: Mapping[str, Any]) -> None:
        """Choose the user of the selected row."""
        self.head.choose(str(record["userId"]))

"""Profile statuses: a user's current and reserved status, a form to set one, and all statuses known."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

import traitlets

from svckit.session.session import Session
from svckit.widgets.base.argument_checks import check_session
from svckit.widgets.base.callbacks import button, clear_error
from svckit.widgets.base.instants import cut_to_second, format_instant, format_span
from svckit.widgets.explorers.explorer import Explorer
from svckit.widgets.explorers.explorer_box import ExplorerBox, on_head
from svckit.widgets.explorers.records_table import make_table
from svckit.widgets.explorers.status_board import build_slots, build_timeline, find_next_transition
from svckit.widgets.form.model import FormModel
from svckit.widgets.form.status_form import StatusForm

__all__ = ["StatusesExplorer", "StatusesHead"]

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

UNREADABLE = (
    "The service's description shows no operation that reads statuses. This view shows those that this session has "
    "set, as the service returned them; later changes and changes by others are not known here."
)
NO_USER = "choose a user, or enter a user ID, a login e-mail or externalKey:<key>"
TRANSITION = "status.transition"


@dataclass(frozen=True, slots=True)
class StatusesDraft:
    """The chosen user, whether the form shows, and the text typed into each user's form."""

    user: str = ""
    pasted: str = ""
    changing: bool = False
    typed: Mapping[str, FormModel] = field(default_factory=dict)


class StatusesHead(Explorer[StatusesDraft]):
    """A user's current and reserved status on a timeline; a part of ``StatusesExplorer``."""

    template = "widgets/explorers/statuses_head.html"
    make_draft: ClassVar[type[StatusesDraft]] = StatusesDraft

    records: Any = traitlets.List()
    """The statuses of all users, as the session knows them."""

    def __init__(self, svc: Session) -> None:
        self._records: list[Mapping[str, Any]] = []
        super().__init__(svc)
        if not self.draft.user:
            self._remember(replace(self.draft, user=self._people.first))
        self._refresh()

    @clear_error
    def choose(self, user_id: str) -> None:
        """Choose a user.

        Args:
            user_id: user ID, login e-mail, or ``externalKey:<key>``.

        Raises:
            ValueError: the ID is empty.
        """
        if not user_id.strip():
            raise ValueError(NO_USER)
        self._keep(replace(self.draft, user=user_id.strip(), pasted=""))
        self._refresh()

    @clear_error
    def paste(self, text: str) -> None:
        """Fill in an ID without choosing that user yet."""
        self._keep(replace(self.draft, pasted=text))

    def keep_typed(self, model: FormModel) -> None:
        """Keep the draft of the user's form."""
        typed = {**self.draft.typed, self.draft.user: model}
        self._remember(replace(self.draft, typed=typed))

    def _refresh(self) -> None:
        """Show what has changed since; a fake's statuses start and end by its clock."""
        self.records = list(self.svc.records("statuses"))
        self._records = [record for record in self.records if record.get("userId") == self._user_id]
        self._show()

    @button
    def move_to_next(self) -> None:
        """Move a fake's standing clock to the instant at which the next status starts or ends.

        Raises:
            ValueError: the clock is not a fake's standing clock, or no status starts or ends later.
        """
        transition = find_next_transition(self._records, self.clock.now())
        if self.svc.local_fake is None or not self.clock.standing or transition is None:
            raise ValueError(
                "only a fake's clock that stands still can be moved here, and only to where a status starts or ends"
            )
        self.svc.local_fake.clock.to(transition.at)
        self._refresh()

    @button
    def toggle_form(self) -> None:
        """Open or close the form that sets a status of the user; its draft is kept.

        Raises:
            ValueError: no user is chosen.
        """
        if not self.draft.user:
            raise ValueError(NO_USER)
        self._keep(replace(self.draft, changing=not self.draft.changing))

    @property
    def _user_id(self) -> str:
        """The user's ID, or the text entered if the service does not list users."""
        entered, fake = self.draft.user, self.svc.local_fake
        if fake is None or entered in self._people.names:
            return entered
        try:
            return str(fake.state.users.resolve(entered))
        except Exception:  # noqa: BLE001 - no such user; the service says so when a request names it
            return entered

    def _write(self, name: str, entry: str | bool) -> None:
        # The one field suggests users: a suggestion takes effect at once, other text with Enter or the button.
        if entry in self._people.names:
            self.choose(str(entry))
        else:
            self.paste(str(entry))

    def _do_choose(self) -> None:
        self.choose(self.draft.pasted or self.draft.user)

    def _view(self) -> dict[str, Any]:
        """Return the data for the live view, HTML and text."""
        fake, now = self.svc.local_fake, cut_to_second(self.clock.now())
        transition = find_next_transition(self._records, now)
        return {
            "name": self._people.names.get(self.draft.user, ""),
            "people": list(self._people.names.items()),
            "now": format_instant(now),
            "watched": not self.clock.standing,
            "note": "" if fake is not None else UNREADABLE,
            "slots": build_slots(self._records, now),
            "absent": "none" if fake is not None else "none set by this session",
            "line": build_timeline(self._records, now),
            "transition": f"{transition.words} in {format_span(transition.at - now)}" if transition else "",
            "movable": fake is not None and self.clock.standing and transition is not None,
            "rule": self._describe_rule(),
        }

    def _describe_rule(self) -> str:
        """Return the assumption about when a reserved status becomes the current one."""
        if self.svc.local_fake is None:
            return ""
        rule = self.svc.local_fake.rules[TRANSITION]
        return f"Assumed ({TRANSITION}: {rule.chosen}): {rule.text}"


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
        # Only a form that somebody has just opened takes the focus, not one that follows another change of the head.
        elif self.form is not None and change is not None and not change["old"]["draft"].changing:
            self.form.focus()

    def _make_form(self, user: str) -> ExplorerStatusForm:
        form = ExplorerStatusForm(self.svc, user)
        if user in self.head.draft.typed:
            form.resume(self.head.draft.typed[user])
        self.head.keep_typed(form.model)  # the model itself, so that it has whatever is typed later
        form.observe(self._follow_form, "view")
        return form

    def _follow_form(self, change: dict[str, Any]) -> None:
        """Update the head after the form has set a status."""
        if change["new"]["outcome"] and not change["old"]["outcome"]:
            self.head.refresh()

    def _pick(self, record: Mapping[str, Any]) -> None:
        """Choose the user of the selected row."""
        self.head.choose(str(record["userId"]))

"""The head of the statuses explorer: the user, and the user's statuses."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import traitlets

from svckit.session.session import Session
from svckit.widgets.base.callbacks import button, clear_error
from svckit.widgets.base.instants import format_instant
from svckit.widgets.explorers.explorer import Explorer
from svckit.widgets.explorers.status_board import (
    build_slots,
    build_timeline,
    find_next_transition,
)
from svckit.widgets.explorers.time_spans import cut_to_second, format_span
from svckit.widgets.form.model import FormModel

__all__ = ["StatusesDraft", "StatusesHead"]

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

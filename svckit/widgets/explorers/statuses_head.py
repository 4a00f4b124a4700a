"""Whose statuses are looked at, what stands there, and what the service refuses."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from svckit.addresses import quote_segment
from svckit.session.session import Session
from svckit.widgets.base import plain
from svckit.widgets.base.assets import script, style
from svckit.widgets.base.callbacks import clear_error, show_errors
from svckit.widgets.explorers.explorer import Explorer
from svckit.widgets.explorers.people import People
from svckit.widgets.explorers.status_board import (
    instant_text,
    line_of_time,
    next_turn,
    slots,
)
from svckit.widgets.explorers.time_spans import span_words, whole_second
from svckit.widgets.form.model import FormModel

__all__ = ["StatusesDraft", "StatusesHead"]

UNKNOWN = "LUNCH"  # a status that there is not
UNSEEN = (
    "The service has no operation that reads statuses: shown is what this session has set, as it was answered. "
    "What became of it since, and what others set, is not known here."
)
NOBODY = "choose a user, or write a user ID, a login e-mail or externalKey:<key>"
TRANSITION = "status.transition"


@dataclass(frozen=True, slots=True)
class StatusesDraft:
    """Who was chosen, and what was typed into the form of each."""

    user: str = ""
    pasted: str = ""
    typed: Mapping[str, FormModel] = field(default_factory=dict)


class StatusesHead(Explorer[StatusesDraft]):
    """The user, the current and the reserved status on a line of time; a part of ``StatusesExplorer``."""

    _esm = script(
        "base/entries.js", "base/succession.js", "explorers/explorer.js", "explorers/statuses_head.js"
    )
    _css = style("explorers/explorer.css", "explorers/statuses_head.css")
    template = "widgets/explorers/statuses.html"
    make_draft = StatusesDraft

    def __init__(self, svc: Session) -> None:
        self._people = People(svc)
        self._records: list[Mapping[str, Any]] = []
        super().__init__(svc)
        self._people.look()
        if not self.draft.user:
            self.draft = self._drafts[svc][self.template] = replace(self.draft, user=self._people.first)
        self.refresh()

    @clear_error
    def choose(self, user_id: str) -> None:
        """Look at a user: by user ID, login e-mail, or ``externalKey:<key>``.

        Raises:
            ValueError: that is no user.
        """
        if not user_id.strip():
            raise ValueError(NOBODY)
        self._keep(replace(self.draft, user=user_id.strip(), pasted=""))
        self.refresh()

    @clear_error
    def paste(self, text: str) -> None:
        """Type an ID, without looking at that user yet."""
        self._keep(replace(self.draft, pasted=text))

    def keep_typed(self, model: FormModel) -> None:
        """Keep what was typed into the form of the user."""
        typed = {**self.draft.typed, self.draft.user: model}
        self.draft = self._drafts[self.svc][self.template] = replace(self.draft, typed=typed)

    @clear_error
    def look(self) -> None:
        """Look again: a fake's statuses begin and end by its clock."""
        self.refresh()

    def refresh(self) -> None:
        """Look what the clock has brought since."""
        self._records = [
            record for record in self.svc.records("statuses") if record.get("userId") == self._user_id
        ]
        self._show()

    @clear_error
    def move_to_next(self) -> None:
        """Move the clock of a fake, if it stands, to where the next status begins or ends.

        Raises:
            ValueError: there is no such clock, or nothing to come.
        """
        turn = next_turn(self._records, self.clock.now())
        if self.svc.fake is None or not self.clock.standing or turn is None:
            raise ValueError(
                "only the clock of a fake that stands is moved, and only to where a status begins or ends"
            )
        self.svc.fake.clock.to(turn.at)
        self.refresh()

    @clear_error
    def switch(self, enabled: bool) -> None:
        """Switch the domain's status setting on or off, which only a fake in process can.

        Raises:
            ValueError: it is none.
        """
        if self.svc.fake is None:
            raise ValueError("the domain's settings are changed in the administrator screen of the service")
        self.svc.fake.settings.profile_status_enabled = enabled
        self._show()

    @clear_error
    def send_unknown(self) -> None:
        """Send a status that there is not, which the form does not let through; where it is no fake, only ask.

        Raises:
            ValueError: no user is chosen.
            ServiceError: the service refused it.
        """
        if not self.draft.user:
            raise ValueError(NOBODY)
        self._ask_first(f"This sends the status {UNKNOWN} for {self.draft.user}", self._send_unknown)

    def _send_unknown(self) -> None:
        path = f"/users/{quote_segment(self.draft.user)}/user-profile-statuses"
        try:
            self.svc.request("POST", path, json={"profileStatusId": UNKNOWN})
        finally:
            self.refresh()

    @property
    def _user_id(self) -> str:
        """The user's ID, however the user was named; of a service that lists nobody, the name itself."""
        named, fake = self.draft.user, self.svc.fake
        if fake is None or named in self._people.names:
            return named
        try:
            return str(fake.directory.find(named))
        except Exception:  # noqa: BLE001 - there is no such user, which the service says when it is asked
            return named

    @show_errors
    def _receive(self, _widget: object, content: Mapping[str, Any], _buffers: object) -> None:
        """Do what the browser asks for."""
        match content:
            case {"do": "choose", "user": str(user)}:
                self.choose(user)
            case {"do": "write", "field": "pasted", "text": str(text)}:
                self.paste(text)
            case {"do": "write", "field": "enabled", "text": bool(enabled)}:
                self.switch(enabled)
            case {"do": "look" | "move_to_next" | "send_unknown" | "confirm" | "cancel" as step}:
                getattr(self, step)()
            case _:
                raise ValueError(f"a statuses explorer does not understand {content!r}")

    def _view(self) -> dict[str, Any]:
        """All three faces are made from this."""
        fake, now, draft = self.svc.fake, whole_second(self.clock.now()), self.draft
        turn = next_turn(self._records, now)
        return {
            "badge": self.badge,
            "user": draft.user,
            "name": self._people.names.get(draft.user, ""),
            "pasted": draft.pasted,
            "people": self._people.view,
            "now": instant_text(now),
            "standing": self.clock.standing,
            "note": "" if fake is not None else UNSEEN,
            "slots": slots(self._records, now),
            "absent": "none" if fake is not None else "none that this session has set",
            "line": line_of_time(self._records, now),
            "turn": f"{turn.words} in {span_words(turn.at - now)}" if turn else "",
            "movable": fake is not None and self.clock.standing and turn is not None,
            "rule": self._rule(),
            "enabled": None if fake is None else fake.settings.profile_status_enabled,
            "unknown": UNKNOWN,
            "asking": self._question,
        }

    def _rule(self) -> str:
        """What is only assumed about the turn from reserved to current."""
        if self.svc.fake is None:
            return ""
        rule = self.svc.fake.rules[TRANSITION]
        return f"Assumed ({TRANSITION}: {rule.chosen}): {rule.text}"

    def _text(self) -> str:
        view = self.view
        name = f" ({view['name']})" if view["name"] else ""
        lines = [f"Statuses [{view['badge']}] of {view['user'] or 'nobody'}{name} at {view['now']}"]
        lines += [view["note"]] if view["note"] else []
        for slot in view["slots"]:
            lines.append(f"  {slot['heading']}{'' if slot['lines'] else ': ' + view['absent']}")
            lines += [f"    {line}" for line in plain.columns(slot["lines"], widest=60)]
        lines += [f"Next: {view['turn']}"] if view["turn"] else []
        lines += [f"? {view['asking']}"] if view["asking"] else []
        return "\n".join(lines)

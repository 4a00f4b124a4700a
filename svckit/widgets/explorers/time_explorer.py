"""Time and faults: move a fake's clock, see what starts, ends or expires, and inject faults."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar

from svckit.display.card import quantity
from svckit.display.python_code import write_call
from svckit.errors import InvalidInput
from svckit.models.times import parse_iso_time
from svckit.session.session import Session
from svckit.widgets.base.argument_checks import check_names
from svckit.widgets.base.callbacks import button, clear_error
from svckit.widgets.base.instants import cut_to_second, format_instant, format_span
from svckit.widgets.explorers.fake.controls import FakeControls
from svckit.widgets.explorers.fault_form import FAULTS, parse_arguments
from svckit.widgets.explorers.time_events import TimeEvent, list_events

__all__ = ["TimeExplorer"]

COMING = 8  # the number of upcoming events that are shown
CHANGED = 50  # the number of events shown after a move
UNSET = frozenset({"applied", "retry_after", "skip"})  # options of faults that are left out unless set
MOVES: Mapping[str, timedelta] = {
    "10 min": timedelta(minutes=10),
    "1 h": timedelta(hours=1),
    "24 h": timedelta(hours=24),
    "90 days": timedelta(days=90),
}


@dataclass(frozen=True, slots=True)
class TimeDraft:
    """The text typed so far; ``options`` holds the fault fields by kind and name."""

    to: str = ""
    kind: str = "status"
    target: str = "*"
    times: str = "1"
    options: Mapping[str, Mapping[str, str | bool]] = field(default_factory=dict)


class TimeExplorer(FakeControls[TimeDraft]):
    """A control panel for an in-process fake: move its clock, and inject faults.

    For a real service or a fake in another process, it says why that is not possible.

    Args:
        svc: a session.

    Attributes:
        draft: the text typed so far.
        error: the error of the last request, or an empty string.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> explorer = TimeExplorer(svc)
        >>> explorer.move(timedelta(hours=24))
        >>> explorer.write(to="")
        >>> explorer.propose(kind="status", target="users.*", status="503")
        >>> print(explorer.code)
        svc.fake.faults.status("users.*", times=1, status=503)
        >>> explorer
        Time [FAKE]
        The clock stands at 2026-06-02T09:00:00+09:00
        Moved 24 h, from 2026-06-01T09:00:00+09:00
        Events of the move
          2026-06-02T09:00:00+09:00  access token  of u-001 expires
        Upcoming events
          2026-07-31T00:00:00+09:00  change of values  the protocol value that ... in 58 days 15 h
          2026-08-30T09:00:00+09:00  refresh token     of u-001 expires            in 89 days
          2026-11-15T00:00:00+09:00  change of values  the older protocol ...      in 165 days 15 h
          2026-12-05T00:00:00+09:00  retirement        custom field operations     in 185 days 15 h
        No faults
        >>> explorer.inject()
        >>> explorer.remove(0)
        >>> explorer.remove_all()
        >>> if explorer.has_clock:
        ...     explorer.move_to_next()
        ...     explorer.move_to("2026-12-05T00:00:00+09:00")
        >>> explorer.close()
    """

    template = "widgets/explorers/time.html"
    make_draft: ClassVar[type[TimeDraft]] = TimeDraft
    controlled = "the clock and the faults"
    instead = "svc.fake.clock and svc.fake.faults"

    def __init__(self, svc: Session) -> None:
        # Of the last move: how far, in words, from where, and what it passed.
        self._moved = self._origin = ""
        self._changed: list[TimeEvent] = []
        self._coming: list[TimeEvent] = []  # all events to come, as of the last look
        self._listed: list[Any] = []  # the faults in the order of the view, whose buttons have their numbers
        super().__init__(svc)
        self._refresh()

    @property
    def has_clock(self) -> bool:
        """True if there is a clock to move: that of an in-process fake."""
        return not self._note

    @clear_error
    def write(self, /, **fields: Any) -> None:
        """Fill in fields as if typed.

        The fields are ``to`` (an instant), ``kind``, ``target`` and ``times`` of a fault, and the options of its kind,
        such as ``status`` or ``seconds``.

        Args:
            **fields: the fields by name.

        Raises:
            InvalidInput: no such field, or no such kind.
        """
        kind = fields.get("kind", self.draft.kind)
        check_names([kind], FAULTS, what="fault")
        names = [option.name for option in FAULTS[kind].options]
        check_names(fields, [*(name for name in TimeDraft.__slots__ if name != "options"), *names])
        typed = {name: value for name, value in fields.items() if name in names}
        others = {name: value for name, value in fields.items() if name not in names}
        options = {**self.draft.options, kind: {**self.draft.options.get(kind, {}), **typed}}
        self._keep(replace(self.draft, options=options, **others))

    def propose(self, /, **fields: Any) -> None:
        """Open the form of a fault with fields filled in.

        Args:
            **fields: the fields by name, as for `write`.

        Raises:
            InvalidInput: no such field, or no such kind.
        """
        self._opened += 1
        self.write(**fields)

    @clear_error
    def move(self, span: timedelta) -> None:
        """Move the clock forward by a time span.

        Args:
            span: the span, above 0.

        Raises:
            ValueError: there is no clock to move, or it would leave the calendar.
        """
        self._move_to(lambda clock: clock.advance(seconds=span.total_seconds()))

    @clear_error
    def move_to(self, instant: str | datetime | None = None) -> None:
        """Set the clock to a later instant, by default the one typed.

        Args:
            instant: ISO 8601 text or a ``datetime``; without an offset, it has the clock's.

        Raises:
            ValueError: there is no clock to move, the text is not an instant, or the instant has passed.
        """
        given = self.draft.to if instant is None else instant
        then = given
        if isinstance(given, str):
            with suppress(ValueError):  # the clock's own error is more helpful
                then = parse_iso_time(given.strip())
        if isinstance(then, datetime) and then.utcoffset() is None:
            then = then.replace(tzinfo=self.clock.now().tzinfo)
        self._move_to(lambda clock: clock.to(then))

    @button
    def move_to_next(self) -> None:
        """Move the clock to the next instant at which something starts, ends or expires.

        Raises:
            ValueError: there is no clock to move, or there are no upcoming events.
        """
        self._move_to(self._to_next)

    def _refresh(self) -> None:
        """Show what has changed since: the clock, the upcoming events and the remaining faults."""
        self._coming = list_events(self.svc.local_fake) if self.has_clock else []
        self._show()

    @button
    def inject(self) -> None:
        """Inject the fault typed.

        Raises:
            ValueError: this is not an in-process fake, a field is out of range, or nothing matches the target.
        """
        target, given = self._read_fault()
        getattr(self._fake.faults, self.draft.kind)(target, **given)
        self._show()

    @property
    def code(self) -> str:
        """The call that injects the fault typed; empty if a field is not a number, or without an in-process fake."""
        try:
            target, given = self._read_fault()
        except InvalidInput:
            return ""
        own = {name: value for name, value in given.items() if value or name not in UNSET}
        return write_call(f"svc.fake.faults.{self.draft.kind}", target, **own) if self.has_clock else ""

    def _read_fault(self) -> tuple[str, dict[str, Any]]:
        draft = self.draft
        given = parse_arguments(draft.kind, draft.times, draft.options.get(draft.kind, {}))
        return draft.target.strip() or "*", given

    @button
    def remove(self, number: int) -> None:
        """Remove a listed fault.

        Args:
            number: its number in the list, from 0.

        Raises:
            ValueError: no fault with that number.
        """
        if not 0 <= number < len(self._listed):
            raise ValueError(f"no fault {number} in the list of {len(self._listed)}, counted from 0")
        self._fake.faults.remove(self._listed[number])
        self._show()

    @button
    def remove_all(self) -> None:
        """Remove all faults."""
        self._fake.faults.clear()
        self._show()

    def _move_to(self, move: Callable[[Any], object]) -> None:
        """Move the clock, and keep the events of the move."""
        clock = self._fake.clock
        self._refresh()
        events = self._coming  # as of now, for what the move passes
        before = clock.now()
        move(clock)
        now = clock.now()
        self._changed = [event for event in events if event.done <= now]
        self._moved = f"Moved {format_span(cut_to_second(now) - cut_to_second(before))}"
        self._origin = format_instant(before)
        self._refresh()

    def _to_next(self, clock: Any) -> None:
        if not self._coming:
            raise ValueError("this fake knows of no upcoming events")
        clock.to(self._coming[0].done)

    def _do_move(self, by: str) -> None:
        self.move(MOVES[by])

    def _do_move_to(self) -> None:
        self.move_to(self.view["form"]["to"])  # as shown: the draft is empty until somebody types

    def _view_fake(self) -> dict[str, Any]:
        clock, now = self.clock, self.clock.now()
        events = [event for event in self._coming if event.done > now]
        self._listed = list(self.svc.local_fake.faults)
        return {
            "now": format_instant(now),
            "standing": clock.standing,
            "moves": list(MOVES),
            "moved": self._moved,
            "origin": self._origin,
            "changed": [_build_event(event) for event in self._changed[:CHANGED]],
            "unlisted": max(0, len(self._changed) - CHANGED),
            "coming": [_build_event(event, now) for event in events[:COMING]],
            "further": max(0, len(events) - COMING),
            "form": self._build_form(now),
            "faults": [_build_fault(fault) for fault in self._listed],
        }

    def _build_form(self, now: datetime) -> dict[str, Any]:
        draft, fake = self.draft, self.svc.local_fake
        kind, typed = FAULTS[draft.kind], draft.options.get(draft.kind, {})
        targets = list(fake.callbacks.bots) if draft.kind == "drop_callback" else list(fake.faults.operations)
        return {
            "to": draft.to or now.isoformat()[:19],
            "kinds": [(name, fault.label) for name, fault in FAULTS.items()],
            "words": kind.words,
            "targets": [(name, name) for name in ("*", *targets)],
            "options": [
                {"name": option.name, "label": option.label, "value": typed.get(option.name, option.default)}
                for option in kind.options
            ],
        }


def _build_fault(fault: Any) -> dict[str, Any]:
    label, target = fault.label, fault.target
    left = f"{fault.remaining}; applied {quantity(fault.used, 'time')}"
    return {"label": label, "target": target, "left": left, "cells": (label, target, left)}


def _build_event(event: TimeEvent, now: datetime | None = None) -> dict[str, Any]:
    """Return an event, with the time that is left if it is to come."""
    left = max(cut_to_second(event.at) - cut_to_second(now or event.at), timedelta())
    at, span = format_instant(event.at), format_span(left) if now else ""
    return {
        "at": at,
        "kind": event.kind,
        "words": event.words,
        "left": left.total_seconds(),
        "in": span,
        "cells": (at, event.kind, event.words, span and f"in {span}"),
    }

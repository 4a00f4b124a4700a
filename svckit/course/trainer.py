"""The trainer's view of a class: who is where, what most are stuck on, and what the trainer pushes to all."""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import groupby
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Never

from fakes import FakeService, Refusal
from fakes.clock import parse_instant
from fakes.doors.remote_calls import AdminCaller
from fakes.faults.injection import Faults
from fakes.faults.kinds import AnyFault
from fakes.handlers.admin_records import DERIVED, describe_fault, make_given_fault
from svckit.course.attending import CALLS
from svckit.course.catalogue import list_lessons
from svckit.display.card import Shown, quantity, render_table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Classroom", "classroom", "connect_to_worlds"]

INTERVAL = 2.0
"""Seconds between updates of the view."""
LEARNERS = ("learner", "lesson", "outcome", "stuck on", "tries", "since")
LESSONS = ("lesson", "learners", "solved", "stuck", "most are stuck on")

Record = Mapping[str, Any]


class Classroom(Shown):
    """A class: in a notebook, a view that follows it until it is closed.

    Pushes reach the fakes of each learner's notebook before the next cell, and the learner's world at once. The fakes
    that a check makes never get them, so they change no result.

    Args:
        call: makes the admin calls of the server of the worlds.

    Attributes:
        faults: what ``fake.faults`` is, for all: ``faults.status("users.update", 503)``, ``faults.clear()``. It shows
            what was pushed since then.
        clock: the clocks of all: ``clock.advance(days=1)``, ``clock.to("2026-06-05")``.

    Examples:
        >>> from fakes import Worlds
        >>> worlds = Worlds(now="2026-06-01T09:00:00+09:00")
        >>> mina = worlds.create("mina")
        >>> room = classroom(worlds)
        >>> room
        Class: 0 learners, 0 stuck
        >>> room.faults.status("notifications.post", 503)
        <status 503 for notifications.post, 1 more time>
        >>> room.clock.advance(hours=1)
        >>> room.send_message("bot-1", "u-003", {"type": "text", "text": "hello"})
    """

    def __init__(self, call: AdminCaller) -> None:
        self._call = call
        self._closed = Event()
        self._following: Thread | None = None
        self.faults = PushedFaults(self)
        self.clock = PushedClock(self)

    @property
    def records(self) -> list[dict[str, Any]]:
        """The progress of each learner in each lesson, as the learners posted it."""
        found: list[dict[str, Any]] = self._call("GET", "/progress")["progress"]
        return found

    @property
    def frame(self) -> "pd.DataFrame":
        """The progress as a frame, with a row for each learner and lesson."""
        from svckit.frames.column import TIME, Column, build

        columns = [Column(name, "string", "") for name in ("world", "learner", "lesson", "outcome", "check")]
        times = [Column(name, TIME, "") for name in ("since", "at")]
        return build([*columns, Column("tries", "Int64", ""), *times], self.records)

    def send_message(
        self, bot_id: str, user_id: str, content: Mapping[str, Any], channel_id: str | None = None
    ) -> None:
        """Have a member write to a bot, in all fakes; see ``fake.callbacks.send``."""
        channel = {} if channel_id is None else {"channelId": channel_id}
        self.push({"message": {"botId": bot_id, "userId": user_id, "content": dict(content), **channel}})

    def push(self, push: Mapping[str, Any]) -> dict[str, str]:
        """Push to all, as the body of the admin call ``POST /pushes`` says.

        Returns:
            Why a world did not take it, by its name, which is printed too. Notebooks say it themselves.

        Raises:
            ValueError: it is not valid; nobody gets it.
            ConnectionError: the server does not respond.
        """
        self._call("POST", "/pushes", push)
        ((kind, body),) = push.items()
        missed = dict[str, str]()
        for world in self._call("GET", "/worlds")["worlds"]:
            try:
                facts = self._call("GET", f"/worlds/{world}")
                at_world = self._call.at(facts["admin_url"], facts["admin_key"])
                at_world(*CALLS[kind], None if kind == "clear" else body)
            except (OSError, Refusal, RuntimeError, ValueError) as failed:  # others may take it
                missed[world] = str(failed)
                print(f"The world of {world} did not take it: {failed}", file=sys.stderr)
        return missed

    def close(self) -> None:
        """Stop updating the view."""
        self._closed.set()

    def _render(self) -> tuple[str, str]:
        records = self.records
        latest = list_latest(records)
        stuck = sum(record["outcome"] == "not yet" for record in latest)
        title = f"Class: {quantity(len(latest), 'learner')}, {stuck} stuck"
        titles = {lesson.number: f"{lesson.number} {lesson.title}" for lesson in list_lessons()}
        now = datetime.now(UTC)
        learners = render_table(title, LEARNERS, [describe_learner(record, titles, now) for record in latest])
        lessons = (
            render_table("Lessons", LESSONS, list(describe_lessons(records, titles))) if latest else ("", "")
        )
        return learners[0] + lessons[0], "\n".join(filter(None, (learners[1], lessons[1])))

    def _ipython_display_(self) -> None:
        from IPython.display import display

        self.close()  # a view that another cell shows
        self._closed = closed = Event()
        shown = self._bundle()
        handle = display(shown, raw=True, display_id=True)  # type: ignore[no-untyped-call]

        def follow(shown: dict[str, str]) -> None:
            while not closed.wait(INTERVAL):
                with suppress(OSError, RuntimeError, ValueError):  # the server may come back
                    if shown != (shown := self._bundle()):
                        handle.update(shown, raw=True)

        self._following = Thread(target=follow, args=(shown,), daemon=True)
        self._following.start()

    def _bundle(self) -> dict[str, str]:
        html, text = self._render()
        return {"text/html": html, "text/plain": text}


class PushedFaults(Shown, Faults):
    """The faults that were pushed to all learners since they were last cleared; each fake counts its own uses."""

    def __init__(self, room: Classroom) -> None:
        super().__init__()
        self._room = room

    def add(self, fault: AnyFault) -> None:
        """Push a fault."""
        sent = {name: value for name, value in describe_fault(fault).items() if name not in DERIVED}
        self._room.push({"fault": sent})

    def remove(self, fault: AnyFault) -> Never:
        """Raise an error: what was pushed cannot be taken back one by one."""
        raise AttributeError("one fault cannot be removed from all fakes; clear() removes those of all")

    def clear(self) -> None:
        """Remove the faults of all."""
        self._room.push({"clear": "faults"})

    def _list(self) -> list[AnyFault]:
        pushed = list[AnyFault]()
        for push in self._room._call("GET", "/pushes")["pushes"]:
            if "clear" in push:
                pushed.clear()
            elif "fault" in push:
                pushed.append(make_given_fault(push["fault"], Faults([push["fault"].get("target", "*")])))
        return pushed

    def _render(self) -> tuple[str, str]:
        faults = self._list()
        rows = [(fault.label, fault.target, str(fault.times or "always")) for fault in faults]
        title = f"Pushed to all: {quantity(len(rows), 'fault')}"
        return render_table(title, ("fault", "target", "times in each fake"), rows)


class PushedClock:
    """The clocks of a class, which move for all learners."""

    def __init__(self, room: Classroom) -> None:
        self._room = room

    def advance(self, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0) -> None:
        """Move all clocks forward by a span."""
        self._room.push({"clock": {"advance": seconds + 60 * (minutes + 60 * (hours + 24 * days))}})

    def to(self, then: str | datetime) -> None:
        """Move all clocks forward to an instant; those that are later stay."""
        self._room.push({"clock": {"to": parse_instant(then).isoformat()}})


def list_latest(records: Iterable[Record]) -> list[Record]:
    """Return what each learner did last: first those who are stuck, the longest first."""
    latest = [
        max(rows, key=lambda record: parse_instant(record["at"]))
        for _, rows in groupby(records, lambda record: record["world"])
    ]
    return sorted(latest, key=lambda record: (record["outcome"] != "not yet", parse_instant(record["since"])))


def describe_learner(record: Record, titles: Mapping[str, str], now: datetime) -> tuple[str, ...]:
    """Return the row of a learner; times are those of this machine."""
    since = parse_instant(record["since"])
    minutes = max(0, int((now - since).total_seconds() // 60))
    return (
        record["learner"] or record["world"],
        titles.get(record["lesson"], record["lesson"]),
        record["outcome"],
        record["check"],
        str(record["tries"]),
        f"{since.astimezone():%H:%M}, {minutes} min",
    )


def describe_lessons(records: Iterable[Record], titles: Mapping[str, str]) -> Iterable[tuple[str, ...]]:
    """Yield the row of each lesson that somebody began."""
    by_lesson = sorted(records, key=lambda record: record["lesson"])
    for lesson, rows in groupby(by_lesson, lambda record: record["lesson"]):
        posted = list(rows)
        outcomes = Counter(record["outcome"] for record in posted)
        stuck = Counter(record["check"] for record in posted if record["outcome"] == "not yet")
        most = ", ".join(f"{check} ({count})" for check, count in stuck.most_common(2))
        counts = map(str, (outcomes.total(), outcomes["solved"], outcomes["not yet"]))
        yield titles.get(lesson, lesson), *counts, most


def classroom(worlds: FakeService | None = None) -> Classroom:
    """Show a class to its trainer: who is where, stuck on what, since when, and how many are stuck in each lesson.

    Each check posts lesson, outcome, the check that is not reached, tries and time, and nothing that the learner wrote.
    Learners can post what they like, so this is not a grade.

    Args:
        worlds: the worlds of this process; by default those of ``svckit serve --worlds`` at SVCKIT_ADMIN_URL, with
            SVCKIT_ADMIN_KEY. A hub sets both for its admins.

    Returns:
        The class: a view that updates itself, ``frame``, and ``faults``, ``clock`` and ``send_message`` for all.

    Raises:
        ValueError: the variables are not set.

    Examples:
        >>> from fakes import Worlds
        >>> classroom(Worlds()).frame.columns.tolist()
        ['world', 'learner', 'lesson', 'outcome', 'check', 'tries', 'since', 'at']
    """
    if worlds is None:
        return Classroom(connect_to_worlds())
    facts = worlds.facts
    return Classroom(AdminCaller(facts["admin_url"], facts["admin_key"], transport=worlds.transport()))


def connect_to_worlds() -> AdminCaller:
    """Return what makes the admin calls of the server of the worlds.

    Raises:
        ValueError: the variables of its URL and its key are not set.
    """
    url, key = (os.environ.get(f"SVCKIT_ADMIN_{word}", "") for word in ("URL", "KEY"))
    if not (url and key):
        raise ValueError(
            "set SVCKIT_ADMIN_URL and SVCKIT_ADMIN_KEY to the admin_url and the admin_key of `svckit serve --worlds`; "
            "a hub sets them for its admins. Learners do not have this key"
        )
    return AdminCaller(url, key)

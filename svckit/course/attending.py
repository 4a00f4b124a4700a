"""A learner's place in a class: it posts progress, and applies what the trainer pushes to the notebook's fakes."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from fakes import FakeService, Refusal
from fakes.doors.remote_calls import AdminCaller
from svckit.course.catalogue import list_lessons
from svckit.course.learners import current_learner
from svckit.display.card import quantity
from svckit.errors import UnusableProfile
from svckit.profiles.resolution import FAKE, Configuration
from svckit.session.base import SessionBase

if TYPE_CHECKING:
    from svckit.course.progress import Progress

__all__ = ["CALLS", "Seat", "attend", "report"]

CALLS = {
    "fault": ("POST", "/faults"),
    "clear": ("DELETE", "/faults"),
    "clock": ("POST", "/clock"),
    "message": ("POST", "/messages"),
}
"""The admin call that applies each kind of push to a fake."""
PAUSE = 30
"""Seconds in which a class that did not respond is left alone, as each cell would wait for it."""
PATIENCE = 20
"""It is left alone for this many times the wait for it too, so a server that hangs takes 5 % of the time at most."""


class Seat:
    """A learner's place in a class.

    Args:
        call: makes the admin calls of the learner's world.
    """

    def __init__(self, call: AdminCaller) -> None:
        self._call = call
        self._silent_until = 0.0
        self._has_said_so = False
        self._seen: int | None = None  # the number of the latest push
        self._unsent: dict[str, dict[str, Any]] = {}  # progress by lesson

    def _ask(self, method: str, path: str, body: object = None, **query: object) -> Any:
        """Make a call; None if there is no response, or no class. Whatever goes wrong, the learner goes on."""
        asked = monotonic()
        if asked < self._silent_until:
            return None
        try:
            response = self._call(method, path, body, **query) or {}
        except Exception as failed:  # noqa: BLE001 - of a proxy that is missing a package, too
            kind = failed.kind if isinstance(failed, Refusal) else None
            if kind == "conflict":
                print(f"Your class does not keep this: {failed}", file=sys.stderr)
                return {}
            now, is_in_class = monotonic(), kind != "no_class"
            self._silent_until = now + PAUSE + PATIENCE * (now - asked) if is_in_class else inf
            if is_in_class and not self._has_said_so:
                said = f"Your class cannot be reached: {failed}. Go on; your progress is kept here."
                print(said, file=sys.stderr)
            self._has_said_so = True
            return None
        self._has_said_so = False
        return response

    def _send(self) -> None:
        """Post the progress that the class does not have."""
        for lesson, body in list(self._unsent.items()):
            if self._ask("POST", "/progress", body) is None:
                return
            del self._unsent[lesson]

    def post(self, exercise: str, progress: "Progress") -> None:
        """Post the progress in the lesson of an exercise: names and figures, nothing that the learner wrote."""
        tries, learner = progress.of(exercise), current_learner()
        solved = any(attempt.solved for attempt in tries)
        number = next((lesson.number for lesson in list_lessons() if lesson.function == exercise), exercise)
        check = "" if solved or not tries else tries[-1].mistake
        name = learner.name if learner else progress.name
        optional = {"check": check[:100], "learner": name[:100]}
        body = {
            "lesson": number[:100],
            "outcome": "solved" if solved else "not yet" if tries else "started",
            "tries": len(tries),
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        self._unsent[number] = body | {key: value for key, value in optional.items() if value}
        self._send()

    def apply(self, names: Mapping[str, Any]) -> Iterator[str]:
        """Apply the pushes since the last time to the fakes of a notebook, and yield a line for each.

        Args:
            names: what the notebook has, by name. Without a fake among it, pushes wait.
        """
        fakes = {id(fake): (name, fake) for name, fake in reversed(list(find_fakes(names)))}
        if self._seen is not None and not fakes:
            return
        response = self._ask("GET", "/pushes", since=self._seen or 0)
        if response is None:
            return
        self._send()
        pushes = response["pushes"] if self._seen is not None else []  # those of before are over
        self._seen = max((push["number"] for push in response["pushes"]), default=self._seen or 0)
        for push in pushes:
            for name, fake in reversed(fakes.values()):
                yield f"From your trainer, in {name}: {apply_push(push, fake)}"


def find_fakes(names: Mapping[str, Any]) -> Iterator[tuple[str, FakeService]]:
    """Yield the fakes in this process that a notebook has by name, or behind a session."""
    for name, value in list(names.items()):
        if not name.startswith("_"):
            fake = value.local_fake if isinstance(value, SessionBase) else value
            if isinstance(fake, FakeService):
                yield name, fake


def apply_push(push: Mapping[str, Any], fake: FakeService) -> str:
    """Apply a push to a fake in this process, and say what changed."""
    kind = next(name for name in CALLS if name in push)
    call = AdminCaller(fake.facts["admin_url"], fake.facts["admin_key"], transport=fake.transport())
    try:
        done = call(*CALLS[kind], None if kind == "clear" else push[kind])
    except (Refusal, OSError, ValueError) as refused:
        return f"a {kind} that it does not take: {refused}"
    match kind:
        case "fault":
            left = "from now on" if done["left"] is None else quantity(done["left"], "time")
            return f"{done['label']} for {done['target']}, {left}"
        case "clock":
            return f"it is now {done['now']}"
        case "message":
            return f"{push[kind]['userId']} wrote to {push[kind]['botId']}"
    return "all faults are removed"


@cache
def _seat(url: str, key: str) -> Seat:
    return Seat(AdminCaller(url, key))


def find_seat() -> Seat | None:
    """Return the seat in the class of the profile that ``SVCKIT_PROFILE`` names; None outside a class.

    That profile is of a fake, and has ``admin_url`` and ``admin_key``, as those of a world on a hub.
    """
    name = os.environ.get("SVCKIT_PROFILE") or FAKE
    if name == FAKE:
        return None
    try:
        configuration = Configuration.load()
        profile = configuration.profile(name)
        key = configuration.environment_of(name).secret(name, "admin_key")
    except (UnusableProfile, OSError):  # such as a folder that was deleted
        return None
    return (
        _seat(profile.admin_url, key[0].reveal()) if profile.is_fake and profile.admin_url and key else None
    )


def report(exercise: str, progress: "Progress") -> None:
    """Post the progress in an exercise to the class, if there is one."""
    if (seat := find_seat()) is not None:
        seat.post(exercise, progress)


def attend(shell: Any) -> None:
    """Have a notebook get the pushes of its class before each cell, and say which lesson it is.

    Args:
        shell: the shell of IPython.
    """
    from svckit.course.progress import current_progress

    seat = find_seat()
    if seat is None:
        return

    def before_cell(_: object = None) -> None:
        for line in seat.apply(shell.user_ns):
            print(line)

    before_cell()
    shell.events.register("pre_run_cell", before_cell)
    opened = Path(os.environ.get("JPY_SESSION_NAME", "")).name.partition(".")[0]
    with suppress(ValueError):  # of a file without progress, which the first check reports
        for lesson in list_lessons():
            if lesson.words.stem == opened:
                seat.post(lesson.function, current_progress())

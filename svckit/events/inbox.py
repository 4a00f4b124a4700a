"""The events that came, newest last, and what was refused; whoever waits for an event waits here."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Condition
from typing import TYPE_CHECKING, Any

from svckit.display.card import render_table
from svckit.models.event import Event, MessageEvent, UnknownContent

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CAPACITY", "Inbox", "Received", "Rejected"]

CAPACITY = 10_000
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Received:
    """An event that came.

    Attributes:
        number: its number among all that came, from 1.
        bot_id: the bot it was sent to, as the request's header says; ``None`` if it says nothing.
        event: the event.
        body: the request's body, as it came.
    """

    number: int
    bot_id: str | None
    event: Event
    body: bytes = field(repr=False)

    def record(self) -> dict[str, Any]:
        """The event for a frame; what is of an unknown type, or fits no column, stands under ``json`` only."""
        known: dict[str, Any] = {"type": self.event.type}
        if isinstance(self.event, MessageEvent):
            known = self.event.to_wire()
            if not _is_int64(self.event.source.domain_id):
                del known["source"]["domainId"]
            if isinstance(self.event.content, UnknownContent):
                known["content"] = {"type": self.event.content.type}
        return {"number": self.number, "botId": self.bot_id, **known, "json": self.body.decode()}


def _is_int64(number: float) -> bool:
    return isinstance(number, int) and -(2**63) <= number < 2**63


@dataclass(frozen=True, slots=True)
class Rejected:
    """A request that was refused.

    Attributes:
        status: the HTTP status it was answered.
        reason: why, in a sentence that shows neither secret nor signature.
    """

    status: int
    reason: str


class Inbox:
    """What a receiver has received; threads may share it.

    It keeps the newest events and forgets the oldest beyond its capacity, so a flood cannot fill the memory.

    Attributes:
        capacity: how many events, and how many refusals, are kept.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        if capacity < 1:
            raise ValueError(f"an inbox keeps at least 1 event; given {capacity}")
        self.capacity = capacity
        self._kept: deque[Received] = deque(maxlen=capacity)
        self._refused: deque[Rejected] = deque(maxlen=capacity)
        self._came = 0
        self._changed = Condition()
        self._listeners: list[Callable[[], object]] = []

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that are kept, oldest first."""
        return tuple(received.event for received in self)

    @property
    def refused(self) -> tuple[Rejected, ...]:
        """The requests that were refused, oldest first."""
        with self._changed:
            return tuple(self._refused)

    @property
    def forgotten(self) -> int:
        """How many events were forgotten because newer ones came."""
        with self._changed:
            return self._came - len(self._kept)

    def wait(self, count: int = 1, timeout: float | None = 10) -> tuple[Event, ...]:
        """Wait until so many events have come, those that are there already counted, and return all that are kept.

        Args:
            count: how many, since the inbox was made.
            timeout: seconds after which to give up; ``None`` never does.

        Raises:
            TimeoutError: fewer came; says how many, and what was refused meanwhile.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._came >= count, timeout):
                raise TimeoutError(self._describe_timeout(count, timeout))
        return self.events

    async def wait_async(self, count: int = 1, timeout: float | None = 10) -> tuple[Event, ...]:
        """The same, for ``await``."""
        loop, came = asyncio.get_running_loop(), asyncio.Event()
        with self._listen(lambda: loop.call_soon_threadsafe(came.set)):
            try:
                async with asyncio.timeout(timeout):
                    while self._came < count:
                        await came.wait()
                        came.clear()
            except TimeoutError:
                raise TimeoutError(self._describe_timeout(count, timeout)) from None
        return self.events

    def records(self, kind: str = "events") -> list[Mapping[str, Any]]:
        """The events as plain records for `svckit.frames.events`.

        Raises:
            ValueError: another kind is asked for.
        """
        if kind != "events":
            raise ValueError(f"an inbox holds events, no {kind}")
        return [received.record() for received in self]

    def frame(self) -> "pd.DataFrame":
        """The events as a frame, one row an event; the columns are those of `svckit.frames.events`."""
        from svckit import frames

        return frames.events(self)

    def _keep(self, bot_id: str | None, event: Event, body: bytes) -> None:
        with self._changed:
            self._came += 1
            self._kept.append(Received(self._came, bot_id, event, body))
            self._changed.notify_all()
            for heard in self._listeners:
                heard()

    def _reject(self, status: int, reason: str) -> int:
        with self._changed:
            self._refused.append(Rejected(status, reason))
        return status

    @contextmanager
    def _listen(self, heard: Callable[[], object]) -> Iterator[None]:
        with self._changed:
            self._listeners.append(heard)
        try:
            yield
        finally:
            with self._changed:
                self._listeners.remove(heard)

    def _describe_timeout(self, count: int, timeout: float | None) -> str:
        said, refused = f"{self._came} of {count} events came within {timeout:g} seconds", self.refused
        if not refused:
            return said
        return f"{said}; {len(refused)} refused, the last with {refused[-1].status}: {refused[-1].reason}"

    def __iter__(self) -> Iterator[Received]:
        with self._changed:
            return iter(tuple(self._kept))

    def __len__(self) -> int:
        return len(self._kept)

    def __repr__(self) -> str:
        return self._render()[1]

    def _repr_html_(self) -> str:
        return self._render()[0]

    def _render(self) -> tuple[str, str]:
        rows = []
        for received in list(self)[-SHOWN:]:
            record = received.record()
            source, content = record.get("source", {}), record.get("content", {})
            row = (
                received.number,
                received.bot_id,
                source.get("userId"),
                content.get("type", record["type"]),
            )
            rows.append(["" if cell is None else str(cell) for cell in row])
        title = f"{type(self).__name__}: {self._came} received, {len(self.refused)} refused"
        return render_table(title, ("number", "bot", "user", "type"), rows)

"""The inbox of a receiver: the events received, the requests refused, and waiting for events."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from threading import Condition
from typing import TYPE_CHECKING, Any

from svckit.display.card import Shown, render_table
from svckit.models.event import Event, MessageEvent, UnknownContent

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CAPACITY", "Inbox", "Received", "Rejected"]

CAPACITY = 10_000
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Received:
    """A received event.

    Attributes:
        number: the number of the event among all received, from 1.
        bot_id: the bot it was sent to, from the request's header; ``None`` without that header.
        event: the event.
        body: the request's body, as received.

    Examples:
        >>> from fakes import FakeService
        >>> from svckit.events import Receiver
        >>> fake, inbox = FakeService.sample(now="2026-06-01T09:00:00+09:00"), Receiver("bot secret")
        >>> bot = fake.callbacks.add_bot("bot-2", inbox, secret="bot secret")
        >>> delivery = fake.callbacks.send("bot-2", "u-001", {"type": "text", "text": "hello"})
        >>> next(iter(inbox)).record()["content"]
        {'type': 'text', 'text': 'hello'}
    """

    number: int
    bot_id: str | None
    event: Event
    body: bytes = field(repr=False)

    def record(self) -> dict[str, Any]:
        """Return the event for a frame; unknown types and values that fit no column are in ``json`` only."""
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
    """A refused request.

    Attributes:
        status: the HTTP status of the response.
        reason: the reason, in a sentence that shows neither secret nor signature.
    """

    status: int
    reason: str


class Inbox(Shown):
    """The events that a receiver has received; threads may share an inbox.

    It keeps the newest events and drops the oldest beyond its capacity, so a flood cannot fill the memory.

    Attributes:
        capacity: the number of events, and of refusals, to keep.

    Examples:
        >>> from fakes import FakeService
        >>> from svckit.events import Receiver
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> inbox = Receiver(fake.facts["bot_secret"])
        >>> fake.callbacks.connect("bot-1", inbox)
        >>> delivery = fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "hello"})
        >>> [event.content.text for event in inbox.wait(1)], inbox.events[0].source.user_id
        (['hello'], 'u-001')
        >>> inbox.records()[0]["number"], len(inbox.frame()), inbox.refused, inbox.forgotten
        (1, 1, (), 0)
        >>> import asyncio
        >>> [event.content.text for event in asyncio.run(inbox.wait_async(1))]
        ['hello']
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        if capacity < 1:
            raise ValueError(f"an inbox keeps at least 1 event; given {capacity}")
        self.capacity = capacity
        self._kept: deque[Received] = deque(maxlen=capacity)
        self._refused: deque[Rejected] = deque(maxlen=capacity)
        self._count = 0  # of all events received, also those dropped since
        self._changed = Condition()  # notified of each event; its lock guards all of this
        self._listeners: list[Callable[[], object]] = []  # told of each event, in the thread that received it

    @property
    def events(self) -> tuple[Event, ...]:
        """The events in the inbox, oldest first."""
        return tuple(received.event for received in self)

    @property
    def refused(self) -> tuple[Rejected, ...]:
        """The refused requests, oldest first."""
        with self._changed:
            return tuple(self._refused)

    @property
    def forgotten(self) -> int:
        """The number of events dropped to make room for newer ones."""
        with self._changed:
            return self._count - len(self._kept)

    def wait(self, count: int = 1, timeout: float | None = 10) -> tuple[Event, ...]:
        """Wait until a number of events has been received, and return all in the inbox, oldest first.

        Args:
            count: the number of events since the inbox was created.
            timeout: seconds to wait at most; ``None`` waits forever.

        Raises:
            TimeoutError: fewer events were received; says how many, and what was refused.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._count >= count, timeout):
                raise TimeoutError(self._describe_timeout(count, timeout))
        return self.events

    async def wait_async(self, count: int = 1, timeout: float | None = 10) -> tuple[Event, ...]:
        """Wait like `wait` without blocking the event loop, and return all events in the inbox.

        Args:
            count: the number of events since the inbox was created.
            timeout: seconds to wait at most; ``None`` waits forever.

        Raises:
            TimeoutError: fewer events were received; says how many, and what was refused.
        """
        changed = asyncio.Event()
        notify = partial(asyncio.get_running_loop().call_soon_threadsafe, changed.set)
        with self._changed:
            self._listeners.append(notify)
        try:
            async with asyncio.timeout(timeout):
                while self._count < count:
                    await changed.wait()
                    changed.clear()
        except TimeoutError:
            raise TimeoutError(self._describe_timeout(count, timeout)) from None
        finally:
            with self._changed:
                self._listeners.remove(notify)
        return self.events

    def records(self, kind: str = "events") -> list[Mapping[str, Any]]:
        """Return the events as plain records for `svckit.frames.events`.

        Args:
            kind: ``events``, the only kind that an inbox has.

        Raises:
            ValueError: the kind is not ``events``.
        """
        if kind != "events":
            raise ValueError(f"an inbox holds records of the kind 'events' only; given {kind!r}")
        return [received.record() for received in self]

    def frame(self) -> "pd.DataFrame":
        """Return the events as a frame with one row for each, as `svckit.frames.events` does."""
        from svckit import frames

        return frames.events(self)

    def _keep(self, bot_id: str | None, event: Event, body: bytes) -> None:
        with self._changed:
            self._count += 1
            self._kept.append(Received(self._count, bot_id, event, body))
            self._changed.notify_all()
            for notify in self._listeners:
                notify()

    def _reject(self, status: int, reason: str) -> int:
        with self._changed:
            self._refused.append(Rejected(status, reason))
        return status

    def _describe_timeout(self, count: int, timeout: float | None) -> str:
        summary = f"received {self._count} of {count} events within {timeout:g} seconds"
        refused = self.refused
        if not refused:
            return summary
        return f"{summary}; {len(refused)} refused, the last with {refused[-1].status}: {refused[-1].reason}"

    def __iter__(self) -> Iterator[Received]:
        with self._changed:
            return iter(tuple(self._kept))

    def __len__(self) -> int:
        return len(self._kept)

    def _render(self) -> tuple[str, str]:
        rows = []
        for received in list(self)[-SHOWN:]:
            record = received.record()
            source, content = record.get("source", {}), record.get("content", {})
            kind = content.get("type", record["type"])
            row = (received.number, received.bot_id, source.get("userId"), kind)
            rows.append(["" if cell is None else str(cell) for cell in row])
        title = f"{type(self).__name__}: {self._count} received, {len(self.refused)} refused"
        return render_table(title, ("number", "bot", "user", "type"), rows)

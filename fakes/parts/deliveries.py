"""The delivery log: what became of each event."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from pydantic_core import from_json

from fakes.parts.changes import ChangeLog, Log
from fakes.persistence import Instant
from svckit.display.card import quantity, render_table
from svckit.models.times import format_event_time

__all__ = ["Deliveries", "Delivery", "Outcome"]

CAPACITY = 10_000

Outcome = Literal["delivered", "rejected", "failed", "timed-out", "not-sent"]
"""``rejected``: answered otherwise than as success; ``failed``: no answer; ``not-sent``: no request was made."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Delivery:
    """One attempt to deliver an event; there is never a second.

    Attributes:
        bot_id: the bot written to.
        at: when the event was made.
        outcome: what became of it, in a word.
        status: the HTTP status the receiver answered, None where there was no answer.
        error: why it was not delivered, in a sentence; None where it was.
        latency: seconds from the event to the answer, by the fake's clock: 0 where that stands.
        headers, body: exactly what was sent, or would have been; the signature covers ``body`` byte for byte.
        assumed: the ids of the assumptions it rests on.
        injected: what a fault did to it, in words; None where nothing was injected.
    """

    bot_id: str
    at: Instant
    outcome: Outcome
    status: int | None
    error: str | None
    latency: float
    headers: dict[str, str]
    body: bytes
    assumed: tuple[str, ...]
    injected: str | None = None

    @property
    def delivered(self) -> bool:
        """Whether the receiver answered as success."""
        return self.outcome == "delivered"

    @property
    def event(self) -> dict[str, Any]:
        """The event, as in the body."""
        return dict(from_json(self.body))

    @property
    def type(self) -> str:
        """The type of the message, or of an event that is none."""
        event = self.event
        return str(event.get("content", event)["type"])

    def record(self) -> dict[str, object]:
        """The delivery as plain JSON-ready data: what a frame shows."""
        event = self.event
        return {
            "at": format_event_time(self.at),
            "botId": self.bot_id,
            "userId": event["source"]["userId"],
            "channelId": event["source"].get("channelId"),
            "type": self.type,
            "outcome": self.outcome,
            "status": self.status,
            "error": self.error,
            "latency": self.latency,
            "assumed": list(self.assumed),
            "injected": self.injected,
        }

    def __repr__(self) -> str:
        event = self.event
        became = self.outcome if self.error is None else f"{self.outcome}: {self.error}"
        return f"<Delivery: {self.type} of {event['source']['userId']} to {self.bot_id}, {became}>"


class Deliveries:
    """The latest deliveries, newest last: a ring of 10,000."""

    def __init__(self, capacity: int = CAPACITY, *, changes: ChangeLog | None = None) -> None:
        self._kept: Log[Delivery] = Log(changes, "callbacks.deliveries", capacity)

    def append(self, delivery: Delivery) -> None:
        """Log a delivery."""
        self._kept.append(delivery)

    def clear(self) -> None:
        """Forget all."""
        self._kept.clear()

    def dump(self) -> Mapping[int, Delivery]:
        """The log as a snapshot has it, shared."""
        return self._kept

    def load(self, deliveries: Mapping[int, Delivery]) -> None:
        """Replace the log by a saved one."""
        self._kept.replace(deliveries)

    def events(self) -> Iterator[dict[str, Any]]:
        """The events as plain data, oldest first: what a frame of events shows."""
        for number, delivery in enumerate(self, 1):
            yield {
                "number": number,
                "botId": delivery.bot_id,
                **delivery.event,
                "json": delivery.body.decode(),
            }

    def __iter__(self) -> Iterator[Delivery]:
        return iter(tuple(self._kept.values()))

    def __len__(self) -> int:
        return len(self._kept)

    def __getitem__(self, index: int) -> Delivery:
        return self._kept.at(index)

    def __repr__(self) -> str:
        return "\n".join([f"<Deliveries: {self._title(20)}>", *(f"  {each!r}" for each in self.latest())])

    def _repr_html_(self) -> str:
        names = ("at", "botId", "userId", "type", "outcome", "status", "error")
        records = [delivery.record() for delivery in self.latest()]
        rows = [["" if record[name] is None else str(record[name]) for name in names] for record in records]
        return render_table(f"Deliveries: {self._title(20)}", names, list(rows))[0]

    def latest(self, count: int = 20) -> list[Delivery]:
        """The newest, oldest of them first."""
        return list(islice(reversed(self._kept.values()), count))[::-1]

    def _title(self, shown: int) -> str:
        title = quantity(len(self), "delivery", "deliveries")
        return f"{title}, the latest {shown} shown" if len(self) > shown else title

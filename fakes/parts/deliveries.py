"""The deliveries of events: the attempt at each, and the log of their outcomes."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from time import monotonic
from typing import Any, Literal, NamedTuple

from pydantic_core import from_json

from fakes.parts.changes import ChangeLog, Log
from fakes.parts.events import SignedEvent
from fakes.parts.receivers import CallbackReceiver, TimedOut, call_receiver
from fakes.persistence import Instant
from svckit.display.card import quantity, render_table
from svckit.display.masking import mask
from svckit.models.times import format_event_time

__all__ = ["AttemptResult", "Deliveries", "Delivery", "attempt"]

CAPACITY = 10_000

Outcome = Literal["delivered", "rejected", "failed", "timed-out", "not-sent"]
"""``rejected``: the response was not a success; ``failed``: no response; ``not-sent``: no request was made."""

UNCONNECTED = (
    "the bot has no receiver; connect one with fake.callbacks.connect, "
    "or for a served fake with the admin call PUT /bots/{botId}/callback"
)


class AttemptResult(NamedTuple):
    """The result of an attempt.

    Attributes:
        outcome, status, error: as in a `Delivery`.
        late: whether the time limit was reached, so that it mattered whether there is one.
        raised: the receiver's exception, if it is raised to the sender.
    """

    outcome: Outcome
    status: int | None
    error: str | None
    late: bool = False
    raised: BaseException | None = None


def attempt(
    receiver: CallbackReceiver | None, signed: SignedEvent, seconds: float, limited: bool
) -> AttemptResult:
    """Deliver an event to a receiver, within a number of seconds if limited."""
    if receiver is None:
        return AttemptResult("not-sent", None, UNCONNECTED)
    began = monotonic()
    try:
        status = call_receiver(receiver, signed.headers, signed.body, seconds if limited else None)
    except TimedOut:
        limit = f"within {seconds:g} seconds" if limited else "in time"
        return AttemptResult("timed-out", None, f"the receiver did not respond {limit}", limited)
    except BaseException as failed:  # noqa: BLE001 - logged as a failed delivery, whatever it is
        from asyncio import CancelledError  # slow to import

        own = isinstance(failed, Exception | CancelledError | GeneratorExit | SystemExit)
        raised = None if own else failed  # such as Ctrl-C and pytest.fail: raised to the sender
        return AttemptResult(
            "failed", None, f"the receiver failed: {describe_exception(failed)}", raised=raised
        )
    return AttemptResult("delivered", status, None, late=not limited and monotonic() - began > seconds)


def describe_exception(failed: BaseException) -> str:
    """Return an exception's type and its message, if that can be read."""
    name = type(failed).__name__
    try:
        text = mask(f"{name}: {failed}")
    except BaseException:  # noqa: BLE001 - a receiver's own exception may do anything
        return name
    return text.encode("utf-8", "backslashreplace").decode()  # half a surrogate pair cannot be saved


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Delivery:
    """The only attempt to deliver an event.

    Attributes:
        bot_id: the bot.
        at: the time of the event.
        outcome: the outcome, in a word.
        status: the HTTP status of the receiver's response; None without a response.
        error: why it was not delivered, in a sentence; None if it was.
        latency: the seconds from the event to the response, by the fake's clock: 0 if that stands still.
        headers, body: exactly what was sent, or would have been; the signature covers ``body`` byte for byte.
        assumed: the IDs of the assumptions it rests on.
        injected: the effect of a fault, in words; None without a fault.
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
        """True if the receiver responded with success."""
        return self.outcome == "delivered"

    @property
    def event(self) -> dict[str, Any]:
        """The event in the body."""
        return dict(from_json(self.body))

    @property
    def type(self) -> str:
        """The type of the message, or of another event."""
        event = self.event
        return str(event.get("content", event)["type"])

    def record(self) -> dict[str, object]:
        """Return the delivery as JSON-ready data, as frames show it."""
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
        outcome = self.outcome if self.error is None else f"{self.outcome}: {self.error}"
        return f"<Delivery: {self.type} of {event['source']['userId']} to {self.bot_id}, {outcome}>"


class Deliveries:
    """The latest deliveries, newest last: a ring of 10,000."""

    def __init__(self, capacity: int = CAPACITY, *, changes: ChangeLog | None = None) -> None:
        self.kept: Log[Delivery] = Log(changes, "callbacks.deliveries", capacity)  # for snapshots

    def append(self, delivery: Delivery) -> None:
        """Add a delivery."""
        self.kept.append(delivery)

    def clear(self) -> None:
        """Forget all deliveries."""
        self.kept.clear()

    def events(self) -> Iterator[dict[str, Any]]:
        """Yield the events as data, oldest first, as the event frame shows them."""
        for number, delivery in enumerate(self, 1):
            yield {
                "number": number,
                "botId": delivery.bot_id,
                **delivery.event,
                "json": delivery.body.decode(),
            }

    def __iter__(self) -> Iterator[Delivery]:
        return iter(tuple(self.kept.values()))

    def __len__(self) -> int:
        return len(self.kept)

    def __getitem__(self, index: int) -> Delivery:
        return self.kept.at(index)

    def __repr__(self) -> str:
        return "\n".join(
            [f"<Deliveries: {self._make_title(20)}>", *(f"  {delivery!r}" for delivery in self.latest())]
        )

    def _repr_html_(self) -> str:
        names = ("at", "botId", "userId", "type", "outcome", "status", "error")
        records = [delivery.record() for delivery in self.latest()]
        rows = [["" if record[name] is None else str(record[name]) for name in names] for record in records]
        return render_table(f"Deliveries: {self._make_title(20)}", names, list(rows))[0]

    def latest(self, count: int = 20) -> list[Delivery]:
        """Return the latest deliveries, oldest first."""
        return list(islice(reversed(self.kept.values()), count))[::-1]

    def _make_title(self, count: int) -> str:
        title = quantity(len(self), "delivery", "deliveries")
        return f"{title}, the latest {count} shown" if len(self) > count else title

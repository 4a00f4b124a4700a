"""Views of the events that a session's receivers received and refused, newest first."""

from collections.abc import Iterable
from typing import Any

from svckit.display.masking import mask
from svckit.events import Receiver
from svckit.events.inbox import Received
from svckit.models.event import MessageEvent

__all__ = ["build_receiver_views", "summarize"]

SHOWN = 20
LONGEST = 120


def build_receiver_views(receivers: Iterable[Receiver]) -> list[dict[str, Any]]:
    """Return each receiver with the events it received and the requests it refused.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> app = Receiver(fake.facts["bot_secret"])
        >>> fake.callbacks.connect("bot-1", app)
        >>> delivery = fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "hello"})
        >>> (view,) = build_receiver_views([app])
        >>> view["events"]
        [{'number': 1, 'bot': 'bot-1', 'user': 'u-001', 'message': 'text: hello'}]
    """
    return [
        {
            "name": f"Receiver {number}",
            "count": f"{receiver.forgotten + len(receiver)} received, {len(receiver.refused)} refused",
            "events": [_build_event(event) for event in reversed(list(receiver)[-SHOWN:])],
            "refused": [
                {"status": request.status, "reason": mask(request.reason)}
                for request in reversed(receiver.refused[-SHOWN:])
            ],
        }
        for number, receiver in enumerate(receivers, 1)
    ]


def summarize(content: dict[str, Any]) -> str:
    """Return a message in one line: its type and values."""
    values = ", ".join(str(value) for name, value in content.items() if name != "type")
    line = mask(f"{content.get('type')}: {values}" if values else str(content.get("type")))
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def _build_event(received: Received) -> dict[str, Any]:
    event = received.event
    user, words = "", f"an event of type {event.type}"
    if isinstance(event, MessageEvent):
        user, words = event.source.user_id, summarize(event.content.to_wire())
    return {"number": received.number, "bot": received.bot_id or "", "user": user, "message": words}

"""Views of events: of those that a fake's bots sent, and of those that a session's receivers got."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from svckit.display.masking import mask
from svckit.events import Receiver
from svckit.events.inbox import Received
from svckit.models.event import MessageEvent
from svckit.models.secret import Secret
from svckit.profiles.profiles import Profile
from svckit.widgets.base.instants import format_instant
from svckit.widgets.explorers.signature_check import Callback, check_signature

__all__ = [
    "NO_RECEIVER",
    "build_callback_detail",
    "build_delivery_detail",
    "build_delivery_row",
    "build_receiver_views",
    "describe_target",
]

SHOWN = 20
LONGEST = 120

NO_RECEIVER = "the bot has no receiver: press “Receive them here”, or enter a URL, and write again"


def build_delivery_row(number: int, delivery: Any, now: datetime, *, selected: bool) -> dict[str, Any]:
    """Return a row of the delivery log.

    Args:
        number: its number among the deliveries kept.
        delivery: a ``fakes.parts.deliveries.Delivery``.
        now: an instant in the offset to show.
        selected: whether its details are shown.
    """
    event = delivery.event
    outcome = delivery.outcome if delivery.status is None else f"{delivery.outcome} ({delivery.status})"
    issued = format_instant(datetime.fromisoformat(event["issuedTime"]), now) if "issuedTime" in event else ""
    cells = [
        number,
        outcome if delivery.delivered else f"✗ {outcome}",
        _explain_failure(delivery),
        summarize(event.get("content", {"type": event["type"]})),
        event["source"]["userId"],
        event["source"].get("channelId") or "one-to-one",
        {"at": issued} if issued else "",
    ]
    return {"key": number, "cells": cells, "selected": selected}


def build_delivery_detail(
    number: int | None, delivery: Any, fake: Any, profile: Profile, *, change: bool
) -> dict[str, Any]:
    """Return the details of a delivery: request, signature check, outcome, and the assumptions behind it.

    Args:
        number: its number among the deliveries kept.
        delivery: a ``fakes.parts.deliveries.Delivery``.
        fake: the fake that sent it.
        profile: the profile with the header word and the signature algorithm.
        change: whether to change a byte of the body before the signature is checked.
    """
    rules = [fake.rules[rule_id] for rule_id in delivery.assumed]
    detail = build_callback_detail(
        f"Delivery {number} to {delivery.bot_id}: {delivery.outcome}",
        Callback(delivery.headers, delivery.body),
        Secret(fake.callbacks.bot(delivery.bot_id).secret),
        profile,
        change=change,
    )
    return detail | {
        "reason": mask("; ".join(filter(None, (_explain_failure(delivery), delivery.injected)))),
        "rules": [{"id": rule.id, "chosen": rule.chosen, "text": rule.text} for rule in rules],
    }


def build_callback_detail(
    title: str, callback: Callback, secret: Secret, profile: Profile, *, change: bool
) -> dict[str, Any]:
    """Return the details of a callback, with its signature check."""
    headers = [f"{name}: {value}" for name, value in callback.headers.items()]
    return {
        "title": title,
        "reason": "",
        "rules": [],
        "headers": mask("\n".join(headers)),
        "check": check_signature(callback, secret, profile, change=change),
    }


def describe_target(receiver: Any) -> str:
    """Return the destination of a bot's callbacks in words."""
    if receiver is None:
        return "nowhere: the bot has no receiver"
    return "a receiver here" if isinstance(receiver, Receiver) else mask(repr(receiver).strip("<>"))


def _explain_failure(delivery: Any) -> str:
    """Return why it was not delivered and what to do; empty if it was."""
    if delivery.outcome == "not-sent" and delivery.injected is None:
        return NO_RECEIVER
    return mask(delivery.error or "")


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

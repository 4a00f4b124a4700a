"""What became of the events of a fake's bots, as a view shows it."""

from typing import Any

from svckit.events import Receiver
from svckit.models.secret import mask
from svckit.widgets.received import said

__all__ = ["delivery_row", "target_in_words", "why"]

NO_RECEIVER = "the bot has no receiver: press “Receive them here”, or give an address, and write again"


def delivery_row(number: int, delivery: Any, *, selected: bool) -> dict[str, Any]:
    """A line of the delivery log.

    Args:
        number: its number among those that are kept.
        delivery: a ``fakes.parts.deliveries.Delivery``.
        selected: whether it is the one that is shown whole.
    """
    event = delivery.event
    return {
        "number": number,
        "at": str(event.get("issuedTime", "")),
        "user": event["source"]["userId"],
        "room": event["source"].get("channelId") or "one-to-one",
        "said": said(event.get("content", {"type": event["type"]})),
        "outcome": delivery.outcome if delivery.status is None else f"{delivery.outcome} ({delivery.status})",
        "error": why(delivery),
        "failed": not delivery.delivered,
        "selected": selected,
    }


def why(delivery: Any) -> str:
    """Why it was not delivered, and what to press then; empty where it was."""
    if delivery.outcome == "not-sent" and delivery.injected is None:
        return NO_RECEIVER
    return mask(delivery.error or "")


def target_in_words(receiver: Any) -> str:
    """Where a bot's callbacks go."""
    if receiver is None:
        return "nowhere: the bot has no receiver"
    return "a receiver here" if isinstance(receiver, Receiver) else mask(repr(receiver).strip("<>"))

"""What became of the events of a fake's bots, as a view shows it."""

from collections.abc import Iterable, Mapping
from typing import Any

from svckit.display.masking import mask
from svckit.events import Receiver
from svckit.models.secret import Secret
from svckit.profiles.profiles import Profile
from svckit.widgets.base import plain
from svckit.widgets.explorers.received import summarize
from svckit.widgets.explorers.signature_check import Callback, check_signature

__all__ = [
    "NO_RECEIVER",
    "callback_detail",
    "delivery_detail",
    "delivery_lines",
    "delivery_row",
    "target_in_words",
]

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
        "said": summarize(event.get("content", {"type": event["type"]})),
        "outcome": delivery.outcome if delivery.status is None else f"{delivery.outcome} ({delivery.status})",
        "error": _why(delivery),
        "failed": not delivery.delivered,
        "selected": selected,
    }


def delivery_lines(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """The delivery log as text."""
    table = [("", "no.", "member", "room", "message", "outcome")]
    for row in rows:
        mark = ">" if row["selected"] else ""
        table.append((mark, str(row["number"]), row["user"], row["room"], row["said"], row["outcome"]))
    return plain.columns(table, widest=48)


def delivery_detail(
    number: int | None, delivery: Any, fake: Any, profile: Profile, *, change: bool
) -> dict[str, Any]:
    """A delivery whole: what was sent, whether the signature fits it, what became of it, and on what that rests.

    Args:
        number: its number among those that are kept.
        delivery: a ``fakes.parts.deliveries.Delivery``.
        fake: the fake that made it.
        profile: whose header word and signature count.
        change: whether to change a byte of the body before the signature is checked.
    """
    rules = [fake.rules[rule_id] for rule_id in delivery.assumed]
    whole = callback_detail(
        f"Delivery {number} to {delivery.bot_id}: {delivery.outcome}",
        Callback(delivery.headers, delivery.body),
        Secret(fake.callbacks.bot(delivery.bot_id).secret),
        profile,
        change=change,
    )
    return whole | {
        "told": mask("; ".join(filter(None, (_why(delivery), delivery.injected)))),
        "rules": [{"id": rule.id, "chosen": rule.chosen, "text": rule.text} for rule in rules],
    }


def callback_detail(
    title: str, callback: Callback, secret: Secret, profile: Profile, *, change: bool
) -> dict[str, Any]:
    """A callback whole, and whether its signature fits."""
    headers = [f"{name}: {value}" for name, value in callback.headers.items()]
    return {
        "title": title,
        "told": "",
        "rules": [],
        "headers": mask("\n".join(headers)),
        "check": check_signature(
            callback, secret, profile.header_word, signature=profile.signature, change=change
        ),
    }


def target_in_words(receiver: Any) -> str:
    """Where a bot's callbacks go."""
    if receiver is None:
        return "nowhere: the bot has no receiver"
    return "a receiver here" if isinstance(receiver, Receiver) else mask(repr(receiver).strip("<>"))


def _why(delivery: Any) -> str:
    """Why it was not delivered, and what to press then; empty where it was."""
    if delivery.outcome == "not-sent" and delivery.injected is None:
        return NO_RECEIVER
    return mask(delivery.error or "")

"""The rooms, bots, stubs and deviations of a fake as data of their views."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from svckit.display.card import quantity
from svckit.widgets.explorers.delivery_views import describe_target
from svckit.widgets.explorers.fake.rules_view import build_rule

__all__ = ["build_parts", "describe_snapshot", "is_editable"]

LATEST: Final = 3  # messages of each room and bot


def build_parts(fake: Any) -> dict[str, Any]:
    """Return the webhooks, rooms, bots, stubs and deviations of a fake; no secrets.

    Examples:
        >>> from fakes import FakeService
        >>> view = build_parts(FakeService.sample(now="2026-06-01T09:00:00+09:00"))
        >>> view["webhooks"], view["bots"]
        ([('Notices', 'channel-1')], [('bot-1', 'nowhere: the bot has no receiver')])
    """
    return {
        "webhooks": [(webhook.title, webhook.channel_id) for webhook in fake.webhooks.all()],
        "rooms": [
            _build_latest(
                room, fake.webhooks.messages(room), lambda message: f"{message.title}: {message.text}"
            )
            for room in fake.webhooks.rooms()
        ],
        "bots": [(bot.bot_id, describe_target(bot.receiver)) for bot in fake.callbacks.bots.values()],
        "sent": [_build_latest(bot, fake.bots.sent(bot), _describe_sent) for bot in fake.callbacks.bots],
        "stubs": [
            {
                "stub": stub.name,
                "used": f"{stub.to_wire()['status']}, used {quantity(stub.used, 'time')}",
                "editable": is_editable(stub),
            }
            for stub in fake.stubs
        ],
        "deviations": [build_rule(fake, deviation.id, deviation=True) for deviation in fake.rules.deviations],
    }


def is_editable(stub: Any) -> bool:
    """Return whether a form can show a stub: one with a single response, which no function makes."""
    return not (stub.has_function or stub.to_wire()["then"])


def describe_snapshot(snapshot: Any) -> str:
    """Return what is in a snapshot in words, without its data, which are secret.

    Examples:
        >>> from fakes import FakeService
        >>> describe_snapshot(FakeService.sample(users=3, now="2026-06-01T09:00:00+09:00").snapshot())
        '3 users, 1 file, clock 2026-06-01T09:00:00+09:00'
    """
    return repr(snapshot).strip("<>").partition(": ")[2]


def _build_latest(name: str, messages: Sequence[Any], describe: Callable[[Any], str]) -> dict[str, Any]:
    """Return the latest messages of a room or a bot, each with its words."""
    latest = [
        (message.sent_at.isoformat(timespec="seconds"), describe(message)) for message in messages[-LATEST:]
    ]
    return {"of": name, "count": len(messages), "latest": latest}


def _describe_sent(message: Any) -> str:
    content = message.content
    text = content["text"] if content["type"] == "text" else content["type"]
    return f"to {message.user_id or message.channel_id}: {text}"

"""The rooms, bots, stubs and deviations of a fake as data of their views."""

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
        "rooms": [_build_room(fake, room) for room in fake.webhooks.rooms()],
        "bots": [(bot.bot_id, describe_target(bot.receiver)) for bot in fake.callbacks.bots.values()],
        "sent": [
            {"bot": name, "messages": [_describe_sent(message) for message in sent[-LATEST:]]}
            for name in fake.callbacks.bots
            if (sent := fake.bots.sent(name))
        ],
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


def _build_room(fake: Any, room: str) -> dict[str, Any]:
    messages = fake.webhooks.messages(room)
    return {
        "room": room,
        "count": len(messages),
        "latest": [
            {
                "at": message.sent_at.isoformat(timespec="seconds"),
                "title": message.title,
                "text": message.text,
            }
            for message in messages[-LATEST:]
        ],
    }


def _describe_sent(message: Any) -> dict[str, Any]:
    content = message.content
    return {
        "at": message.sent_at.isoformat(timespec="seconds"),
        "to": message.user_id or message.channel_id,
        "text": content["text"] if content["type"] == "text" else content["type"],
    }

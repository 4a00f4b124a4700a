"""The users, rooms, bots, stubs and deviations of a fake as data of their views, and users to add."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from svckit.display.card import quantity
from svckit.models.user_parts import STATES, display_name, find_state
from svckit.widgets.explorers.delivery_views import describe_target
from svckit.widgets.explorers.fake.rules_view import build_rule

__all__ = ["build_parts", "build_users", "describe_snapshot", "is_editable", "make_user"]

COUNTED: Final = 1_000  # of very many users, the first
LISTED: Final = 20

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


def build_users(fake: Any, shown: str) -> dict[str, Any]:
    """Return the number of users in each state, and the first of those in one state, or of all.

    Examples:
        >>> from fakes import FakeService
        >>> view = build_users(FakeService.sample(now="2026-06-01T09:00:00+09:00"), "suspended")
        >>> view["counted"], [row["key"] for row in view["users"]]
        ('20 users: 19 active, 1 suspended', ['u-017'])
    """
    users = list(islice(fake.records("users"), COUNTED))
    states = [find_state(user) for user in users]
    counts, total = Counter(states), len(fake.directory)
    listed = [pair for pair in zip(users, states, strict=True) if shown in ("", pair[1])]
    of = f"; of the first {COUNTED:,}" if total > COUNTED else ""
    numbers = ", ".join(f"{counts[state]} {state}" for state in STATES if counts[state])
    return {
        "counted": f"{quantity(total, 'user')}{of}: {numbers}",
        "states": [(state, state) for state in STATES],
        "users": [_build_row(*pair) for pair in listed[:LISTED]],
        "further": max(0, len(listed) - LISTED),
    }


def make_user(fake: Any, state: str, *, user_id: str = "", email: str = "", name: str = "") -> dict[str, Any]:
    """Return the record of a new user in a state, with a free ID and an e-mail address unless they are given.

    Examples:
        >>> from fakes import FakeService
        >>> make_user(FakeService.sample(now="2026-06-01T09:00:00+09:00"), "pending", name="Sato Mina")
        {'userId': 'new-1', 'email': 'new-1@example.com', 'userName': {'lastName': 'Sato', 'firstName': 'Mina'},
         'isPending': True}
    """
    if not user_id:
        numbered = (f"new-{number}" for number in range(1, len(fake.directory) + 2))
        user_id = next(free for free in numbered if free not in fake.directory)
    last, _, first = (name.strip() or user_id).partition(" ")
    return {
        "userId": user_id,
        "email": email or f"{user_id}@example.com",
        "userName": {"lastName": last, "firstName": first or None},
        **STATES[state],
    }


def _build_row(user: Mapping[str, Any], state: str) -> dict[str, Any]:
    cells = user["userId"], state, display_name(user) or "", user["email"]
    return {"key": user["userId"], "cells": cells, "selected": False}

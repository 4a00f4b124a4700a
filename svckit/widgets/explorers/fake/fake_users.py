"""Users of a fake by their state, and new ones in any state."""

from collections import Counter
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from svckit.display.card import quantity
from svckit.models.user_parts import STATES, display_name, find_state

__all__ = ["build_users", "make_user"]

COUNTED: Final = 1_000  # of very many users, the first
LISTED: Final = 20


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

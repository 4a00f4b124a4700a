"""Invitations to a class without a hub: a link for each learner, with the key of their own world."""

import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from fakes import Refusal
from fakes.doors.remote_calls import AdminCaller
from svckit.profiles.environment import SECRETS
from svckit.profiles.keys import KEYS
from svckit.sign_in.prompt import ask, is_somebody_there

__all__ = ["accept", "ask_for_link", "invite"]

PROFILE = "SVCKIT_CLASS_"
LINK = "SVCKIT_INVITATION"


def invite(call: AdminCaller, name: str) -> str:
    """Create the world of a learner, or find it again, and return the link that has its admin URL and key.

    Args:
        call: makes the admin calls of the server of the worlds.
        name: the learner's name, which is that of the world.

    Raises:
        ValueError: a world cannot have this name, there are too many, or the server does not respond.
    """
    path = f"/worlds/{quote(name, safe='')}"
    try:
        facts = call("POST", path, {})
    except Refusal:  # from an earlier day
        facts = call("GET", path)
    except OSError as error:
        raise ValueError(str(error)) from None
    return f"{facts['admin_url']}#{name}:{facts['admin_key']}"


def ask_for_link() -> str:
    """Return the link from the environment variable SVCKIT_INVITATION, or ask for it.

    Raises:
        ValueError: there is nobody to ask.
        SignInStopped: nothing was typed.
    """
    if not (os.environ.get(LINK) or is_somebody_there()):
        raise ValueError(
            f"set {LINK} to the link from your trainer, or run this in a terminal, which asks for it"
        )
    return os.environ.pop(LINK, "") or ask("The link from your trainer, which is not shown: ").reveal()


def accept(link: str) -> dict[str, str]:
    """Return the variables of a process of the learner who got a link: who it is, and the profile of their world.

    Raises:
        ValueError: it is not such a link, or its world does not respond.
    """
    url, _, secret = link.partition("#")
    name, _, key = secret.partition(":")
    try:
        facts = AdminCaller(url, key)("GET", "/facts")
    except (Refusal, OSError, ValueError) as error:
        raise ValueError(
            f"the link does not lead to a class; ask your trainer for it again ({error})"
        ) from None
    return {"SVCKIT_LEARNER": name, "SVCKIT_PROFILE": "class"} | describe_profile(facts)


def describe_profile(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return the variables of the profile ``class`` from the facts of a world."""
    known = {name: facts[name] for name in (*KEYS, *SECRETS) if isinstance(facts.get(name), str)}
    known |= {
        "fake": "true",
        "scopes": "user,file",
        "webhooks": "alerts",
        "webhook_alerts": facts["webhooks"][0],
    }
    return {PROFILE + name.upper(): value for name, value in known.items()}

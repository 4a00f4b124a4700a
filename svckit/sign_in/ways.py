"""Which way a person signs in here."""

import os
import sys
from collections.abc import Mapping
from typing import Literal, TypeAlias

from svckit.operations.authorization import Visitor
from svckit.profiles.profiles import Profile
from svckit.sign_in.browser import BrowserVisitor
from svckit.sign_in.listener import Endpoint
from svckit.sign_in.paste import PasteVisitor

__all__ = ["Way", "choose", "visitor"]

Way: TypeAlias = Literal["browser", "paste", "form"]
"""With this machine's browser, with any browser and pasting, or by a program that fills in a fake's login form."""

HUBS = ("JUPYTERHUB_SERVICE_PREFIX", "JUPYTERHUB_USER", "BINDER_SERVICE_HOST", "BINDER_LAUNCH_HOST")
SSH = ("SSH_CONNECTION", "SSH_TTY")
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")


def choose(profile: Profile, variables: Mapping[str, str] | None = None, platform: str = sys.platform) -> Way:
    """The way that works here: ``browser`` where its redirect can reach this machine, else ``paste``.

    It cannot reach it on Binder or a JupyterHub, over SSH, without a screen, or where the redirect address is not
    a loopback address. A browser named by ``BROWSER`` counts as a screen, also over SSH.

    Args:
        profile: whose redirect address counts.
        variables: environment variables; left out, those of this process.
        platform: as in ``sys.platform``.

    Examples:
        >>> profile = Profile(name="work", base_url="https://api.example.com", auth_url="https://auth.example.com",
        ...     upload_url="https://files.example.com", webhook_url="https://hooks.example.com",
        ...     client_id="client-1", redirect_uri="http://127.0.0.1:8731/callback", scopes=("user",))
        >>> choose(profile, {"DISPLAY": ":0"}, "linux"), choose(profile, {}, "linux"), choose(profile, {}, "darwin")
        ('browser', 'paste', 'browser')
    """
    given = os.environ if variables is None else variables
    if Endpoint.of(profile.redirect_uri) is None or any(given.get(name) for name in HUBS):
        return "paste"
    if given.get("BROWSER"):
        return "browser"
    if any(given.get(name) for name in SSH):
        return "paste"
    has_screen = platform in ("darwin", "win32") or any(given.get(name) for name in SCREENS)
    return "browser" if has_screen else "paste"


def visitor(way: Way, *, timeout: float | None = None) -> Visitor | None:
    """Who has a person sign in that way; nobody, for the form."""
    match way:
        case "browser":
            return BrowserVisitor() if timeout is None else BrowserVisitor(timeout=timeout)
        case "paste":
            return PasteVisitor()
        case "form":
            return None

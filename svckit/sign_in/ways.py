"""The ways to sign in, and the choice between them."""

import os
import sys
from collections.abc import Mapping
from typing import Literal, TypeAlias

from svckit.operations.authorization import Visitor
from svckit.profiles.profiles import Profile
from svckit.sign_in.browser import BrowserVisitor
from svckit.sign_in.listener import Endpoint
from svckit.sign_in.paste import PasteVisitor

__all__ = ["Way", "choose", "make_visitor"]

Way: TypeAlias = Literal["browser", "paste", "form"]
"""This machine's browser, any browser and pasting, or a program that fills in a fake's login form."""

HUBS = ("JUPYTERHUB_SERVICE_PREFIX", "JUPYTERHUB_USER", "BINDER_SERVICE_HOST", "BINDER_LAUNCH_HOST")
SSH = ("SSH_CONNECTION", "SSH_TTY")
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")


def choose(profile: Profile, variables: Mapping[str, str] | None = None, platform: str = sys.platform) -> Way:
    """Choose the way that works here: ``browser`` if its redirect can reach this machine, else ``paste``.

    The redirect cannot reach this machine on Binder or a JupyterHub, over SSH, without a screen, or if the redirect URL
    is not a loopback address. A browser named by ``BROWSER`` counts as a screen, also over SSH.

    Args:
        profile: the profile with the redirect URL.
        variables: environment variables; if omitted, those of this process.
        platform: the platform, as in ``sys.platform``.

    Examples:
        >>> profile = Profile(name="work", base_url="https://api.example.com", auth_url="https://auth.example.com",
        ...     upload_url="https://files.example.com", webhook_url="https://hooks.example.com",
        ...     client_id="client-1", redirect_uri="http://127.0.0.1:8731/callback", scopes=("user",))
        >>> choose(profile, {"DISPLAY": ":0"}, "linux"), choose(profile, {}, "linux"), choose(profile, {}, "darwin")
        ('browser', 'paste', 'browser')
    """
    environment = os.environ if variables is None else variables
    if Endpoint.of(profile.redirect_uri) is None or any(environment.get(name) for name in HUBS):
        return "paste"
    if environment.get("BROWSER"):
        return "browser"
    if any(environment.get(name) for name in SSH):
        return "paste"
    has_screen = platform in ("darwin", "win32") or any(environment.get(name) for name in SCREENS)
    return "browser" if has_screen else "paste"


def make_visitor(way: Way, *, timeout: float | None = None) -> Visitor | None:
    """Return the visitor for a way to sign in; ``None`` for the form."""
    match way:
        case "browser":
            return BrowserVisitor() if timeout is None else BrowserVisitor(timeout=timeout)
        case "paste":
            return PasteVisitor()
        case "form":
            return None

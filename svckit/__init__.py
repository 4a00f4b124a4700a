"""A Jupyter toolkit for a workplace-chat service.

    import svckit
    svc = svckit.connect()            # signed in to an in-process fake of the service
    svc.users.update("u-001", nick_name="Mina")

Everything loads on first use: importing this package imports neither pandas nor ipywidgets nor httpx.
"""

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from svckit import course, events, frames, lifecycle, models, operations, places, plots, widgets
    from svckit.errors import (
        Cancelled,
        Conflict,
        ForeignOrigin,
        InvalidInput,
        NotFound,
        RateLimited,
        Refused,
        Retired,
        ServiceError,
        SignInStopped,
        Unauthorized,
        Unreachable,
        UnusableProfile,
    )
    from svckit.http.explain import explain
    from svckit.jupyter.expectation import expect
    from svckit.models.secret import Secret
    from svckit.profiles.credentials import Credentials
    from svckit.profiles.profiles import Profile
    from svckit.session.aio import AsyncSession
    from svckit.session.connect import connect, connect_async
    from svckit.session.session import Session
    from svckit.session.webhook import Webhook

__version__ = "0.1.0"

__all__ = [
    "AsyncSession",
    "Cancelled",
    "Conflict",
    "Credentials",
    "ForeignOrigin",
    "InvalidInput",
    "NotFound",
    "Profile",
    "RateLimited",
    "Refused",
    "Retired",
    "Secret",
    "ServiceError",
    "Session",
    "SignInStopped",
    "Unauthorized",
    "Unreachable",
    "UnusableProfile",
    "Webhook",
    "connect",
    "connect_async",
    "course",
    "events",
    "expect",
    "explain",
    "frames",
    "lifecycle",
    "models",
    "operations",
    "places",
    "plots",
    "widgets",
]

# The command of httpx, with all of rich, takes nearly half the time of importing httpx, and is not needed here.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]

_MODULES = ("course", "events", "frames", "lifecycle", "models", "operations", "places", "plots", "widgets")
_HOMES = {
    **dict.fromkeys(__all__, "svckit.errors"),
    **{name: f"svckit.{name}" for name in _MODULES},
    "AsyncSession": "svckit.session.aio",
    "Session": "svckit.session.session",
    "connect": "svckit.session.connect",
    "connect_async": "svckit.session.connect",
    "expect": "svckit.jupyter.expectation",
    "explain": "svckit.http.explain",
    "Credentials": "svckit.profiles.credentials",
    "Profile": "svckit.profiles.profiles",
    "Secret": "svckit.models.secret",
    "Webhook": "svckit.session.webhook",
}


def __getattr__(name: str) -> Any:
    from svckit.display.lazy_names import load_name

    return load_name(__name__, name, _HOMES)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])

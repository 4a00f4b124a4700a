"""The operations of the service, each written once: generators that yield requests and receive responses.

A session runs them, with or without ``await``. Their arguments are those of the session's methods:
``svc.users.update("u-001", task=None)`` runs ``users.update("u-001", task=None)``.
"""

from typing import Any

__all__ = ["auth", "custom", "files", "notifications", "users"]

_HOMES = {name: f"svckit.operations.{name}" for name in __all__}


def __getattr__(name: str) -> Any:
    from svckit.display.lazy_names import load_name

    return load_name(__name__, name, _HOMES)


def __dir__() -> list[str]:
    return __all__

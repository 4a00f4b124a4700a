"""The operations of the service, each written once: generators that yield requests and receive responses.

A session runs them, with or without ``await``. Their arguments are those of the session's methods:
``svc.users.update("u-001", task=None)`` runs ``users.update("u-001", task=None)``.
"""

from importlib import import_module
from types import ModuleType

__all__ = ["auth", "custom", "files", "notifications", "users"]


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        return import_module(f"svckit.operations.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__

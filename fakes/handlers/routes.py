"""The operations of the service as one table, and the router, which has the calls of the admin interface too."""

from collections.abc import Iterable
from functools import lru_cache, partial
from typing import NoReturn

from fakes.handlers import auth, directory, files, notifications
from fakes.handlers.auth import TOKEN
from fakes.handlers.context import CallContext
from fakes.handlers.routing import Operations, Route, Router
from fakes.parts.sign_in.auth import AUTHORIZE
from svckit.models.lifecycle import RETIREMENTS, Retirement

__all__ = ["AUTHORIZE", "LONG_URL", "ROUTER", "ROUTES", "TOKEN", "refuse", "resolve"]


def refuse(item: Retirement, call: CallContext, stub: str = "") -> NoReturn:
    """Refuse a call of a retired feature, with or without a token, and name the stub that it no longer reaches."""
    raise call.state.lifecycle.make_refusal(item, stub)


def _declare_retired() -> Operations:
    retired = Operations("api", "Versioning")
    for item in RETIREMENTS:
        for method, path in item.operations:
            name, does = f"retired.{item.key}", f"Retired: {item.item}"
            retired(method, path, name, retirement=item, does=does)(partial(refuse, item))
    return retired


ROUTES = (
    *auth.operations,
    *directory.operations,
    *files.first_steps,
    *files.second_steps,
    *notifications.operations,
    *_declare_retired(),
)
"""In the order of the OpenAPI document."""


def _load_admin_routes() -> Iterable[Route]:
    from fakes.handlers.admin_routes import ADMIN_ROUTES  # few clients call them

    return ADMIN_ROUTES


ROUTER = Router(ROUTES, _load_admin_routes)
resolve = lru_cache(maxsize=1024)(ROUTER.resolve)
"""The same as `Router.resolve`, cached: clients call the same URLs again and again."""
LONG_URL = 2048
"""URLs from this length on are not cached, as they would fill the cache."""

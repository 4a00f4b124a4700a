"""Requests that match no operation: what to say of them, and in which format."""

from functools import lru_cache

from fakes.engine.diagnostics import explain_miss
from fakes.engine.misdirection import explain_misdirection
from fakes.handlers.error_formats import Dialect, format_token_error
from fakes.handlers.routes import DIALECTS, ROUTER, ROUTES
from fakes.http.addresses import Area, BaseURLs, Located
from fakes.http.errors import Refusal
from fakes.http.messages import RequestHead
from fakes.parts.domain import Domain

__all__ = ["UNMATCHED", "choose_dialect", "describe_operation", "make_refusal"]

UNMATCHED = "unmatched"
"""The name of their operation in the journal."""


@lru_cache(maxsize=256)  # clients repeat their mistakes, and each search takes milliseconds
def explain_unmatched(method: str, located: Located) -> str:
    """Explain a request that matches no operation; cached."""
    return explain_miss(method, located, ROUTES)


def make_refusal(domain: Domain, located: Located, method: str, base_urls: BaseURLs) -> Refusal:
    """Return the refusal of a request that matches no operation, without the query, which may hold secrets.

    Raises:
        Refusal: the rate of the webhooks is exceeded, and comes first.
    """
    located, webhooks = located._replace(query=""), domain.state.webhooks
    allowed = ROUTER.methods(located.area, located.path)
    if located.area == "hooks":
        webhooks.check_rate_first()
        if not webhooks.knows(located.path.rpartition("/")[2]):
            allowed = []  # no such webhook, whatever the method
    misdirected = explain_misdirection(method, located, base_urls, in_process=base_urls is domain.base_urls)
    return Refusal("unmatched", misdirected or explain_unmatched(method, located), allowed=allowed)


def choose_dialect(area: Area, head: RequestHead) -> Dialect:
    """Return the error format for a request that matches no operation.

    The authorization server shows a screen only to a client that accepts one. To others it responds like its token
    endpoint, because a client that reads JSON could not show the reason.
    """
    if area == "auth" and "text/html" not in head.header("Accept").lower():
        return format_token_error
    return DIALECTS[area]


def describe_operation(area: Area, method: str, path: str) -> str:
    """Say which operation of the description a call would be; empty if it would be none.

    Examples:
        >>> describe_operation("api", "PATCH", "/users/{id}")
        "PATCH /users/{userId} in section Endpoints › Directory of the service's description, ..."
        >>> describe_operation("api", "GET", "/groups")
        ''
    """
    match = ROUTER.match(area, method, path)
    if match is None:
        return ""
    route = match.route
    return (
        f"{route.method} {route.template} in section {route.section} of the service's description, and the fake "
        "responds to it itself; choose how with an assumption or a deviation, or make it fail with fake.faults"
    )

"""Requests that match no operation: what to say of them, and in which format."""

from functools import lru_cache

from fakes.engine.diagnostics import explain_miss
from fakes.engine.misdirection import explain_misdirection
from fakes.handlers.error_formats import DIALECTS, Dialect, format_token_error
from fakes.handlers.routes import ROUTER
from fakes.http.addresses import Area, BaseURLs, Located
from fakes.http.errors import Refusal
from fakes.http.messages import RequestHead
from fakes.parts.domain import Domain
from fakes.parts.lifecycle import Lifecycle
from fakes.stubs.registry import read_ready_stubs
from svckit.models.problems import shorten

__all__ = ["UNMATCHED", "choose_dialect", "explain_stub_refusal", "make_refusal"]

UNMATCHED = "unmatched"
"""The name of their operation in the journal."""


@lru_cache(maxsize=256)  # clients repeat their mistakes, and each search takes milliseconds
def explain_unmatched(method: str, located: Located) -> str:
    """Explain a request that matches no operation; cached."""
    explained = explain_miss(method, located, ROUTER.routes)
    for name, stubs in read_ready_stubs().items():
        if stubs.find(located.area, method, located.path) is not None:
            return f'{explained}; the ready stubs have a response: --stubs {name}, or stubs="{name}"'
    return explained


def make_refusal(domain: Domain, located: Located, head: RequestHead, base_urls: BaseURLs) -> Refusal:
    """Return the refusal of a request that matches no operation, without the query, which may hold secrets.

    Args:
        domain: the domain.
        located: the area and the path.
        head: method and headers.
        base_urls: the base URLs of the door.

    Raises:
        Refusal: the rate of the webhooks is exceeded, and comes first.
    """
    located, webhooks, method = located._replace(query=""), domain.state.webhooks, head.method
    allowed = ROUTER.methods(located.area, located.path)
    if located.area == "hooks":
        webhooks.check_rate_first()
        if located.path.rpartition("/")[2] not in webhooks.entries:
            allowed = []  # no such webhook, whatever the method
    explanation = (
        explain_preflight(head)
        or explain_misdirection(method, located, base_urls, in_process=base_urls is domain.base_urls)
        or explain_unmatched(method, located)
    )
    return Refusal("unmatched", explanation, allowed=allowed)


def explain_preflight(head: RequestHead) -> str:
    """Explain a request with which a browser asks whether a page may make another; empty for other requests.

    Examples:
        >>> asking = [(b"Origin", b"http://localhost:3000"), (b"Access-Control-Request-Method", b"PATCH")]
        >>> print(explain_preflight(RequestHead("OPTIONS", "http://h:8000/api/users/u-001", asking)))
        a browser asks whether a page of 'http://localhost:3000' may call this fake (CORS), and it may not: serve the \
        fake with --cors http://localhost:3000
    """
    if head.method != "OPTIONS" or not head.header("Access-Control-Request-Method"):
        return ""
    origin = shorten(head.header("Origin"))
    return (
        f"a browser asks whether a page of {origin!r} may call this fake (CORS), and it may not: serve the fake with "
        f"--cors {origin}"
    )


def choose_dialect(area: Area, head: RequestHead) -> Dialect:
    """Return the error format for a request that matches no operation.

    The authorization server shows a screen only to a client that accepts one. To others it responds like its token
    endpoint, because a client that reads JSON could not show the reason.
    """
    if area == "auth" and "text/html" not in head.header("Accept").lower():
        return format_token_error
    return DIALECTS[area]


def explain_stub_refusal(area: Area, method: str, path: str, lifecycle: Lifecycle | None = None) -> str:
    """Say why a call cannot be stubbed: the description shows its operation, or it has retired; empty if it can be.

    Args:
        area: the area.
        method: the method.
        path: the path, which may have parameters.
        lifecycle: says whether an operation has retired; if omitted, that does not matter.

    Examples:
        >>> explain_stub_refusal("api", "PATCH", "/users/{id}")
        "it is PATCH /users/{userId} in section Endpoints › Directory of the service's description, ..."
        >>> explain_stub_refusal("api", "GET", "/groups")
        ''
    """
    match = ROUTER.match(area, method, path)
    if match is None:
        return ""
    route = match.route
    if route.retirement is not None:
        return lifecycle.explain_end(route.retirement) if lifecycle else ""
    return (
        f"it is {route.method} {route.template} in section {route.section} of the service's description, and the fake "
        "responds to it itself; choose how with an assumption or a deviation, or make it fail with fake.faults"
    )

"""Resolve a request to its area and its route, and limit what is read of its body before the head is checked."""

from functools import lru_cache

from fakes.handlers.routes import ROUTER
from fakes.handlers.routing import Body, Match
from fakes.http.addresses import BaseURLs, Located

__all__ = ["BODY_LIMITS", "LONG_URL", "resolve"]

LONG_URL = 2048
"""URLs from this length on are not cached."""
BODY_LIMITS: dict[Body, int] = {"json": 16 * 1024 * 1024, "form": 64 * 1024, "multipart": 0, "content": 0}
"""The bytes of a body that are read before the head is checked; see the rule ``api.body-limit``.

A form of a few fields needs less than JSON, and decoding that much would take seconds.
"""


@lru_cache(maxsize=1024)  # clients call the same URLs again and again
def resolve(base_urls: BaseURLs, method: str, url: str) -> tuple[Located, Match | None, int]:
    """Return the location of a request, its route if any, and how much body to read before checking the head."""
    located = base_urls.locate(url)
    match = ROUTER.match(located.area, method, located.path)
    limit = BODY_LIMITS["json" if match is None else match.route.body]
    return located, match, 0 if located.area == "admin" else limit

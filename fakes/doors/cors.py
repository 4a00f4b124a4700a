"""Cross-origin resource sharing: which web pages may call a served fake (Fetch Standard, section 3.3)."""

import re
from collections.abc import Collection, Sequence
from functools import partial

from fakes.doors.asgi import App, Message, Receive, Scope, Send, respond
from fakes.handlers.error_formats import make_own_error
from fakes.http.messages import FakeResponse

__all__ = ["Cors", "check_origins"]

ANY = "*"
ORIGIN = re.compile(r"(?:[a-z][a-z0-9+.-]*://(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?|null|\*)")
METHODS = "DELETE, GET, HEAD, PATCH, POST, PUT"
REFUSED = ((b"vary", b"Origin"),)
"""The header for pages that may not read a response; a cache must not give it to pages that may."""
LASTING = "600"
"""Seconds for which a browser remembers that it may send such a request."""


class Cors:
    """An ASGI app that lets web pages call another app, and read all headers of its responses.

    Preflight requests get their response here, so they do not reach the app. The credentials that pages send are those
    in headers; cookies are not allowed, and a fake has none.

    Args:
        app: the app.
        origins: the origins of the pages, such as ``http://localhost:3000``; ``*`` for any.

    Raises:
        ValueError: one of them is not an origin.

    Examples:
        >>> from fakes import FakeService
        >>> Cors(FakeService.sample(now="2026-06-01T09:00:00+09:00").asgi, ["http://localhost:3000/app"])
        Traceback (most recent call last):
        ...
        ValueError: 'http://localhost:3000/app' is not an origin; an origin is a scheme and a host, such as ...
    """

    def __init__(self, app: App, origins: Collection[str]) -> None:
        check_origins(origins)
        self._app = app
        self._origins = frozenset(origin.lower() for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a preflight request, or call the app and let the page read the response."""
        headers = dict(scope["headers"]) if scope["type"] == "http" else {}
        origin: bytes = headers.get(b"origin", b"")
        if not origin:
            await self._app(scope, receive, send)
            return
        app, own = self._app, self._list_headers(origin)
        exposes = own != REFUSED
        if scope["method"] == "OPTIONS" and b"access-control-request-method" in headers:
            asked: bytes = headers.get(b"access-control-request-headers", b"")
            app = partial(respond, self._answer(asked) if exposes else self._refuse(origin))
            exposes = False

        async def send_allowed(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = b", ".join(dict(message["headers"]))
                exposed = [(b"access-control-expose-headers", names)] if exposes else []
                message = {**message, "headers": [*message["headers"], *own, *exposed]}
            await send(message)

        await app(scope, receive, send_allowed)

    def _list_headers(self, origin: bytes) -> Sequence[tuple[bytes, bytes]]:
        """Return the headers for pages of an origin, which let them read the response unless they are `REFUSED`."""
        if ANY in self._origins:
            return [(b"access-control-allow-origin", b"*")]
        if origin.decode("latin-1").lower() not in self._origins:
            return REFUSED
        return [(b"access-control-allow-origin", origin), *REFUSED]

    def _answer(self, asked: bytes) -> FakeResponse:
        """Return the response to a preflight request that asks to send some headers."""
        headers = [("Access-Control-Allow-Methods", METHODS), ("Access-Control-Max-Age", LASTING)]
        headers += [("Access-Control-Allow-Headers", asked.decode("latin-1"))] if asked else []
        return FakeResponse(204, headers)

    def _refuse(self, origin: bytes) -> FakeResponse:
        """Return the response to a preflight request of pages of another origin."""
        reason = (
            f"pages of {origin.decode('latin-1')!r} may not call this fake, which allows those of "
            f"{', '.join(sorted(self._origins))}: serve it with --cors, or cors=, for that origin as well"
        )
        return make_own_error(403, "ORIGIN_REFUSED", reason)


def check_origins(origins: Collection[str]) -> None:
    """Check the origins of web pages.

    Raises:
        ValueError: one of them is not an origin.

    Examples:
        >>> check_origins(["http://localhost:3000", "*"])
        >>> check_origins(["localhost:3000"])
        Traceback (most recent call last):
        ...
        ValueError: 'localhost:3000' is not an origin; an origin is a scheme and a host, such as ...
    """
    for origin in [origins] if isinstance(origins, str) else origins:
        if isinstance(origins, str) or not ORIGIN.fullmatch(origin.lower()):
            raise ValueError(
                f"{origin!r} is not {'a list of origins' if isinstance(origins, str) else 'an origin'}; an origin is a "
                "scheme and a host, such as http://localhost:3000, without a path; * stands for any"
            )

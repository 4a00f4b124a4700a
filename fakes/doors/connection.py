"""A uvicorn connection of a served fake that faults can break."""

import asyncio
import os
import socket
import struct
from math import inf
from typing import Any

from fakes.doors.asgi import CONNECTION

__all__ = ["BLANK_LINE", "LONGEST", "HTTPConnection", "get_connection_class"]

LONGEST = 64 * 1024
"""The most bytes of a head, and of whatever else of a request has to arrive before it can be read."""
BLANK_LINE = b"\r\n\r\n"
NO_LINGER = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)  # linger for 0 seconds: closing resets


class HTTPConnection(asyncio.Protocol):
    """A connection that the door can break, and that never delays a stopping server needlessly.

    A mixin that precedes one of uvicorn's protocols among the base classes.

    Attributes:
        current: uvicorn's request and response in progress, or the last.
        idle: the seconds that the door lets pass, so that a stopping server need not wait for it; ``inf`` until the
            client disconnects, 0 while it does anything else.
        half_closed: whether the client has sent all that it will send, so that its disconnecting goes unnoticed.
    """

    app: Any
    cycle: Any
    loop: asyncio.AbstractEventLoop
    scheme: Any
    transport: Any

    current: Any = None
    idle: float = 0
    half_closed: bool = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Offer the extension to the app."""
        super().connection_made(transport)
        self.access_log = False  # even if a program configured uvicorn's loggers: URLs hold secrets
        app = self.app

        async def with_connection(scope: Any, receive: Any, send: Any) -> None:
            self.current = receive.__self__
            scope.setdefault("extensions", {})[CONNECTION] = self
            try:
                await app(scope, receive, send)
            except asyncio.CancelledError:  # the server is stopping; uvicorn would log a failure of the app
                self._mark_disconnected()
                self.transport.abort()  # the client will not read the rest

        self.app = with_connection

    @property
    def in_progress(self) -> bool:
        """True if a request has not got all of its response."""
        return self.cycle is not None and not self.cycle.response_complete

    def eof_received(self) -> bool:
        """Close the connection, or keep it for the response to a complete request; TLS cannot be half closed.

        A client that is gone looks like one that only sends no more (RFC 9112, section 9.6), until it is sent
        something. So what waits for it to go ends here as well.
        """
        waits_for_response = self.in_progress and not self.cycle.more_body and self.idle != inf
        self.half_closed = self.half_closed or (waits_for_response and self.scheme == "http")
        return self.half_closed  # event loops say it again whenever reading goes on

    def on_response_complete(self) -> None:
        """Close the connection after the last response to a client that sends no more."""
        super().on_response_complete()  # type: ignore[misc]  # of uvicorn's protocol
        if self.half_closed:
            self.loop.call_soon(self._finish)

    def _finish(self) -> None:
        if self.half_closed and (not self.in_progress or self.cycle.more_body):
            self.transport.close()

    def reset(self) -> None:
        """Reset the connection immediately."""
        self._mark_disconnected()
        self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
        self.transport.abort()

    def close(self) -> None:
        """Close the connection once the data is sent."""
        self._mark_disconnected()
        self.transport.close()

    def shutdown(self) -> None:
        """Close after the response in progress, or immediately if waiting is pointless.

        It is pointless if the door only lets time pass, or if the client has not sent all of the body.
        """
        if self.current is not None and (self.idle or self.current.more_body):
            self.transport.abort()
        super().shutdown()  # type: ignore[misc]  # of uvicorn's protocol

    def _unsupported_upgrade_warning(self) -> None:
        """Log nothing: upgrades may be ignored, but uvicorn would suggest installing WebSocket support."""

    def _mark_disconnected(self) -> None:
        self.current.disconnected = True  # or uvicorn would log a missing response, and send one


def get_connection_class() -> type[asyncio.Protocol]:
    """Return the fastest connection for which the packages are installed."""
    try:
        from fakes.doors.compiled_connection import HttpToolsConnection
    except ImportError:
        from fakes.doors.framing import H11Connection

        return H11Connection
    return HttpToolsConnection

"""One connection of the served fake, as uvicorn has it: faults may break it, and the log says which one it was."""

import asyncio
import os
import socket
import struct
from logging import Logger, LoggerAdapter
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from fakes.doors.asgi import CONNECTION
from fakes.doors.deadlines import Deadlines

__all__ = ["HTTPConnection"]

NO_LINGER = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)  # linger for no time: closing resets


class ConnectionLogger(LoggerAdapter[Logger]):
    """uvicorn's logger, which says of what goes wrong on a connection where that was, for a program may serve many."""

    def __init__(
        self, logger: Logger, server: tuple[str, int | None] | None, client: tuple[str, int] | None
    ) -> None:
        super().__init__(logger)
        self._server, self._client = (":".join(map(str, end or ("?",))) for end in (server, client))

    @property
    def level(self) -> int:
        """The level of what it stands in for, which uvicorn asks for."""
        return self.logger.level

    def process(self, message: Any, options: Any) -> tuple[Any, Any]:
        """The message, with the two ends of the connection before it."""
        return f"fake served at {self._server}, client {self._client}: {message}", options


class HTTPConnection(Deadlines, H11Protocol):
    """A connection that lets the door break it, and keeps neither a server nor a stopping one waiting for nothing."""

    idle = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Offer the app the extension."""
        super().connection_made(transport)
        self.logger = ConnectionLogger(self.logger, self.server, self.client)  # type: ignore[assignment]  # it is used as one
        self.access_log = False  # whatever a program has made of uvicorn's loggers: addresses hold secrets
        app: Any = self.app

        async def with_connection(scope: Any, receive: Any, send: Any) -> None:
            scope.setdefault("extensions", {})[CONNECTION] = self
            try:
                await app(scope, receive, send)
            except asyncio.CancelledError:  # the server stops; uvicorn would log it as a failure of the app
                self._mark_disconnected()
                self.transport.abort()  # what the client has not taken by now it never will

        self.app = self.enforce_deadlines(with_connection, transport)

    def reset(self) -> None:
        """Break the connection at once."""
        self._mark_disconnected()
        self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
        self.transport.abort()

    def close(self) -> None:
        """Close the connection after what was sent."""
        self._mark_disconnected()
        self.transport.close()

    def shutdown(self) -> None:
        """Close as soon as the request that is under way is answered; at once where that would be to wait for nothing.

        So it is where the door only lets time pass, and where the client has not sent all of the body.
        """
        if self.idle or self.conn.their_state is h11.SEND_BODY:
            self.transport.abort()
        super().shutdown()

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing: an upgrade is an offer, which need not be taken; uvicorn would advise to install WebSockets."""

    def _mark_disconnected(self) -> None:
        self.cycle.disconnected = True  # or uvicorn would complain that there was no answer, and send one

"""Deadlines of served connections: silent clients are disconnected."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

__all__ = ["Deadlines"]

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
App = Callable[[Any, Receive, Any], Awaitable[None]]


class Deadlines(asyncio.Protocol):
    """A protocol mixin that closes connections whose client is silent for too long.

    It precedes a server's own protocol among the base classes, and wraps the app of each connection. A body may be
    arbitrarily slow as long as it progresses.

    Attributes:
        head_timeout: seconds from the connection, or from the last response, until the head of a request is complete.
        body_timeout: seconds until the next piece of a request's body arrives.
    """

    head_timeout: float = 60.0
    body_timeout: float = 60.0

    _timer: asyncio.TimerHandle | None = None
    _deadline: float | None = None
    _requests = 0

    def set_deadline(self, transport: asyncio.Transport, seconds: float) -> None:
        """Abort the connection after some seconds, unless `clear_deadline` is called first."""
        loop = asyncio.get_running_loop()
        self._deadline = loop.time() + seconds
        if self._timer is not None:  # most are cleared long before, so one timer watches over many
            if self._timer.when() <= self._deadline:
                return
            self._timer.cancel()
        self._timer = loop.call_at(self._deadline, self._watch, transport)

    def clear_deadline(self) -> None:
        """Remove the deadline."""
        self._deadline = None

    def cancel_timer(self) -> None:
        """Remove the deadline with all that watches over it."""
        if self._timer is not None:
            self._timer.cancel()

    def _watch(self, transport: asyncio.Transport) -> None:
        """Abort the connection, or wait for a deadline that was set later."""
        self._timer = None
        if self._deadline is None:
            return
        left = self._deadline - asyncio.get_running_loop().time()
        if left <= 0:
            transport.abort()
        else:
            self.set_deadline(transport, left)

    def enforce_deadlines(self, app: App, transport: asyncio.Transport) -> App:
        """Set the deadline of the first request, and return an app that sets those of everything after it."""

        async def timed_app(scope: Any, receive: Receive, send: Any) -> None:
            self._requests += 1
            self.clear_deadline()
            complete = False

            async def next_message() -> Message:
                nonlocal complete
                if complete:  # only the disconnect can follow
                    return await receive()
                self.set_deadline(transport, self.body_timeout)
                try:
                    message = await receive()
                finally:
                    self.clear_deadline()
                complete = not message.get("more_body", False)
                return message

            try:
                await app(scope, next_message, send)
            finally:
                self._requests -= 1
                if not self._requests and not transport.is_closing():  # a pipelined request may have started
                    self.set_deadline(transport, self.head_timeout)

        self.set_deadline(transport, self.head_timeout)
        return timed_app

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the deadline with the connection."""
        self.cancel_timer()
        super().connection_lost(exc)

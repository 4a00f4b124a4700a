"""A receiver of events that listens on loopback within a ``with`` block."""

import asyncio
import os
import socket
from threading import Thread
from types import TracebackType
from typing import TYPE_CHECKING, Any

from svckit.events.inbox import CAPACITY
from svckit.events.receiver import Receiver
from svckit.events.signing import check_secret
from svckit.extras import needing
from svckit.models.secret import Secret
from svckit.models.signature import SignedBy
from svckit.profiles.profiles import HasProfile, Profile

if TYPE_CHECKING:
    import uvicorn

__all__ = ["Loopback", "receive"]

HOST = "127.0.0.1"
HIGHEST_PORT = 65535
SECONDS_TO_FINISH = 2


class Loopback(Receiver):
    """A `Receiver` that uvicorn serves in a thread, on loopback only; made by `receive`.

    Args:
        secret: the bot's secret.
        port: the port to listen on; 0 takes any free one.
        **options: the other arguments of `Receiver`.

    Attributes:
        url: the URL to send callbacks to.
    """

    def __init__(self, secret: str | Secret, *, port: int, **options: Any) -> None:
        secret = check_secret(secret)  # hidden from here on, also in a traceback
        super().__init__(secret, **options)
        if not 0 <= port <= HIGHEST_PORT:
            raise ValueError(f"a port is a number from 0 (any free one) to {HIGHEST_PORT}; given {port}")
        self._port = port
        self._server: uvicorn.Server | None = None
        self._thread: Thread | None = None

    @property
    def url(self) -> str:
        """The URL to send callbacks to while it listens.

        Raises:
            RuntimeError: it is not listening.

        Examples:
            >>> with receive("bot secret") as inbox:
            ...     print(inbox.url)
            http://127.0.0.1:.../callback
        """
        if self._server is None:
            raise RuntimeError(
                "it only listens inside its with block: with svckit.events.receive(…) as inbox: …"
            )
        return f"http://{HOST}:{self._port}/callback"

    def __enter__(self) -> "Loopback":
        with needing("svckit.events.receive"):
            import uvicorn
        if self._server is not None:
            raise RuntimeError("it is already listening")
        self._listener = _open_listener(self._port)
        self._port = self._listener.getsockname()[1]
        self._server = uvicorn.Server(
            uvicorn.Config(
                self, http="h11", ws="none", lifespan="off", loop="asyncio", log_config=None, access_log=False,
                server_header=False, timeout_graceful_shutdown=SECONDS_TO_FINISH,
            )
        )  # fmt: skip
        serve = self._server.run
        self._thread = Thread(target=serve, kwargs={"sockets": [self._listener]}, name="events", daemon=True)
        self._thread.start()  # until it accepts them, connections wait in the listener's queue
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join()
            self._listener.close()  # older versions of uvicorn leave it open
            self._server = self._thread = None

    async def __aenter__(self) -> "Loopback":
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.__exit__, kind, error, trace)


def receive(
    secret: str | Secret,
    *,
    port: int = 0,
    header_word: str | None = None,
    signature: SignedBy | None = None,
    on: HasProfile | Profile | None = None,
    capacity: int = CAPACITY,
) -> Loopback:
    """Receive a bot's events on this machine: ``with receive(secret) as inbox:``, or ``async with``.

    It listens on loopback (127.0.0.1) only. A remote service cannot reach it; an in-process fake, a fake served on this
    machine and a tunnel of yours can. Registering the URL with the service is up to you: the service's description
    does not show how (section "Events").

    Args:
        secret: the bot's secret.
        port: the port to listen on; 0 takes any free one.
        header_word: the product word in the header names; if omitted, that of ``on``, else ``SERVICE``.
        signature: how events are signed, as in `parse`; if omitted, that of ``on``, else ``"hmac-sha256"``.
        on: a session or a profile, whose service sends the events; the explorer of a session shows them.
        capacity: the number of events to keep.

    Returns:
        A context that listens within its block, and yields the inbox.

    Raises:
        ModuleNotFoundError: uvicorn is not installed; says how to install it.
        OSError: the port is in use.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> with receive(fake.facts["bot_secret"]) as inbox:
        ...     fake.callbacks.connect("bot-1", inbox.url)
        ...     delivery = fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "hello"})
        ...     (event,) = inbox.wait(1)
        >>> event.content.text
        'hello'
        >>> inbox.frame()[["bot_id", "user_id", "text"]].values.tolist()
        [['bot-1', 'u-001', 'hello']]
    """
    secret = check_secret(secret)
    return Loopback(secret, port=port, header_word=header_word, signature=signature, on=on, capacity=capacity)


def _open_listener(port: int) -> socket.socket:
    """Return a listening socket; it names the protocol, or else asyncio leaves Nagle's algorithm on."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere it would share a port that is in use
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen()
    except OSError as error:
        listener.close()
        raise OSError(
            error.errno, f"cannot listen on {HOST}:{port} ({error.strerror}); port=0 takes any free one"
        ) from None
    return listener

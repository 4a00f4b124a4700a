"""A fake served over TCP: uvicorn in a thread of its own, for a notebook, a test or the `svckit serve` command."""

import asyncio
import os
import socket
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from ipaddress import ip_address
from threading import Event, Thread
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import uvicorn

from fakes.doors.asgi import AsgiDoor
from fakes.doors.connection import HTTPConnection
from fakes.engine.engine import Engine
from fakes.http.addresses import Addresses
from fakes.parts.facts import Facts

__all__ = ["Path", "Served"]

Path = str | os.PathLike[str]
Fake = TypeVar("Fake", bound=Engine)

LOOPBACK = "127.0.0.1"
KEEP_ALIVE = 60
"""Seconds an idle connection stays open: longer than clients keep theirs, so that none is closed under a request."""
PATIENCE = 5
"""Seconds a stopping server gives to requests that are under way."""
TICK = 0.01
"""Seconds after which a stopping server looks again whether all have ended."""
THREADS = 64
"""So many admin calls are at work at a time: more than Python's few, for their receivers may make admin calls too."""


class Server(uvicorn.Server):
    """uvicorn's server, telling when it accepts connections or has given up, and stopping as soon as it is told to.

    uvicorn's own looks ten times a second whether it is to stop, and as often whether all have ended: tests that start
    and stop hundreds of servers would wait for that most of the time.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.settled = Event()
        self._stopping = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and tell."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        self.settled.set()

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Run until told to stop."""
        try:
            super().run(sockets)
        finally:
            self.settled.set()

    def stop(self) -> None:
        """Tell it to stop, from another thread."""
        self.should_exit = True
        if self._loop is not None:
            with suppress(RuntimeError):  # its loop is closed: it has ended already
                self._loop.call_soon_threadsafe(self._stopping.set)

    async def main_loop(self) -> None:
        """Let it work until it is told to stop."""
        while not await self.on_tick(0):  # which brings the header Date up to date
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), 1)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more, and close every connection as soon as the request that has come on it is answered."""
        for listening in (*self.servers, *(sockets or ())):
            listening.close()
        try:
            await asyncio.wait_for(self._drain(), PATIENCE)
        except TimeoutError:
            for task in self.server_state.tasks:
                task.cancel()

    async def _drain(self) -> None:
        """Return when there are no connections and no requests; one that was just being accepted is closed too."""
        state, asked = self.server_state, set[Any]()
        while True:
            for connection in state.connections - asked:
                connection.shutdown()
            asked |= state.connections
            await asyncio.sleep(TICK)
            if not state.connections and not state.tasks:
                return


class Served(Generic[Fake]):
    """A fake that answers over TCP while it is used as a context manager.

    It runs in a thread of its own, so it may be used where an event loop runs, as in a notebook. All of the fake is
    under one address, an area a path: ``/api``, ``/auth``, ``/storage``, ``/hooks`` and ``/admin``. The addresses its
    answers give out are fixed from the start, whatever a request says in its ``Host`` header; only where it listens at
    all addresses of the machine (``0.0.0.0``) they follow that header, since no one address would do.

    Args:
        fake: the fake that answers; it stays reachable under this name.
        port: the port to listen at; 0 for any that is free.
        host: the name or address to listen at, by default reached from this machine only.
        tls: the paths of a certificate (with its chain) and of its key, both PEM, to serve ``https``.
        settle: see `AsgiDoor`.

    Raises:
        OSError: the port is taken, or the files of ``tls`` cannot be read, or are no certificate and its key.
    """

    def __init__(
        self,
        fake: Fake,
        port: int = 0,
        host: str = LOOPBACK,
        tls: tuple[Path, Path] | None = None,
        *,
        settle: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.fake = fake
        self._host = host
        self._port = port
        self._tls = tls
        self._settle = settle
        self._base: str | None = None
        self._server: Server | None = None
        self._thread: Thread | None = None

    @property
    def url(self) -> str:
        """The one address the areas are under.

        Raises:
            RuntimeError: it does not run.
        """
        if self._base is None:
            raise RuntimeError("this fake is not served now; use it inside: with fake.serve() as served")
        return self._base

    @property
    def running(self) -> bool:
        """Whether it answers: until it is stopped, unless it failed."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def facts(self) -> Facts:
        """What a client is configured with, as `FakeService.facts`, with the addresses of this server.

        Raises:
            RuntimeError: it does not run.
        """
        return Facts.of(self.fake.state, Addresses.under(self.url))

    def __enter__(self) -> Self:
        """Start; return when connections are accepted."""
        if self._base is not None:
            raise RuntimeError(f"this fake is already served at {self._base}")
        certificate, key = self._tls or (None, None)
        listener = listen(self._host, self._port)
        base = f"http{'s' if self._tls else ''}://{format_host(self._host)}:{listener.getsockname()[1]}"
        config = uvicorn.Config(
            AsgiDoor(
                self.fake, None if is_wildcard(self._host) else base, settle=self._settle, threads=THREADS
            ),
            loop="asyncio",
            http=HTTPConnection,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE,
            ssl_certfile=certificate,
            ssl_keyfile=key,
        )
        try:
            config.load()
        except BaseException as failed:
            listener.close()
            if isinstance(failed, ssl.SSLError):  # it names no file
                raise OSError(explain_tls_error(certificate, key, failed)) from None
            raise
        self._server, self._base = Server(config), base
        self._thread = Thread(target=self._server.run, args=([listener],), name="served-fake", daemon=True)
        self._thread.start()
        self._server.settled.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Stop: answer the requests that have come whole, close all connections, end the thread."""
        if self._server is not None and self._thread is not None:
            self._server.stop()
            self._thread.join()
        self._base = self._server = self._thread = None

    def __repr__(self) -> str:
        return f"<Served: {self._base or 'stopped'}>"


def explain_tls_error(certificate: Path | None, key: Path | None, failed: ssl.SSLError) -> str:
    """Why a certificate and its key cannot be used, in words of ours."""
    if failed.reason == "KEY_VALUES_MISMATCH":
        return f"the key in {key} is not that of the certificate in {certificate}"
    return (
        f"{certificate} and {key} are no certificate and its key, in PEM: the one has to hold "
        '"-----BEGIN CERTIFICATE-----", the other "-----BEGIN PRIVATE KEY-----" or the like, without a password'
    )


def listen(host: str, port: int) -> socket.socket:
    """A socket bound to a host and port, whose connections send each answer at once.

    asyncio does that (``TCP_NODELAY``) only for sockets that were made with the protocol named.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)[0]
    family, kind, protocol, _, address = found
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except BaseException:
        listener.close()
        raise
    return listener


def is_wildcard(host: str) -> bool:
    """Whether a host stands for all addresses of the machine.

    Examples:
        >>> [is_wildcard(host) for host in ("0.0.0.0", "::", "127.0.0.1", "localhost")]
        [True, True, False, False]
    """
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def format_host(host: str) -> str:
    """How a host that is listened at is written in a URL.

    Examples:
        >>> [format_host(host) for host in ("0.0.0.0", "::1", "localhost")]
        ['127.0.0.1', '[::1]', 'localhost']
    """
    host = LOOPBACK if is_wildcard(host) else host
    return f"[{host}]" if ":" in host else host

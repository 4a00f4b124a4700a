"""A fake served over TCP by uvicorn in a separate thread, for notebooks, tests and `svckit serve`."""

import asyncio
import errno
import os
import socket
import ssl
from collections.abc import Collection, Sequence
from contextlib import ExitStack, suppress
from ipaddress import ip_address
from threading import Event, Thread
from typing import Any, Generic, Self, TypeVar

import uvicorn

from fakes.doors.asgi import App, AsgiDoor
from fakes.doors.connection import get_connection_class
from fakes.doors.cors import Cors, check_origins
from fakes.doors.layout import AREAS, Layout, check_base_path, check_ports
from fakes.engine.engine import Engine
from fakes.parts.facts import Facts

__all__ = ["Path", "Served"]

Path = str | os.PathLike[str]
Fake = TypeVar("Fake", bound=Engine)

LOOPBACK = "127.0.0.1"
KEEP_ALIVE = 60
"""Seconds an idle connection stays open: longer than clients keep theirs, so no request hits a closing one."""
PATIENCE = 5
"""Seconds a stopping server waits for requests in progress."""
TICK = 0.01
"""Seconds between checks of a stopping server whether all connections are closed."""
THREADS = 64
"""Threads for admin calls: more than Python's default, as receivers may make admin calls too."""


class Server(uvicorn.Server):
    """A uvicorn server that reports when it has started or failed, and that stops immediately.

    uvicorn polls ten times a second whether to stop, and whether all connections are closed. Tests that start and
    stop hundreds of servers would spend most of their time waiting for that.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready: Event = Event()  # once it accepts connections, or has failed
        self._stopping = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None  # that of its thread, once it runs

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and report it."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        self.ready.set()

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Run until `stop` is called."""
        try:
            super().run(sockets)
        finally:
            self.ready.set()

    def stop(self) -> None:
        """Stop the server, from another thread."""
        self.should_exit = True
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed: the server has stopped already
                self._loop.call_soon_threadsafe(self._stopping.set)

    async def main_loop(self) -> None:
        """Serve until `stop` is called."""
        while not await self.on_tick(0):  # updates the Date header
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), 1)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, and close each one after the response in progress."""
        # From Python 3.12 on, closing loses a connection that was accepted in this turn.
        await asyncio.sleep(0)
        for listening in (*self.servers, *(sockets or ())):
            listening.close()
        try:
            await asyncio.wait_for(self._drain(), PATIENCE)
        except TimeoutError:
            for task in self.server_state.tasks:
                task.cancel()

    async def _drain(self) -> None:
        """Close all connections, even new ones, and wait for them and their requests."""
        state, closing = self.server_state, set[Any]()
        while True:
            for connection in state.connections - closing:
                connection.shutdown()
            closing |= state.connections
            await asyncio.sleep(TICK)
            if not state.connections and not state.tasks:
                return


class Served(Generic[Fake]):
    """A fake that is served over TCP while it is used as a context manager.

    It runs in a separate thread, so it works where an event loop runs, as in a notebook. All areas share one base URL,
    under the paths ``/api``, ``/auth``, ``/storage``, ``/hooks`` and ``/admin``, unless each has an origin. URLs in
    responses start with that base URL, whatever the ``Host`` header of a request. Only if it listens on all interfaces
    (``0.0.0.0``) do they follow that header, as no single host would do.

    Args:
        fake: the fake to serve; also available as an attribute of this name.
        port: the port to listen on; 0 for any free port.
        host: the host name or IP address to listen on; the default is reachable from this machine only.
        tls: the paths of a certificate (with its chain) and of its key, both PEM, to serve ``https``.
        origins: whether each area has an origin of its own, as in process: ``port`` to ``port + 4`` for api, auth,
            storage, hooks and admin. A client that follows the redirect of a download itself loses its bearer token
            only between origins.
        base_path: the path of the resource API, such as ``/v1.0``; it replaces ``/api``.
        forwarded: whether ``X-Forwarded-Proto``, ``-Host`` and ``-Prefix`` decide the URLs in responses; only for a
            fake behind a proxy that sets them.
        cors: the origins of the web pages that may call it, or ``*`` for any.

    Raises:
        ValueError: ``base_path`` is not a path, ``cors`` has a text that is not an origin, or no five ports start at
            ``port``.
        OSError: the port is in use, or the files of ``tls`` cannot be read or are not a certificate and its key.
    """

    def __init__(
        self,
        fake: Fake,
        port: int = 0,
        host: str = LOOPBACK,
        tls: tuple[Path, Path] | None = None,
        *,
        origins: bool = False,
        base_path: str | None = None,
        forwarded: bool = False,
        cors: Collection[str] = (),
    ) -> None:
        if origins:
            check_ports(port)
        if base_path is not None:
            check_base_path(base_path, alone=origins)
        check_origins(cors)
        self.fake = fake
        self._host = host
        self._port = port
        self._tls = tls
        self._origins = origins
        self._base_path = base_path
        self._forwarded = forwarded
        self._cors = cors
        # These are set while it is served; before and after, the base URLs are those in process.
        self._base: str | None = None
        self._base_urls = fake.base_urls
        self._server: Server | None = None
        self._thread: Thread | None = None

    @property
    def url(self) -> str:
        """The base URL of all areas; if each has an origin, that of the resource API.

        Raises:
            RuntimeError: the fake is not being served.
        """
        if self._base is None:
            raise RuntimeError("this fake is not being served; use it inside: with fake.serve() as served")
        return self._base

    @property
    def running(self) -> bool:
        """True if the server is running: neither stopped nor failed."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def facts(self) -> Facts:
        """The configuration for clients, like `FakeService.facts`, with the URLs of this server.

        Raises:
            RuntimeError: the fake is not being served.
        """
        self.url  # noqa: B018 - raises unless it is served
        return Facts.of(self.fake.state, self._base_urls)

    def __enter__(self) -> Self:
        """Start the server; return once it accepts connections."""
        if self._base is not None:
            raise RuntimeError(f"this fake is already served at {self._base}")
        certificate, key = self._tls or (None, None)
        listeners = listen_all(self._host, self._port, len(AREAS) if self._origins else 1)
        ports = [listener.getsockname()[1] for listener in listeners]
        base = f"http{'s' if self._tls else ''}://{format_host(self._host)}:{ports[0]}"
        layout = self._lay_out(None if is_wildcard(self._host) else base, ports)
        app = self._wrap(AsgiDoor(self.fake, layout, threads=THREADS))
        config = uvicorn.Config(
            Cors(app, self._cors) if self._cors else app,
            http=self._make_protocol_class(),
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
            config.load()  # reads the files of TLS now, in the thread of the caller, who gets the error
        except BaseException as error:
            for listener in listeners:
                listener.close()
            if isinstance(error, ssl.SSLError):  # its message names no file
                raise OSError(explain_tls_error(certificate, key, error)) from None
            raise
        self._server, self._base, self._base_urls = Server(config), base, layout.place(base)
        self._thread = Thread(target=self._server.run, args=(listeners,), name="served-fake", daemon=True)
        self._thread.start()
        self._server.ready.wait()
        self.fake.served_at.add(base)
        return self

    def __exit__(self, *_failure: object) -> None:
        """Stop the server: respond to complete requests, close all connections, end the thread."""
        if self._server is not None and self._thread is not None:
            self._server.stop()
            self._thread.join()
            self.fake.served_at.discard(self.url)
        self._base = self._server = self._thread = None

    def __repr__(self) -> str:
        return f"<Served: {self._base or 'stopped'}>"

    # What `fakes.proxy` does in other ways:

    def _lay_out(self, base: str | None, ports: Sequence[int]) -> Layout:
        """Return the layout of the areas, given the base URL, if it does not follow each request, and the ports."""
        return Layout(
            base,
            base_path=self._base_path,
            ports=ports if self._origins else None,
            forwarded=self._forwarded,
        )

    def _wrap(self, app: App) -> App:
        """Return what responds to requests, given the fake's app."""
        return app

    def _make_protocol_class(self) -> Any:
        """Return what makes the protocol of a connection, with the arguments of uvicorn."""
        return get_connection_class()


def explain_tls_error(certificate: Path | None, key: Path | None, error: ssl.SSLError) -> str:
    """Explain why a certificate and its key cannot be used."""
    if error.reason == "KEY_VALUES_MISMATCH":
        return f"the key in {key} does not belong to the certificate in {certificate}"
    return (
        f"{certificate} and {key} are not a certificate and its key in PEM: the first must contain "
        '"-----BEGIN CERTIFICATE-----", the second "-----BEGIN PRIVATE KEY-----" or similar, without a password'
    )


def listen_all(host: str, port: int, count: int) -> list[socket.socket]:
    """Return sockets bound to consecutive ports of a host, or each to any free one if the port is 0.

    Raises:
        OSError: a port is in use; no socket stays bound then.
    """
    with ExitStack() as stack:
        sockets = []
        for number in range(count):
            wanted = port + number if port else 0
            try:
                sockets.append(stack.enter_context(listen(host, wanted)))
            except OSError as error:
                if count > 1 and error.errno == errno.EADDRINUSE:
                    words = f"port {wanted} is in use; the areas need the ports {port} to {port + count - 1}"
                    raise OSError(error.errno, words) from None
                raise
        stack.pop_all()  # all are bound, so they stay open
    return sockets


def listen(host: str, port: int) -> socket.socket:
    """Return a socket bound to a host and port, whose connections send each response immediately.

    asyncio sets ``TCP_NODELAY`` only on sockets that were created with an explicit protocol.
    """
    info = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)[0]
    family, kind, protocol, _, address = info
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
    """Return whether a host stands for all interfaces of the machine.

    Examples:
        >>> [is_wildcard(host) for host in ("0.0.0.0", "::", "127.0.0.1", "localhost")]
        [True, True, False, False]
    """
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def format_host(host: str) -> str:
    """Format a host to listen on for use in a URL.

    Examples:
        >>> [format_host(host) for host in ("0.0.0.0", "::1", "localhost")]
        ['127.0.0.1', '[::1]', 'localhost']
    """
    host = LOOPBACK if is_wildcard(host) else host
    return f"[{host}]" if ":" in host else host

"""What tests with servers on this machine share: ports for them, and patience with their responses."""

import atexit
import os
import socket
import ssl
import sys
from contextlib import ExitStack, suppress
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import httpx

PATIENCE = 120
"""Seconds for a response that takes a moment: a machine that does much else at the time is no failure."""

_kept = ExitStack()
atexit.register(_kept.close)


def free_port(*hosts: str) -> int:
    """A port that nothing listens at, and that nobody else is given as long as the tests run.

    Linux gives a port that a socket is bound to only to those who name it. Elsewhere the port is only looked for.

    Args:
        hosts: the addresses at which it is free, by default 127.0.0.1.
    """
    port = 0
    with ExitStack() as found:
        for host in hosts or ("127.0.0.1",):
            holder = found.enter_context(socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET))
            holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                holder.bind((host, port))
            except OSError:
                if not port:
                    raise
                return free_port(*hosts)  # it was free at the first address only
            port = holder.getsockname()[1]
        if sys.platform == "linux":
            _kept.push(found.pop_all())
    return port


def bind(port: int) -> socket.socket:
    """A socket bound to a port of this machine.

    Raises:
        OSError: the port is in use.
    """
    with ExitStack() as stack:
        bound = stack.enter_context(socket.socket())
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", port))
        stack.pop_all()
    return bound


def find_five_ports() -> int:
    """The first of five free ports in a row, below those that systems give out by themselves."""
    for first in range(10_000 + os.getpid() % 1000 * 5, 30_000, 5):
        with suppress(OSError), ExitStack() as stack:
            for port in range(first, first + 5):
                stack.enter_context(bind(port))
            return first
    raise AssertionError("this machine has no five free ports in a row")


def local_client(**options: Any) -> httpx.Client:
    """A client of servers on this machine; the options are httpx's."""
    return httpx.Client(**{"trust_env": False, "timeout": PATIENCE, "verify": certificates()} | options)


@cache
def certificates() -> ssl.SSLContext:
    """What clients trust by default, which takes longer to read than a call."""
    return httpx.create_ssl_context()


def open_socket(url: str) -> socket.socket:
    """A bare connection to a server on this machine."""
    address = urlsplit(url)
    return socket.create_connection((address.hostname, address.port), timeout=PATIENCE)


def exchange(url: str, sent: bytes) -> bytes:
    """Everything that comes back for bytes on a connection whose sending side the client then closes."""
    with open_socket(url) as client:
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: client.recv(65536), b""))

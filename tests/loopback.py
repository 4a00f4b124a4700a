"""What tests with servers on this machine share: ports for them, and patience with their responses."""

import atexit
import socket
import sys
from contextlib import ExitStack
from typing import Any

import httpx

PATIENCE = 120
"""Seconds for a response that takes a moment: a machine that does much else at the time is no failure."""

_kept = ExitStack()
atexit.register(_kept.close)


def free_port(host: str = "127.0.0.1") -> int:
    """A port that nothing listens at, and that nobody else is given as long as the tests run.

    Linux gives a port that a socket is bound to only to those who name it. Elsewhere the port is only looked for.
    """
    with ExitStack() as found:
        holder = found.enter_context(socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET))
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind((host, 0))
        if sys.platform == "linux":
            _kept.push(found.pop_all())
        return int(holder.getsockname()[1])


def local_client(**options: Any) -> httpx.Client:
    """A client of servers on this machine; the options are httpx's."""
    return httpx.Client(**{"trust_env": False, "timeout": PATIENCE} | options)

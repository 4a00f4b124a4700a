"""Running what a learner wrote without a network. This is not a sandbox."""

import socket
from typing import Any, NoReturn

__all__ = ["cut_network"]

LOCAL = ("localhost", "127.0.0.1", "::1", None, "")


def cut_network() -> None:
    """Refuse connections of this process to other machines, and looking up their names."""
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def connect_locally(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and address[0] not in LOCAL:
            refuse()
        connect(self, address)

    def look_up_locally(host: Any, *arguments: Any, **options: Any) -> Any:
        if (host.decode() if isinstance(host, bytes) else host) not in LOCAL:
            refuse()
        return look_up(host, *arguments, **options)

    socket.socket.connect = connect_locally  # type: ignore[method-assign, assignment]
    socket.getaddrinfo = look_up_locally


def refuse() -> NoReturn:
    """Raise the error of a connection that is not allowed."""
    raise OSError("there is no network while an exercise is graded")

"""A connection until its first bytes say what it is: TLS, a CONNECT to one of the hosts, or plain HTTP."""

import asyncio
import os
import socket
import ssl
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from fakes.doors.connection import LONGEST
from fakes.proxy.refusals import Refusals

__all__ = ["FirstBytes", "Gate", "can_peek"]

CLIENT_HELLO = b"\x16"
"""The type of the record with which TLS starts (RFC 8446 5.1); no method of HTTP starts so."""
CONNECT = b"CONNECT "
PATIENCE = 60.0
"""Seconds for the first bytes, and for a handshake."""


def can_peek() -> bool:
    """Return whether one port can tell TLS from HTTP: Windows' loop cannot wait for bytes without reading them."""
    return sys.platform != "win32"


@dataclass(frozen=True)
class Gate:
    """The settings that the connections of one server share.

    Attributes:
        make_protocol: returns uvicorn's own protocol for a connection, given uvicorn's arguments.
        tls: the certificate.
        hosts: the names of the hosts that CONNECT may ask for.
        tls_port: the port of all TLS, where a port cannot tell it from HTTP; None where it can.
        refusals: counts what is refused.
    """

    make_protocol: Callable[..., Any]
    tls: ssl.SSLContext
    hosts: Collection[str]
    tls_port: int | None
    refusals: Refusals = field(default_factory=Refusals)

    def __call__(self, **options: Any) -> "FirstBytes":
        """Return the protocol of a new connection."""
        return FirstBytes(self, options)


class FirstBytes(asyncio.Protocol):
    """The protocol of a connection until uvicorn's takes over.

    `connection_made` stops reading, and looks: at TLS, `_secure` does the handshake; everything else arrives in
    `data_received`. After a CONNECT comes a handshake, too. In the end `_hand_over` gives the transport, with what has
    been read, to uvicorn's protocol.
    """

    def __init__(self, gate: Gate, options: dict[str, Any]) -> None:
        self._gate = gate
        self._options = options
        self._open: set[Any] = options["server_state"].connections
        self._received = b""
        self._peeking: socket.socket | None = None
        self._handshake: asyncio.Task[None] | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for the first byte without reading it, as the handshake of TLS needs it."""
        self._loop = asyncio.get_running_loop()
        self._transport = transport
        self._open.add(self)
        self._timer = self._loop.call_later(PATIENCE, transport.abort)
        transport.pause_reading()
        if self._gate.tls_port is None:
            # A descriptor of its own, as event loops refuse to watch that of a transport.
            self._peeking = socket.socket(fileno=os.dup(transport.get_extra_info("socket").fileno()))
            self._loop.add_reader(self._peeking, self._look)
        elif transport.get_extra_info("sockname")[1] == self._gate.tls_port:
            self._start_tls()
        else:
            transport.resume_reading()

    def _look(self) -> None:
        assert self._peeking is not None  # noqa: S101 - for mypy: it is watched
        try:
            first = self._peeking.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return
        except OSError:  # reset; the transport will find out
            first = b""
        self._stop_peeking()
        if first == CLIENT_HELLO:
            self._start_tls()
        else:
            self._transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Read the head of a CONNECT; leave all else to uvicorn's protocol."""
        self._received += data
        if self._handshake is not None:  # it is about to end
            return
        if not self._received.startswith(CONNECT[: len(self._received)]):
            self._hand_over()
            return
        head, end, rest = self._received.partition(b"\r\n\r\n")
        if end and not rest:
            self._connect(head.split(b" ")[1].decode("latin-1"))
        elif end or len(head) > LONGEST:  # nothing may follow before the response (RFC 9110 9.3.6)
            self._transport.abort()

    def _connect(self, authority: str) -> None:
        host, _, port = authority.rpartition(":")
        host = host.lower()
        self._received = b""
        if host not in self._gate.hosts:
            said = self._gate.refusals.refuse(host or authority)
            # Many clients show only the reason phrase, others only the body.
            head = f"HTTP/1.1 403 {said}\r\nContent-Type: text/plain\r\nContent-Length: {len(said)}\r\n"
            self._transport.write(f"{head}Connection: close\r\n\r\n{said}".encode("ascii"))
            self._transport.close()
            return
        if port != "80":
            self._transport.pause_reading()  # before the client can start the handshake
        self._transport.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        if port == "80":
            self._hand_over()
        else:
            self._start_tls()

    def _start_tls(self) -> None:
        self._handshake = self._loop.create_task(self._secure())

    async def _secure(self) -> None:
        try:
            secured = await self._loop.start_tls(self._transport, self, self._gate.tls, server_side=True)
        except OSError as failed:
            if "ALERT" in (getattr(failed, "reason", None) or ""):
                self._gate.refusals.distrusting += 1
            secured = None
        if secured is None:
            self._leave()
            return
        self._transport = secured
        self._hand_over()

    def _hand_over(self) -> None:
        """Let uvicorn's protocol go on."""
        self._leave()
        if self._transport.is_closing():
            return
        protocol = self._gate.make_protocol(**self._options)
        protocol.connection_made(self._transport)
        self._transport.set_protocol(protocol)
        if self._received:
            protocol.data_received(self._received)

    def connection_lost(self, _error: Exception | None) -> None:
        """Forget the connection."""
        self._leave()

    def shutdown(self) -> None:
        """Close the connection, as the server is stopping; uvicorn's server calls it."""
        self._transport.abort()

    def _leave(self) -> None:
        self._timer.cancel()
        self._stop_peeking()
        self._open.discard(self)

    def _stop_peeking(self) -> None:
        if self._peeking is not None:
            self._loop.remove_reader(self._peeking)
            self._peeking.close()
            self._peeking = None

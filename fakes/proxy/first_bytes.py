"""A connection until its first bytes say what it is: TLS, a CONNECT to one of the hosts, or plain HTTP."""

import asyncio
import ssl
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from fakes.doors.connection import LONGEST
from fakes.proxy.refusals import Refusals

__all__ = ["FirstBytes", "Gate"]

CLIENT_HELLO = b"\x16"
"""The type of the record with which TLS starts (RFC 8446 5.1); no method of HTTP starts so."""
CONNECT = b"CONNECT "


@dataclass(frozen=True)
class Gate:
    """The settings that the connections of one server share.

    Attributes:
        make_protocol: returns uvicorn's own protocol for a connection, given uvicorn's arguments.
        tls: the certificate.
        hosts: the names of the hosts that CONNECT may ask for.
        refusals: counts what is refused.
    """

    make_protocol: Callable[..., Any]
    tls: ssl.SSLContext
    hosts: Collection[str]
    refusals: Refusals

    def __call__(self, **options: Any) -> "FirstBytes":
        """Return the protocol of a new connection."""
        return FirstBytes(self, options)


class FirstBytes(asyncio.Protocol):
    """The protocol of a connection until uvicorn's takes over.

    `data_received` looks at the first bytes: a CONNECT is responded to, and the next bytes are first ones again; for
    TLS, `_secure` does the handshake. In the end `_hand_over` gives the transport, with what has been read, to
    uvicorn's protocol.
    """

    def __init__(self, gate: Gate, options: dict[str, Any]) -> None:
        self._gate = gate
        self._options = options
        self._open: set[Any] = options["server_state"].connections
        self._received = b""
        self._handshake: asyncio.Task[None] | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for the first bytes."""
        self._loop = asyncio.get_running_loop()
        self._transport = transport
        self._open.add(self)

    def data_received(self, data: bytes) -> None:
        """Start TLS, or read the head of a CONNECT; leave all else to uvicorn's protocol."""
        self._received += data
        if self._handshake is not None:  # it is about to end, and this is the first request
            return
        if self._received.startswith(CLIENT_HELLO):
            self._transport.pause_reading()
            hello, self._received = self._received, b""
            self._handshake = self._loop.create_task(self._secure())
            # The task sets a protocol whose `connection_made` is called soon. What has been read comes right after it,
            # before what will be read.
            self._loop.call_soon(self._loop.call_soon, self._replay, hello)
        elif self._received.startswith(CONNECT[: len(self._received)]):
            head, end, rest = self._received.partition(b"\r\n\r\n")
            if end and not rest:
                self._connect(head.split(b" ")[1].decode("latin-1"))
            elif end or len(head) > LONGEST:  # nothing may follow before the response (RFC 9110 9.3.6)
                self._transport.abort()
        else:
            self._hand_over()

    def _connect(self, authority: str) -> None:
        host = authority.rpartition(":")[0].lower()
        self._received = b""
        if host in self._gate.hosts:
            self._transport.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            return
        said = self._gate.refusals.refuse(host or authority)
        # Many clients show only the reason phrase, others only the body.
        head = f"HTTP/1.1 403 {said}\r\nContent-Type: text/plain\r\nContent-Length: {len(said)}\r\n"
        self._transport.write(f"{head}Connection: close\r\n\r\n{said}".encode("ascii"))
        self._transport.close()

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

    def _replay(self, data: bytes) -> None:
        """Let the protocol of the transport receive what has been read before."""
        protocol = self._transport.get_protocol()
        protocol.get_buffer(len(data))[: len(data)] = data
        protocol.buffer_updated(len(data))

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
        self._open.discard(self)

"""A connection of a served fake that httptools parses, in a third of the time that h11 takes."""

import re
from typing import Any
from urllib.parse import unquote

from httptools import HttpParserError
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from fakes.doors.connection import BLANK_LINE, LONGEST, HTTPConnection

__all__ = ["HttpToolsConnection"]

ORDINARY = re.compile(
    rb"(?:DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT) /[\x21-\x7e]* HTTP/1\.1(?:\r\n[-0-9A-Z_a-z]+:[\t\x20-\x7e]*)*"
)
"""The heads that httptools and h11 read in the same way, but for the fields that `on_headers_complete` checks."""
KEPT_OR_CLOSED = {b"keep-alive", b"close"}
FOR_H11 = {b"expect", b"proxy-connection", b"transfer-encoding", b"upgrade"}


class UnusualHead(Exception):
    """Raised where h11 and httptools differ."""


class HttpToolsConnection(HTTPConnection, HttpToolsProtocol):
    """A connection whose parser is compiled; h11 takes over at the first request that is not an ordinary one.

    Ordinary is a complete head of HTTP/1.1, of a common method and form, for a body of a known length. httptools reads
    everything else differently from h11, such as chunks and offers to upgrade, so it never sees it, and clients get
    the same outcome from both.

    It reads one request at a time: what arrives after one waits until the response is complete, as in h11.
    """

    _waiting = b""  # what arrived after the request in progress
    _left = 0  # bytes of its body that have not arrived

    def data_received(self, data: bytes) -> None:
        """Read what arrived: the rest of a body, or the next request."""
        self._unset_keepalive_if_required()
        if self._left:
            body, data = data[: self._left], data[self._left :]
            self._left -= len(body)
            self.parser.feed_data(body)
        self._waiting += data
        self._start_next()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a field to the head."""
        super().on_header(name, value.strip(b" \t"))

    def on_headers_complete(self) -> None:
        """Start the request, with the target as sent.

        Raises:
            UnusualHead: h11 is needed.
        """
        names, fields = [name for name, _ in self.headers], dict(self.headers)
        length = fields.get(b"content-length", b"0")
        if (
            names.count(b"host") != 1
            or names.count(b"content-length") > 1
            or not (length.isdigit() and len(length) <= 18)
            or names.count(b"connection") > 1
            or fields.get(b"connection", b"keep-alive").lower() not in KEPT_OR_CLOSED
            or not FOR_H11.isdisjoint(names)
        ):
            raise UnusualHead
        raw_path, _, query = self.url.partition(b"?")
        self._left = int(length)
        self.url = b"/"  # for uvicorn, which would drop parts of a target
        super().on_headers_complete()
        scope: dict[str, Any] = self.scope  # type: ignore[assignment]
        scope.update(path=unquote(raw_path.decode("ascii")), raw_path=raw_path, query_string=query)

    def on_response_complete(self) -> None:
        """Go on with the next request, once the app has returned."""
        self.loop.call_soon(self._start_next)
        super().on_response_complete()

    def eof_received(self) -> bool:  # type: ignore[override]  # as in uvicorn, which returns nothing
        """Start the request that waits, if any, before the end of the client's half is judged."""
        self._start_next()
        protocol: Any = self.transport.get_protocol()
        return super().eof_received() if protocol is self else bool(protocol.eof_received())

    def _start_next(self) -> None:
        """Start the request that waits, unless one is in progress."""
        if not self._waiting or self._left or self.transport.is_closing():
            return
        if self.in_progress:
            self.flow.pause_reading()
            return
        head, blank, rest = self._waiting.partition(BLANK_LINE)
        try:
            if not blank or len(head) > LONGEST or not ORDINARY.fullmatch(head):
                raise UnusualHead
            self.parser.feed_data(head + blank)
        except (UnusualHead, HttpParserError):
            self._hand_over()
            return
        self._waiting = b""
        self.data_received(rest)

    def _hand_over(self) -> None:
        """Let h11 take over, before a request."""
        from fakes.doors.framing import H11Connection  # few connections need it

        self.connections.discard(self)
        self._unset_keepalive_if_required()
        successor = H11Connection(self.config, self.server_state, self.app_state)
        self.transport.set_protocol(successor)
        successor.connection_made(self.transport)
        waiting, self._waiting = self._waiting, b""
        successor.data_received(waiting)
        if self.half_closed and not successor.eof_received():
            self.transport.close()
        self.half_closed = False

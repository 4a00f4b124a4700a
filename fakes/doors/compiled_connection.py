"""A connection of a served fake that httptools parses, in a third of the time that h11 takes."""

from typing import Any
from urllib.parse import unquote

from httptools import HttpParserError
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from fakes.doors.connection import H11Connection, HTTPConnection

__all__ = ["HttpToolsConnection"]

LONGEST = 16 * 1024
"""The most bytes without a complete head or any of a body, as in h11."""
INVALID = "Invalid HTTP request received."


class UnusualHead(Exception):
    """Raised where h11 and httptools differ."""


class HttpToolsConnection(HTTPConnection, HttpToolsProtocol):
    """A connection whose parser is compiled; h11 takes over with whatever is not an ordinary request.

    That is what httptools refuses, such as unknown methods, and what it reads differently: HTTP/1.0, codings other than
    chunked, ``Proxy-Connection``, and offers to upgrade, whose body it would drop. So a client gets the same responses
    from both, unless an unusual request arrives together with the one before it, which ends the connection.

    All that has arrived is parsed, so further requests may be known while the app responds to the first.
    """

    _pending = b""  # what arrived since a head was complete, or a piece of a body was received
    _replayable = False  # whether a head starts where that starts
    _malformed = False

    def data_received(self, data: bytes) -> None:
        """Parse what arrived."""
        self._unset_keepalive_if_required()
        self._pending += data
        try:
            self.parser.feed_data(data)
        except HttpParserError:
            self._give_up()
        else:
            if len(self._pending) > LONGEST:
                self._give_up()

    def on_message_begin(self) -> None:
        """Start a head."""
        self._replayable = bool(self._pending)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Start the request, with the target as sent, in whatever form.

        Raises:
            UnusualHead: h11 is needed.
        """
        names = [name for name, _ in self.headers]
        if (
            names.count(b"host") != 1
            or self.parser.get_http_version() != "1.1"
            or self.parser.should_upgrade()
        ):
            raise UnusualHead
        if b"proxy-connection" in names or (
            b"transfer-encoding" in names and dict(self.headers)[b"transfer-encoding"].lower() != b"chunked"
        ):
            raise UnusualHead
        raw_path, _, query = self.url.partition(b"?")
        path = unquote(raw_path.decode("ascii"))
        self._pending, self._replayable = b"", False
        self.url = b"/"  # for uvicorn, which would drop the origin of a target
        super().on_headers_complete()
        scope: dict[str, Any] = self.scope  # type: ignore[assignment]
        scope.update(path=path, raw_path=raw_path, query_string=query)
        self.headers = []  # for trailers, which are ignored
        if not self._in_progress:
            self.current = self.cycle

    def on_body(self, body: bytes) -> None:
        """Pass on a piece of the body."""
        self._pending = b""
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Pass on the end of the body."""
        self._pending = b""
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Refuse what followed the last request, if that is not another."""
        if self._malformed and not self.pipeline:
            self._refuse()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the app, which may not respond to the last request yet."""
        if self._in_progress:
            self.current.disconnected = True
            self.current.message_event.set()
        super().connection_lost(exc)

    @property
    def _in_progress(self) -> bool:
        return self.current is not None and not self.current.response_complete

    def _give_up(self) -> None:
        """Stop parsing: let h11 take over before a request, or refuse what followed one."""
        if self._in_progress and not self.current.more_body:
            self.flow.pause_reading()
            self._malformed = True
        elif self._in_progress or not (self._pending and self._replayable):
            self._refuse()
        else:
            self._hand_over()

    def _refuse(self) -> None:
        self.logger.warning(INVALID)
        self.send_400_response(INVALID)

    def _hand_over(self) -> None:
        self.connections.discard(self)
        self.cancel_timer()
        successor = H11Connection(self.config, self.server_state, self.app_state)
        self.transport.set_protocol(successor)
        successor.connection_made(self.transport)
        successor.data_received(self._pending)

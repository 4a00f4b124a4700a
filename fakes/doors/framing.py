"""The framing of requests: a served fake accepts those that every server and proxy reads in the same way.

Where two programs can read a head differently, one request can hide inside another (RFC 9112, section 11.2). h11 is
lenient about some of that: lines that end with a line feed alone, folded lines, lengths that repeat or contradict.
"""

import re
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from fakes.doors.connection import BLANK_LINE, LONGEST, HTTPConnection

__all__ = ["H11Connection", "StrictConnection", "check_head"]

EMPTY_LINES = re.compile(rb"(?:\r\n)*")
TOKEN = rb"[-!#$%&'*+.^_`|~0-9A-Za-z]+"
HEAD = re.compile(rb"%b [\x21-\x7e]+ HTTP/1\.[0-9](?:\r\n%b:[^\0\r\n]*)*" % (TOKEN, TOKEN))
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([^\r]*?)[ \t]*(?=\r|$)", re.IGNORECASE)
CODING = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
SIZE = re.compile(rb"[0-9]{1,18}")


def check_head(head: bytes) -> None:
    """Check the head of a request, without the blank line at its end.

    Raises:
        h11.RemoteProtocolError: it is malformed, or could be read in two ways.

    Examples:
        >>> check_head(b"GET / HTTP/1.1\\r\\nHost: x")
        >>> check_head(b"GET / HTTP/1.1\\r\\nContent-Length: 1\\r\\nTransfer-Encoding: chunked")
        Traceback (most recent call last):
        ...
        h11._util.RemoteProtocolError: the length of the body is given twice, or is not a number
    """
    if len(head) > LONGEST or not HEAD.fullmatch(head):
        raise h11.RemoteProtocolError("malformed or too long a head")
    lengths, codings = LENGTH.findall(head), CODING.findall(head)
    if len(lengths) + len(codings) > 1 or not all(map(SIZE.fullmatch, lengths)):
        raise h11.RemoteProtocolError("the length of the body is given twice, or is not a number")
    if codings and b" HTTP/1.0" in head.partition(b"\r\n")[0]:
        raise h11.RemoteProtocolError("HTTP/1.0 has no Transfer-Encoding")


class StrictConnection(h11.Connection):
    """A connection of h11 that checks each head, and ignores empty lines before it (RFC 9112, section 2.2)."""

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """Return the next event.

        Raises:
            h11.RemoteProtocolError: the request is malformed, or could be read in two ways.
        """
        if self.their_state is h11.IDLE and self._receive_buffer:
            received = bytes(self._receive_buffer)
            empty = len(EMPTY_LINES.match(received)[0])  # type: ignore[index]  # it always matches
            self._receive_buffer.maybe_extract_at_most(empty)  # h11 itself refuses empty lines
            if received[empty:] == b"\r":
                return h11.NEED_DATA
            head, blank, _ = received[empty:].partition(BLANK_LINE)
            if head.count(b"\n") != head.count(b"\r\n"):
                raise h11.RemoteProtocolError("a line ends with a line feed alone")
            if blank:
                check_head(head)
        return super().next_event()


class H11Connection(HTTPConnection, H11Protocol):  # type: ignore[misc]  # uvicorn's eof_received returns nothing
    """A connection that is parsed in Python, which works everywhere."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.conn = StrictConnection(h11.SERVER, LONGEST)

    def data_received(self, data: bytes) -> None:
        """Parse what arrived, unless the client asked for the connection to be closed after its last request."""
        if self.conn.their_state is not h11.MUST_CLOSE:
            super().data_received(data)

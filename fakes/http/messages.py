"""The request head and the response that all doors use, independent of client libraries."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fakes.http.unpicklable import Unpicklable
from svckit.display.masking import mask

__all__ = ["FakeResponse", "RequestHead", "check_field_value"]

FIELD_VALUE = re.compile(r"(?:[!-~](?:[\t -~]*[!-~])?)?")
"""A field value of RFC 9110 5.5 without the obsolete bytes, which clients decode differently."""


def check_field_value(text: str) -> str:
    """Return a text unchanged if a response header can carry it.

    Every text that goes into a header without `fakes.handlers.error_formats.escape_text` is checked here on input.
    Servers refuse to send anything else, and by then the request has already changed the state.

    Raises:
        ValueError: the text is not a field value.

    Examples:
        >>> check_field_value("text/plain; charset=UTF-8")
        'text/plain; charset=UTF-8'
        >>> check_field_value("text/plain ")
        Traceback (most recent call last):
        ...
        ValueError: must be visible ASCII characters with blanks only between them, ...; given 'text/plain '
    """
    if FIELD_VALUE.fullmatch(text) is None:
        raise ValueError(
            "must be visible ASCII characters with blanks only between them, as response headers carry nothing else; "
            f"given {text!r}"
        )
    return text


@dataclass(slots=True)
class RequestHead(Unpicklable):
    """The head of a request; its repr leaves out the headers, which may hold a bearer, and masks the URL.

    Attributes:
        method: in capitals.
        url: absolute, as sent: raw path and query kept.
        headers: names and values as received, in order.

    Examples:
        >>> head = RequestHead("GET", "https://api.fake.test/", [(b"Accept", b"text/html")])
        >>> head.header("accept"), head.header("Range")
        ('text/html', '')
    """

    method: str
    url: str
    headers: Sequence[tuple[bytes, bytes]] = ()
    _by_name: dict[bytes, bytes] | None = field(default=None, init=False, repr=False, compare=False)

    def header(self, name: str) -> str:
        """Return the value of a header, matched without regard to case; empty if it was not sent."""
        if self._by_name is None:
            self._by_name = dict(self.headers)
        wanted = name.encode()
        value = self._by_name.get(wanted)  # most clients use the same case as the handlers
        if value is None:
            wanted = wanted.lower()
            value = self._by_name.get(wanted)  # servers lowercase names
            if value is None:
                value = next((v for sent, v in self.headers if sent.lower() == wanted), b"")
        return value.decode("latin-1")

    def __repr__(self) -> str:
        return f"<RequestHead: {self.method} {mask(self.url)}>"


@dataclass(slots=True)
class FakeResponse(Unpicklable):
    """A response: status, headers in order, and a body of bytes or an iterable of chunks.

    Its repr leaves out headers and body, which may hold codes and tokens.

    Attributes:
        wait: seconds that the door waits before it responds.
        pace: seconds that the door waits before each chunk of the body.
    """

    status: int
    headers: list[tuple[str, str]] = field(default_factory=list, repr=False)
    body: bytes | Iterable[bytes] = field(default=b"", repr=False)
    wait: float = 0.0
    pace: float = 0.0

    def read(self) -> bytes:
        """Return the body in one piece.

        Examples:
            >>> FakeResponse(200, body=[b"o", b"k"]).read()
            b'ok'
        """
        return self.body if isinstance(self.body, bytes) else b"".join(self.body)

    def head_only(self) -> "FakeResponse":
        """Return this response for HEAD: headers with the length of the body, and no body (RFC 9110 9.3.2).

        Examples:
            >>> FakeResponse(404, [("Content-Type", "text/plain")], b"no").head_only().headers
            [('Content-Type', 'text/plain'), ('Content-Length', '2')]
        """
        length = [("Content-Length", str(len(self.body)))] if isinstance(self.body, bytes) else []
        return FakeResponse(self.status, self.headers + length, (), self.wait)

"""The neutral request and response that every door speaks."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fakes.http.unpicklable import Unpicklable
from svckit.display.masking import mask

__all__ = ["FakeResponse", "RequestHead", "check_field_value"]

FIELD_VALUE = re.compile(r"(?:[!-~](?:[\t -~]*[!-~])?)?")
"""A field value of RFC 9110 5.5 without the bytes that it calls obsolete, which clients read in several ways."""


def check_field_value(text: str) -> str:
    """Return a text that a response's header can carry as it is.

    Whatever goes into a header without `fakes.handlers.error_formats.escape_text` has passed through here when the fake
    took it. Servers refuse to send anything else, and what the request has done by then stays done.

    Raises:
        ValueError: the text is not a field value.

    Examples:
        >>> check_field_value("text/plain; charset=UTF-8")
        'text/plain; charset=UTF-8'
        >>> check_field_value("text/plain ")
        Traceback (most recent call last):
        ...
        ValueError: must be visible ASCII characters, with blanks only between them, ...; given 'text/plain '
    """
    if FIELD_VALUE.fullmatch(text) is None:
        raise ValueError(
            "must be visible ASCII characters, with blanks only between them, or no header of a response could carry "
            f"it; given {text!r}"
        )
    return text


@dataclass(slots=True)
class RequestHead(Unpicklable):
    """The head of a request; its repr leaves out the headers, which may hold a bearer, and masks the URL.

    Attributes:
        method: in capitals.
        url: absolute, as sent: raw path and query kept.
        headers: names and values as they came over the wire, in order.

    Examples:
        >>> head = RequestHead("GET", "https://api.fake.test/", [(b"Accept", b"text/html")])
        >>> head.header("accept"), head.header("Range")
        ('text/html', '')
    """

    method: str
    url: str
    headers: Sequence[tuple[bytes, bytes]] = ()
    _as_sent: dict[bytes, bytes] | None = field(default=None, init=False, repr=False, compare=False)

    def header(self, name: str) -> str:
        """The value of a header, whatever the case of its name; empty where it was not sent."""
        if self._as_sent is None:
            self._as_sent = dict(self.headers)
        wanted = name.encode()
        value = self._as_sent.get(wanted)  # most clients write names as the handlers do
        if value is None:
            wanted = wanted.lower()
            value = self._as_sent.get(wanted)  # servers write them small
        if value is None:
            value = next((v for sent, v in self.headers if sent.lower() == wanted), b"")
        return value.decode("latin-1")

    def __repr__(self) -> str:
        return f"<RequestHead: {self.method} {mask(self.url)}>"


@dataclass(slots=True)
class FakeResponse(Unpicklable):
    """An answer: status, headers in order, and a body that is bytes or an iterable of chunks.

    Its repr leaves out headers and body, which may hold codes and tokens.

    Attributes:
        wait: seconds the door lets pass before it answers.
        pace: seconds the door lets pass before each chunk of the body.
    """

    status: int
    headers: list[tuple[str, str]] = field(default_factory=list, repr=False)
    body: bytes | Iterable[bytes] = field(default=b"", repr=False)
    wait: float = 0.0
    pace: float = 0.0

    def head_only(self) -> "FakeResponse":
        """This answer as HEAD gets it: the headers, with the length that its body has, and no body (RFC 9110 9.3.2).

        Examples:
            >>> FakeResponse(404, [("Content-Type", "text/plain")], b"no").head_only().headers
            [('Content-Type', 'text/plain'), ('Content-Length', '2')]
        """
        length = [("Content-Length", str(len(self.body)))] if isinstance(self.body, bytes) else []
        return FakeResponse(self.status, self.headers + length, (), self.wait)

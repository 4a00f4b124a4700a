"""Requests and answers as values, and what an address is, without any HTTP library.

An operation is a generator that yields a `Call` and is sent the `Reply`; a session does what lies between. A
call is a value before it is sent, so it can be shown, traced or sent twice.
"""

import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from json import loads
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, TypeVar
from urllib.parse import quote

__all__ = [
    "Area",
    "Call",
    "FilePart",
    "Hidden",
    "Operation",
    "Origin",
    "Readable",
    "Reply",
    "Sink",
    "Wait",
    "is_loopback",
    "is_token",
    "locate",
    "quoted",
]

T = TypeVar("T")

Area = Literal["api", "auth", "storage", "hooks"]
"""The four addresses of the service: resource API, authorization server, file storage, notifications."""


class Hidden(Protocol):
    """Text that shows itself only when asked to; `svckit.models.secret.Secret` is such."""

    def reveal(self) -> str:
        """The text itself."""


class Readable(Protocol):
    """A binary file to send, rewound each time it is sent; an open file is such, and ``BytesIO``."""

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to a place, or to the end to see how far that is."""

    def tell(self) -> int:
        """The place of the next byte."""


class Sink(Protocol):
    """What the body of an answer is written to as it comes."""

    def begin(self, size: int | None) -> object:
        """A body begins, of so many bytes if that is known; one that came before, and only half, is void."""

    def write(self, chunk: bytes, /) -> object:
        """The next bytes of it."""


@dataclass(frozen=True, slots=True)
class FilePart:
    """The one file of a multipart body, sent whole from its beginning, in pieces.

    Attributes:
        file_name: the name it is sent with.
        content_type: its media type.
        content: what it holds.
        name: name of the part.
        fields: fields of text that are sent before it.
    """

    file_name: str
    content_type: str
    content: Readable
    name: str = "Filedata"
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wait:
    """A pause, by the clock of the session: real time, except where the clock of a fake stands and is moved.

    Attributes:
        seconds: how long.
        why: the reason, in words for a person.
    """

    seconds: float
    why: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Call:
    """A request, before anything is known of tokens and connections.

    Attributes:
        operation: name of the operation it belongs to, such as ``users.update``.
        method: HTTP method.
        target: a path below the area's address, beginning with ``/``, every id in it `quoted`; or an absolute
            address, which must lie within the area.
        area: which of the service's addresses it goes to.
        params: query parameters.
        json: a JSON value to send; ``None`` for no JSON body.
        form: fields of a form to send.
        file: a file to send as multipart.
        bearer: whether the access token goes with it.
        expects: the statuses that mean success.
        headers: headers of its own, beside those that a session adds.
        sink: what a successful answer's body is written to as it comes.
        place: the path of the place it is about, where its target is another.
        repeatable: whether to send it twice does no more than to send it once, so that a session may repeat it
            when no answer came or the service was busy. Where no connection could be made, every call is repeated.
        after: a pause to make before it is sent.
        alone: what no other call of the session may be under way for meanwhile, such as a user; empty for nothing.
    """

    operation: str
    method: str
    target: str | Hidden
    area: Area = "api"
    params: Mapping[str, str | Hidden] = field(default_factory=dict)
    json: Any = None
    form: Mapping[str, str | Hidden] | None = None
    file: FilePart | None = None
    bearer: bool = True
    expects: tuple[int, ...] = (200,)
    headers: Mapping[str, str] = field(default_factory=dict)
    sink: Sink | None = None
    place: str = ""
    repeatable: bool = False
    after: Wait | None = None
    alone: str = ""

    def __repr__(self) -> str:
        target = self.target.partition("?")[0] if isinstance(self.target, str) else "***"
        return f"<Call of {self.operation}: {self.method} {target}>"  # a query may hold what signs an address


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a call.

    Attributes:
        status: HTTP status.
        headers: by lower-case name.
        content: the body; empty if it went to a sink. Never shown: it may hold tokens.
        operation: the operation that was called.
        request: method and address of the request, masked.
    """

    status: int
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    content: bytes = field(default=b"", repr=False)
    operation: str = ""
    request: str = ""

    def json(self) -> Any:
        """The body, read as JSON.

        Raises:
            ValueError: it is no JSON.
        """
        return loads(self.content)


Operation: TypeAlias = Generator[Call, Reply, T]
"""An operation of the service, written once: yields calls, is sent replies, returns its result."""


class Origin(NamedTuple):
    """Scheme, host and port of an address; two addresses are of the same place if these are equal."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        port = "" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}"


DEFAULT_PORTS = {"http": 80, "https": 443}
HIGHEST_PORT = 65535
_ADDRESS = re.compile(r"(https?)://([^/?#]*)([^#]*)", re.IGNORECASE | re.DOTALL)
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::([0-9]*))?")
_HOST = re.compile(r"\[[0-9a-f:.]+\]|[a-z0-9._-]+")
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def locate(address: str) -> tuple[Origin, str]:
    """Take an absolute address apart: its origin, and the path with the query.

    Put together again, ``f"{origin}{rest}"`` is the same address in a spelling that nothing reads differently.
    Whoever compares origins sends to that spelling, not to the one that was given.

    Raises:
        ValueError: it is not a plain http(s) address; says why, without showing the address.

    Examples:
        >>> locate("HTTPS://Storage.Fake.Test:443/uploads/1?x=2#top")
        (Origin(scheme='https', host='storage.fake.test', port=443), '/uploads/1?x=2')
        >>> locate("https://storage.fake.test@example.com/")
        Traceback (most recent call last):
        ...
        ValueError: it holds user information (an @ before the host)
    """
    if _CONTROL.search(address):
        raise ValueError("it holds control characters or half of a character")
    parts = _ADDRESS.fullmatch(address.partition("#")[0])
    if parts is None:
        raise ValueError("it is not an absolute http or https address")
    scheme, authority, rest = parts[1].lower(), parts[2], parts[3]
    if "@" in authority:
        raise ValueError("it holds user information (an @ before the host)")
    host_and_port = _AUTHORITY.fullmatch(authority)
    host = _ascii(host_and_port[1]) if host_and_port else ""
    if host_and_port is None or not _HOST.fullmatch(host):
        raise ValueError("its host is not written as a host name or address")
    port = int(host_and_port[2] or DEFAULT_PORTS[scheme])
    if not 0 < port <= HIGHEST_PORT:
        raise ValueError("its port is out of range")
    return Origin(scheme, host, port), rest if rest.startswith("/") else f"/{rest}"


def _ascii(host: str) -> str:
    try:
        return host.encode("idna").decode().lower()
    except UnicodeError:
        return ""


def is_loopback(host: str) -> bool:
    """Whether a host, as `locate` writes it, is this machine itself.

    Examples:
        >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("[::1]"), is_loopback("example.com")
        (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def is_token(text: object) -> bool:
    """Whether a text can be part of a header's name (a token of RFC 9110, section 5.6.2).

    Examples:
        >>> is_token("SERVICE"), is_token("MY SERVICE"), is_token("")
        (True, False, False)
    """
    return isinstance(text, str) and _TOKEN.fullmatch(text) is not None


def quoted(segment: str) -> str:
    """Write a value as one segment of a path.

    Raises:
        ValueError: no segment can stand for the value: it is empty, ``.`` or ``..``.

    Examples:
        >>> quoted("externalKey:a/b")
        'externalKey%3Aa%2Fb'
        >>> quoted("..")
        Traceback (most recent call last):
        ...
        ValueError: '..' cannot be part of an address; give an ID as the service shows it
    """
    if segment in ("", ".", ".."):
        raise ValueError(f"{segment!r} cannot be part of an address; give an ID as the service shows it")
    return quote(segment, safe="")

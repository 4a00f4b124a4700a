"""Requests and responses as values, without any HTTP library.

An operation is a generator that yields a `Request` and receives the `Response`; a session does the work in between. A
request is a value before it is sent, so it can be shown, traced or sent twice.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from json import loads
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from svckit.addresses import Area
from svckit.models.secret import Secret

__all__ = ["FilePart", "Operation", "Readable", "Request", "Response", "Sink", "Wait"]

T = TypeVar("T")


class Readable(Protocol):
    """A binary file to send, rewound before each attempt, such as an open file or ``BytesIO``."""

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes."""

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Move to a position, or to the end to learn the size."""

    def tell(self) -> int:
        """Return the position of the next byte."""


class Sink(Protocol):
    """A destination that the body of a response is written to as it arrives."""

    def begin(self, size: int | None) -> object:
        """Start a body, of this many bytes if known; discard an earlier, incomplete one."""

    def write(self, chunk: bytes, /) -> object:
        """Write the next bytes of the body."""


class FilePart(NamedTuple):
    """The single file of a multipart body, streamed from its beginning.

    Attributes:
        file_name: the file name to send.
        content_type: its media type.
        content: its content.
        name: the name of the part.
        fields: text fields that are sent before the file.
    """

    file_name: str
    content_type: str
    content: Readable
    name: str = "Filedata"
    fields: Mapping[str, str] = MappingProxyType({})


class Wait(NamedTuple):
    """A pause on the session's clock: real time, unless a fake's clock stands still and is moved instead.

    Attributes:
        seconds: how long.
        why: the reason, for people.
    """

    seconds: float
    why: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Request:
    """A request, independent of tokens and connections.

    Attributes:
        operation: name of the operation it belongs to, such as ``users.update``.
        method: HTTP method.
        target: a path below the area's base URL, starting with ``/``, its IDs quoted by
            `svckit.addresses.quote_segment`; or an absolute URL within the area.
        area: the area of the service it goes to.
        params: query parameters.
        json: a JSON value to send; ``None`` for no JSON body.
        form: form fields to send.
        file: a file to send as multipart.
        bearer: whether to send the access token.
        expects: the statuses that mean success, the described ones first.
        headers: headers in addition to those that a session adds.
        sink: where the body of a successful response is written as it arrives.
        place: the path of the place it is about, if that differs from the target.
        repeatable: whether the request is idempotent, so that a session may repeat it if no response came or the
            service was busy. If no connection was made, a session repeats any request.
        after: a pause before it is sent.
        exclusive: what the session sends only one request at a time for, such as a user; empty for no limit.
    """

    operation: str
    method: str
    target: str | Secret
    area: Area = "api"
    params: Mapping[str, str | Secret] = field(default_factory=dict)
    json: Any = None
    form: Mapping[str, str | Secret] | None = None
    file: FilePart | None = None
    bearer: bool = True
    expects: tuple[int, ...] = (200,)
    headers: Mapping[str, str] = field(default_factory=dict)
    sink: Sink | None = None
    place: str = ""
    repeatable: bool = False
    after: Wait | None = None
    exclusive: str = ""

    def means_success(self, status: int) -> bool:
        """Return whether a status means success: one that is expected or, outside the file storage, of its class.

        The statuses of the file storage say how much of a file has arrived.
        """
        if status in self.expects:
            return True
        return (
            self.area != "storage"
            and 200 <= status < 300
            and any(200 <= expected < 300 for expected in self.expects)
        )

    def __repr__(self) -> str:
        target = self.target.partition("?")[0] if isinstance(self.target, str) else "***"
        return f"<Request of {self.operation}: {self.method} {target}>"  # a query may hold a URL's signature


def _accept(_difference: str) -> None:
    """Accept a difference from the description without a word."""


@dataclass(frozen=True, slots=True)
class Response:
    """The response to a request.

    Attributes:
        status: HTTP status.
        headers: by lower-case name.
        content: the body; empty if it went to a sink. Never shown: it may hold tokens.
        operation: the operation that the request belongs to.
        request: method and URL of the request, masked.
        report: called with each difference from the description that was accepted.
    """

    status: int
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    content: bytes = field(default=b"", repr=False)
    operation: str = ""
    request: str = ""
    report: Callable[[str], None] = field(default=_accept, repr=False, compare=False)

    @property
    def context(self) -> dict[str, Any]:
        """The status, operation and request, as the keywords of an error about it."""
        return {"status": self.status, "operation": self.operation, "request": self.request}

    def json(self) -> Any:
        """Return the body, read as JSON.

        Raises:
            ValueError: the body is not JSON.
        """
        return loads(self.content)


Operation: TypeAlias = Generator[Request, Response, T]
"""An operation of the service, written once: yields requests, receives responses, returns its result."""

"""Requests and responses as values, without any HTTP library.

An operation is a generator that yields a `Request` and is sent the `Response`; a session does what lies between. A
call is a value before it is sent, so it can be shown, traced or sent twice.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from json import loads
from typing import Any, Protocol, TypeAlias, TypeVar

from svckit.addresses import Area

__all__ = ["FilePart", "Hidden", "Operation", "Readable", "Request", "Response", "Sink", "Wait"]

T = TypeVar("T")


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
class Request:
    """A request, before anything is known of tokens and connections.

    Attributes:
        operation: name of the operation it belongs to, such as ``users.update``.
        method: HTTP method.
        target: a path below the area's address, beginning with ``/``, every id in it `quote_segment`; or an absolute
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
class Response:
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


Operation: TypeAlias = Generator[Request, Response, T]
"""An operation of the service, written once: yields calls, is sent replies, returns its result."""

"""The journal: requests and responses, and the rules each response rested on, with secrets masked."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import chain
from typing import overload

from fakes.http.messages import FakeResponse, RequestHead
from fakes.rulebook.rules import Rule
from svckit.display.card import quantity, render_table
from svckit.display.masking import mask
from svckit.display.tab import PublicNames
from svckit.models.notification import RateLimit

__all__ = ["IGNORED_HEADER", "Journal", "JournalEntry"]

IGNORED_HEADER = "X-Fake-Ignored"
"""The header with the ignored fields of a request, separated by commas."""

CAPACITY = 10_000
SIZE = 64 * 1024 * 1024
BODY_LIMIT = 64 * 1024
STREAMED = "«streamed»"
ASSUMED_SHOWN = 2
"""The most assumptions on the line of an entry."""


@dataclass(slots=True, eq=False)
class JournalEntry:
    """One request and its response. Values are masked when read, so that recording is cheap."""

    at: datetime
    operation: str
    used: tuple[Rule, ...]
    _head: RequestHead
    _request_body: bytes
    request_bytes: int
    """The size of the whole request body, including an uploaded file."""
    _response: FakeResponse | None
    user_id: str | None = None
    """The caller, by the access token; None if it was not needed or not valid."""
    injected: str | None = None
    """The effect of a fault, in words; None without a fault."""
    number: int = 0
    """The number of the request, from 1; 0 until the journal has the entry."""
    response_bytes: int | None = 0
    """The size of the whole response body; None if it was streamed."""
    kept_bytes: int = 0
    """The bytes kept of the bodies and of the request's head."""

    def cut(self) -> None:
        """Truncate long bodies, and drop a streamed one: it would keep a deleted file on disk."""
        head, response = self._head, self._response
        kept = len(self._request_body)
        if kept > BODY_LIMIT:
            self._request_body, kept = self._request_body[:BODY_LIMIT], BODY_LIMIT
        if response is not None:
            body: bytes | Iterable[bytes] = response.body
            if isinstance(body, bytes):
                self.response_bytes = size = len(body)
                if size > BODY_LIMIT:
                    size = BODY_LIMIT
                    self._response = FakeResponse(response.status, response.headers, body[:BODY_LIMIT])
                kept += size
            else:
                self.response_bytes = None
                self._response = FakeResponse(response.status, response.headers, ())
        self.kept_bytes = kept + len(head.url) + sum(map(len, chain.from_iterable(head.headers)))

    @property
    def method(self) -> str:
        """The HTTP method."""
        return self._head.method

    @property
    def url(self) -> str:
        """The URL, with secrets masked."""
        return mask(self._head.url)

    @property
    def path(self) -> str:
        """The path and query of the URL, with secrets masked."""
        _, _, rest = self.url.partition("://")
        return "/" + rest.partition("/")[2]

    @property
    def status(self) -> int | None:
        """The HTTP status of the response; None if a fault broke the connection before it."""
        return None if self._response is None else self._response.status

    @property
    def rules(self) -> tuple[str, ...]:
        """The IDs of all rules the response used."""
        return tuple(rule.id for rule in self.used)

    @property
    def assumed(self) -> tuple[str, ...]:
        """The IDs of the assumptions the response rested on."""
        return tuple(rule.id for rule in self.used if rule.alternatives)

    @property
    def ignored(self) -> tuple[str, ...]:
        """The paths of the request's ignored fields: unknown and read-only ones."""
        headers = [] if self._response is None else self._response.headers
        ignored = next((value for name, value in headers if name == IGNORED_HEADER), "")
        return tuple(mask(ignored).split(", ")) if ignored else ()

    @property
    def request_headers(self) -> list[tuple[str, str]]:
        """The request headers, masked."""
        return mask_headers((n.decode("latin-1"), v.decode("latin-1")) for n, v in self._head.headers)

    @property
    def request_body(self) -> str:
        """The request body as masked text: its first 64 KiB, without an uploaded file."""
        return text(self._request_body)

    @property
    def response_headers(self) -> list[tuple[str, str]]:
        """The response headers, masked."""
        return [] if self._response is None else mask_headers(self._response.headers)

    @property
    def response_body(self) -> str:
        """The response body as masked text: its first 64 KiB, or ``«streamed»`` for a file's content."""
        body = b"" if self._response is None else self._response.body
        return text(body) if isinstance(body, bytes) else STREAMED

    @property
    def rate_limit(self) -> RateLimit | None:
        """The notification rate limit after this request, from the response headers."""
        return None if self._response is None else RateLimit.from_headers(dict(self._response.headers))

    def record(self) -> dict[str, object]:
        """Return the entry as JSON-ready data, masked, as frames and the admin call show it."""
        return {
            "number": self.number,
            "at": self.at.isoformat(),
            "operation": self.operation,
            "method": self.method,
            "url": self.url,
            "status": self.status,
            "userId": self.user_id,
            "rules": list(self.rules),
            "assumed": list(self.assumed),
            "ignored": list(self.ignored),
            "requestBytes": self.request_bytes,
            "responseBytes": self.response_bytes,
            "rateLimit": None if self.rate_limit is None else asdict(self.rate_limit),
            "injected": self.injected,
        }

    def __repr__(self) -> str:
        outcome = self.status or self.injected
        return f"<Entry {self.number}: {self.method} {self.url} -> {outcome} ({self.operation}){_annotate(self)}>"

    def __reduce__(self) -> str:
        raise TypeError(
            "a journal entry holds the request as sent, with its secrets, so it cannot be pickled; use .record()"
        )


class Journal(PublicNames, internal="append"):
    """The latest requests, oldest first: at most 10,000, and at most 64 MiB of them.

    Iterate over it, index it (``journal[-1]``), slice it (``journal[-3:]``), or look at it in a notebook.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> journal = svc.fake.journal
        >>> user = svc.users.read("u-001")
        >>> [(entry.number, entry.operation, entry.status) for entry in journal.latest(2)]
        [(3, 'auth.token', 200), (4, 'users.update', 200)]
        >>> journal.clear()
        >>> user = svc.users.read("u-001")
        >>> journal[-1].number
        5
        >>> journal.restart()
        >>> len(journal)
        0
    """

    def __init__(self, capacity: int = CAPACITY, size: int = SIZE) -> None:
        self._entries: deque[JournalEntry] = deque()
        self._capacity = capacity
        self._count = 0
        self._most = size
        self._size = 0

    def append(self, entry: JournalEntry) -> None:
        """Record a request; bodies are cut at 64 KiB, and of a streamed response only the head is kept."""
        self._count = entry.number = self._count + 1
        entry.cut()
        entries, size = self._entries, self._size + entry.kept_bytes
        if len(entries) == self._capacity:
            size -= entries.popleft().kept_bytes
        entries.append(entry)
        while size > self._most:
            size -= entries.popleft().kept_bytes
        self._size = size

    def clear(self) -> None:
        """Forget all entries; the numbering continues."""
        self._entries.clear()
        self._size = 0

    def restart(self) -> None:
        """Forget all entries, and restart the numbering at 1."""
        self.clear()
        self._count = 0

    def __iter__(self) -> Iterator[JournalEntry]:
        return iter(tuple(self._entries))

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, index: int) -> JournalEntry: ...
    @overload
    def __getitem__(self, index: slice) -> list[JournalEntry]: ...
    def __getitem__(self, index: int | slice) -> JournalEntry | list[JournalEntry]:
        if isinstance(index, slice):
            return list(self._entries)[index]
        try:
            return self._entries[index]
        except IndexError:
            there = "there is only 1 request" if len(self) == 1 else f"there are only {len(self)} requests"
            raise IndexError(there if len(self) else "there are no requests") from None

    def __repr__(self) -> str:
        latest = self.latest()
        operations = max((len(e.operation) for e in latest), default=0)
        lines = [
            f"{e.number:>5}  {e.status or '---'}  {e.method:<6} {e.operation:<{operations}}  {e.path}{_annotate(e)}"
            for e in latest
        ]
        return "\n".join([f"<{self._make_title(len(latest))}>", *lines])

    def _repr_html_(self) -> str:
        latest = self.latest()
        rows = (
            (
                str(e.number),
                e.method,
                e.url,
                str(e.status or ""),
                e.operation,
                e.user_id or "",
                ", ".join(e.assumed),
                ", ".join(e.ignored),
                e.injected or "",
            )
            for e in latest
        )
        columns = ("no.", "method", "URL", "status", "operation", "user", "assumed", "ignored", "injected")
        return render_table(self._make_title(len(latest)), columns, list(rows))[0]

    def _make_title(self, count: int) -> str:
        earlier = f", the latest {count} shown" if count < len(self) else ""
        return f"Journal: {quantity(len(self), 'request')}{earlier}"

    def latest(self, count: int = 20) -> list[JournalEntry]:
        """Return the latest entries, oldest first.

        Args:
            count: how many at most, from 1.
        """
        return list(self._entries)[-count:]


def _annotate(entry: JournalEntry) -> str:
    """Return the remarks on an entry: the caller, and what was assumed, ignored and injected."""
    assumed, more = entry.assumed[:ASSUMED_SHOWN], len(entry.assumed) - ASSUMED_SHOWN
    remarks = {
        "by": entry.user_id,
        "assumed:": ", ".join([*assumed, *([f"{more} more"] if more > 0 else [])]),
        "ignored:": ", ".join(entry.ignored),
        "injected:": entry.injected,
    }
    joined = "; ".join(f"{label} {value}" for label, value in remarks.items() if value)
    return f"  ({joined})" if joined else ""


def mask_headers(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return headers with their secrets masked."""
    lines = (mask(f"{name}: {value}") for name, value in headers)
    return [(name, value) for name, _, value in (line.partition(": ") for line in lines)]


def text(body: bytes) -> str:
    """Return a body as masked text."""
    return mask(body[:BODY_LIMIT].decode("utf-8", "replace"))

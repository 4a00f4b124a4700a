"""Traces: the requests of a session and their outcomes, in the order they were sent."""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from svckit.addresses import Area
from svckit.display.arguments import explaining_arguments
from svckit.display.card import Shown, render_table
from svckit.display.har import format_entry, format_har, format_request, format_response
from svckit.display.masking import mask
from svckit.display.sequence_diagram import SequenceDiagram, label
from svckit.display.terminal import escape_controls
from svckit.errors import InvalidInput
from svckit.http.messages import Response, Wait
from svckit.http.redaction import RedactedRequest, RedactedResponse
from svckit.models.notification import RateLimit

__all__ = ["Trace", "TraceEntry"]

ELSEWHERE = "elsewhere"
AREAS: Mapping[Area | None, str] = {
    "api": "resource API",
    "auth": "authorization server",
    "storage": "file storage",
    "hooks": "notification endpoint",
    None: ELSEWHERE,
}
MARKS = ("assumed", "observed")
"""The headers of a fake that name the rules behind a response, without their prefix."""
COLUMNS = ("no.", "method", "URL", "status", "operation")


@dataclass(slots=True, eq=False)
class TraceEntry:
    """A request and its outcome, masked.

    Attributes:
        at: when it was sent, on the session's clock.
        request: the request.
        response: the response; ``None`` if none came.
        failure: why no usable response came; ``None`` if one did.
        number: the number of the entry in its trace, from 1.
        took: how long it took on the session's clock; ``None`` without a response.
    """

    at: datetime
    request: RedactedRequest
    response: RedactedResponse | None = None
    failure: str | None = None
    number: int = 1
    took: timedelta | None = None

    def record_response(self, response: Response, at: datetime, hide: Callable[[str], str] = mask) -> None:
        """Record the response that came at a time, passing its text through `hide`."""
        shows_location = self.request.area == "auth"  # elsewhere it is the URL of a download
        self.response = RedactedResponse.of(response, hide, shows_location=shows_location)
        self.took = at - self.at

    @property
    def is_failed(self) -> bool:
        """True if there is no response or an error response."""
        return self.response is None or self.response.status >= 400

    @property
    def outcome(self) -> str:
        """The status and its phrase, or that there was no response."""
        return "no response" if self.response is None else self.response.line

    @property
    def text(self) -> str:
        """Request and response as HTTP text."""
        response = self.failure or "no response" if self.response is None else self.response.text
        return f"{self.request.text}\n\n{escape_controls(response)}"

    @property
    def python(self) -> str:
        """The request as Python, ready to run where ``svc`` is a session."""
        from svckit.http.python_calls import write_python

        return write_python(self.request)

    def to_har(self) -> dict[str, Any]:
        """Return the entry for a HAR archive."""
        request, response = self.request, self.response
        return format_entry(
            self.at,
            format_request(request.method, request.url, request.headers, request.body, request.size),
            format_response(*response) if response else format_response(None, (), "", None),
            took=self.took,
            comment=self.failure or "",
            _operation=request.operation,
        )

    def record(self, number: int) -> dict[str, Any]:
        """Return the entry as plain data, in the form of a fake's journal."""
        response = self.response
        headers = dict(response.headers) if response else {}
        limit = RateLimit.from_headers(headers)
        return {
            "number": number,
            "at": self.at.isoformat(),
            "operation": self.request.operation,
            "method": self.request.method,
            "url": self.request.url,
            "status": response.status if response else None,
            **{name: list(filter(None, headers.get(f"x-fake-{name}", "").split(", "))) for name in MARKS},
            "requestBytes": self.request.size,
            "responseBytes": response.size if response else None,
            "rateLimit": None if limit is None else limit._asdict(),
        }


class Trace(Shown):
    """The requests of a session within a ``with svc.trace()`` block, secrets masked.

    Requests of all threads and tasks are listed in the order they were sent. A request that was sent again is listed
    each time, with the waits between. Bodies are truncated at 2,000 characters; of those that ``svc.http`` sends only
    the size is shown, and curl then reads a file named ``body``. Files are shown by name and size.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> with svc.trace() as t:
        ...     user = svc.users.update("u-001", nick_name="Mina")
        >>> t
        Trace: 1 request
          no.  method  URL                                status  operation
          1    PATCH   https://api.fake.test/users/u-001  200 OK  users.update
        >>> print(t.curl())
        curl -X PATCH https://api.fake.test/users/u-001 \\
          -H 'Content-Type: application/json' \\
          -H "Authorization: Bearer $ACCESS_TOKEN" \\
          --data '{"nickName":"Mina"}'
        >>> print(t.python())
        svc.users.update("u-001", nick_name="Mina")
        >>> t.diagram()
        sequenceDiagram
            participant session as session
            participant api as resource API
            session->>api: PATCH /users/u-001
            api-->>session: 200 OK
    """

    def __init__(self, limit: int | None = None) -> None:
        if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 1):
            raise InvalidInput(f"limit must be a whole number from 1; given {limit!r}")
        self._limit = limit
        self._numbers = iter(range(1, sys.maxsize))  # threads share it, and it can be pickled
        self._events: list[TraceEntry | Wait] = []  # read as a copy: other threads may add to it

    def record_request(self, request: RedactedRequest, at: datetime) -> TraceEntry:
        """Record a request that is about to be sent."""
        entry = TraceEntry(at, request, number=next(self._numbers))
        # Now and then, as removing the first one moves all others.
        if self._limit is not None and len(self._events) >= 2 * self._limit:
            del self._events[: -self._limit]
        self._events.append(entry)
        return entry

    def record_wait(self, wait: Wait) -> None:
        """Record that the session waits."""
        self._events.append(wait)

    def clear(self) -> None:
        """Forget all entries; the numbering continues."""
        self._events.clear()

    def __iter__(self) -> Iterator[TraceEntry]:
        return (event for event in tuple(self._events) if isinstance(event, TraceEntry))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, index: int) -> TraceEntry:
        return list(self)[index]

    def __str__(self) -> str:
        """Return every request and response as HTTP text, with the waits between them."""
        texts, number = [], 0
        for event in tuple(self._events):
            if isinstance(event, Wait):
                texts.append(f"--- {_describe_wait(event)}")
            else:
                number += 1
                texts.append(f"--- {number}: {event.request.operation}\n\n{event.text}")
        return "\n\n".join(texts) or "--- nothing was sent"

    def curl(self) -> str:
        """Return every request as a curl command; secrets are variables such as ``$ACCESS_TOKEN``."""
        return "\n\n".join(entry.request.curl for entry in self)

    def python(self) -> str:
        """Return the calls that send the requests, as Python, ready to run where ``svc`` is a session.

        The two steps of a transfer are one call, and so are those of a sign-in. Renewals of the access token and
        repeated requests are left out, as sessions see to them. Secrets are environment variables.
        """
        from svckit.http.python_calls import write_python

        sent = [entry for entry in self if entry.request.operation != "auth.refresh"]
        repeated = {
            first.number
            for first, next_ in pairwise(sent)
            if first.is_failed and first.request == next_.request
        }
        return write_python(*(entry.request for entry in sent if entry.number not in repeated))

    def records(self, kind: str = "journal") -> list[dict[str, Any]]:
        """Return the entries as plain data, in the form of a fake's journal.

        Raises:
            ValueError: the kind is another one.
        """
        if kind != "journal":
            raise ValueError(f"a trace has records of the kind 'journal' only; given {kind!r}")
        return [entry.record(number) for number, entry in enumerate(self, 1)]

    @explaining_arguments()
    def to_har(self) -> dict[str, Any]:
        """Return the requests and responses as a HAR 1.2 archive, ready for ``json.dumps``, secrets masked.

        Bodies are as in the trace: truncated, and those of files only described, in a comment.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> with svc.trace() as t:
            ...     user = svc.users.read("u-001")
            >>> [entry["response"]["status"] for entry in t.to_har()["log"]["entries"]]
            [200]
        """
        return format_har(entry.to_har() for entry in self)

    def frame(self) -> Any:
        """Return a pandas frame with a row per request and the columns of `svckit.frames.journal`."""
        from svckit import frames  # it loads pandas

        return frames.journal(self)

    def diagram(self) -> SequenceDiagram:
        """Return a sequence diagram, which JupyterLab draws."""
        used = dict.fromkeys(entry.request.area for entry in self)
        lines = [
            "participant session as session",
            *(f"participant {area or ELSEWHERE} as {AREAS[area]}" for area in used),
        ]
        for event in tuple(self._events):
            lines += _draw(event)
        return SequenceDiagram(lines)

    def _render(self) -> tuple[str, str]:
        rows = [
            (str(number), e.request.method, e.request.url, e.outcome, e.request.operation)
            for number, e in enumerate(self, 1)
        ]
        return render_table(f"Trace: {len(rows)} request{'' if len(rows) == 1 else 's'}", COLUMNS, rows)


def _describe_wait(wait: Wait) -> str:
    return f"the session waits {wait.seconds:g} s: {wait.why}"


def _draw(event: TraceEntry | Wait) -> list[str]:
    """Write an event as statements of a sequence diagram."""
    if isinstance(event, Wait):
        return [f"Note over session: {label(_describe_wait(event))}"]
    area = event.request.area or ELSEWHERE
    path = "/" + event.request.url.partition("://")[2].partition("/")[2].partition("?")[0]
    arrow = "--x" if event.response is None else "-->>"
    return [
        f"session->>{area}: {label(f'{event.request.method} {path}')}",
        f"{area}{arrow}session: {label(event.outcome)}",
    ]

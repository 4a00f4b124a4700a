"""What went over the wire while somebody looked: every exchange of a session, in the order they began."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from importlib import import_module
from itertools import count
from typing import Any

from svckit.addresses import Area
from svckit.display.card import render_table
from svckit.display.masking import mask
from svckit.display.sequence_diagram import SequenceDiagram, label
from svckit.display.terminal import escape_controls
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
COLUMNS = ("no.", "method", "URL", "status", "operation")


@dataclass(slots=True, eq=False)
class TraceEntry:
    """A request and what came of it, masked.

    Attributes:
        at: when it began, by the clock of the session.
        request: what was asked.
        reply: the answer; ``None`` where none came.
        failure: why none came, or none that could be used; ``None`` where one did.
        number: counts the exchanges of its trace, from 1.
    """

    at: datetime
    request: RedactedRequest
    reply: RedactedResponse | None = None
    failure: str | None = None
    number: int = 1

    def record_response(self, reply: Response, hide: Callable[[str], str] = mask) -> None:
        """Note the answer, with what `hide` does to its text."""
        self.reply = RedactedResponse.of(reply, hide)

    def record_failure(self, error: Exception) -> None:
        """Note why there is none."""
        self.failure = mask(f"{type(error).__name__}: {error}")

    @property
    def outcome(self) -> str:
        """The status and its phrase, or that there was no answer."""
        return "no answer" if self.reply is None else self.reply.line

    @property
    def text(self) -> str:
        """Request and answer as HTTP text."""
        answer = self.failure or "no answer" if self.reply is None else self.reply.text
        return f"{self.request.text}\n\n{escape_controls(answer)}"

    def record(self, number: int) -> dict[str, Any]:
        """The exchange as plain data, in the form of a fake's journal."""
        answer = self.reply
        headers = dict(answer.headers) if answer else {}
        assumed, limit = headers.get("x-fake-assumed", ""), RateLimit.from_headers(headers)
        return {
            "number": number,
            "at": self.at.isoformat(),
            "operation": self.request.operation,
            "method": self.request.method,
            "url": self.request.url,
            "status": answer.status if answer else None,
            "assumed": assumed.split(", ") if assumed else [],
            "requestBytes": self.request.size,
            "responseBytes": answer.size if answer else None,
            "rateLimit": None if limit is None else asdict(limit),
        }


class Trace:
    """The exchanges of a session within a ``with`` block, made by ``svc.trace()``; secrets are masked.

    Whichever thread or task makes a call, it is listed where it began. A call that was sent again is listed as often
    as it was sent, with the waits between. Bodies are cut at 2,000 characters, and those that ``svc.http`` sends are
    their size; curl then takes a file named ``body``. Of files there are name and size.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> with svc.trace() as t:
        ...     user = svc.users.update("u-001", nick_name="Mina")
        >>> t
        Trace: 1 exchange
          no.  method  URL                                status  operation
          1    PATCH   https://api.fake.test/users/u-001  200 OK  users.update
        >>> print(t.curl())
        curl -X PATCH https://api.fake.test/users/u-001 \\
          -H 'Content-Type: application/json' \\
          -H "Authorization: Bearer $ACCESS_TOKEN" \\
          --data '{"nickName":"Mina"}'
        >>> t.diagram()
        sequenceDiagram
            participant session as session
            participant api as resource API
            session->>api: PATCH /users/u-001
            api-->>session: 200 OK
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._numbers = count(1)
        self._events: list[TraceEntry | Wait] = []

    def record_request(self, request: RedactedRequest, at: datetime) -> TraceEntry:
        """Note a request that is about to be sent."""
        exchange = TraceEntry(at, request, number=next(self._numbers))
        if self._most is not None and len(self._events) >= 2 * self._most:
            del self._events[: -self._most]
        self._events.append(exchange)
        return exchange

    def record_wait(self, wait: Wait) -> None:
        """Note that the session waits."""
        self._events.append(wait)

    def __iter__(self) -> Iterator[TraceEntry]:
        return (event for event in tuple(self._events) if isinstance(event, TraceEntry))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, index: int) -> TraceEntry:
        return list(self)[index]

    def __str__(self) -> str:
        """Every exchange as HTTP text, with the waits between them."""
        texts, number = [], 0
        for event in tuple(self._events):
            if isinstance(event, Wait):
                texts.append(f"--- {_describe_wait(event)}")
            else:
                number += 1
                texts.append(f"--- {number}: {event.request.operation}\n\n{event.text}")
        return "\n\n".join(texts) or "--- nothing was sent"

    def curl(self) -> str:
        """Every request for a shell, in order; secrets are left out, the access token is ``$ACCESS_TOKEN``."""
        return "\n\n".join(exchange.request.curl for exchange in self)

    def records(self, kind: str = "journal") -> list[dict[str, Any]]:
        """The exchanges as plain data, in the form of a fake's journal.

        Raises:
            ValueError: another kind was asked for.
        """
        if kind != "journal":
            raise ValueError(f"a trace has records of the kind 'journal' only, not {kind!r}")
        return [exchange.record(number) for number, exchange in enumerate(self, 1)]

    def frame(self) -> Any:
        """The exchanges as a pandas frame, a row each: the columns of `svckit.frames.journal`."""
        return import_module("svckit").frames.journal(self)  # stands above sessions, and loads pandas

    def diagram(self) -> SequenceDiagram:
        """The exchanges as a sequence diagram, which JupyterLab draws."""
        used = dict.fromkeys(exchange.request.area for exchange in self)
        lines = [
            "participant session as session",
            *(f"participant {area or ELSEWHERE} as {AREAS[area]}" for area in used),
        ]
        for event in tuple(self._events):
            lines += _draw(event)
        return SequenceDiagram(lines)

    def __repr__(self) -> str:
        return self._table()[1]

    def _repr_html_(self) -> str:
        return self._table()[0]

    def _table(self) -> tuple[str, str]:
        rows = [
            (str(number), e.request.method, e.request.url, e.outcome, e.request.operation)
            for number, e in enumerate(self, 1)
        ]
        return render_table(f"Trace: {len(rows)} exchange{'' if len(rows) == 1 else 's'}", COLUMNS, rows)


def _describe_wait(wait: Wait) -> str:
    return f"the session waits {wait.seconds:g} s: {wait.why}"


def _draw(event: TraceEntry | Wait) -> list[str]:
    """An event as statements of a sequence diagram."""
    if isinstance(event, Wait):
        return [f"Note over session: {label(_describe_wait(event))}"]
    area = event.request.area or ELSEWHERE
    path = "/" + event.request.url.partition("://")[2].partition("/")[2].partition("?")[0]
    arrow = "--x" if event.reply is None else "-->>"
    return [
        f"session->>{area}: {label(f'{event.request.method} {path}')}",
        f"{area}{arrow}session: {label(event.outcome)}",
    ]

"""What went over the wire, of a fake's journal or of a session's own trace, in one form: filtered, and in transfers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from pydantic_core import from_json

from svckit.addresses import Area
from svckit.display.masking import MASK
from svckit.display.sequence_diagram import SequenceDiagram, label
from svckit.http.redaction import LONGEST_BODY, RedactedRequest, RedactedResponse
from svckit.http.trace import AREAS, ELSEWHERE, TraceEntry
from svckit.profiles.profiles import Profile
from svckit.session.session import Session
from svckit.widgets.table.cells import fold

__all__ = [
    "KEPT",
    "JournalSource",
    "Only",
    "TraceSource",
    "TrafficMessage",
    "diagram_of",
    "filter_messages",
    "with_transfers",
]

Only = Literal["", "failed", "assumed"]

KEPT = 2_000
"""Exchanges of a session's own trace that are kept."""

NOISE = frozenset({"host", "accept", "accept-encoding", "connection", "user-agent", "content-length"})


@dataclass(frozen=True)
class TrafficMessage:
    """An exchange, masked; its texts are made when they are looked at.

    Attributes:
        number: counts the exchanges, from 1.
        at: when, as ISO 8601 text.
        operation: the name its source gives to it.
        area: which of the service's addresses it went to; None for another.
        method: HTTP method.
        url: address.
        status: of the answer; None where none came.
        outcome: the status with its phrase, or why there is none.
        source: where the texts come from.
        rules: ids of the rules that the answer used, the assumptions among them; only a fake's journal has them.
        assumed: ids of the assumptions it rests on.
        injected: the fault that was injected, in words.
        transfer: number of the exchange that began the transfer in two steps it belongs to.
        file_name: the name given in the first step of an upload.
    """

    number: int
    at: str
    operation: str
    area: Area | None
    method: str
    url: str
    status: int | None
    outcome: str
    source: Any
    rules: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    injected: str = ""
    transfer: int | None = None
    file_name: str = ""

    @property
    def is_failed(self) -> bool:
        """Whether there is no answer, or one that tells of an error."""
        return self.status is None or self.status >= 400

    @property
    def path(self) -> str:
        """The address without its origin and query."""
        return "/" + self.url.partition("://")[2].partition("/")[2].partition("?")[0]

    @cached_property
    def words(self) -> str:
        """What a search looks in."""
        parts = (
            self.operation,
            self.method,
            self.url,
            self.outcome,
            self.injected,
            *self.rules,
            *self.assumed,
        )
        return fold(" ".join(parts))

    @cached_property
    def request(self) -> RedactedRequest:
        """The request, without its secrets."""
        if isinstance(self.source, TraceEntry):
            return self.source.request
        entry = self.source
        named = ((name.title(), value) for name, value in entry.request_headers)
        headers = tuple((name, value) for name, value in named if name.lower() not in NOISE)
        form = dict(headers).get("Content-Type", "").startswith("multipart/")
        file = f"Filedata=@{self.file_name or 'file'}" if form else None
        body = entry.request_body[:LONGEST_BODY]
        told = (
            entry.request_bytes <= len(entry.request_body.encode()) or MASK in body
        )  # masked, it is shorter
        whole = told and len(entry.request_body) <= LONGEST_BODY
        return RedactedRequest(
            *(self.operation, self.area, self.method, self.url, headers, body, file, entry.request_bytes),
            is_whole=form or whole,
        )

    @cached_property
    def answer(self) -> str:
        """The answer as HTTP text, or why there is none."""
        if isinstance(self.source, TraceEntry):
            reply = self.source.reply
            return reply.text if reply else self.source.failure or "no answer yet"
        entry = self.source
        if entry.status is None:
            return self.outcome
        headers = tuple((name.lower(), value) for name, value in entry.response_headers)
        body = entry.response_body
        cut = body if len(body) <= LONGEST_BODY else f"{body[:LONGEST_BODY]}…"
        return RedactedResponse(entry.status, headers, cut, entry.response_bytes).text


class JournalSource:
    """The journal of the fake in process, of which only what is new is read at each look."""

    about = "the fake's journal: every call by anybody, with the rules each answer used"

    def __init__(self, svc: Session) -> None:
        self._profile = svc.profile
        self._journal = svc.fake.journal
        self._read: list[TrafficMessage] = []
        self._last: Any = None

    def messages(self) -> list[TrafficMessage]:
        """The exchanges, oldest first."""
        entries = list(self._journal)
        if self._last is None or all(entry is not self._last for entry in reversed(entries)):
            self._read = []  # nothing is read yet, or the journal was begun anew
        newest = self._read[-1].number if self._read else 0
        oldest = entries[0].number if entries else 0
        kept = [message for message in self._read if message.number >= oldest]
        self._read = [*kept, *(_of_entry(entry, self._profile) for entry in entries if entry.number > newest)]
        self._last = entries[-1] if entries else None
        return self._read

    def close(self) -> None:
        """Let go of what was read."""
        self._read = []


class TraceSource:
    """The calls of a session from when they began to be noted, the newest of them."""

    about = "the calls of this session since this explorer, or its panel, was made"

    def __init__(self, svc: Session) -> None:
        self._block = svc.trace(most=KEPT)
        self._trace = self._block.__enter__()

    def messages(self) -> list[TrafficMessage]:
        """The exchanges, oldest first."""
        return [_of_exchange(each) for each in self._trace][-KEPT:]

    def close(self) -> None:
        """Note no more."""
        self._block.__exit__(None, None, None)


def with_transfers(messages: Iterable[TrafficMessage]) -> list[TrafficMessage]:
    """The same, those of a transfer in two steps marked with the number of its first.

    The addresses of second steps are secret, so they are told by their order: transfers that run side by side may
    be taken for one another.
    """
    begun: dict[str, TrafficMessage] = {}
    return [_in_transfer(message, begun) for message in messages]


def _in_transfer(message: TrafficMessage, begun: dict[str, TrafficMessage]) -> TrafficMessage:
    """The message, marked where it begins a transfer, which is noted, or belongs to the last one of its way."""
    way = _find_transfer(message)
    if way == "upload":
        name = _field(message.request.body, "fileName")
        begun[way] = replace(message, transfer=message.number, file_name=name)
        return begun[way]
    if way == "download":
        begun[way] = replace(message, transfer=message.number)
        return begun[way]
    way = "upload" if message.method == "POST" else "download"
    if message.area != "storage" or way not in begun:
        return message
    # The content of an upload may come in several requests, of which the last is answered 201.
    first = begun.pop(way) if message.status == 201 else begun[way]
    return replace(message, transfer=first.number, file_name=first.file_name)


def filter_messages(
    messages: Iterable[TrafficMessage], *, text: str = "", area: str = "", only: Only = ""
) -> list[TrafficMessage]:
    """Those in which every word of the text occurs, of one area, that failed or rest on assumptions."""
    words = fold(text).split()
    return [
        each
        for each in messages
        if (not area or (each.area or ELSEWHERE) == area)
        and (not only or (each.is_failed if only == "failed" else bool(each.assumed)))
        and all(word in each.words for word in words)
    ]


def diagram_of(messages: Sequence[TrafficMessage]) -> SequenceDiagram:
    """The exchanges as a sequence diagram in Mermaid."""
    used = dict.fromkeys(message.area for message in messages)
    lines = ["participant client as client", *(f"participant {a or ELSEWHERE} as {AREAS[a]}" for a in used)]
    for message in messages:
        area = message.area or ELSEWHERE
        arrow = "--x" if message.status is None else "-->>"
        lines.append(f"client->>{area}: {label(f'{message.method} {message.path}')}")
        lines.append(f"{area}{arrow}client: {label(message.outcome)}")
    return SequenceDiagram(lines)


def _of_entry(entry: Any, profile: Profile) -> TrafficMessage:
    record = entry.record()
    status = record["status"]
    outcome = str(entry.injected) if status is None else RedactedResponse(status, (), "", 0).line
    return TrafficMessage(
        number=record["number"],
        at=record["at"],
        operation=record["operation"],
        area=_area(record["url"], profile),
        method=record["method"],
        url=record["url"],
        status=status,
        outcome=outcome,
        source=entry,
        rules=tuple(record["rules"]),
        assumed=tuple(record["assumed"]),
        injected=record["injected"] or "",
    )


def _of_exchange(exchange: TraceEntry) -> TrafficMessage:
    record, request = exchange.record(exchange.number), exchange.request
    return TrafficMessage(
        number=exchange.number,
        at=record["at"],
        operation=request.operation,
        area=request.area,
        method=request.method,
        url=request.url,
        status=record["status"],
        outcome=exchange.outcome,
        source=exchange,
        assumed=tuple(record["assumed"]),
    )


def _area(url: str, profile: Profile) -> Area | None:
    areas: tuple[Area, ...] = ("auth", "storage", "hooks", "api")
    return next((area for area in areas if url.startswith(f"{profile.url_for(area)}/")), None)


def _find_transfer(message: TrafficMessage) -> str:
    """Which transfer it is the first step of; empty text where it is none."""
    if message.area != "api":
        return ""
    if message.method == "GET" and message.status == 302:
        return "download"
    asked = message.method == "POST" and message.status == 200 and '"uploadUrl"' in message.answer
    return "upload" if asked else ""


def _field(body: str, name: str) -> str:
    try:
        found = from_json(body)
    except ValueError:
        return ""
    return str(found.get(name, "")) if isinstance(found, dict) else ""

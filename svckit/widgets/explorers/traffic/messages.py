"""Requests and responses from a fake's journal or a session's trace in one form, filtered and grouped in transfers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from pydantic_core import from_json

from svckit.addresses import Area
from svckit.display.masking import MASK
from svckit.display.sequence_diagram import SequenceDiagram, label
from svckit.http.redaction import LONGEST_BODY, RedactedFile, RedactedRequest, RedactedResponse
from svckit.http.trace import AREAS, ELSEWHERE, TraceEntry
from svckit.profiles.profiles import Profile
from svckit.session.session import Session
from svckit.widgets.base.folding import fold

__all__ = [
    "KEPT",
    "JournalSource",
    "Only",
    "TraceSource",
    "TrafficMessage",
    "draw_diagram",
    "find_area",
    "mark_transfers",
]

Only = Literal["", "failed", "assumed"]

KEPT = 2_000
"""The number of requests kept of a session's own trace."""

NOISE = frozenset({"host", "accept", "accept-encoding", "connection", "user-agent", "content-length"})


@dataclass(frozen=True)
class TrafficMessage:
    """A request with its response, masked; the texts are created on demand.

    Attributes:
        number: the number of the request, from 1.
        at: the time, as ISO 8601 text.
        operation: the operation's name in the source.
        area: the part of the service that the URL belongs to; None for other URLs.
        method: the HTTP method.
        url: the URL.
        status: the response's status; None without a response.
        outcome: the status with its phrase, or why there was no response.
        source: the journal or trace entry that the texts come from.
        rules: IDs of the rules that the response used, including assumptions; only in a fake's journal.
        assumed: IDs of the assumptions behind the response.
        observed: IDs of the measured rules behind the response.
        injected: the injected fault, in words.
        transfer: the number of the first request of the two-step transfer that this one belongs to.
        file_name: the name given in the first step of an upload.
        base: the base URL of the area; empty in a trace, whose entries have their paths.
        size: the bytes of the response's body; None if unknown.
        took: the seconds it took on the session's clock; None if unknown.
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
    observed: tuple[str, ...] = ()
    injected: str = ""
    transfer: int | None = None
    file_name: str = ""
    base: str = ""
    size: int | None = None
    took: float | None = None

    @property
    def is_failed(self) -> bool:
        """True if there is no response or an error response."""
        return self.status is None or self.status >= 400

    @property
    def marked_outcome(self) -> str:
        """The outcome, marked if it is a failure."""
        return f"✗ {self.outcome}" if self.is_failed else self.outcome

    @property
    def is_undescribed(self) -> bool:
        """True if the service's description does not have the call, so that a fake can have a stub for it."""
        return self.operation in ("unmatched", "stubbed") and self.area == "api"

    @property
    def origin(self) -> str:
        """The URL's scheme and host; empty if it has only a path."""
        scheme, mark, rest = self.url.partition("://")
        return f"{scheme}{mark}{rest.partition('/')[0]}" if mark else ""

    @property
    def path(self) -> str:
        """The URL's path, without origin and query."""
        return "/" + self.url.partition("://")[2].partition("/")[2].partition("?")[0]

    @property
    def status_class(self) -> str:
        """The class of the status, such as ``4xx``, or ``none`` without a response."""
        return "none" if self.status is None else f"{self.status // 100}xx"

    def has_words(self, words: Iterable[str]) -> bool:
        """Return whether each word, folded, is in the request or its response; bodies are read only if need be."""
        return all(word in self._head_words or word in self._body_words for word in words)

    @cached_property
    def _head_words(self) -> str:
        parts = (
            self.operation,
            self.method,
            self.url,
            self.outcome,
            self.injected,
            *self.rules,
            *self.assumed,
            *self.observed,
        )
        return fold(" ".join(parts))

    @cached_property
    def _body_words(self) -> str:
        response = self.response_parts
        return fold(f"{self.request.body} {response.body if response else ''}")

    @property
    def reason(self) -> str:
        """The reason why a fake refused the request, in its words; empty if it did not, or in a trace."""
        return getattr(self.source, "reason", None) or ""

    @cached_property
    def request(self) -> RedactedRequest:
        """The request, without its secrets."""
        if isinstance(self.source, TraceEntry):
            return self.source.request
        entry = self.source
        named = ((name.title(), value) for name, value in entry.request_headers)
        headers = tuple((name, value) for name, value in named if name.lower() not in NOISE)
        parts: dict[str, Any] = {}
        file: RedactedFile | None = None
        if dict(headers).get("Content-Type", "").startswith("multipart/"):
            parts = {part.name: part for part in entry.parts}
            sent = next((part for part in parts.values() if part.file_name), None)
            name = self.file_name or (sent and sent.file_name) or "file"
            part, kind = (sent.name, sent.content_type or "") if sent else ("Filedata", "")
            file = RedactedFile(part, name, kind)
        body = entry.request_body[:LONGEST_BODY]
        # A masked body is shorter than the original; one that is not UTF-8 is shown with replacement characters.
        stored = entry.request_bytes <= len(entry.request_body.encode()) or MASK in body
        whole = stored and len(entry.request_body) <= LONGEST_BODY and "\ufffd" not in body
        return RedactedRequest(
            operation=self.operation,
            area=self.area,
            method=self.method,
            url=self.url,
            headers=headers,
            body=body,
            file=file,
            size=entry.request_bytes,
            is_whole=file is not None or whole,
            fields=(f"resourceName={file.name}",) if file and "resourceName" in parts else (),
            path=self.url.removeprefix(self.base) if self.base else "",
        )

    @cached_property
    def response_parts(self) -> RedactedResponse | None:
        """The response, without its secrets; None without one."""
        if isinstance(self.source, TraceEntry):
            return self.source.response
        entry = self.source
        if entry.status is None:
            return None
        headers = tuple((name.lower(), value) for name, value in entry.response_headers)
        body = entry.response_body
        cut = body if len(body) <= LONGEST_BODY else f"{body[:LONGEST_BODY]}…"
        return RedactedResponse(entry.status, headers, cut, entry.response_bytes)

    @property
    def response(self) -> str:
        """The response as HTTP text, or why there was no response."""
        if self.response_parts is not None:
            return self.response_parts.text
        failure = self.source.failure if isinstance(self.source, TraceEntry) else self.outcome
        return failure or "no response yet"


class JournalSource:
    """The journal of an in-process fake; each refresh only reads new entries."""

    about = "The fake's journal: the requests of all clients, with the rules each response used."

    def __init__(self, svc: Session) -> None:
        self._profile = svc.profile
        self._journal = svc.fake.journal
        # By the identity of its entry, which no other can get: the message keeps the entry.
        self._read: dict[int, TrafficMessage] = {}

    def read_messages(self) -> list[TrafficMessage]:
        """Return the requests, oldest first."""
        read = self._read
        self._read = {
            id(entry): read.get(id(entry)) or _convert_journal_entry(entry, self._profile)
            for entry in self._journal
        }
        return list(self._read.values())

    def clear(self) -> None:
        """Clear the journal."""
        self._journal.clear()

    def close(self) -> None:
        """Discard the entries read."""
        self._read = {}


class TraceSource:
    """The newest requests of a session since recording started.

    Attributes:
        trace: the recording.
    """

    about = "The requests of this session since this explorer, or its panel, was created."

    def __init__(self, svc: Session) -> None:
        self._block = svc.trace(limit=KEPT)
        self.trace = self._block.__enter__()

    def read_messages(self) -> list[TrafficMessage]:
        """Return the requests, oldest first."""
        return [_convert_trace_entry(entry) for entry in self.trace][-KEPT:]

    def clear(self) -> None:
        """Forget the requests so far."""
        self.trace.clear()

    def close(self) -> None:
        """Stop recording."""
        self._block.__exit__(None, None, None)


def mark_transfers(messages: Iterable[TrafficMessage]) -> list[TrafficMessage]:
    """Mark the messages of two-step transfers with the number of the transfer's first message.

    The URLs of second steps are secret, so the steps are matched by their order; concurrent transfers may be mixed up.
    """
    started: dict[str, TrafficMessage] = {}
    return [_mark_transfer(message, started) for message in messages]


def _mark_transfer(message: TrafficMessage, started: dict[str, TrafficMessage]) -> TrafficMessage:
    """Return the message, marked if it starts a transfer or continues the last one of its kind."""
    kind = _find_transfer(message)
    if kind == "upload":
        name = _read_field(message.request.body, "fileName")
        started[kind] = replace(message, transfer=message.number, file_name=name)
        return started[kind]
    if kind == "download":
        started[kind] = replace(message, transfer=message.number)
        return started[kind]
    kind = "upload" if message.method == "POST" else "download"
    if message.area != "storage" or kind not in started:
        return message
    # An upload may take several requests; the response to the last one has status 201.
    first = started.pop(kind) if message.status == 201 else started[kind]
    return replace(message, transfer=first.number, file_name=first.file_name)


def draw_diagram(messages: Sequence[TrafficMessage]) -> SequenceDiagram:
    """Return the messages as a Mermaid sequence diagram."""
    used = dict.fromkeys(message.area for message in messages)
    lines = ["participant client as client", *(f"participant {a or ELSEWHERE} as {AREAS[a]}" for a in used)]
    for message in messages:
        area = message.area or ELSEWHERE
        arrow = "--x" if message.status is None else "-->>"
        lines.append(f"client->>{area}: {label(f'{message.method} {message.path}')}")
        lines.append(f"{area}{arrow}client: {label(message.outcome)}")
    return SequenceDiagram(lines)


def _convert_journal_entry(entry: Any, profile: Profile) -> TrafficMessage:
    record = entry.record()
    status, area = record["status"], find_area(record["url"], profile)
    return _convert(
        entry,
        record,
        area=area,
        # Without a response a fault has prevented it; else the status with its phrase.
        outcome=str(entry.injected) if status is None else RedactedResponse(status, (), "", 0).line,
        rules=tuple(record["rules"]),
        injected=record["injected"] or "",
        base=profile.url_for(area) if area else "",
    )


def _convert_trace_entry(entry: TraceEntry) -> TrafficMessage:
    took = None if entry.took is None else entry.took.total_seconds()
    record = entry.record(entry.number)
    return _convert(entry, record, area=entry.request.area, outcome=entry.outcome, took=took)


def _convert(entry: Any, record: Mapping[str, Any], **own: Any) -> TrafficMessage:
    """Return an entry as a message: what journals and traces both record, and what is its own."""
    return TrafficMessage(
        **{name: record[name] for name in ("number", "at", "operation", "method", "url", "status")},
        source=entry,
        assumed=tuple(record["assumed"]),
        observed=tuple(record["observed"]),
        size=record["responseBytes"],
        **own,
    )


def find_area(url: str, profile: Profile) -> Area | None:
    """Return the area of a profile that a URL is in; None for any other."""
    areas: tuple[Area, ...] = ("auth", "storage", "hooks", "api")
    return next((area for area in areas if url.startswith(f"{profile.url_for(area)}/")), None)


def _find_transfer(message: TrafficMessage) -> str:
    """Return the kind of transfer that the message starts, or an empty string."""
    if message.area != "api":
        return ""
    if message.method == "GET" and message.status == 302:
        return "download"
    is_upload = message.method == "POST" and message.status == 200 and '"uploadUrl"' in message.response
    return "upload" if is_upload else ""


def _read_field(body: str, name: str) -> str:
    try:
        parsed = from_json(body)
    except ValueError:
        return ""
    return str(parsed.get(name, "")) if isinstance(parsed, dict) else ""

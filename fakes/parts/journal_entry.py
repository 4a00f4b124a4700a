"""An entry of the journal: one request and its response, masked when read."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from operator import itemgetter
from typing import Any
from urllib.parse import unquote

from fakes import rulebook
from fakes.http import json_text
from fakes.http.messages import FakeResponse, RequestHead
from fakes.http.multipart import FormPart, MultipartForm
from fakes.http.own_headers import (
    DEVIATES_HEADER,
    IGNORED_HEADER,
    OBSERVED_HEADER,
    REASON_HEADER,
    SECTION_HEADER,
)
from fakes.parts.webhooks import fingerprint
from fakes.rulebook.rule import Rule
from svckit.display.har import describe_file, format_entry, format_request, format_response
from svckit.display.masking import MASK, mask
from svckit.models.notification import RateLimit

__all__ = [
    "ALLOWED",
    "JournalEntry",
    "annotate",
]

ALLOWED = "; allowed with "
"""The words in ``X-Fake-Reason`` before the choices that would have allowed what was refused."""

BODY_LIMIT = 64 * 1024
VALUE_OF = itemgetter(1)  # of a header
STREAMED = "«streamed»"
NOTIFY = "notifications.post"
ASSUMED_SHOWN = 2
"""The most assumptions on the line of an entry."""
NEVER_REFUSE = frozenset(
    {
        rulebook.api.BEARER_ORDER,
        rulebook.api.UNMATCHED_BEARER,
        rulebook.auth.FAILURE_SCREEN,
        rulebook.notifications.NO_TOKEN,
    }
)
"""Rules that refused calls rest on, but that refuse none."""
FOR_BEARER = frozenset({rulebook.api.BEARER, rulebook.files.BEARER})
"""Rules that refuse only calls without a valid access token."""


@dataclass(slots=True, eq=False)
class JournalEntry:
    """One request and its response. Values are masked when read, so that recording is cheap."""

    at: datetime
    operation: str
    used: tuple[Rule, ...]
    _head: RequestHead
    _response: FakeResponse | None
    _request_body: bytes = field(init=False)
    _parts: Sequence[FormPart] = ()
    """The heads of the parts of an upload; those of any other form are read from its body."""
    request_bytes: int = 0
    """The size of the whole request body, including an uploaded file."""
    user_id: str | None = None
    """The caller, by the access token; None if it was not needed or not valid."""
    injected: str | None = None
    """The effect of a fault, in words; None without a fault."""
    number: int = field(init=False)
    """The number of the request, from 1."""
    response_bytes: int | None = 0
    """The size of the whole response body; None if it was streamed."""
    kept_bytes: int = field(init=False)
    """The bytes kept of the bodies, the parts' headers, the URL and the values of the request's headers."""

    def keep(self, body: bytes, parts: Sequence[FormPart]) -> None:
        """Keep the body and the parts; truncate long bodies, and drop a streamed one, as it keeps a deleted file."""
        head, response = self._head, self._response
        self._request_body = body if len(body) <= BODY_LIMIT else body[:BODY_LIMIT]
        kept = len(self._request_body)
        if response is not None:
            content = response.body
            if isinstance(content, bytes):
                self.response_bytes = size = len(content)
                if size > BODY_LIMIT:
                    size = BODY_LIMIT
                    self._response = FakeResponse(response.status, response.headers, content[:BODY_LIMIT])
                kept += size
            else:
                self.response_bytes = None
                self._response = FakeResponse(response.status, response.headers, ())
        if parts:
            self._parts = parts
            kept += sum(map(len, filter(None, chain.from_iterable(parts))))
        self.kept_bytes = kept + len(head.url) + len(b"".join(map(VALUE_OF, head.headers)))

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
    def is_error(self) -> bool:
        """True if the response has an error status, from 400; False also without a response."""
        return (self.status or 0) >= 400

    @property
    def rules(self) -> tuple[str, ...]:
        """The IDs of all rules the response used."""
        return tuple(rule.id for rule in self.used)

    @property
    def assumed(self) -> tuple[str, ...]:
        """The IDs of the assumptions the response rested on, but not those that were measured."""
        return tuple(rule.id for rule in self.used if rule.alternatives and rule.id not in self.observed)

    @property
    def observed(self) -> tuple[str, ...]:
        """The IDs of the measured rules the response rested on."""
        return tuple(filter(None, self._find_header(OBSERVED_HEADER).split(", ")))

    @property
    def ignored(self) -> tuple[str, ...]:
        """The names of the request's ignored parameters, and the paths of its ignored fields: unknown, read-only."""
        ignored = self._find_header(IGNORED_HEADER)
        return tuple(mask(ignored).split(", ")) if ignored else ()

    @property
    def deviations(self) -> tuple[str, ...]:
        """The deviations that shaped the response, such as ``file.stored=200``."""
        return tuple(filter(None, self._find_header(DEVIATES_HEADER).split(", ")))

    @property
    def reason(self) -> str | None:
        """The reason why the request was refused, in the fake's words; None if it was not refused."""
        return self._split_reason()[0] or None

    @property
    def remedy(self) -> str | None:
        """The choices that would have allowed what was refused, such as ``assume={"file.raw": "accepted"}``.

        None if none is known. Another reason may still refuse the request then.
        """
        return self._split_reason()[1] or None

    def _split_reason(self) -> tuple[str, str]:
        """Return the reason of a refusal, and the remedy."""
        said = mask(self._find_header(REASON_HEADER))
        reason, _, remedy = said.rpartition(ALLOWED)
        return (reason, remedy) if remedy.startswith(("assume={", "deviations={")) and reason else (said, "")

    @property
    def section(self) -> str | None:
        """The section of the service's description that refused the request; None if no section did.

        It is the section of the documented rule that was decisive or, if an assumption was, that of the operation.
        """
        if not self._find_header(REASON_HEADER):
            return None
        others = NEVER_REFUSE if self.user_id is None else NEVER_REFUSE | FOR_BEARER
        used = [rule for rule in self.used if rule not in others]
        documented = [rule.section for rule in used if not rule.alternatives]
        if documented:
            return documented[-1]
        of_operation = self._find_header(SECTION_HEADER).replace(">", "›")
        return of_operation or next((rule.section for rule in used), None)

    @property
    def request_headers(self) -> list[tuple[str, str]]:
        """The request headers, masked."""
        return mask_headers((n.decode("latin-1"), v.decode("latin-1")) for n, v in self._head.headers)

    @property
    def request_body(self) -> str:
        """The request body as masked text: its first 64 KiB, without an uploaded file."""
        return text(self._request_body)

    @property
    def json(self) -> Any:
        """The JSON of the request body, masked; None if it is not JSON, or is longer than 64 KiB."""
        read = json_text.read_or_none(self._request_body)
        if read is None:
            return None
        masked = text(self._request_body)
        try:
            return read if masked.encode() == self._request_body else json.loads(masked)
        except ValueError:  # a mask took the place of more than a text
            return MASK

    @property
    def parts(self) -> tuple[FormPart, ...]:
        """The name, file name and content type of each part of a multipart body, as far as it was read."""
        parts, content_type = self._parts, self._head.header("Content-Type")
        if not parts and content_type[:10].lower() == "multipart/":
            form = MultipartForm(content_type)
            form.write(self._request_body)
            parts = form.parts
        return tuple(
            FormPart(mask(name), file_name and mask(file_name), kind and mask(kind))
            for name, file_name, kind in parts
        )

    @property
    def webhook(self) -> str | None:
        """A fingerprint of the webhook that was called, the same in each of its calls; None for other operations.

        The messages of a room have it too (``svckit.frames.messages``). It does not reveal the secret part of the URL.
        """
        if self.operation != NOTIFY:
            return None
        return fingerprint(unquote(self._head.url.partition("?")[0].rpartition("/")[2]))

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

    def _find_header(self, name: str) -> str:
        """Return the value of a response header that the fake added; empty without one."""
        headers = [] if self._response is None else self._response.headers
        return next((value for sent, value in headers if sent == name), "")

    def to_har(self) -> dict[str, Any]:
        """Return the entry for a HAR archive; how long it took is not known."""
        files = (
            describe_file(part.name, part.file_name, part.content_type or "")
            for part in self.parts
            if part.file_name
        )
        body = self.request_body or "\n".join(files)
        return format_entry(
            self.at,
            format_request(self.method, self.url, self.request_headers, body, self.request_bytes),
            format_response(self.status, self.response_headers, self.response_body, self.response_bytes),
            comment=self.injected or "",
            _operation=self.operation,
            _rules=list(self.rules),
            _assumed=list(self.assumed),
            _observed=list(self.observed),
        )

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
            "observed": list(self.observed),
            "deviations": list(self.deviations),
            "ignored": list(self.ignored),
            "requestBytes": self.request_bytes,
            "responseBytes": self.response_bytes,
            "rateLimit": None if self.rate_limit is None else self.rate_limit._asdict(),
            "injected": self.injected,
            "reason": self.reason,
            "remedy": self.remedy,
            "section": self.section,
            "webhook": self.webhook,
            "parts": [
                {"name": part.name, "fileName": part.file_name, "contentType": part.content_type}
                for part in self.parts
            ],
        }

    def __repr__(self) -> str:
        outcome = self.status or self.injected
        return (
            f"<Entry {self.number}: {self.method} {self.url} -> {outcome} ({self.operation}){annotate(self)}>"
        )

    def __reduce__(self) -> str:
        raise TypeError(
            "a journal entry holds the request as sent, with its secrets, so it cannot be pickled; use .record()"
        )


def annotate(entry: JournalEntry) -> str:
    """Return the remarks on an entry: the caller, what was assumed, ignored and injected, and what deviated."""
    assumed, more = entry.assumed[:ASSUMED_SHOWN], len(entry.assumed) - ASSUMED_SHOWN
    remarks = {
        "by": entry.user_id,
        "assumed:": ", ".join([*assumed, *([f"{more} more"] if more > 0 else [])]),
        "observed:": ", ".join(entry.observed),
        "deviates:": ", ".join(entry.deviations),
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

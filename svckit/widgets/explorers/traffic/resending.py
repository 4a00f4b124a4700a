"""A request of the traffic explorer that is sent again, as it was or edited."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from svckit.display.masking import MASK
from svckit.errors import InvalidInput
from svckit.http.redaction import RedactedRequest
from svckit.session.session import Session
from svckit.widgets.explorers.signature_check import parse_headers
from svckit.widgets.explorers.traffic.messages import TrafficMessage

__all__ = ["FIELDS", "EditedRequest"]

FIELDS = ("method", "url", "headers", "body")
OWN = frozenset({"authorization", "content-length", "host", "content-encoding", "transfer-encoding"})
"""The headers that a session or httpx writes by itself."""


@dataclass(frozen=True, slots=True)
class EditedRequest:
    """The fields of a request, as text.

    Attributes:
        method: HTTP method.
        url: the URL.
        headers: the headers that a session does not send by itself, one per line.
        body: the body.
    """

    method: str = ""
    url: str = ""
    headers: str = ""
    body: str = ""
    problem: str = field(default="", repr=False)

    @classmethod
    def of(cls, request: RedactedRequest) -> Self:
        """Return the fields of a recorded request."""
        headers = [f"{name}: {value}" for name, value in request.headers if name.lower() not in OWN]
        kept = not request.file and request.is_whole
        problem = "" if kept else "its body was not kept whole, so only its sender can send it again"
        return cls(request.method, request.url, "\n".join(headers), request.body if kept else "", problem)

    def check(self) -> None:
        """Check that the request can be sent.

        Raises:
            InvalidInput: its body was not kept, or a masked secret is left in it. Nothing was sent.
        """
        if self.problem:
            raise InvalidInput(f"nothing was sent: {self.problem}")
        for name in FIELDS:
            if MASK in getattr(self, name):
                raise InvalidInput(
                    f"nothing was sent: the {name} of the request holds a masked secret ({MASK}); send it with its "
                    "Python code, which takes the secret from a variable"
                )
        parse_headers(self.headers)

    def send(self, svc: Session) -> None:
        """Send the request through a session, which adds the bearer at the service's own origins only."""
        svc.http.request(
            self.method,
            self.url,
            headers=parse_headers(self.headers),
            content=self.body.encode() if self.body else None,
        )

    def is_sent_as(self, message: TrafficMessage) -> bool:
        """Return whether a recorded request may be this one: it has the same method and path."""
        path = self.url.partition("?")[0]
        return message.method == self.method.upper() and message.url.partition("?")[0].endswith(path)

    def replace(self, fields: Mapping[str, Any]) -> "EditedRequest":
        """Return a copy with other fields; those that are ``None`` stay."""
        given = {
            name: getattr(self, name) if fields.get(name) is None else str(fields[name]) for name in FIELDS
        }
        return EditedRequest(**given, problem="" if fields.get("body") is not None else self.problem)

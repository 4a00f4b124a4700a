"""A request of the traffic explorer that is sent again, as it was or edited."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from pydantic_core import from_json, to_json

from svckit.addresses import Area
from svckit.display.masking import MASK
from svckit.errors import InvalidInput
from svckit.http.messages import Operation, Response
from svckit.http.prepare import JSON
from svckit.http.redaction import RedactedRequest
from svckit.operations import custom
from svckit.session.session import Session
from svckit.widgets.explorers.signature_check import parse_headers
from svckit.widgets.explorers.traffic.messages import TrafficMessage, find_area

__all__ = ["FIELDS", "EditedRequest"]

FIELDS = ("method", "url", "headers", "body")
OWN = frozenset({"authorization", "content-length", "host", "content-encoding", "transfer-encoding"})
"""The headers that a session or httpx writes by itself."""
ANY = tuple(range(100, 600))
_SPACE = re.compile(r'("(?:[^"\\]|\\.)*")|\s+')
"""Blanks in JSON that are not in a text."""


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
        headers = parse_headers(self.headers)
        area = find_area(self.url, svc.profile) or "api"
        path = self.url.removeprefix(svc.profile.url_for(area))
        if path.startswith("/") and self._is_plain({name.lower(): value for name, value in headers.items()}):
            svc.run(self._make_operation(path, area, headers))
        else:  # a trace shows no body of it
            svc.http.request(
                self.method, self.url, headers=headers, content=self.body.encode() if self.body else None
            )

    def _is_plain(self, headers: Mapping[str, str]) -> bool:
        """Return whether a session's operation can send it: with no body or JSON, and the session's own bearer."""
        if "authorization" in headers or not self.body:
            return "authorization" not in headers
        try:
            written = to_json(from_json(self.body)).decode()
        except ValueError:
            return False
        return headers.get("content-type") == JSON and written == _SPACE.sub(r"\1", self.body)

    def _make_operation(self, path: str, area: Area, headers: Mapping[str, str]) -> Operation[Response]:
        """Make it an operation, which is sent once, and takes any response."""
        json = from_json(self.body) if self.body else None
        request = next(custom.request(self.method, path, json=json, area=area))
        own = {
            name: value for name, value in headers.items() if json is None or name.lower() != "content-type"
        }
        return (yield replace(request, headers=own, expects=ANY, repeatable=False))

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

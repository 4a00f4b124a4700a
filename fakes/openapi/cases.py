"""The cases of an operation: an answer in success, and a refusal."""

from dataclasses import dataclass

from fakes.http.errors import Kind
from fakes.rulebook.rules import Rule

__all__ = ["ANY", "HTML", "JSON", "OCTETS", "RATE_HEADERS", "Outcome", "RefusalCase", "Success"]

JSON = "application/json"
HTML = "text/html"
ANY = "*/*"
OCTETS = "application/octet-stream"

RATE_HEADERS = ("RateLimit-Used", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")

Condition = tuple[Rule, str]


@dataclass(frozen=True, slots=True)
class Success:
    """An answer that is no refusal.

    Attributes:
        status: the HTTP status, or the assumption that decides it.
        words: what the answer means.
        rules: what it rests on.
        media: the media type of its body, or several; None where it has none.
        schema: the name of the body's schema.
        headers: what it always carries.
        when: an assumption and the alternative under which alone it is given.
    """

    status: int | Rule
    words: str
    rules: tuple[Rule, ...]
    media: str | tuple[str, ...] | None = None
    schema: str | None = None
    headers: tuple[str, ...] = ()
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class RefusalCase:
    """A refusal, which the dialect of the route turns into an answer.

    Attributes:
        kind: the sort of refusal.
        words: when it is given.
        rules: what it rests on, besides what its dialect adds.
        verbatim: the text that the service's description gives for it.
        when: an assumption and the alternative under which alone it is given.
    """

    kind: Kind
    words: str
    rules: tuple[Rule, ...] = ()
    verbatim: str | None = None
    when: Condition | None = None


Outcome = Success | RefusalCase

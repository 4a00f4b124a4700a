"""The cases of an operation: a success or a refusal."""

from dataclasses import dataclass

from fakes.http.errors import Kind
from fakes.rulebook.rule import Rule

__all__ = ["ANY", "HTML", "JSON", "OCTETS", "Outcome", "RefusalCase", "Success", "refuse_under"]

JSON = "application/json"
HTML = "text/html"
ANY = "*/*"
OCTETS = "application/octet-stream"

Condition = tuple[Rule, str]


@dataclass(frozen=True, slots=True)
class Success:
    """A response that is not a refusal.

    Attributes:
        status: the HTTP status, or the assumption that decides it.
        words: the meaning of the response.
        rules: the rules it rests on.
        media: the media type of its body, or several; None without a body.
        schema: the name of the body's schema.
        headers: the headers it always has.
        when: an assumption and the only alternative under which it occurs.
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
    """A refusal, which the dialect of the route turns into a response.

    Attributes:
        kind: the kind of refusal.
        words: the reason for it.
        rules: the rules it rests on, besides those of its dialect.
        verbatim: the text that the service's description gives for it.
        when: an assumption and the only alternative under which it occurs.
    """

    kind: Kind
    words: str
    rules: tuple[Rule, ...] = ()
    verbatim: str | None = None
    when: Condition | None = None


Outcome = Success | RefusalCase


def refuse_under(alternative: str, rule: Rule, kind: Kind, words: str) -> RefusalCase:
    """Return the case of a refusal that rests on an assumption, under the only alternative that refuses."""
    return RefusalCase(kind, words, (rule,), when=(rule, alternative))

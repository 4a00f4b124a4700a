"""What a response has to be: status, headers that matter, and a body in which some parts are only described."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

JSON, HTML = "application/json; charset=UTF-8", "text/html; charset=UTF-8"
RATE = ("ratelimit-used", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset")


@dataclass(frozen=True)
class Naming:
    """A text that is not empty and contains some names."""

    names: tuple[str, ...] = ()

    def fits(self, given: Any) -> bool:
        return type(given) is str and given != "" and all(name in given for name in self.names)


@dataclass(frozen=True)
class Matching:
    """A text that matches a pattern; its groups are learned by their names."""

    pattern: str

    def fits(self, given: Any) -> bool:
        return type(given) is str and re.fullmatch(self.pattern, given) is not None


@dataclass(frozen=True)
class Covering:
    """What was sent, in a response that may add fields to its objects."""

    sent: Any

    def fits(self, given: Any) -> bool:
        return covers(given, self.sent)


class Anything:
    """A value that the description leaves open."""

    def fits(self, given: Any) -> bool:
        return True


class Broken:
    """A response that does not arrive."""

    def __init__(self, why: str = "") -> None:
        self.why = why

    def __repr__(self) -> str:
        return f"no response ({self.why})" if self.why else "no response"


@dataclass
class Expected:
    """A response.

    Attributes:
        body: JSON in which patterns may stand; bytes for content; None for an empty body.
        headers: values by lower-case names.
        absent: lower-case names of headers that it does not have.
        learn: takes what the patterns learned and the body, once the response has arrived.
    """

    status: int
    body: Any = None
    headers: dict[str, Any] = field(default_factory=dict)
    absent: tuple[str, ...] = RATE
    learn: Callable[[dict[str, str], Any], None] | None = None
    content_type: str | None = JSON


@dataclass
class Reply:
    """A response that arrived, with lower-case header names."""

    status: int
    headers: dict[str, str]
    body: bytes

    def __repr__(self) -> str:
        shown = {name: value for name, value in self.headers.items() if not name.startswith("x-fake-assumed")}
        return f"{self.status} {shown} {self.body[:2000]!r}"


Outcome = Expected | Broken | list[Expected]
"""What may come; of several, any."""


def refusal(status: int, code: str, *names: str) -> Expected:
    """An error of the resource API, whose description names the fields that are wrong."""
    return Expected(status, {"code": code, "description": Naming(names)})


def invalid(*names: str) -> Expected:
    return refusal(400, "INVALID_PARAMETER", *names)


UNAUTHORIZED = refusal(401, "UNAUTHORIZED")
NOT_FOUND = refusal(404, "NOT_FOUND")


def screen(status: int, pattern: str = r"(?s).+") -> Expected:
    return Expected(status, Matching(pattern), content_type=HTML)


def covers(shown: Any, sent: Any) -> bool:
    if isinstance(sent, list):
        return isinstance(shown, list) and len(shown) == len(sent) and all(map(covers, shown, sent))
    if isinstance(sent, dict):
        return isinstance(shown, dict) and all(
            name in shown and covers(shown[name], value) for name, value in sent.items()
        )
    return type(shown) is type(sent) and shown == sent


def is_pattern(value: Any) -> bool:
    return isinstance(value, Naming | Matching | Covering | Anything)


def differ(expected: Any, shown: Any, at: str, learned: dict[str, str]) -> str | None:
    """Return where a value is not what is expected, or None."""
    pairs: list[tuple[Any, Any, str]] = []
    if is_pattern(expected):
        fits = expected.fits(shown)
        if fits and isinstance(expected, Matching):
            learned |= re.fullmatch(expected.pattern, shown).groupdict()
    elif isinstance(expected, dict) and isinstance(shown, dict):
        fits = expected.keys() == shown.keys()
        pairs = [(value, shown.get(name), f"{at}.{name}") for name, value in expected.items()]
    elif isinstance(expected, list) and isinstance(shown, list):
        fits = len(expected) == len(shown)
        pairs = [(*pair, f"{at}[{i}]") for i, pair in enumerate(zip(expected, shown, strict=False))]
    else:
        fits = type(expected) is type(shown) and expected == shown
    if not fits:
        return f"{at}: expected {expected!r:.1000}, was {shown!r:.1000}"
    return next((found for pair in pairs if (found := differ(*pair, learned))), None)


def compare(outcome: Outcome, reply: Reply | Broken, learned: dict[str, str]) -> str | None:
    """Return how a reply is not what is expected, or None; what is new in it goes to ``learned``."""
    if isinstance(outcome, list):
        found = [compare(each, reply, learned) for each in outcome]
        return None if None in found else " and ".join(map(str, found))
    if isinstance(outcome, Broken) and isinstance(reply, Broken):
        return None
    if isinstance(outcome, Broken) or isinstance(reply, Broken) or reply.status != outcome.status:
        return f"expected {outcome!r:.600}, was {reply!r:.1500}"
    headers = outcome.headers
    if outcome.body is not None and outcome.content_type is not None:
        headers = headers | {"content-type": outcome.content_type}
    shown = {name: reply.headers.get(name) for name in (*headers, *outcome.absent)}
    found = differ(dict.fromkeys(outcome.absent) | headers, shown, "headers", learned)
    return found or compare_bodies(outcome, reply.body, learned)


def compare_bodies(outcome: Expected, body: Any, learned: dict[str, str]) -> str | None:
    expected = b"" if outcome.body is None else outcome.body
    if not isinstance(expected, bytes) and outcome.content_type is not None:
        try:
            body = body.decode() if outcome.content_type == HTML else json.loads(body)
        except ValueError:
            return f"body: not JSON or not UTF-8: {body!r:.300}"
    found = differ(expected, body, "body", learned)
    if found is None and outcome.learn is not None:
        outcome.learn(learned, body)
    return found

"""A twin: a fake that is sent recorded requests, with its own values in place of the recorded service's."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from operator import eq
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from fakes.engine.request_cycle import EnoughSent
from fakes.handlers.routes import ROUTES
from fakes.http.addresses import UnknownURL
from fakes.http.messages import FakeResponse, RequestHead
from fakes.observing.learning import FAILURE, parse_form
from fakes.observing.recording import Pairs, Recorded, find_header, read_json
from fakes.observing.shapes import HIDDEN, PARTS, describe_response
from fakes.rulebook.rule import Rule
from fakes.service import FakeService
from svckit.display.masking import MASK

__all__ = ["Twin"]

MADE_UP = re.compile(r"(?i).*(id|url|token|code|cursor)")
"""The names of fields with values that the service makes up."""
FILE_NAME = re.compile(rb'filename="([^"]*)"')
SHORTEST = 4
"""The fewest characters of a recorded value that is replaced wherever it appears."""
FIXED = frozenset(segment for route in ROUTES for segment in route.template.split("/"))
"""The segments of paths that name nothing that the service made up."""
REMAINING = "ratelimit-remaining"
UNTOLD = frozenset({401, 403, 429})
"""Statuses that rest on what a guess leaves out: whose token it was, and which webhook."""


class Played(NamedTuple):
    """The result of replaying one request.

    Attributes:
        matches: how many parts of the responses match.
        used: the rules that the twin's response rests on.
        is_telling: whether a difference tells about the service, and not about what the recording lacks.
    """

    matches: int
    used: tuple[Rule, ...] = ()
    is_telling: bool = True


class Twin:
    """A fake and what it calls the values of the recorded service."""

    def __init__(
        self, fake: FakeService, known: Mapping[str, str], sent: frozenset[str] = frozenset()
    ) -> None:
        self.fake, self._sent = fake, set(sent)
        self._known: dict[str, str] = {}
        self._ours = set(fake.directory.user_ids())
        self._has_rebuilt = False
        self._pattern: re.Pattern[str] | None = None
        for theirs, ours in known.items():
            self._learn(theirs, ours)

    def fork(self) -> "Twin":
        """Return an independent copy."""
        forked = Twin(self.fake.fork(), {}, frozenset(self._sent))
        forked._known, forked._pattern = dict(self._known), self._pattern
        forked._ours, forked._has_rebuilt = set(self._ours), self._has_rebuilt
        return forked

    def play(self, recorded: Recorded) -> Played:
        """Send a request, and compare the responses."""
        fake = self.fake
        if recorded.at > fake.clock.now():
            fake.clock.to(recorded.at)
        url, body = self._translate(recorded.url), self._translate_bytes(recorded.body)
        headers = [
            (name.encode("latin-1", "replace"), self._translate(value).encode("latin-1", "replace"))
            for name, value in recorded.headers
        ]
        self._sent.update(_list_texts(url, body))
        before = len(fake.journal)
        try:
            response = _send(fake, RequestHead(recorded.method, url, headers), body)
        except UnknownURL:
            return Played(0, is_telling=False)
        used = fake.journal[-1].used if len(fake.journal) > before else ()
        content = response.body if isinstance(response.body, bytes) else b"".join(response.body)
        self._has_rebuilt |= recorded.is_rebuilt
        matches = self._compare(recorded, response, content)
        is_telling = matches == PARTS or not self._is_guess(recorded, url, response.status)
        self._pair(recorded, response, content)
        return Played(matches, used, is_telling)

    def _compare(self, recorded: Recorded, response: FakeResponse, content: bytes) -> int:
        """Return how many parts match, without comparing what the recording does not show."""
        is_file = not isinstance(response.body, bytes)
        is_unknown = recorded.is_described or recorded.is_rebuilt or (is_file and self._has_rebuilt)
        unknown = {
            name for name, is_so in (("content-type", is_unknown), (REMAINING, MASK in recorded.url)) if is_so
        }

        def describe(status: int, headers: Pairs, body: bytes) -> tuple[object, ...]:
            shown = [pair for pair in headers if pair[0].lower() not in unknown]
            return describe_response(status, shown, body, self._sent)

        theirs = content if is_unknown else self._translate_bytes(recorded.content)
        return sum(
            map(
                eq,
                describe(recorded.status, recorded.response_headers, theirs),
                describe(response.status, response.headers, content),
            )
        )

    def _is_guess(self, recorded: Recorded, url: str, status: int) -> bool:
        """Return whether responses may differ because the recording lacks what the request refers to."""
        if (recorded.status < FAILURE) == (status < FAILURE) and not UNTOLD & {recorded.status, status}:
            return False
        if recorded.is_rebuilt or any(
            MASK in value for value in (recorded.url, *dict(recorded.headers).values())
        ):
            return True
        return not {unquote(each) for each in urlsplit(url).path.split("/")} <= self._ours | FIXED

    def _learn(self, theirs: str, ours: str) -> None:
        self._ours.update(urlsplit(ours).path.split("/"))
        if len(theirs) >= SHORTEST and self._known.get(theirs) != ours:
            self._known[theirs], self._known[quote(theirs, safe="")] = ours, quote(ours, safe="")
            self._pattern = None

    def _learn_made_up(self, name: str, theirs: str, ours: str) -> None:
        """Learn a made-up value; what is masked in the traffic stands for the newest access token."""
        if theirs != MASK:
            self._learn(theirs, ours)
        elif name == "access_token":
            self._learn(f"Bearer {MASK}", f"Bearer {ours}")

    def _translate(self, text: str) -> str:
        if not self._known:
            return text
        if self._pattern is None:
            longest_first = sorted(self._known, key=lambda each: (-len(each), each))
            self._pattern = re.compile(
                rf"(?<![A-Za-z0-9_-])(?:{'|'.join(map(re.escape, longest_first))})(?![A-Za-z0-9_-])"
            )
        return self._pattern.sub(lambda found: self._known[found[0]], text)

    def _translate_bytes(self, body: bytes) -> bytes:
        return self._translate(body.decode("latin-1")).encode("latin-1", "replace")

    def _pair(self, recorded: Recorded, response: FakeResponse, content: bytes) -> None:
        """Learn the values that both services made up for the same purpose."""
        theirs, ours = recorded.read_json(), read_json(content)
        for name, their_value, our_value in _pair_texts("", theirs, ours):
            if MADE_UP.fullmatch(name):
                self._learn_made_up(name, their_value, our_value)
        if b"<input" in recorded.content:
            hidden = dict(HIDDEN.findall(content.decode("utf-8", "replace")))
            for name, value in HIDDEN.findall(recorded.content.decode("utf-8", "replace")):
                if name in hidden and name not in parse_form(recorded):
                    self._learn_made_up(name, value, hidden[name])
        self._pair_locations(
            find_header(recorded.response_headers, "location"), find_header(response.headers, "location")
        )

    def _pair_locations(self, theirs: str, ours: str) -> None:
        query = dict(parse_qsl(urlsplit(ours).query))
        if "code" in query:
            for name, value in parse_qsl(urlsplit(theirs).query):
                if name in query:
                    self._learn_made_up(name, value, query[name])
        elif theirs and ours:
            self._learn(theirs, ours)


def _send(fake: FakeService, head: RequestHead, body: bytes) -> FakeResponse:
    with fake.open(head) as cycle:
        with suppress(EnoughSent):
            cycle.feed(body)
        return cycle.finish()


def _pair_texts(name: str, theirs: Any, ours: Any) -> Iterator[tuple[str, str, str]]:
    match theirs, ours:
        case dict(), dict():
            for each in theirs.keys() & ours.keys():
                yield from _pair_texts(each, theirs[each], ours[each])
        case list(), list():
            for their_item, our_item in zip(theirs, ours, strict=False):
                yield from _pair_texts(name, their_item, our_item)
        case str(), str():
            yield name, theirs, ours


def _list_texts(url: str, body: bytes) -> Iterator[str]:
    """Yield the values that a request sends."""
    split = urlsplit(url)
    yield from split.path.split("/")
    yield from (value for _, value in parse_qsl(split.query))
    yield from (name.decode("utf-8", "replace") for name in FILE_NAME.findall(body))
    yield from _list_json_texts(read_json(body))


def _list_json_texts(value: Any) -> Iterator[str]:
    match value:
        case dict() | list():
            for each in value.values() if isinstance(value, dict) else value:
                yield from _list_json_texts(each)
        case str():
            yield value

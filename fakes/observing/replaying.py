"""A twin: a fake that is sent recorded requests, with its own values in place of the recorded service's."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from operator import eq
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

from fakes.engine.request_cycle import EnoughSent
from fakes.http.addresses import UnknownURL
from fakes.http.messages import FakeResponse, RequestHead
from fakes.observing.learning import parse_form
from fakes.observing.recording import Recorded, read_json
from fakes.observing.shapes import HIDDEN, describe_response, find_header
from fakes.rulebook.rule import Rule
from fakes.service import FakeService
from svckit.display.masking import MASK

__all__ = ["Twin"]

MADE_UP = re.compile(r"(?i).*(id|url|token|code|cursor)")
"""The names of fields with values that the service makes up."""
FILE_NAME = re.compile(rb'filename="([^"]*)"')
SHORTEST = 4
"""The fewest characters of a recorded value that is replaced wherever it appears."""


class Twin:
    """A fake and what it calls the values of the recorded service."""

    def __init__(
        self, fake: FakeService, known: Mapping[str, str], sent: frozenset[str] = frozenset()
    ) -> None:
        self.fake, self._sent = fake, set(sent)
        self._known: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None
        for theirs, ours in known.items():
            self._learn(theirs, ours)

    def fork(self) -> "Twin":
        """Return an independent copy."""
        forked = Twin(self.fake.fork(), {}, frozenset(self._sent))
        forked._known, forked._pattern = dict(self._known), self._pattern
        return forked

    def play(self, recorded: Recorded) -> tuple[int, tuple[Rule, ...]]:
        """Send a request; return how many parts of the responses match, and the rules that the twin's rests on."""
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
            return 0, ()
        used = fake.journal[-1].used if len(fake.journal) > before else ()
        content = response.body if isinstance(response.body, bytes) else b"".join(response.body)
        theirs = self._translate_bytes(recorded.content)
        recorded_parts = describe_response(recorded.status, recorded.response_headers, theirs, self._sent)
        parts = describe_response(response.status, response.headers, content, self._sent)
        matches = sum(map(eq, recorded_parts, parts))
        self._pair(recorded, response, content)
        return matches, used

    def _learn(self, theirs: str, ours: str) -> None:
        if len(theirs) >= SHORTEST and self._known.get(theirs) != ours:
            self._known[theirs], self._known[quote(theirs, safe="")] = ours, quote(ours, safe="")
            self._pattern = None

    def _learn_made_up(self, name: str, theirs: str, ours: str) -> None:
        """Learn a made-up value; one that is masked in the traffic by the name of its field."""
        if theirs != MASK:
            self._learn(theirs, ours)
            return
        self._learn(f"{name}={MASK}", f"{name}={ours}")
        if name == "access_token":
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

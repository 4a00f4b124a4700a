"""A twin: a fake that is sent recorded requests, with its own values in place of the recorded service's."""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import copy
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from fakes.engine.request_cycle import EnoughSent
from fakes.handlers.routes import ROUTER
from fakes.http import json_text
from fakes.http.addresses import UnknownURL
from fakes.http.messages import FakeResponse, RequestHead
from fakes.observing.learning import FAILURE, Bearer, find_bearer, parse_form
from fakes.observing.recording import Pairs, Recorded, find_header, read_basic, split_url
from fakes.observing.shapes import (
    HIDDEN,
    MADE_UP,
    STATUS,
    Shape,
    describe_body,
    describe_head,
    find_differences,
)
from fakes.rulebook.rule import Rule
from fakes.service import FakeService
from svckit.display.masking import MASK

__all__ = ["Twin"]

FILE_NAME = re.compile(rb'filename="([^"]*)"(?:\r\nContent-Type: ([^\r;]+))?')
REVISION = re.compile("/revisions/[0-9]+/")
SHORTEST = 4
"""The fewest characters of a recorded value that is replaced wherever it appears."""
FIXED = frozenset(
    {"me", *(segment.lower() for route in ROUTER.routes for segment in route.template.split("/"))}
)
"""The segments of paths, in lower case, that name nothing that the service made up."""
REMAINING = "ratelimit-remaining"
UNAUTHORIZED = 401
WHOSE = frozenset({403, 404})
"""Statuses that may depend on the user of a token."""
UNTOLD = frozenset({UNAUTHORIZED, 403, 429})
"""Statuses that rest on what a guess leaves out: whose token it was, and which webhook."""


class Played(NamedTuple):
    """The result of replaying one request.

    Attributes:
        differing: where the responses differ.
        shape: what was compared of the twin's response.
        succeeds_alike: whether both responses are successes, or neither is.
        used: the rules that the twin's response rests on.
        deviations: the deviations that shaped it.
        is_telling: whether a difference tells about the service, and not about what the recording lacks.
    """

    differing: frozenset[str]
    shape: Shape
    succeeds_alike: bool
    used: tuple[Rule, ...] = ()
    deviations: tuple[str, ...] = ()
    is_telling: bool = True


class Twin:
    """A fake that replays a recording, and its IDs for the recorded ones.

    `play` moves the clock to the recorded instant, sends the request with this fake's IDs, tokens and URLs in place of
    the recorded ones, compares the responses, and pairs the values that both services made up for what follows. `fork`
    before that tries the rest of the recording under other rules.

    Args:
        fake: the fake, with the users of the recording.
        known: its values by those of the recorded service.
        bearers: the tokens that were issued before the recording; each is issued at its first use.
    """

    def __init__(self, fake: FakeService, known: Mapping[str, str], bearers: Mapping[str, Bearer]) -> None:
        self.fake: FakeService = fake
        self._bearers = bearers
        self._sent: set[str] = set()
        """The texts that requests sent, and the IDs that both services have made up: these can be compared."""
        self._known: dict[str, str] = {}
        """This fake's values by the recorded ones, also as they are quoted in URLs."""
        self._ours: set[str] = set()
        """All that the path of a request may name, in lower case."""
        for user_id in fake.directory:
            self._learn_names(fake.directory[user_id])
        self._has_rebuilt = False
        """Whether zeros stood in for a file; downloads are then not comparable."""
        self._pattern: re.Pattern[str] | None = None
        """What finds the recorded values in a text; None after one was learned."""
        for theirs, ours in known.items():
            self._learn(theirs, ours)

    def fork(self) -> "Twin":
        """Return an independent copy."""
        forked = copy(self)
        forked.fake = self.fake.fork()
        forked._sent, forked._ours, forked._known = set(self._sent), set(self._ours), dict(self._known)
        return forked

    def play(self, recorded: Recorded) -> Played:
        """Send a request, and compare the responses."""
        fake = self.fake
        if recorded.at > fake.clock.now():
            fake.clock.to(recorded.at)
        self._issue_token(find_bearer(recorded))
        url, body = self._translate(recorded.url), self._translate_bytes(recorded.body)
        headers = [
            (name.encode("latin-1", "replace"), self._translate(value).encode("latin-1", "replace"))
            for name, value in recorded.headers
        ]
        if basic := read_basic(recorded):
            credentials = b64encode(self._translate(":".join(basic)).encode())
            headers = [
                (name, b"Basic " + credentials if name.lower() == b"authorization" else value)
                for name, value in headers
            ]
        self._sent.update(_list_texts(url, body))
        before = len(fake.journal)
        try:
            response = _send(fake, RequestHead(recorded.method, url, headers), body)
        except UnknownURL:
            return Played(frozenset({STATUS}), {}, succeeds_alike=False, is_telling=False)
        entry = fake.journal[-1] if len(fake.journal) > before else None
        content = response.read()
        self._has_rebuilt |= recorded.is_rebuilt
        differing, shape = self._compare(recorded, response, content)
        is_alike = (recorded.status < FAILURE) == (response.status < FAILURE)
        is_telling = not differing or not self._is_guess(recorded, url, response.status)
        self._pair(recorded, response, content)
        deviations = (deviation.partition("=")[0] for deviation in entry.deviations) if entry else ()
        return Played(
            differing=differing,
            shape=shape,
            succeeds_alike=is_alike,
            used=entry.used if entry else (),
            deviations=tuple(deviations),
            is_telling=is_telling,
        )

    def _issue_token(self, bearer: str) -> None:
        given = self._bearers.get(bearer)
        theirs = f"Bearer {MASK}" if bearer == MASK else bearer
        if given and theirs not in self._known:
            token = self.fake.access_token(given.user_id)
            self._learn(theirs, f"Bearer {token}" if bearer == MASK else token)

    def _compare(
        self, recorded: Recorded, response: FakeResponse, content: bytes
    ) -> tuple[frozenset[str], Shape]:
        """Return where the responses differ, without what the recording does not show, and what was compared."""
        is_file = not isinstance(response.body, bytes)
        is_unknown = recorded.is_described or recorded.is_rebuilt or (is_file and self._has_rebuilt)
        unknown = {
            name for name, is_so in (("content-type", is_unknown), (REMAINING, MASK in recorded.url)) if is_so
        }

        def describe(status: int, headers: Pairs) -> Shape:
            return describe_head(status, [pair for pair in headers if pair[0].lower() not in unknown])

        theirs = describe(recorded.status, recorded.response_headers)
        ours = describe(response.status, response.headers)
        body = describe_body(content, ours, self._sent)
        their_content = content if is_unknown else self._translate_bytes(recorded.content)
        is_same = their_content == content and theirs == ours
        # What is the same has the same shape, which takes long to describe.
        theirs |= body if is_same else describe_body(their_content, theirs, self._sent)
        shape = ours | body
        return find_differences(theirs, shape), shape

    def _is_guess(self, recorded: Recorded, url: str, status: int) -> bool:
        """Return whether responses may differ because the recording lacks what the request refers to."""
        statuses = {recorded.status, status}
        if (recorded.status < FAILURE) == (status < FAILURE) and not UNTOLD & statuses:
            return False
        if recorded.is_rebuilt or any(
            MASK in value for value in (recorded.url, *dict(recorded.headers).values())
        ):
            return True
        given = self._bearers.get(find_bearer(recorded))
        if given and given.user_id is None and WHOSE & statuses:
            return True
        if given and recorded.status == UNAUTHORIZED and recorded.at > given.until:
            return True
        path = REVISION.sub("/", urlsplit(url).path)
        return not {unquote(segment).lower() for segment in path.split("/")} <= self._ours | FIXED

    def _learn_names(self, record: Any) -> None:
        """Learn the names of a user that a path may have."""
        match record:
            case {"userId": str(user_id), "email": str(email)}:
                key = f"externalKey:{record.get('userExternalKey')}"
                self._ours.update(name.lower() for name in (user_id, email, key))

    def _learn(self, theirs: str, ours: str) -> None:
        segments = urlsplit(ours).path.split("/")
        self._ours.update(map(str.lower, segments))
        self._sent.update(segments)
        if len(theirs) >= SHORTEST and self._known.get(theirs) != ours:
            self._known[theirs], self._known[quote(theirs, safe="")] = ours, quote(ours, safe="")
            self._pattern = None

    def _map_id(self, name: str, theirs: str, ours: str) -> None:
        """Learn a made-up value; what is masked in the traffic stands for the newest access token."""
        if theirs != MASK:
            self._learn(theirs, ours)
        elif name == "access_token":
            self._learn(f"Bearer {MASK}", f"Bearer {ours}")

    def _translate(self, text: str) -> str:
        if not self._known:
            return text
        if self._pattern is None:
            self._pattern = _make_pattern(frozenset(self._known))
        return self._pattern.sub(lambda found: self._known[found[0]], text)

    def _translate_bytes(self, body: bytes) -> bytes:
        return self._translate(body.decode("latin-1")).encode("latin-1", "replace")

    def _pair(self, recorded: Recorded, response: FakeResponse, content: bytes) -> None:
        """Learn the values that both services made up for the same purpose."""
        theirs, ours = recorded.read_json(), json_text.read_or_none(content)
        self._learn_names(ours)
        for name, their_value, our_value in _pair_texts("", theirs, ours):
            if MADE_UP.fullmatch(name):
                self._map_id(name, their_value, our_value)
        if b"<input" in recorded.content:
            hidden = dict(HIDDEN.findall(content.decode("utf-8", "replace")))
            for name, value in HIDDEN.findall(recorded.content.decode("utf-8", "replace")):
                if name in hidden and name not in parse_form(recorded):
                    self._map_id(name, value, hidden[name])
        self._pair_locations(
            find_header(recorded.response_headers, "location"), find_header(response.headers, "location")
        )

    def _pair_locations(self, theirs: str, ours: str) -> None:
        query = dict(parse_qsl(urlsplit(ours).query))
        if "code" in query:
            for name, value in parse_qsl(split_url(theirs).query):
                if name in query:
                    self._map_id(name, value, query[name])
        elif theirs and ours:
            self._learn(theirs, ours)


@lru_cache(maxsize=256)  # most replays learn the same
def _make_pattern(known: frozenset[str]) -> re.Pattern[str]:
    longest_first = sorted(known, key=lambda text: (-len(text), text))
    return re.compile(rf"(?<![A-Za-z0-9_-])(?:{'|'.join(map(re.escape, longest_first))})(?![A-Za-z0-9_-])")


def _send(fake: FakeService, head: RequestHead, body: bytes) -> FakeResponse:
    with fake.open(head) as cycle:
        with suppress(EnoughSent):
            cycle.feed(body)
        return cycle.finish()


def _pair_texts(name: str, theirs: Any, ours: Any) -> Iterator[tuple[str, str, str]]:
    match theirs, ours:
        case dict(), dict():
            for key in theirs.keys() & ours.keys():
                yield from _pair_texts(key, theirs[key], ours[key])
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
    yield from (text.decode("utf-8", "replace") for found in FILE_NAME.findall(body) for text in found)
    yield from _list_json_texts(json_text.read_or_none(body))


def _list_json_texts(value: Any) -> Iterator[str]:
    match value:
        case dict() | list():
            for item in value.values() if isinstance(value, dict) else value:
                yield from _list_json_texts(item)
        case str():
            yield value

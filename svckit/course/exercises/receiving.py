"""Lesson 09: receive events, and trust only those that the service signed."""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from fakes import FakeService
from fakes.lessons import Options, Run, Said, Seen, said, say_first
from fakes.lessons.functions import find_line
from svckit.events import signature

__all__ = ["play", "prepare", "shows", "summarize"]

BOT, SIGNATURE = "bot-1", "X-SERVICE-Signature"
REFUSED = range(400, 500)
CONTENTS = (
    {"type": "sticker", "packageId": "1", "stickerId": "7"},
    {"type": "image", "fileId": "file-7"},
    {"type": "file", "fileId": "file-8"},
    {"type": "location", "address": "1-2-3 Hill Street", "latitude": 35.6, "longitude": 139.7},
)


class Watched(str):
    """A signature that notes whether it was compared with an equal text by ``==``."""

    compared = False

    def __eq__(self, other: object) -> bool:
        equal = str.__eq__(self, other)
        self.compared |= equal is True
        return equal

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


@dataclass
class Request:
    """A request to the bot's URL, and what the receiver did with it.

    Attributes:
        kind: ``genuine``, ``forged``, ``replayed`` or ``unknown`` (signed, but of a type that nobody knows yet).
        words: the request in words.
        headers, body: as sent.
        entry: what should be queued; None if nothing should.
        is_alike: whether another message has the same text.
        number: its place, from 1.
        status: what the receiver returned.
        queued: what it added to the queue.
        raised: what it raised and where, in words; may be empty.
    """

    kind: str
    words: str
    headers: Mapping[str, str]
    body: bytes
    entry: tuple[str | None, str, str] | None = None
    is_alike: bool = False
    number: int = 0
    status: Any = None
    queued: list[Any] = field(default_factory=list)
    raised: str = ""


def prepare(fake: FakeService, options: Options) -> Sequence[object]:
    """Return the bot's secret and an empty queue."""
    return fake.facts["bot_secret"], []


def play(
    function: Callable[..., Any], arguments: Sequence[Any], fake: FakeService, options: Options
) -> list[Request]:
    """Make a receiver and call it with requests; return them, or none if it was not made."""
    receive, queue = function(*arguments), arguments[1]
    if not callable(receive):
        return []
    handled = []
    for number, request in enumerate(list_requests(fake, options), 1):
        request.number, before = number, len(queue)
        try:
            request.status = receive(dict(request.headers), request.body)
        except Exception as error:  # noqa: BLE001 - whatever a learner's code raises
            line = find_line(receive, error)
            request.raised = f"{type(error).__name__}: {error}" + (f" (in {line})" if line else "")
        request.queued = queue[before:]
        handled.append(request)
    return handled


def list_requests(fake: FakeService, options: Options) -> Iterator[Request]:
    """Yield the requests of a variant: what the service sends, and what others do."""
    secret = fake.facts["bot_secret"]
    ann, ben, cleo = fake.facts["users"][1:4]
    name = fake.directory[cleo]["userName"]["firstName"]
    first = send(fake, ann, text(f"Where is {name}?"))
    unsigned = {name: value for name, value in first.headers.items() if name != SIGNATURE}

    def sign(key: str, body: bytes) -> dict[str, str]:
        return {**unsigned, SIGNATURE: Watched(signature(body, key))}

    yield first
    yield send(fake, ben, text("My badge is broken."), None)
    spaced = send(fake, cleo, text("Hello!"))
    words, body = f"{spaced.words}, whose JSON has spaces", json.dumps(json.loads(spaced.body)).encode()
    yield replace(spaced, words=words, headers=sign(secret, body), body=body)
    body, words = first.body.replace(b"Where", b"There"), "with the signature of request 1 and another body"
    yield Request("forged", words, first.headers, body)
    for content in CONTENTS:
        yield send(fake, cleo, content, "channel-2")
    yield Request("forged", "without a signature", unsigned, first.body)
    yield Request("forged", "signed with another secret", sign("a guess", first.body), first.body)
    yield Request("forged", "not JSON", sign("a guess", b"hello"), b"hello")
    # The same text, not a copy: a set that has it finds it without ==.
    yield Request("replayed", "a copy of request 1", first.headers, first.body)
    if options["more"]:
        yield send(fake, ann, text(f"{name}さんは"))
        yield send(fake, ben, text("OK"))
        yield replace(send(fake, cleo, text("OK"), seconds=0), is_alike=True)
        yield replace(send(fake, cleo, text("OK")), is_alike=True)
        yield replace(send(fake, ann, {"type": "poll", "question": "Lunch?"}), kind="unknown")
        event = json.loads(first.body) | {"type": "postback", "data": "start"}
        body = json.dumps({name: event[name] for name in event if name != "content"}).encode()
        words = "a genuine event of the type postback, without content"
        yield Request("unknown", words, sign(secret, body), body)


def text(words: str) -> Mapping[str, str]:
    """Return the content of a message."""
    return {"type": "text", "text": words}


def send(
    fake: FakeService,
    user: str,
    content: Mapping[str, Any],
    channel: str | None = "channel-1",
    seconds: int = 20,
) -> Request:
    """Let a member write to the bot, and return the request that the service sends."""
    fake.clock.advance(seconds=seconds)
    sent = fake.callbacks.send(BOT, user, content, channel)
    kind = str(content["type"])
    words = f"a genuine {kind} from {user} in {channel or 'a one-to-one room'}"
    entry = (channel, user, str(content.get("text", kind)))
    headers = {**sent.headers, SIGNATURE: Watched(sent.headers[SIGNATURE])}
    return Request("genuine", words, headers, sent.body, entry)


def requests(run: Run, kind: str) -> list[Request]:
    """Return the requests of a kind."""
    return [request for request in run.result if request.kind == kind]


def has_queued(run: Run) -> bool:
    """Return whether a message was queued."""
    return any(request.queued for request in run.result)


def handles(run: Run, kind: str) -> Seen:
    """Look for a request of a kind that was not handled as it should be."""
    handled = requests(run, kind)
    if kind in ("replayed", "unknown") and not (handled and has_queued(run)):
        return None
    return (bool(handled) and not any(map(find_odd, handled))) or find_cause(run)


def compares_well(run: Run) -> Iterator[Seen]:
    """Look for a signature that was compared by ``==`` or ``!=``."""
    if has_queued(run) and handles(run, "forged") is True:
        for request in requests(run, "genuine"):
            is_equal = getattr(request.headers[SIGNATURE], "compared", False)
            yield said("equality", **describe(request)) if is_equal else True


def find_odd(request: Request) -> Said | None:
    """Say how a request was not handled as it should be; None if it was."""
    kind, raised, queued = request.kind, request.raised, request.queued
    entries = [tuple(entry) if isinstance(entry, list) else entry for entry in queued]
    is_expected = entries == ([request.entry] if request.entry else [])
    odd = {
        "replay": kind == "replayed" and queued,
        "raises instead": kind == "forged" and raised,
        "channelId": raised.startswith("KeyError: 'channelId'"),
        "unknown type": kind == "unknown" and (request.status != 200 or not is_expected),
        "raises": kind == "genuine" and raised,
        "no status": kind != "replayed" and not isinstance(request.status, int),
        "trusts": kind == "forged" and (queued or request.status not in REFUSED),
        "taken for a replay": request.is_alike and not queued,
        "nothing queued": kind == "genuine" and not queued,
        "other entry": kind == "genuine" and not is_expected,
        "other status": kind == "genuine" and request.status != 200,
    }
    return say_first(odd, **describe(request))


def find_cause(run: Run) -> Seen:
    """Say what the receiver did to all genuine requests; else at which one it raised, or did what it should not."""
    if not run.result:
        return said("no receiver")
    genuine = requests(run, "genuine")
    refused = [request for request in genuine if request.status in REFUSED]
    accepted = [request for request in genuine if request not in refused]
    if not accepted:
        return said("other signature", **describe(refused[0]), count=len(refused))
    if [request for request in genuine if b'": ' in request.body] in (accepted, refused):
        one, other = refused[0], accepted[0]
        bodies = {"given": one.body[:26].decode(), "other": other.body[:26].decode()}
        return said("written again", **describe(one), second=other.number, **bodies)
    raised_first = sorted(run.result, key=lambda request: not request.raised)
    return next(filter(None, map(find_odd, raised_first)), False)


def describe(request: Request) -> dict[str, object]:
    """Return what a sentence about a request can name."""
    return vars(request) | {"request": request.number, "became": request.raised or request.status}


genuine = partial(handles, kind="genuine")
forged = partial(handles, kind="forged")
replay = partial(handles, kind="replayed")
others = partial(handles, kind="unknown")


def shows(run: Run) -> bool:
    """Return whether there is anything to grade."""
    return run.error is None


def summarize(run: Run) -> Mapping[str, object]:
    """Return the figures of a successful run."""
    return {kind: len(requests(run, kind)) for kind in ("genuine", "forged", "replayed")}


def solution_remembers_signatures(secret: str, queue: list[Any]) -> Callable[..., int]:
    """Check, then read, and remember each signature."""
    seen: set[str] = set()

    def receive(headers: Mapping[str, str], body: bytes) -> int:
        expected = base64.b64encode(hmac.digest(secret.encode(), body, "sha256")).decode()
        if not hmac.compare_digest(headers.get("X-SERVICE-Signature", ""), expected):
            return 401
        if expected in seen:
            return 200
        seen.add(expected)
        event = json.loads(body)
        if event["type"] == "message":
            source, content = event["source"], event["content"]
            queue.append((source.get("channelId"), source["userId"], content.get("text", content["type"])))
        return 200

    return receive


def solution_compares_bytes(secret: str, queue: list[Any]) -> Callable[..., int]:
    """Decode the signature, remember bodies, and refuse copies."""
    seen: set[bytes] = set()

    def receive(headers: Mapping[str, str], body: bytes) -> int:
        given = headers.get("X-SERVICE-Signature")
        if given is None or body in seen:
            return 401
        digest = hmac.new(secret.encode(), body, hashlib.sha256).digest()
        if not hmac.compare_digest(base64.b64decode(given), digest):
            return 401
        seen.add(body)
        match json.loads(body):
            case {"content": {"type": kind} as content, "source": {"userId": user} as source}:
                text = content["text"] if kind == "text" else kind
                queue.append((source.get("channelId"), user, text))
        return 200

    return receive

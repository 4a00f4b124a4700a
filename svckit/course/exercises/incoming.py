"""Lesson 09: the requests that reach the URL of a bot, genuine and forged."""

import base64
import hmac
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fakes import FakeService
from fakes.lessons import Run, Variant
from fakes.lessons.running import find_line

__all__ = [
    "SIGNATURE",
    "Request",
    "Watched",
    "has_queued",
    "is_refused",
    "is_right",
    "play",
    "prepare",
    "requests",
]

BOT = "bot-1"
SIGNATURE = "X-SERVICE-Signature"
REFUSED = range(400, 500)
STICKER = {"type": "sticker", "packageId": "1", "stickerId": "7"}
IMAGE = {"type": "image", "fileId": "file-7"}
FILE = {"type": "file", "fileId": "file-8"}
PLACE = {"type": "location", "address": "1-2-3 Hill Street", "latitude": 35.6, "longitude": 139.7}


class Watched(str):
    """A signature that notes whether it was compared with an equal text by ``==``."""

    def __init__(self, _text: str) -> None:
        self.compared = False

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
        kind: ``genuine``, ``forged``, ``replayed`` or ``other`` (signed, but not a message).
        words: the request in words.
        headers, body: as sent.
        entry: what should be queued; None if nothing should.
        trap: what is special about it; may be empty.
        status: what the receiver returned.
        queued: what it added to the queue.
        raised: what it raised and where, in words; may be empty.
    """

    kind: str
    words: str
    headers: Mapping[str, str]
    body: bytes
    entry: tuple[str | None, str, str] | None = None
    trap: str = ""
    number: int = 0
    status: Any = None
    queued: list[Any] = field(default_factory=list)
    raised: str = ""

    @property
    def name(self) -> str:
        """The request with its number."""
        return f"Request {self.number}, {self.words},"


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Return the bot's secret and an empty queue."""
    fake.rules.choose(variant.options["assume"])
    return fake.facts["bot_secret"], []


def play(
    function: Callable[..., Any], arguments: Sequence[object], fake: FakeService, variant: Variant
) -> list[Request] | None:
    """Make a receiver and call it with requests; return them, or None if it was not made."""
    receive, queue = function(*arguments), arguments[1]
    if not callable(receive) or not isinstance(queue, list):
        return None
    handled = []
    for number, request in enumerate(list_requests(fake, variant), 1):
        request.number, before = number, len(queue)
        try:
            request.status = receive(dict(request.headers), request.body)
        except Exception as error:  # noqa: BLE001 - whatever a learner's code raises
            line = find_line(receive, error)
            request.raised = f"{type(error).__name__}: {error}" + (f" (in {line})" if line else "")
        request.queued = queue[before:]
        handled.append(request)
    return handled


def list_requests(fake: FakeService, variant: Variant) -> Iterator[Request]:
    """Yield the requests of a variant: what the service sends, and what others do."""
    secret = fake.facts["bot_secret"]
    ann, ben, cleo = fake.facts["users"][1:4]
    name = fake.directory[cleo]["userName"]["firstName"]
    first = send(fake, ann, {"type": "text", "text": f"Where is {name}?"}, "channel-1")
    yield first
    yield send(fake, ben, {"type": "text", "text": "My badge is broken."}, None, trap="one-to-one")
    yield write_again(send(fake, cleo, {"type": "text", "text": "Hello!"}, "channel-1"), secret)
    body = first.body.replace(b"Where", b"There")
    yield Request("forged", "which has the signature of request 1 and another body", first.headers, body)
    for content in (STICKER, IMAGE, FILE, PLACE):
        yield send(fake, cleo, content, "channel-2")
    headers = {name: value for name, value in first.headers.items() if name != SIGNATURE}
    yield Request("forged", "which has no signature", headers, first.body, trap="unsigned")
    other = {SIGNATURE: sign("a guess", first.body)}
    yield Request("forged", "which is signed with another secret", {**headers, **other}, first.body)
    yield Request(
        "forged", "which is not JSON", {SIGNATURE: sign("a guess", b"hello")}, b"hello", trap="no JSON"
    )
    yield Request("replayed", "a copy of request 1", first.headers, first.body)
    if variant.options["more"]:
        yield send(fake, ann, {"type": "text", "text": f"{name}さんは"}, "channel-1")
        yield send(fake, ben, {"type": "text", "text": "OK"}, "channel-1")
        yield send(fake, cleo, {"type": "text", "text": "OK"}, "channel-1", seconds=0, trap="like another")
        yield send(fake, cleo, {"type": "text", "text": "OK"}, "channel-1", trap="like another")
        yield send(fake, ann, {"type": "poll", "question": "Lunch?"}, "channel-1", trap="unknown")
        yield make_postback(first, secret)


def send(
    fake: FakeService,
    user: str,
    content: Mapping[str, Any],
    channel: str | None,
    *,
    seconds: int = 20,
    trap: str = "",
) -> Request:
    """Let a member write to the bot, and return the request that the service sends."""
    sent: list[tuple[Mapping[str, str], bytes]] = []
    fake.callbacks.connect(BOT, lambda headers, body: sent.append((headers, body)))
    fake.clock.advance(seconds=seconds)
    fake.callbacks.send(BOT, user, content, channel)
    ((headers, body),) = sent
    kind = str(content["type"])
    words = f"a genuine {kind} from {user} in {channel or 'a one-to-one room'}"
    entry = (channel, user, str(content.get("text", kind)))
    return Request("genuine", words, {**headers, SIGNATURE: Watched(headers[SIGNATURE])}, body, entry, trap)


def write_again(request: Request, secret: str) -> Request:
    """Return a request whose JSON is written with spaces, as the service might."""
    body = json.dumps(json.loads(request.body)).encode()
    headers = {**request.headers, SIGNATURE: Watched(sign(secret, body))}
    return Request(
        request.kind, f"{request.words}, whose JSON has spaces", headers, body, request.entry, "spaces"
    )


def make_postback(request: Request, secret: str) -> Request:
    """Return a signed event of another type, without content."""
    event = json.loads(request.body) | {"type": "postback", "data": "start"}
    del event["content"]
    body = json.dumps(event).encode()
    headers = {**request.headers, SIGNATURE: Watched(sign(secret, body))}
    return Request("other", "a genuine event of the type postback, without content", headers, body)


def sign(secret: str, body: bytes) -> str:
    """Return the signature of a body."""
    return base64.b64encode(hmac.digest(secret.encode(), body, "sha256")).decode()


def requests(run: Run, *kinds: str) -> list[Request]:
    """Return the requests of some kinds; all without any."""
    found: list[Request] = run.result or []
    return [request for request in found if not kinds or request.kind in kinds]


def has_queued(run: Run) -> bool:
    """Return whether anything at all was queued."""
    return any(request.queued for request in requests(run))


def is_refused(request: Request) -> bool:
    """Return whether a request got a status of 400 to 499."""
    return request.status in REFUSED


def is_right(request: Request) -> bool:
    """Return whether a genuine message was queued once, as it should be."""
    return [as_entry(entry) for entry in request.queued] == [request.entry]


def as_entry(entry: object) -> object:
    """Return an entry as a tuple, if it is a sequence."""
    return tuple(entry) if isinstance(entry, list) else entry

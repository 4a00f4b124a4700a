"""A receiver of a bot's callbacks as an ASGI app."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from itertools import count
from typing import Any, ClassVar, TypeAlias
from weakref import WeakValueDictionary

from svckit.errors import InvalidInput
from svckit.events.inbox import CAPACITY, Inbox
from svckit.events.parsing import choose_word, find_header, parse
from svckit.events.signing import BadSignature, check_secret, choose_signing
from svckit.models.secret import Secret
from svckit.models.signature import SignedBy
from svckit.profiles.profiles import HasProfile, Profile

__all__ = ["LARGEST_BODY", "Receiver"]

LARGEST_BODY = 1_000_000
"""The limit of a callback's body in bytes; our choice, as the service's description names none."""

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

_JSON = [(b"content-type", b"application/json; charset=UTF-8"), (b"content-length", b"0")]


class Receiver(Inbox):
    """An inbox that is an ASGI app: run it with any ASGI server, or mount it at a path of an app of yours.

    It responds to a callback with 200, a JSON content type and an empty body, as in the service's description (section
    "Response and delivery"), and puts the event into the inbox. It refuses other requests and lists them in `refused`:
    401 if the signature is missing or wrong, 400 if the body is not an event, 405 for a method other than POST,
    413 for a body of more than 1,000,000 bytes. Only the signature identifies the sender, so any path is accepted.

    Args:
        secret: the bot's secret.
        header_word: the product word in the header names; if omitted, that of ``on``, else ``SERVICE``.
        signature: how events are signed, as in `parse`; if omitted, that of ``on``, else ``"hmac-sha256"``.
        on: a session or a profile, whose service sends the events; `of` finds the receivers of a session by it.
        capacity: the number of events to keep.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> app = Receiver(fake.facts["bot_secret"])
        >>> fake.callbacks.connect("bot-1", app)
        >>> fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "hello"})
        <Delivery: text of u-001 to bot-1, delivered>
        >>> app
        Receiver: 1 received, 0 refused
          number  bot    user   type
          1       bot-1  u-001  text
    """

    _instances: ClassVar[WeakValueDictionary[int, "Receiver"]] = WeakValueDictionary()
    _numbers: ClassVar["count[int]"] = count()

    def __init__(
        self,
        secret: str | Secret,
        *,
        header_word: str | None = None,
        signature: SignedBy | None = None,
        on: HasProfile | Profile | None = None,
        capacity: int = CAPACITY,
    ) -> None:
        super().__init__(capacity)
        secret = self._secret = check_secret(secret)  # hidden from here on, also in a traceback
        self._header_word = choose_word(header_word, on)
        self._signature = choose_signing(signature, on)
        self._on = on
        self._instances[next(self._numbers)] = self

    @classmethod
    def of(cls, on: HasProfile) -> "list[Receiver]":
        """Return the existing receivers that were created with ``on=`` this session, oldest first.

        Args:
            on: the session.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> app = Receiver(svc.bot_secret, on=svc)
            >>> Receiver.of(svc) == [app]
            True
        """
        return [receiver for receiver in list(cls._instances.values()) if receiver._on is on]

    def receive(self, headers: Mapping[str, str], body: bytes, seconds: float | None = None) -> int:
        """Receive a callback without HTTP, as a fake delivers it, and return the status of the response.

        The description shows the status 200 only (section "Response and delivery"); the others are those of the class.

        Args:
            headers: the request's headers.
            body: the request's body, as received.
            seconds: not used; a fake says how long it would wait for the response.

        Examples:
            >>> Receiver("bot secret").receive({"Content-Type": "application/json"}, b"{}")
            401
        """
        if len(body) > LARGEST_BODY:
            return self._reject(413, f"the body has more than {LARGEST_BODY:,} bytes")
        try:
            word, signature = self._header_word, self._signature
            event = parse(headers, body, secret=self._secret, header_word=word, signature=signature)
        except BadSignature as error:
            return self._reject(401, str(error))
        except InvalidInput as error:
            return self._reject(400, str(error))
        self._keep(find_header(headers, f"X-{self._header_word}-BotId"), event, body)
        return 200

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Handle one connection, by the ASGI protocol."""
        match scope["type"]:
            case "http":
                status = await self._respond(scope, receive)
                more = [(b"allow", b"POST")] if status == 405 else []
                await send({"type": "http.response.start", "status": status, "headers": _JSON + more})
                await send({"type": "http.response.body", "body": b""})
            case "lifespan":
                await _acknowledge_lifespan(receive, send)
            case other:
                raise NotImplementedError(f"a receiver of callbacks supports HTTP, not {other}")

    async def _respond(self, scope: Mapping[str, Any], receive: Receive) -> int:
        if scope["method"] != "POST":
            return self._reject(405, f"callbacks use POST; this was {scope['method'][:20]}")
        try:
            body = await _read_body(receive)
        except ConnectionError:
            return self._reject(400, "the sender disconnected before the body was complete")
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        return self.receive(headers, body)


async def _read_body(receive: Receive) -> bytes:
    """Read a body; of one over the limit, only enough to know that."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionError
        body.extend(message.get("body", b""))
        if len(body) > LARGEST_BODY or not message.get("more_body", False):
            return bytes(body)


async def _acknowledge_lifespan(receive: Receive, send: Send) -> None:
    """Acknowledge startup and shutdown, which the server waits for; there is nothing to do."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return

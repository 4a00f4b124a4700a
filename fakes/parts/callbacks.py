"""Callback events: what a member writes to a bot, signed and handed to the bot's receiver, once."""

import base64
import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from fakes import rulebook
from fakes.clock import Clock
from fakes.parts.directory import Directory
from fakes.refusals import Refused
from fakes.rules import Rules
from fakes.settings import DomainSettings
from svckit.models.event import MessageEvent
from svckit.models.problems import problems_of
from svckit.models.times import format_event_time

__all__ = ["Bot", "Callbacks", "Delivery", "Receiver"]

Receiver = Callable[[Mapping[str, str], bytes], int | None]
"""Takes the headers and the exact body of a callback; returns the HTTP status it answers (None is 200)."""

HEADER_WORD = "SERVICE"


@dataclass(slots=True)
class Bot:
    """A chat bot: its id, the secret its callbacks are signed with, and where they go."""

    bot_id: str
    secret: str = field(repr=False)
    receiver: Receiver | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """One attempt to deliver an event; there is never a second.

    Attributes:
        delivered: whether the receiver answered as success.
        status: the HTTP status it answered, None where there was no answer.
        error: why it was not delivered, in a sentence; None where it was.
        headers, body: exactly what was sent; the signature covers ``body`` byte for byte.
    """

    bot_id: str
    at: datetime
    delivered: bool
    status: int | None
    error: str | None
    headers: dict[str, str]
    body: bytes

    @property
    def event(self) -> dict[str, Any]:
        """The event as sent."""
        return dict(from_json(self.body))


class Callbacks:
    """Emits an event for each message that a member writes to a bot."""

    def __init__(self, directory: Directory, settings: DomainSettings, *, clock: Clock, rules: Rules) -> None:
        self.bots: dict[str, Bot] = {}
        self.deliveries: list[Delivery] = []
        self._directory = directory
        self._settings = settings
        self._clock = clock
        self._rules = rules

    def connect(self, bot_id: str, receiver: Receiver | None) -> None:
        """Register where a bot's callbacks go; None disconnects it.

        Raises:
            Refused: no bot has this id.
        """
        self.bot(bot_id).receiver = receiver

    def bot(self, bot_id: str) -> Bot:
        """A bot by its id.

        Raises:
            Refused: there is none.
        """
        bot = self.bots.get(bot_id)
        if bot is None:
            raise Refused("not_found", f"no bot has the id {bot_id!r}")
        return bot

    def send(
        self, bot_id: str, user_id: str, content: Mapping[str, Any], channel_id: str | None = None
    ) -> Delivery:
        """Let a member write to a bot, and deliver the event.

        Args:
            bot_id: the bot written to.
            user_id: the member who writes.
            content: the message, such as ``{"type": "text", "text": "hello"}``.
            channel_id: the room; omitted for the one-to-one room of the member and the bot.

        Raises:
            Refused: no such bot or user, or content that is no message.
        """
        bot = self.bot(bot_id)
        event = self._event(self._directory.find(user_id), content, channel_id)
        body = to_json(event)
        headers = {
            "Content-Type": "application/json; charset=UTF-8",
            f"X-{HEADER_WORD}-Signature": self._sign(bot.secret, body),
            f"X-{HEADER_WORD}-{self._rules.choice(rulebook.callbacks.BOT_ID_HEADER)}": bot_id,
        }
        delivery = self._deliver(bot, headers, body)
        self.deliveries.append(delivery)
        return delivery

    def _event(self, user_id: str, content: Mapping[str, Any], channel_id: str | None) -> dict[str, Any]:
        self._rules.follow(rulebook.callbacks.EVENT)
        source: dict[str, Any] = {"userId": user_id}
        if channel_id is None:
            self._rules.follow(rulebook.callbacks.ONE_TO_ONE)
        else:
            source["channelId"] = channel_id
        event = {
            "type": "message",
            "source": source | {"domainId": self._settings.domain_id},
            "issuedTime": format_event_time(self._clock.now()),
            "content": dict(content),
        }
        try:
            MessageEvent.model_validate(event)
        except ValidationError as invalid:
            found = problems_of(invalid)
            raise Refused(
                "invalid",
                "this is no message a member can send: " + "; ".join(map(str, found)),
                problems=found,
            ) from invalid
        return event

    def _sign(self, secret: str, body: bytes) -> str:
        digest = {"hmac-sha256": hashlib.sha256, "hmac-sha1": hashlib.sha1}[
            self._rules.choice(rulebook.callbacks.SIGNATURE)
        ]
        return base64.b64encode(hmac.new(secret.encode(), body, digest).digest()).decode()

    def _deliver(self, bot: Bot, headers: dict[str, str], body: bytes) -> Delivery:
        status: int | None = None
        error: str | None = None
        if bot.receiver is None:
            error = "the bot has no receiver; connect one with fake.callbacks.connect(bot_id, receiver)"
        else:
            try:
                answered = bot.receiver(dict(headers), body)
            except Exception as failed:  # noqa: BLE001 - whatever a receiver raises is a failed delivery
                error = f"the receiver raised {type(failed).__name__}: {failed}"
            else:
                status = 200 if answered is None else answered
                error = None if self._counts(status) else f"the receiver answered {status}"
        if error is not None:
            self._rules.follow(rulebook.callbacks.NOT_RESENT)
        return Delivery(bot.bot_id, self._clock.now(), error is None, status, error, headers, body)

    def _counts(self, status: int) -> bool:
        """Whether an answer counts as delivered."""
        if status == 200 or not 200 < status < 300:
            return status == 200
        return self._rules.choice(rulebook.callbacks.DELIVERED) == "2xx"

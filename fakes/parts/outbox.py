"""The outbox: the messages that bots have sent, in calls that the description does not have."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any

from pydantic_core import from_json, to_json

from fakes.http.unpicklable import Unpicklable
from fakes.parts.callbacks import Callbacks
from fakes.parts.changes import Log, Stored
from fakes.parts.part import Part, Shared
from fakes.persistence import Instant, Saved, in_order
from svckit.display.card import quantity, render_table
from svckit.display.tab import PublicNames

__all__ = ["Outbox", "OutboxData", "SentMessage"]

CAPACITY = 10_000
SHOWN = 20


@dataclass(frozen=True, slots=True)
class SentMessage(Unpicklable):
    """A message that a bot sent.

    Attributes:
        bot_id: the bot.
        user_id: the user it was sent to; None if it went into a room.
        channel_id: the room it was sent into; None if it went to a user.
        body: the JSON of its body.
        sent_at: when it was sent, by the fake's clock.
    """

    bot_id: str
    user_id: str | None
    channel_id: str | None
    body: bytes
    sent_at: Instant

    @property
    def content(self) -> dict[str, Any]:
        """The content as sent, with its type."""
        return dict(from_json(self.body)["content"])

    def record(self) -> dict[str, Any]:
        """Return the message as data."""
        return {
            "botId": self.bot_id,
            "userId": self.user_id,
            "channelId": self.channel_id,
            "content": self.content,
            "sentAt": self.sent_at.isoformat(),
        }

    def __repr__(self) -> str:
        return f"<SentMessage: {self.content['type']} of {self.bot_id} to {self.user_id or self.channel_id}>"


class OutboxData(Saved):
    """The messages in a snapshot."""

    messages: Annotated[dict[int, SentMessage], in_order]


class Outbox(Part, PublicNames, internal="add dump load"):
    """The latest messages that bots have sent, oldest first: up to 10,000.

    The description shows no call that sends one. The ready stubs ``common`` have two, to a user and into a room.

    Examples:
        >>> import httpx
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(stubs="common", now="2026-06-01T09:00:00+09:00")
        >>> bearer = {"Authorization": "Bearer " + fake.access_token()}
        >>> with httpx.Client(transport=fake.transport(), headers=bearer) as http:
        ...     url = fake.facts["base_url"] + "/bots/bot-1/users/u-002/messages"
        ...     response = http.post(url, json={"content": {"type": "text", "text": "hello"}})
        >>> fake.bots.sent("bot-1")
        [<SentMessage: text of bot-1 to u-002>]
        >>> fake.bots.sent("bot-1")[0].content["text"]
        'hello'
    """

    def __init__(self, callbacks: Callbacks, shared: Shared) -> None:
        super().__init__(shared)
        self._callbacks = callbacks
        self._messages: Log[SentMessage] = Log(shared.changes, "outbox.messages", CAPACITY)
        self._of_bots: Stored[str, Log[SentMessage]] = Stored(shared.changes, ordered=False)

    def add(self, bot_id: str, user_id: str | None, channel_id: str | None, body: dict[str, Any]) -> None:
        """Add a message that was just sent."""
        message = SentMessage(bot_id, user_id, channel_id, to_json(body), self._clock.now())
        if len(self._messages) == CAPACITY:
            oldest = self._of_bots[self._messages.at(0).bot_id]
            del oldest[oldest.dropped]
        self._messages.append(message)
        self._index(message)

    def _index(self, message: SentMessage) -> None:
        self._of_bots.setdefault(message.bot_id, Log(self._changes)).append(message)

    def sent(self, bot_id: str) -> list[SentMessage]:
        """Return the messages of a bot, oldest first.

        Args:
            bot_id: the bot's ID.

        Raises:
            Refusal: the bot is not found.
        """
        return [*self._of_bots.get(self._callbacks.bot(bot_id).bot_id, {}).values()]

    def dump(self) -> OutboxData:
        """Return the messages for a snapshot, shared."""
        return OutboxData.model_construct(messages=self._messages)

    def load(self, data: OutboxData) -> None:
        """Replace the messages with saved ones."""
        if self._messages.replace(data.messages):
            self._of_bots.clear()
            for message in self:
                self._index(message)

    def __iter__(self) -> Iterator[SentMessage]:
        return iter(tuple(self._messages.values()))

    def __len__(self) -> int:
        return len(self._messages)

    def __repr__(self) -> str:
        return f"<Outbox: {quantity(len(self), 'message')}>"

    def _repr_html_(self) -> str:
        latest = [*islice(reversed(self._messages.values()), SHOWN)][::-1]
        rows = [
            (message.bot_id, message.user_id or message.channel_id or "", str(message.content))
            for message in latest
        ]
        more = f", the latest {SHOWN} shown" if len(self) > SHOWN else ""
        return render_table(f"{repr(self).strip('<>')}{more}", ("bot", "to", "content"), rows)[0]

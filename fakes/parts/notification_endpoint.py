"""The incoming notification endpoint: its limiter, and the rooms it posts into."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Annotated, Any, Self

from pydantic import model_validator

from fakes import rulebook
from fakes.http.errors import Refusal
from fakes.http.unpicklable import Unpicklable
from fakes.parts.changes import Log, Stored
from fakes.parts.limiter import RateData, RateLimiter
from fakes.parts.part import Part, Shared
from fakes.persistence import Instant, Names, Saved, in_order
from fakes.rulebook.rule import Rule
from svckit.models.notification import MENTION, Notification, RateLimit

__all__ = ["NotificationEndpoint", "RoomMessage", "Webhook", "WebhooksData", "fingerprint"]

LENIENT_MENTION = re.compile(r"""<m\s+userId\s*=\s*(?:"([^"<>]+)"|'([^'<>]+)')\s*/?>""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Webhook(Unpicklable):
    """An entry of the webhook list. Its ID is the secret part of its URL."""

    webhook_id: str = field(repr=False)
    title: str
    channel_id: str


@dataclass(frozen=True, slots=True)
class RoomMessage(Unpicklable):
    """A message as the room received it; ``text`` is as sent, ``mentions`` has the user IDs marked up in it."""

    title: str
    text: str
    button: dict[str, str] | None
    mentions: tuple[str, ...]
    webhook_id: str = field(repr=False)
    channel_id: str
    sent_at: Instant

    def record(self) -> dict[str, Any]:
        """Return the message as data, without its webhook and its room."""
        return {
            "sentAt": self.sent_at.isoformat(),
            "title": self.title,
            "text": self.text,
            "button": self.button,
            "mentions": list(self.mentions),
        }


class WebhooksData(Saved):
    """The setup, the rooms and the rate in a snapshot."""

    app_added: bool
    invited: Names
    webhooks: list[Webhook]
    rooms: dict[str, Annotated[dict[int, RoomMessage], in_order]]
    limiter: RateData

    @model_validator(mode="after")
    def _check_rooms(self) -> Self:
        lost = [webhook.title for webhook in self.webhooks if webhook.channel_id not in self.rooms]
        if lost:
            raise ValueError(f"the webhooks {', '.join(lost)} have no room")
        return self


class NotificationEndpoint(Part):
    """The endpoint that the URLs of webhooks belong to, and what its calls need.

    Attributes:
        app_added: whether the notification app is added to the domain.
        entries: the webhook list, by the secret parts of its URLs.
        invited: the rooms that the app's bot is in.
        limiter: the rate limiter.
        rooms: the messages by room.
    """

    room_capacity = 10_000
    """The number of the latest messages that a new room keeps."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self.limiter: RateLimiter = RateLimiter(clock=shared.clock, rules=shared.rules)
        self.app_added: bool = False
        self.rooms: Stored[str, Log[RoomMessage]] = Stored(shared.changes, "webhooks.rooms")
        self.invited: Stored[str, None] = Stored(shared.changes, "webhooks.invited")
        self.entries: dict[str, Webhook] = {}

    @property
    def setup(self) -> tuple[bool, bool, bool]:
        """The setup so far: whether the app is added, its bot is in a room, and the webhook list has an entry."""
        return self.app_added, bool(self.invited), bool(self.entries)

    def open_room(self, channel_id: str) -> None:
        """Create a room unless it exists."""
        if channel_id not in self.rooms:
            self.rooms[channel_id] = self._make_room(channel_id)

    def _make_room(self, channel_id: str) -> Log[RoomMessage]:
        return Log(self._changes, f"webhooks.rooms/{channel_id}", self.room_capacity)

    def find(self, webhook_id: str) -> Webhook:
        """Return the entry of a URL.

        Args:
            webhook_id: the secret part of the URL.

        Raises:
            Refusal: the entry is not found.
        """
        self._rules.follow(rulebook.notifications.NO_TOKEN)
        webhook = self.entries.get(webhook_id)
        if webhook is None:
            self._rules.follow(rulebook.notifications.WEBHOOK_URL)
            raise Refusal("unmatched", "no webhook has this URL; copy it from the webhook list")
        return webhook

    def admit(self) -> list[Rule]:
        """Check that one more call is within the rate limit, and return the assumptions that decided it.

        Raises:
            Refusal: 120 calls were made in this minute.
        """
        admitted, rests_on = self.limiter.test()
        if not admitted:
            raise Refusal(
                "too_many",
                f"{self.limiter.limit} requests were made in this minute; {self._describe_reset()}",
                verbatim="too many request",
                clock_stands=self._clock.standing,
            )
        return rests_on

    def _describe_reset(self) -> str:
        seconds = self.limiter.peek().reset
        resets = f"the rate resets in {seconds} seconds"
        if not self._clock.standing:
            return resets
        return f"{resets}; this fake's clock stands still: move it with fake.clock.advance(seconds={seconds})"

    def check_rate_first(self) -> None:
        """Check the rate of a call whose URL belongs to no webhook, if the rate is assumed to come first.

        Raises:
            Refusal: the rate is exceeded, and comes first.
        """
        order = rulebook.notifications.ERROR_ORDER
        if not self.limiter.peek().remaining and self._rules.choice(order) == "rate-first":
            self.admit()

    def post(self, webhook: Webhook, notification: Notification, mentions: tuple[str, ...]) -> RateLimit:
        """Put a message, and the users that it mentions, into the webhook's room and count the call."""
        self._rules.follow(rulebook.notifications.SUCCESS)
        button = notification.button
        self.rooms[webhook.channel_id].append(
            RoomMessage(
                title=self._choose_title(webhook, notification.title),
                text=notification.body.text,
                button=None if button is None else {"label": button.label, "url": button.url},
                mentions=mentions,
                webhook_id=webhook.webhook_id,
                channel_id=webhook.channel_id,
                sent_at=self._clock.now(),
            )
        )
        return self.limiter.hit()

    def find_mentions(self, text: str) -> Iterator[str]:
        """Yield the user IDs marked up in a text, in order, and search no further than they are wanted."""
        for match in LENIENT_MENTION.finditer(text):
            exact = MENTION.fullmatch(match[0])
            if exact or self._rules.choice(rulebook.notifications.MENTION_FORM) == "lenient":
                yield match[1] or match[2]

    def _choose_title(self, webhook: Webhook, title: str | None) -> str:
        if title or (title == "" and self._rules.choice(rulebook.notifications.EMPTY_TITLE) == "kept"):
            return title
        self._rules.follow(rulebook.notifications.TITLE_DEFAULT)
        return webhook.title

    def dump(self) -> WebhooksData:
        """Return setup, rooms and rate for a snapshot; rooms and messages are shared."""
        return WebhooksData.model_construct(  # each was checked when it was added
            app_added=self.app_added,
            invited=self.invited,
            webhooks=[*self.entries.values()],
            rooms=self.rooms,
            limiter=self.limiter.dump(),
        )

    def load(self, data: WebhooksData) -> None:
        """Replace setup, rooms and rate with saved ones."""
        self.app_added = data.app_added
        self.invited.replace(data.invited)
        if data.rooms is not self.rooms:
            for room in self.rooms.values():
                room.drop()
            self.rooms.replace({channel_id: self._make_room(channel_id) for channel_id in data.rooms})
            for channel_id, messages in data.rooms.items():
                self.rooms[channel_id].replace(messages)
        self.entries = {webhook.webhook_id: webhook for webhook in data.webhooks}
        self.limiter.load(data.limiter)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield all messages as data, room by room, oldest first."""
        for messages in tuple(self.rooms.values()):
            for message in tuple(messages.values()):
                webhook = fingerprint(message.webhook_id)
                yield {"channelId": message.channel_id, **message.record(), "webhook": webhook}


def fingerprint(webhook_id: str) -> str:
    """Return a fingerprint of a webhook that does not reveal its ID, the secret part of its URL.

    Examples:
        >>> fingerprint("wh_1")
        'f1e38b99'
    """
    return sha256(webhook_id.encode()).hexdigest()[:8]

"""The notification app: its setup, its webhook list, the endpoint of the list's URLs, and the rooms it posts into."""

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
from svckit.display.card import Shown, quantity, render_table
from svckit.display.suggestions import UnknownName
from svckit.display.tab import PublicNames
from svckit.models import limits
from svckit.models.notification import MENTION, Notification, RateLimit

__all__ = ["RoomMessage", "Webhook", "Webhooks", "WebhooksData", "fingerprint"]

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


class Webhooks(
    Shown,
    Part,
    PublicNames,
    internal="admit app_added by_room check_rate_first dump entries find find_mentions invited limiter load post "
    "records room_capacity setup",
):
    """The setup of the notification app, its webhook list, and the rooms it posts to.

    Examples:
        >>> from fakes import FakeService
        >>> webhooks = FakeService.sample(now="2026-06-01T09:00:00+09:00").webhooks
        >>> webhooks.remove_app()
        >>> webhooks.add_app()
        >>> webhooks.invite_bot("channel-2")
        >>> webhook = webhooks.add("Builds", "channel-2")
        >>> webhooks.rooms(), [webhook.title for webhook in webhooks.all()], webhooks.messages("channel-2")
        (['channel-1', 'channel-2'], ['Builds'], [])
        >>> webhooks.remove_bot("channel-2")
    """

    room_capacity = 10_000
    """The number of the latest messages that a new room keeps."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self.limiter: RateLimiter = RateLimiter(clock=shared.clock, rules=shared.rules)
        self.app_added: bool = False
        self.by_room: Stored[str, Log[RoomMessage]] = Stored(shared.changes, "webhooks.rooms")  # the messages
        # The rooms with the app's bot.
        self.invited: Stored[str, None] = Stored(shared.changes, "webhooks.invited")
        self.entries: dict[str, Webhook] = {}  # by the secret parts of their URLs

    @property
    def setup(self) -> tuple[bool, bool, bool]:
        """The setup so far: whether the app is added, its bot is in a room, and the webhook list has an entry."""
        return self.app_added, bool(self.invited), bool(self.entries)

    def add_app(self) -> None:
        """Add the notification app to the domain, the first step of its setup."""
        self.app_added = True

    def remove_app(self) -> None:
        """Remove the notification app: its bot leaves all rooms, which keep their messages, and the list is emptied."""
        self.app_added = False
        self.invited.clear()
        self.entries.clear()

    def invite_bot(self, channel_id: str) -> None:
        """Invite the app's bot to a room.

        Args:
            channel_id: the room; a new one is created.

        Raises:
            Refusal: the app has not been added.
        """
        self._require_app()
        if channel_id not in self.by_room:
            self.by_room[channel_id] = self._make_room(channel_id)
        self.invited[channel_id] = None

    def remove_bot(self, channel_id: str) -> None:
        """Remove the app's bot from a room, whose webhook list is emptied; the room keeps its messages.

        Args:
            channel_id: the room.
        """
        self.invited.pop(channel_id, None)
        kept = (webhook for webhook in self.all() if webhook.channel_id != channel_id)
        self.entries = {webhook.webhook_id: webhook for webhook in kept}

    def _require_app(self) -> None:
        if not self.app_added:
            raise Refusal(
                "conflict",
                "the notification app is not added yet, which is step 1 of the setup "
                "(fake.webhooks.add_app, or the admin call PUT /notification-app)",
            )

    def add(self, title: str, channel_id: str, webhook_id: str | None = None) -> Webhook:
        """Add an entry to the webhook list, and issue its URL.

        Args:
            title: the title of its messages that have no title.
            channel_id: the room of its messages.
            webhook_id: the secret part of its URL, to restore an entry; if omitted, one is issued.

        Returns:
            The entry; its ``webhook_id`` is the secret part of the URL.

        Raises:
            Refusal: a step is missing, the title is empty, the domain has 5 entries, or an entry with another title or
                room has the URL.
        """
        self._rules.follow(rulebook.notifications.SETUP)
        self._require_app()
        if channel_id not in self.invited:
            raise Refusal(
                "conflict",
                f"the app's bot is not in the room {channel_id!r} yet; inviting it is step 2 of the setup "
                "(fake.webhooks.invite_bot, or the admin call PUT /rooms/{channelId}/bot)",
            )
        if not title:
            raise Refusal("missing", "a webhook entry needs a title")
        existing = self.entries.get(webhook_id or "")
        if existing is not None:
            return _check_same(existing, title, channel_id)
        if len(self.entries) >= limits.WEBHOOKS_PER_DOMAIN:
            self._rules.follow(rulebook.notifications.WEBHOOKS)
            raise Refusal(
                "conflict",
                f"the domain has {len(self.entries)} webhook URLs; {limits.WEBHOOKS_PER_DOMAIN} is the limit",
            )
        while webhook_id is None or webhook_id in self.entries:  # a restored one is not issued again
            webhook_id = self._ids.secret("wh")
        webhook = Webhook(webhook_id, title, channel_id)
        self.entries[webhook.webhook_id] = webhook
        return webhook

    def _render(self) -> tuple[str, str]:
        rows = [(webhook.title, webhook.channel_id) for webhook in self.all()]  # the IDs are secret
        return render_table(quantity(len(rows), "webhook"), ("title", "room"), rows)

    def all(self) -> list[Webhook]:
        """Return the webhook list, in the order of adding."""
        return list(self.entries.values())

    def rooms(self) -> list[str]:
        """Return the channel IDs of the rooms, in the order of their first use."""
        return list(self.by_room)

    def messages(self, channel_id: str) -> list[RoomMessage]:
        """Return the messages of a room, oldest first.

        Args:
            channel_id: the room.

        Raises:
            UnknownName: the room is not found; only rooms to which the app's bot was invited are known.
        """
        if channel_id not in self.by_room:
            raise UnknownName("room", channel_id, self.by_room)
        return list(self.by_room[channel_id].values())

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
        if not self.limiter.peek().remaining and self._rules.apply(order) == "rate-first":
            self.admit()

    def post(self, webhook: Webhook, notification: Notification, mentions: tuple[str, ...]) -> RateLimit:
        """Put a message, and the users that it mentions, into the webhook's room and count the call."""
        self._rules.follow(rulebook.notifications.SUCCESS)
        button = notification.button
        self.by_room[webhook.channel_id].append(
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
            if exact or self._rules.apply(rulebook.notifications.MENTION_FORM) == "lenient":
                yield match[1] or match[2]

    def _choose_title(self, webhook: Webhook, title: str | None) -> str:
        if title or (title == "" and self._rules.apply(rulebook.notifications.EMPTY_TITLE) == "kept"):
            return title
        self._rules.follow(rulebook.notifications.TITLE_DEFAULT)
        return webhook.title

    def dump(self) -> WebhooksData:
        """Return setup, rooms and rate for a snapshot; rooms and messages are shared."""
        return WebhooksData.model_construct(  # each was checked when it was added
            app_added=self.app_added,
            invited=self.invited,
            webhooks=[*self.entries.values()],
            rooms=self.by_room,
            limiter=self.limiter.dump(),
        )

    def load(self, data: WebhooksData) -> None:
        """Replace setup, rooms and rate with saved ones."""
        self.app_added = data.app_added
        self.invited.replace(data.invited)
        if data.rooms is not self.by_room:
            for room in self.by_room.values():
                room.drop()
            self.by_room.replace({channel_id: self._make_room(channel_id) for channel_id in data.rooms})
            for channel_id, messages in data.rooms.items():
                self.by_room[channel_id].replace(messages)
        self.entries = {webhook.webhook_id: webhook for webhook in data.webhooks}
        self.limiter.load(data.limiter)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield all messages as data, room by room, oldest first."""
        for messages in tuple(self.by_room.values()):
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


def _check_same(existing: Webhook, title: str, channel_id: str) -> Webhook:
    """Return an existing entry if it is the same as the one to add."""
    if (existing.title, existing.channel_id) != (title, channel_id):
        raise Refusal(
            "conflict",
            f"the entry {existing.title!r} for the room {existing.channel_id!r} has this URL; leave out url to add "
            "another entry",
        )
    return existing

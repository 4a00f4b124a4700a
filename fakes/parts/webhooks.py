"""The setup of the notification app, and its webhook list, as people use them."""

from fakes import rulebook
from fakes.http.errors import Refusal
from fakes.parts.notification_endpoint import NotificationEndpoint, RoomMessage, Webhook
from fakes.parts.part import Part, Shared
from svckit.display.card import Shown, quantity, render_table
from svckit.display.suggestions import UnknownName
from svckit.models import limits

__all__ = ["Webhooks"]


class Webhooks(Shown, Part):
    """The setup of the notification app, its webhook list, and the rooms it posts to.

    Examples:
        >>> from fakes import FakeService
        >>> webhooks = FakeService.sample(now="2026-06-01T09:00:00+09:00").webhooks
        >>> webhooks.remove_app()
        >>> webhooks.add_app()
        >>> webhooks.invite_bot("channel-2")
        >>> webhook = webhooks.add("Builds", "channel-2")
        >>> webhooks.rooms(), [each.title for each in webhooks.all()], webhooks.messages("channel-2")
        (['channel-1', 'channel-2'], ['Builds'], [])
        >>> webhooks.remove_bot("channel-2")
    """

    def __init__(self, endpoint: NotificationEndpoint, shared: Shared) -> None:
        super().__init__(shared)
        self._endpoint = endpoint

    def add_app(self) -> None:
        """Add the notification app to the domain, the first step of its setup."""
        self._endpoint.app_added = True

    def remove_app(self) -> None:
        """Remove the notification app: its bot leaves all rooms, which keep their messages, and the list is emptied."""
        self._endpoint.app_added = False
        self._endpoint.invited.clear()
        self._endpoint.entries.clear()

    def invite_bot(self, channel_id: str) -> None:
        """Invite the app's bot to a room.

        Args:
            channel_id: the room; a new one is created.

        Raises:
            Refusal: the app has not been added.
        """
        self._require_app()
        self._endpoint.open_room(channel_id)
        self._endpoint.invited[channel_id] = None

    def remove_bot(self, channel_id: str) -> None:
        """Remove the app's bot from a room, whose webhook list is emptied; the room keeps its messages.

        Args:
            channel_id: the room.
        """
        self._endpoint.invited.pop(channel_id, None)
        kept = (webhook for webhook in self.all() if webhook.channel_id != channel_id)
        self._endpoint.entries = {webhook.webhook_id: webhook for webhook in kept}

    def _require_app(self) -> None:
        if not self._endpoint.app_added:
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
        if channel_id not in self._endpoint.invited:
            raise Refusal(
                "conflict",
                f"the app's bot is not in the room {channel_id!r} yet; inviting it is step 2 of the setup "
                "(fake.webhooks.invite_bot, or the admin call PUT /rooms/{channelId}/bot)",
            )
        if not title:
            raise Refusal("missing", "a webhook entry needs a title")
        existing = self._endpoint.entries.get(webhook_id or "")
        if existing is not None:
            return _check_same(existing, title, channel_id)
        if len(self._endpoint.entries) >= limits.WEBHOOKS_PER_DOMAIN:
            self._rules.follow(rulebook.notifications.WEBHOOKS)
            raise Refusal(
                "conflict",
                f"the domain has {len(self._endpoint.entries)} webhook URLs; {limits.WEBHOOKS_PER_DOMAIN} is the limit",
            )
        while (
            webhook_id is None or webhook_id in self._endpoint.entries
        ):  # a restored one is not issued again
            webhook_id = self._ids.secret("wh")
        webhook = Webhook(webhook_id, title, channel_id)
        self._endpoint.entries[webhook.webhook_id] = webhook
        return webhook

    def _render(self) -> tuple[str, str]:
        rows = [(webhook.title, webhook.channel_id) for webhook in self.all()]  # the IDs are secret
        return render_table(quantity(len(rows), "webhook"), ("title", "room"), rows)

    def all(self) -> list[Webhook]:
        """Return the webhook list, in the order of adding."""
        return list(self._endpoint.entries.values())

    def rooms(self) -> list[str]:
        """Return the channel IDs of the rooms, in the order of their first use."""
        return list(self._endpoint.rooms)

    def messages(self, channel_id: str) -> list[RoomMessage]:
        """Return the messages of a room, oldest first.

        Args:
            channel_id: the room.

        Raises:
            UnknownName: the room is not found; only rooms to which the app's bot was invited are known.
        """
        if channel_id not in self._endpoint.rooms:
            raise UnknownName("room", channel_id, self._endpoint.rooms)
        return list(self._endpoint.rooms[channel_id].values())


def _check_same(existing: Webhook, title: str, channel_id: str) -> Webhook:
    """Return an existing entry if it is the same as the one to add."""
    if (existing.title, existing.channel_id) != (title, channel_id):
        raise Refusal(
            "conflict",
            f"the entry {existing.title!r} for the room {existing.channel_id!r} has this URL; leave out url to add "
            "another entry",
        )
    return existing

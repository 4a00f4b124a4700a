"""Admin calls for rooms: the webhook list, messages in rooms, and messages from members to bots."""

import re
from typing import Any

from pydantic import Field

from fakes.handlers.admin import AdminBody, read_body, refuse_body, respond, respond_no_content
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse
from fakes.parts.events import parse_version
from fakes.parts.webhooks import Webhook
from svckit.display.suggestions import UnknownName
from svckit.models.base import OrAbsent

__all__ = [
    "add_app",
    "add_webhook",
    "connect_bot",
    "invite_bot",
    "list_rooms",
    "list_webhooks",
    "list_webhooks_of_room",
    "read_room",
    "remove_app",
    "remove_bot",
    "send_message",
]

WEBHOOK_ID = re.compile(r"[0-9A-Za-z_-]+")


class NewWebhook(AdminBody):
    """A new entry of the webhook list."""

    title: str
    channel_id: str
    url: OrAbsent[str] = Field(default=None)


class CallbackURL(AdminBody):
    """The URL that receives a bot's callbacks; null disconnects the bot."""

    url: str | None


class MemberMessage(AdminBody):
    """A message from a member to a bot, in their one-to-one room if there is no ``channelId``."""

    bot_id: str
    user_id: str
    content: dict[str, Any]
    channel_id: OrAbsent[str] = Field(default=None)
    client_version: OrAbsent[str] = Field(default=None)


def list_webhooks(call: CallContext) -> FakeResponse:
    """Return the webhook list."""
    return respond({"webhooks": [describe_webhook(call, webhook) for webhook in call.state.webhooks.all()]})


def add_webhook(call: CallContext) -> FakeResponse:
    """Add an entry to the webhook list, step 5 of the setup: ``{"title", "channelId"}``; ``"url"`` restores one."""
    given = read_body(call, NewWebhook)
    webhook_id = None if given.url is None else parse_webhook_id(given.url, call)
    with call.domain.lock, call.state.rules.recording():
        webhook = call.state.webhooks.add(given.title, given.channel_id, webhook_id)
    return respond(describe_webhook(call, webhook), 201)


def describe_webhook(call: CallContext, webhook: Webhook) -> dict[str, str]:
    """Return an entry of the webhook list as data."""
    return {
        "url": url_prefix(call) + webhook.webhook_id,
        "title": webhook.title,
        "channelId": webhook.channel_id,
    }


def parse_webhook_id(url: str, call: CallContext) -> str:
    """Return the secret part of a webhook's URL.

    Raises:
        Refusal: it is not a webhook URL of this fake.
    """
    prefix = url_prefix(call)
    webhook_id = url.removeprefix(prefix)
    if not url.startswith(prefix) or not WEBHOOK_ID.fullmatch(webhook_id):
        raise Refusal(
            "invalid",
            f"url must be a URL from GET /webhooks, {prefix}<webhook_id>; given {url!r}; "
            "leave it out to have one issued",
        )
    return webhook_id


def url_prefix(call: CallContext) -> str:
    """Return the part that all webhook URLs share."""
    return f"{call.base_urls.hooks}/message/"


def add_app(call: CallContext) -> FakeResponse:
    """Add the notification app to the domain: step 1 of the setup."""
    refuse_body(call)
    with call.domain.lock:
        call.state.webhooks.add_app()
    return respond_no_content()


def remove_app(call: CallContext) -> FakeResponse:
    """Remove the notification app: its bot leaves all rooms, and the webhook list is emptied."""
    with call.domain.lock:
        call.state.webhooks.remove_app()
    return respond_no_content()


def invite_bot(call: CallContext) -> FakeResponse:
    """Invite the notification app's bot to a room: step 2 of the setup."""
    refuse_body(call)
    with call.domain.lock:
        call.state.webhooks.invite_bot(call.params["channelId"])
    return respond_no_content()


def remove_bot(call: CallContext) -> FakeResponse:
    """Remove the notification app's bot from a room and empty the room's webhook list."""
    with call.domain.lock:
        call.state.webhooks.remove_bot(call.params["channelId"])
    return respond_no_content()


def list_rooms(call: CallContext) -> FakeResponse:
    """List the rooms with their channel IDs, which the menu of a room shows: step 3 of the setup."""
    webhooks = call.state.webhooks
    with call.domain.lock:
        rooms = [
            {"channelId": channel_id, "botInvited": webhooks.is_invited(channel_id)}
            for channel_id in webhooks.rooms()
        ]
    return respond({"rooms": rooms})


def list_webhooks_of_room(call: CallContext) -> FakeResponse:
    """List the webhooks of a room, as the menu at its bottom does: step 4 of the setup."""
    channel_id, webhooks = call.params["channelId"], call.state.webhooks
    if channel_id not in webhooks.rooms():
        raise Refusal("not_found", str(UnknownName("room", channel_id, webhooks.rooms())))
    listed = [
        describe_webhook(call, webhook) for webhook in webhooks.all() if webhook.channel_id == channel_id
    ]
    return respond({"webhooks": listed})


def read_room(call: CallContext) -> FakeResponse:
    """Return the messages of a room, oldest first, and how many earlier ones were dropped."""
    channel_id, webhooks = call.params["channelId"], call.state.webhooks
    try:
        with call.domain.lock:
            received, dropped = webhooks.messages(channel_id), webhooks.count_dropped(channel_id)
    except UnknownName as unknown:
        raise Refusal("not_found", str(unknown)) from None
    messages = [
        {
            "title": message.title,
            "text": message.text,
            "button": message.button,
            "mentions": list(message.mentions),
            "webhookId": message.webhook_id,
            "sentAt": message.sent_at.isoformat(),
        }
        for message in received
    ]
    return respond({"messages": messages, "dropped": dropped})


def connect_bot(call: CallContext) -> FakeResponse:
    """Set the URL that receives a bot's callbacks: ``{"url"}``; null disconnects the bot."""
    url = read_body(call, CallbackURL).url
    try:
        call.state.callbacks.connect(call.params["botId"], url)
    except ValueError as wrong:
        raise Refusal("invalid", str(wrong)) from None
    return respond_no_content()


def send_message(call: CallContext) -> FakeResponse:
    """Send a message from a member to a bot, ``{"botId", "userId", "content"}``, and return the delivery's outcome."""
    message = read_body(call, MemberMessage)
    if message.client_version is not None:
        parse_version(message.client_version)
    delivery = call.state.callbacks.send(
        message.bot_id,
        message.user_id,
        message.content,
        message.channel_id,
        client_version=message.client_version,
    )
    names = ("delivered", "status", "error", "event")
    return respond({name: getattr(delivery, name) for name in names})

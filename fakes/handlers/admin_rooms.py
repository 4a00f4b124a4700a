"""Admin calls for what happens in rooms: the webhook list, messages of rooms, and messages of members to bots."""

from typing import Any

from pydantic import Field

from fakes.call import Call
from fakes.exchange import Response
from fakes.handlers.admin import AdminBody, answered, bodiless, body, done
from fakes.nearest import UnknownName
from fakes.parts.events import version_numbers
from fakes.parts.webhooks import Webhook
from fakes.refusals import Refused
from svckit.models.base import OrAbsent

__all__ = [
    "add_webhook",
    "connect_bot",
    "invite_bot",
    "list_webhooks",
    "read_room",
    "send_message",
]


class NewWebhook(AdminBody):
    """An entry to be added to the webhook list."""

    title: str
    channel_id: str


class CallbackAddress(AdminBody):
    """Where the callbacks of a bot go; null for nowhere."""

    url: str | None


class MemberMessage(AdminBody):
    """What a member writes to a bot; without ``channelId`` in their one-to-one room."""

    bot_id: str
    user_id: str
    content: dict[str, Any]
    channel_id: OrAbsent[str] = Field(default=None)
    client_version: OrAbsent[str] = Field(default=None)


def list_webhooks(call: Call) -> Response:
    """The webhook list."""
    return answered({"webhooks": [entry(call, webhook) for webhook in call.state.webhooks.all()]})


def add_webhook(call: Call) -> Response:
    """Add an entry to the webhook list: ``{"title", "channelId"}``."""
    given = body(call, NewWebhook)
    with call.whole.lock, call.state.rules.recording():
        webhook = call.state.webhooks.add(given.title, given.channel_id)
    return answered(entry(call, webhook), 201)


def entry(call: Call, webhook: Webhook) -> dict[str, str]:
    """An entry of the webhook list."""
    url = f"{call.addresses.hooks}/message/{webhook.webhook_id}"
    return {"url": url, "title": webhook.title, "channelId": webhook.channel_id}


def invite_bot(call: Call) -> Response:
    """Invite the notification app's bot to a room."""
    bodiless(call)
    with call.whole.lock:
        call.state.webhooks.invite_bot(call.params["channelId"])
    return done()


def read_room(call: Call) -> Response:
    """The messages of a room, oldest first."""
    try:
        received = call.state.webhooks.messages(call.params["channelId"])
    except UnknownName as unknown:
        raise Refused("not_found", str(unknown)) from None
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
    return answered({"messages": messages})


def connect_bot(call: Call) -> Response:
    """Register where the callbacks of a bot go: ``{"url"}``, or null for nowhere."""
    url = body(call, CallbackAddress).url
    try:
        call.state.callbacks.connect(call.params["botId"], url)
    except ValueError as wrong:
        raise Refused("invalid", str(wrong)) from None
    return done()


def send_message(call: Call) -> Response:
    """Let a member write to a bot, ``{"botId", "userId", "content"}``, and tell what became of the event."""
    message = body(call, MemberMessage)
    if message.client_version is not None:
        version_numbers(message.client_version)
    delivery = call.state.callbacks.send(
        message.bot_id,
        message.user_id,
        message.content,
        message.channel_id,
        client_version=message.client_version,
    )
    names = ("delivered", "status", "error", "event")
    return answered({name: getattr(delivery, name) for name in names})

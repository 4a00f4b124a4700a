"""Admin calls for rooms: the webhook list, messages in rooms, and messages from members to bots.

Notifications are set up in five steps: `add_app`, `invite_bot`, `list_rooms`, `list_webhooks_of_room` and
`add_webhook`.
"""

import re
from typing import Any

from pydantic import Field

from fakes.handlers.admin import AdminBody, refusing_invalid
from fakes.handlers.admin_calls import AdminCalls
from fakes.handlers.admin_schemas import (
    ANY_OBJECT,
    COUNT,
    FLAG,
    INSTANT,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    add_object,
    describe,
    make_list,
    make_object,
)
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from fakes.parts.changes import Log
from fakes.parts.deliveries import Delivery
from fakes.parts.events import parse_version
from fakes.parts.own_data import OwnBot, OwnWebhook
from fakes.parts.webhooks import RoomMessage, Webhook
from svckit.display.suggestions import UnknownName
from svckit.models.base import OrAbsent, absent

__all__ = ["admin"]

admin: AdminCalls = AdminCalls()

WEBHOOK = add_object(
    "Webhook",
    url=describe(TEXT, "Its URL; the last part is secret."),
    title=describe(TEXT, "Title of its messages that have no title."),
    channelId=describe(TEXT, "ID of the room that it posts to."),
)
MESSAGE = add_object(
    "Message",
    title=describe(TEXT_OR_NULL, "Title, or that of the webhook."),
    text=describe(TEXT, "Text, as sent."),
    button=describe(
        {"type": ["object", "null"], "additionalProperties": TEXT},
        "The button's label and url; null without one.",
    ),
    mentions=describe(TEXTS, "IDs of the users whom the text mentions."),
    webhookId=describe(TEXT, "The secret part of the webhook's URL."),
    sentAt=describe(INSTANT, "When it was posted, by the fake's clock."),
)
SENT = add_object(
    "SentMessage",
    botId=describe(TEXT, "ID of the bot."),
    userId=describe(TEXT_OR_NULL, "ID of the user it was sent to; null if it went into a room."),
    channelId=describe(TEXT_OR_NULL, "ID of the room; null if it went to a user."),
    content=describe(ANY_OBJECT, "The content as sent, with its type."),
    sentAt=describe(INSTANT, "When it was sent, by the fake's clock."),
)
WEBHOOK_ID = re.compile(r"[0-9A-Za-z_-]+")


class NewWebhook(OwnWebhook, AdminBody):
    """A new entry of the webhook list."""


class NewBot(OwnBot, AdminBody):
    """A new bot, and the URL that receives its callbacks."""


class CallbackURL(AdminBody):
    """The URL that receives a bot's callbacks; null disconnects the bot."""

    url: str | None = Field(description="The URL of the receiver; null disconnects the bot.")


class MemberMessage(AdminBody):
    """A message from a member to a bot, in their one-to-one room if there is no ``channelId``."""

    bot_id: str = Field(description="ID of the bot.")
    user_id: str = Field(description="ID of the member.")
    content: dict[str, Any] = Field(description="The content of the event, with its type.")
    channel_id: OrAbsent[str] = absent("ID of the room.")
    client_version: OrAbsent[str] = absent("Version of the member's client.")


@admin("GET", "/webhooks", "webhooks.list", returns=make_object(webhooks=make_list(WEBHOOK)))
def list_webhooks(call: CallContext) -> dict[str, Any]:
    """Return the webhook list."""
    return {"webhooks": [describe_webhook(call, webhook) for webhook in call.state.webhooks.all()]}


@admin("POST", "/webhooks", "webhooks.add", body=NewWebhook, returns=WEBHOOK, status=201, errors=(409,))
def add_webhook(call: CallContext, given: NewWebhook) -> dict[str, Any]:
    """Add an entry to the webhook list, step 5 of the setup: ``{"title", "channelId"}``; ``"url"`` restores one."""
    webhook_id = None if given.url is None else parse_webhook_id(given.url, call)
    # Recorded on their own, as the rules of the setup belong to no response of the service.
    with call.domain.lock, call.state.rules.recording():
        webhook = call.state.webhooks.add(given.title, given.channel_id, webhook_id)
    return describe_webhook(call, webhook)


def describe_webhook(call: CallContext, webhook: Webhook) -> dict[str, Any]:
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


@admin("PUT", "/notification-app", "app.add")
def add_app(call: CallContext) -> None:
    """Add the notification app to the domain: step 1 of the setup."""
    with call.domain.lock:
        call.state.webhooks.add_app()


@admin("DELETE", "/notification-app", "app.remove")
def remove_app(call: CallContext) -> None:
    """Remove the notification app: its bot leaves all rooms, and the webhook list is emptied."""
    with call.domain.lock:
        call.state.webhooks.remove_app()


@admin(
    "GET",
    "/rooms",
    "rooms.list",
    returns=make_object(rooms=make_list(make_object(channelId=TEXT, botInvited=FLAG))),
)
def list_rooms(call: CallContext) -> dict[str, Any]:
    """List the rooms with their channel IDs, which the menu of a room shows: step 3 of the setup."""
    webhooks = call.state.webhooks
    with call.domain.lock:
        rooms = [{"channelId": room, "botInvited": room in webhooks.invited} for room in webhooks.by_room]
    return {"rooms": rooms}


@admin("PUT", "/rooms/{channelId}/bot", "rooms.invite_bot", errors=(409,))
def invite_bot(call: CallContext) -> None:
    """Invite the notification app's bot to a room: step 2 of the setup."""
    with call.domain.lock:
        call.state.webhooks.invite_bot(call.params["channelId"])


@admin("DELETE", "/rooms/{channelId}/bot", "rooms.remove_bot")
def remove_bot(call: CallContext) -> None:
    """Remove the notification app's bot from a room and empty the room's webhook list."""
    with call.domain.lock:
        call.state.webhooks.remove_bot(call.params["channelId"])


@admin(
    "GET",
    "/rooms/{channelId}/webhooks",
    "rooms.webhooks",
    returns=make_object(webhooks=make_list(WEBHOOK)),
    errors=(404,),
)
def list_webhooks_of_room(call: CallContext) -> dict[str, Any]:
    """List the webhooks of a room, as the menu at its bottom does: step 4 of the setup."""
    find_room(call)  # refuses an unknown one
    room, known = call.params["channelId"], call.state.webhooks.all()
    return {"webhooks": [describe_webhook(call, webhook) for webhook in known if webhook.channel_id == room]}


def find_room(call: CallContext) -> Log[RoomMessage]:
    """Return the messages of the room in the path.

    Raises:
        Refusal: there is no such room.
    """
    rooms, channel_id = call.state.webhooks.by_room, call.params["channelId"]
    if channel_id not in rooms:
        raise Refusal("not_found", str(UnknownName("room", channel_id, rooms)))
    return rooms[channel_id]


@admin(
    "GET",
    "/rooms/{channelId}/messages",
    "rooms.read",
    returns=make_object(messages=make_list(MESSAGE), dropped=COUNT),
    errors=(404,),
)
def read_room(call: CallContext) -> dict[str, Any]:
    """Return the messages of a room, oldest first, and how many earlier ones were dropped."""
    with call.domain.lock:
        room = find_room(call)
        messages, dropped = [*room.values()], room.dropped
    listed = [{**message.record(), "webhookId": message.webhook_id} for message in messages]
    return {"messages": listed, "dropped": dropped}


@admin(
    "POST",
    "/bots",
    "bots.add",
    body=NewBot,
    returns=make_object(botId=TEXT, botSecret=TEXT),
    status=201,
    errors=(409,),
)
def add_bot(call: CallContext, given: NewBot) -> dict[str, Any]:
    """Add a bot, and return its ID and its secret; without a botId, one is issued."""
    with refusing_invalid(), call.domain.lock:
        bot = call.state.callbacks.add_bot(given.bot_id, given.callback_url, secret=given.bot_secret)
    return {"botId": bot.bot_id, "botSecret": bot.secret}


@admin("PUT", "/bots/{botId}/callback", "bots.connect", body=CallbackURL, errors=(404,))
def connect_bot(call: CallContext, given: CallbackURL) -> None:
    """Set the URL that receives a bot's callbacks: ``{"url"}``; null disconnects the bot."""
    with refusing_invalid():
        call.state.callbacks.connect(call.params["botId"], given.url)


@admin(
    "GET",
    "/bots/{botId}/messages",
    "bots.sent",
    returns=make_object(messages=make_list(SENT)),
    errors=(404,),
)
def list_sent(call: CallContext) -> dict[str, Any]:
    """Return the messages that a bot has sent, by the ready stubs, oldest first."""
    with call.domain.lock:
        return {"messages": [message.record() for message in call.state.outbox.sent(call.params["botId"])]}


@admin(
    "POST",
    "/messages",
    "messages.send",
    body=MemberMessage,
    returns=make_object(
        delivered=FLAG, status={"type": ["integer", "null"]}, error=TEXT_OR_NULL, event=ANY_OBJECT
    ),
    errors=(404,),
)
def send_message(call: CallContext, message: MemberMessage) -> Delivery:
    """Send a message from a member to a bot, ``{"botId", "userId", "content"}``, and return the delivery's outcome."""
    version = message.client_version
    if version is not None:
        parse_version(version)
    return call.state.callbacks.send(  # without the lock, as the receiver may call the fake
        message.bot_id, message.user_id, message.content, message.channel_id, client_version=version
    )

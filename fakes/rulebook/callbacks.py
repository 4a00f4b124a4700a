"""Rules of the callback events a bot receives."""

from fakes.rulebook.rule import assumed, documented

EVENT = documented("callback.event", "Events", "A message to the bot is sent to its server by POST as JSON.")
HEADERS = documented(
    "callback.headers",
    "Events › Headers sent",
    "Content-Type is application/json; charset=UTF-8; the signature and the bot's ID have their own headers.",
)
FIELDS = documented(
    "callback.fields",
    "Events › Message event, common fields",
    "type, source.userId, source.domainId, issuedTime and content.type are always present.",
)
CONTENT = documented(
    "callback.content",
    "Events › Message types",
    "text, location, sticker, image and file have their required fields; postback is optional.",
)
ONE_TO_ONE = documented(
    "callback.one-to-one",
    "Events › Message event, common fields",
    "In a one-to-one room source.channelId is not sent.",
)
CLIENT_VERSION = documented(
    "callback.client-version",
    "Events › Message types",
    "Stickers and images are supported from client version 2.3, files from 2.9.",
)
NOT_RESENT = documented(
    "callback.not-resent", "Events › Response and delivery", "A failed callback is not re-sent."
)
ADDRESS = assumed(
    "callback.address",
    "Events",
    "The description does not show how a URL is registered; one without TLS (http) is accepted.",
    ("http-or-https", "https-only"),
)
SIGNATURE = assumed(
    "callback.signature",
    "Events › Headers sent",
    "The signature is base64 of HMAC-SHA256 over the exact body, keyed with the bot secret.",
    ("hmac-sha256", "hmac-sha1"),
)
BOT_ID_HEADER = assumed(
    "callback.bot-id-header",
    "Events › Headers sent",
    "The header is written X-SERVICE-BotId.",
    ("BotId", "BotID"),
)
BODY = assumed(
    "callback.body",
    "Events",
    "The body is compact JSON in raw UTF-8, with numbers as JavaScript writes them, so that a receiver that reads and "
    "writes it again gets the same bytes; the alternative escapes what is not ASCII.",
    ("utf-8", "ascii"),
)
ISSUED_TIME = assumed(
    "callback.issued-time",
    "Events › Message event, common fields",
    "issuedTime is UTC and ends in a literal Z; the alternative reads Z as the offset: +0900.",
    ("utc", "offset"),
)
OTHER_CONTENT = assumed(
    "callback.other-content",
    "Events › Message types",
    "Messages of other types, and with other fields, cannot be sent.",
    ("refused", "sent"),
)
FILE_ID = assumed(
    "callback.file-id",
    "Events › Message types",
    "The fileId of an image or a file may be any text; the alternative only sends that of content that is stored "
    "for the bot.",
    ("not-checked", "checked"),
)
OLD_CLIENTS = assumed(
    "callback.old-clients",
    "Events › Message types",
    "A message that the member's client version does not support is not sent.",
    ("not-sent", "sent"),
)
DELIVERED = assumed(
    "callback.delivered",
    "Events › Response and delivery",
    "Only HTTP 200 counts as delivered.",
    ("200", "2xx"),
)
TIMEOUT = assumed(
    "callback.timeout",
    "Events › Response and delivery",
    "A receiver that has not responded after 10 seconds (fake.callbacks.timeout) has failed.",
    ("limited", "unlimited"),
)
OTHER_EVENTS = assumed(
    "callback.other-events",
    "Events › Response and delivery",
    "Messages to bots are the only events: no other types are sent, and none from the notification and token "
    "endpoints. The alternative sends an event of type postback, in a form made up here, after a text that has a "
    "postback.",
    ("none", "postback"),
)

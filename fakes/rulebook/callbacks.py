"""Rules of the callback events a bot receives."""

from fakes.rulebook.sections import EVENT_DELIVERY, EVENT_FIELDS, EVENT_HEADERS, EVENTS, MESSAGE_TYPES

EVENT = EVENTS.documented("callback.event", "A message to the bot is sent to its server by POST as JSON.")
HEADERS = EVENT_HEADERS.documented(
    "callback.headers",
    "Content-Type is application/json; charset=UTF-8; the signature and the bot's ID have their own headers.",
)
FIELDS = EVENT_FIELDS.documented(
    "callback.fields",
    "type, source.userId, source.domainId, issuedTime and content.type are always present.",
)
CONTENT = MESSAGE_TYPES.documented(
    "callback.content",
    "text, location, sticker, image and file have their required fields; postback is optional.",
)
ONE_TO_ONE = EVENT_FIELDS.documented(
    "callback.one-to-one",
    "In a one-to-one room source.channelId is not sent.",
)
CLIENT_VERSION = MESSAGE_TYPES.documented(
    "callback.client-version",
    "Stickers and images are supported from client version 2.3, files from 2.9.",
)
NOT_RESENT = EVENT_DELIVERY.documented("callback.not-resent", "A failed callback is not re-sent.")
ADDRESS = EVENTS.assumed(
    "callback.address",
    "The description does not show how a URL is registered; one without TLS (http) is accepted.",
    ("http-or-https", "https-only"),
)
SIGNATURE = EVENT_HEADERS.assumed(
    "callback.signature",
    "The signature is base64 of HMAC-SHA256 over the exact body, keyed with the bot secret.",
    ("hmac-sha256", "hmac-sha1"),
)
BOT_ID_HEADER = EVENT_HEADERS.assumed(
    "callback.bot-id-header",
    "The header is written X-SERVICE-BotId.",
    ("BotId", "BotID"),
)
BODY = EVENTS.assumed(
    "callback.body",
    "The body is compact JSON in raw UTF-8, with numbers as JavaScript writes them, so that a receiver that reads and "
    "writes it again gets the same bytes; the alternative escapes what is not ASCII.",
    ("utf-8", "ascii"),
)
ISSUED_TIME = EVENT_FIELDS.assumed(
    "callback.issued-time",
    "issuedTime is UTC and ends in a literal Z; the alternative reads Z as the offset: +0900.",
    ("utc", "offset"),
)
OTHER_CONTENT = MESSAGE_TYPES.assumed(
    "callback.other-content",
    "Messages of other types, and with other fields, cannot be sent.",
    ("refused", "sent"),
)
FILE_ID = MESSAGE_TYPES.assumed(
    "callback.file-id",
    "The fileId of an image or a file may be any text; the alternative only sends that of content that is stored "
    "for the bot.",
    ("not-checked", "checked"),
)
OLD_CLIENTS = MESSAGE_TYPES.assumed(
    "callback.old-clients",
    "A message that the member's client version does not support is not sent.",
    ("not-sent", "sent"),
)
DELIVERED = EVENT_DELIVERY.assumed(
    "callback.delivered",
    "Only HTTP 200 counts as delivered.",
    ("200", "2xx"),
)
TIMEOUT = EVENT_DELIVERY.assumed(
    "callback.timeout",
    "A receiver that has not responded after 10 seconds (fake.callbacks.timeout) has failed.",
    ("limited", "unlimited"),
)
OTHER_EVENTS = EVENT_DELIVERY.assumed(
    "callback.other-events",
    "Messages to bots are the only events: no other types are sent, and none from the notification and token "
    "endpoints. The alternative sends an event of type postback, in a form made up here, after a text that has a "
    "postback.",
    ("none", "postback"),
)

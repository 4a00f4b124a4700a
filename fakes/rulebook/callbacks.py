"""Rules of the callback events a bot receives."""

from fakes.rules import assumed, documented

EVENT = documented("callback.event", "Events", "A message to the bot is sent to its server by POST as JSON.")
ONE_TO_ONE = documented("callback.one-to-one", "Events", "In a one-to-one room source.channelId is not sent.")
NOT_RESENT = documented(
    "callback.not-resent", "Events › Response and delivery", "A failed callback is not re-sent."
)
SIGNATURE = assumed(
    "callback.signature",
    "Events › Headers sent",
    "The signature is base64 of HMAC-SHA256 over the exact body, keyed with the bot secret.",
    "hmac-sha256",
    "hmac-sha1",
)
BOT_ID_HEADER = assumed(
    "callback.bot-id-header",
    "Events › Headers sent",
    "The header is written X-SERVICE-BotId.",
    "BotId",
    "BotID",
)
DELIVERED = assumed(
    "callback.delivered",
    "Events › Response and delivery",
    "Only HTTP 200 counts as delivered.",
    "200",
    "2xx",
)

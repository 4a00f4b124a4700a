"""Rules of the incoming notification endpoint."""

from fakes.rulebook.rule import assumed, documented

SUCCESS = documented(
    "notification.success",
    "Endpoints › Incoming notification endpoint",
    'A message gets 200 with {code: 200, description: "success"} and the rate headers.',
)
NO_TOKEN = documented(
    "notification.no-token",
    "Authentication",
    "The endpoint is identified by the secret part of its URL alone.",
)
PARAMETERS = documented(
    "notification.parameters",
    "Errors › Notification endpoint",
    "A missing required parameter gets 400 'missing parameter', an invalid one 400 'invalid parameter'.",
)
WEBHOOK_URL = documented(
    "notification.webhook-url",
    "Errors › Notification endpoint",
    "A URL that is not a valid webhook's gets 400 'invalid webhook URL'.",
)
TITLE_DEFAULT = documented(
    "notification.title-default",
    "Endpoints › Incoming notification endpoint",
    "Without a title, the title entered in the webhook list is used.",
)
RATE = documented(
    "notification.rate",
    "Limits",
    "120 requests per minute and domain, shared by all webhook URLs; beyond that 429. For each of 1, 2, 3, 4 or 5 "
    "URLs that is 120, 60, 40, 30 or 24 on average.",
)
WEBHOOKS = documented("notification.webhooks", "Limits", "A domain has at most 5 webhook URLs.")
SETUP = documented(
    "notification.setup",
    "What the service does",
    "The app is added, its bot invited to the room, and an entry made with a title and the room's channel ID.",
)
OTHER_METHOD = assumed(
    "notification.other-method",
    "Errors › Notification endpoint",
    "A request to a webhook's URL with a method other than POST gets 400 'invalid webhook URL'; in the alternatives "
    "it gets 405 and an Allow header, or 404.",
    ("400", "405", "404"),
)
ERROR_ORDER = assumed(
    "notification.error-order",
    "Errors › Notification endpoint",
    "Of several errors, an invalid webhook URL comes first, then the rate, then a missing parameter, then an "
    "invalid one; a body that is not a JSON object counts as an invalid one. Each alternative changes one of these: "
    "the rate comes first, the body before the rate, an invalid parameter before a missing one, or a body that is "
    "not JSON is missing its parameters.",
    (
        "url-rate-missing-invalid",
        "rate-first",
        "body-before-rate",
        "invalid-before-missing",
        "not-json-as-missing",
    ),
)
WINDOW = assumed(
    "notification.window",
    "Limits",
    "The minute is a fixed window: it opens with the first call and resets 60 seconds later.",
    ("fixed", "sliding"),
)
REFUSED_CALLS = assumed(
    "notification.refused-calls",
    "Limits",
    "A call that is refused with 400, for its body or its URL, does not count toward the rate of the domain.",
    ("not-counted", "counted"),
)
REFUSED_HEADERS = assumed(
    "notification.refused-headers",
    "Limits",
    "The rate headers are described for success, and a refused call has none: that is as described, so no response "
    "counts as resting on this. In the alternative, such as for clients that wait by RateLimit-Reset after a 429, a "
    "refused call has them too, and names this rule.",
    ("absent", "sent"),
)
OTHER_FIELDS = assumed(
    "notification.other-fields",
    "What the service does",
    "The app sends a title, a text and a button, and no files, images or other formats: any other field is refused.",
    ("refused", "ignored"),
)
EMPTY_TITLE = assumed(
    "notification.empty-title",
    "Endpoints › Incoming notification endpoint",
    "An empty title counts as absent.",
    ("as-absent", "kept"),
)
EMPTY_TEXT = assumed(
    "notification.empty-text",
    "Endpoints › Incoming notification endpoint",
    "A text that is sent may be empty.",
    ("accepted", "refused"),
)
EMPTY_LABEL = assumed(
    "notification.empty-label",
    "Endpoints › Incoming notification endpoint",
    "The label of a button may be empty.",
    ("accepted", "refused"),
)
MENTIONS = assumed(
    "notification.mentions",
    "Endpoints › Incoming notification endpoint",
    "A mention of a user who is not in the domain is accepted.",
    ("not-checked", "checked"),
)
MENTION_FORM = assumed(
    "notification.mention-form",
    "Endpoints › Incoming notification endpoint",
    'Only exactly <m userId="<user>"> is a mention; the alternative also accepts other quotes, spaces and capitals, '
    "and a slash at the end.",
    ("exact", "lenient"),
)
BUTTON_URL = assumed(
    "notification.button-url",
    "Endpoints › Incoming notification endpoint",
    "The URL of a button may be any text.",
    ("not-checked", "http-only"),
)

"""Rules of the incoming notification endpoint."""

from fakes.rulebook.sections import (
    AUTHENTICATION,
    DESCRIBED_LIMITS,
    NOTIFICATION_ENDPOINT,
    NOTIFICATION_ERRORS,
    OVERVIEW,
)

SUCCESS = NOTIFICATION_ENDPOINT.documented(
    "notification.success",
    'A message gets 200 with {code: 200, description: "success"} and the rate headers.',
)
NO_TOKEN = AUTHENTICATION.documented(
    "notification.no-token",
    "The endpoint is identified by the secret part of its URL alone.",
)
PARAMETERS = NOTIFICATION_ERRORS.documented(
    "notification.parameters",
    "A missing required parameter gets 400 'missing parameter', an invalid one 400 'invalid parameter'.",
)
WEBHOOK_URL = NOTIFICATION_ERRORS.documented(
    "notification.webhook-url",
    "A URL that is not a valid webhook's gets 400 'invalid webhook URL'.",
)
TITLE_DEFAULT = NOTIFICATION_ENDPOINT.documented(
    "notification.title-default",
    "Without a title, the title entered in the webhook list is used.",
)
RATE = DESCRIBED_LIMITS.documented(
    "notification.rate",
    "120 requests per minute and domain, shared by all webhook URLs; beyond that 429. For each of 1, 2, 3, 4 or 5 "
    "URLs that is 120, 60, 40, 30 or 24 on average.",
)
WEBHOOKS = DESCRIBED_LIMITS.documented("notification.webhooks", "A domain has at most 5 webhook URLs.")
SETUP = OVERVIEW.documented(
    "notification.setup",
    "The app is added, its bot invited to the room, and an entry made with a title and the room's channel ID.",
)
OTHER_METHOD = NOTIFICATION_ERRORS.assumed(
    "notification.other-method",
    "A request to a webhook's URL with a method other than POST gets 400 'invalid webhook URL'; in the alternatives "
    "it gets 405 and an Allow header, or 404.",
    ("400", "405", "404"),
)
ERROR_ORDER = NOTIFICATION_ERRORS.assumed(
    "notification.error-order",
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
WINDOW = DESCRIBED_LIMITS.assumed(
    "notification.window",
    "The minute is a fixed window: it opens with the first call and resets 60 seconds later.",
    ("fixed", "sliding"),
)
REFUSED_CALLS = DESCRIBED_LIMITS.assumed(
    "notification.refused-calls",
    "A call that is refused with 400, for its body or its URL, does not count toward the rate of the domain.",
    ("not-counted", "counted"),
)
REFUSED_HEADERS = DESCRIBED_LIMITS.assumed(
    "notification.refused-headers",
    "The rate headers are described for success, and a refused call has none: that is as described, so no response "
    "counts as resting on this. In the alternative, such as for clients that wait by RateLimit-Reset after a 429, a "
    "refused call has them too, and names this rule.",
    ("absent", "sent"),
)
OTHER_FIELDS = OVERVIEW.assumed(
    "notification.other-fields",
    "The app sends a title, a text and a button, and no files, images or other formats: any other field is refused.",
    ("refused", "ignored"),
)
EMPTY_TITLE = NOTIFICATION_ENDPOINT.assumed(
    "notification.empty-title",
    "An empty title counts as absent.",
    ("as-absent", "kept"),
)
EMPTY_TEXT = NOTIFICATION_ENDPOINT.assumed(
    "notification.empty-text",
    "A text that is sent may be empty.",
    ("accepted", "refused"),
)
EMPTY_LABEL = NOTIFICATION_ENDPOINT.assumed(
    "notification.empty-label",
    "The label of a button may be empty.",
    ("accepted", "refused"),
)
MENTIONS = NOTIFICATION_ENDPOINT.assumed(
    "notification.mentions",
    "A mention of a user who is not in the domain is accepted.",
    ("not-checked", "checked"),
)
MENTION_FORM = NOTIFICATION_ENDPOINT.assumed(
    "notification.mention-form",
    'Only exactly <m userId="<user>"> is a mention; the alternative also accepts other quotes, spaces and capitals, '
    "and a slash at the end.",
    ("exact", "lenient"),
)
BUTTON_URL = NOTIFICATION_ENDPOINT.assumed(
    "notification.button-url",
    "The URL of a button may be any text.",
    ("not-checked", "http-only"),
)

"""Rules of the resource API as a whole."""

from fakes.rulebook.sections import (
    AUTHENTICATION,
    DESCRIBED_LIMITS,
    DIRECTORY,
    ENDPOINTS,
    OTHER_ERRORS,
    RESOURCES,
)

BEARER = AUTHENTICATION.documented(
    "api.bearer", "Resource API calls carry Authorization: Bearer <ACCESS_TOKEN>."
)
UNAUTHORIZED = OTHER_ERRORS.assumed(
    "api.unauthorized",
    "A call without a valid access token gets 401.",
    ("401", "403"),
)
BEARER_FORM = AUTHENTICATION.assumed(
    "api.bearer-form",
    "The word Bearer may be in upper or lower case and be followed by several spaces, as HTTP allows; the "
    "alternative accepts only Bearer and one space.",
    ("any-case", "exact"),
)
BEARER_ORDER = AUTHENTICATION.assumed(
    "api.bearer-order",
    "A call of an operation that is retired or to be retired, or one that is too large or exceeds a rate, is refused "
    "for that before its bearer token is checked; the alternative checks the bearer token first.",
    ("bearer-last", "bearer-first"),
)
SCOPE = AUTHENTICATION.assumed(
    "api.scope",
    "No operation needs a scope; the alternative responds with 403 if a file operation is called without the scope "
    "file, or a directory operation without the scope user.",
    ("not-needed", "file-and-user"),
)
PERMISSION = DIRECTORY.assumed(
    "api.permission",
    "A signed-in user may change and read what belongs to any user of the domain, and read its logs; in the "
    "alternative, only administrators may do so for others and read the logs, and anybody else gets 403.",
    ("anyone", "self-or-administrator"),
)
ERROR_BODY = OTHER_ERRORS.assumed(
    "api.error-body",
    'Errors of the resource API are JSON: {"code": "<UPPER_SNAKE>", "description": "…"}.',
    ("code-description", "oauth2"),
)
INVALID = OTHER_ERRORS.assumed(
    "api.invalid",
    "A request that lacks a required field or breaks a limit is refused as a whole with 400, and all problems are "
    "reported together.",
    ("400", "422"),
)
NOT_FOUND = OTHER_ERRORS.assumed(
    "api.not-found",
    "A user, bot, container or URL that does not exist gets 404, even if the description lists no response for that.",
    ("404", "400"),
)
CONTENT_TYPE = ENDPOINTS.assumed(
    "api.content-type",
    "A JSON body whose Content-Type is not application/json is refused.",
    ("refused", "not-checked"),
)
BODY_LIMIT = DESCRIBED_LIMITS.assumed(
    "api.body-limit",
    "A JSON body may have up to 16 MiB, and a form 64 KiB and 1000 fields; a larger one is refused with 413, before "
    "anything else is checked.",
    ("413", "400"),
)
TEXT_LIMIT = RESOURCES.assumed(
    "api.text-limit",
    "A text without a described maximum may have up to 100,000 characters, in any JSON body; a longer one is invalid.",
    ("refused", "unlimited"),
)
EXTRA_FIELDS = RESOURCES.assumed(
    "api.extra-fields",
    "Fields of a request that are unknown or read-only are ignored.",
    ("ignored", "refused"),
)
DUPLICATE_KEY = ENDPOINTS.assumed(
    "api.duplicate-key",
    "If a key occurs twice in one JSON object, the last value counts.",
    ("last-wins", "refused"),
)
NULL = ENDPOINTS.assumed(
    "api.null",
    "A null is refused in a field of a notification, an upload request or a profile status that is not marked "
    "nullable; in the alternative such a field counts as absent.",
    ("refused", "as-absent"),
)
NULL_OPTIONAL = ENDPOINTS.assumed(
    "api.null-optional",
    "A null in an optional field of a user that is not marked nullable is refused; in the alternative such a field "
    "counts as absent, and so does that of an upload request or a profile status, even if api.null refuses it.",
    ("refused", "as-absent"),
)
UTC_OFFSET = RESOURCES.assumed(
    "api.utc-offset",
    "A time of a user or a profile status is returned with the offset that was sent, but an offset of zero as Z; in "
    "the alternative as +00:00, even if Z was sent.",
    ("letter", "numeric"),
)
QUERY = ENDPOINTS.assumed(
    "api.query",
    "Query parameters are ignored for an operation that has no described ones.",
    ("ignored", "refused"),
)
RATE_LIMIT = DESCRIBED_LIMITS.assumed(
    "api.rate-limit",
    "Calls of the resource API have no rate limit; the alternative responds with 429 beyond 6000 calls in a minute, "
    "or beyond the fake's setting api_calls_per_minute.",
    ("none", "per-minute"),
)
READY_STUBS = DIRECTORY.assumed(
    "api.ready-stubs",
    "A ready stub responds to a call that is not described as clients in the field expect it, with what the fake has: "
    "lists have count and cursor as query parameters, and nextCursor, also in responseMetaData; me is the user of the "
    "access token; a message of a bot has a content with a type. In the alternative such a call stays not described. "
    "Stubs of your own rest on no assumption.",
    ("respond", "not-described"),
)
UNMATCHED = ENDPOINTS.assumed(
    "api.unmatched",
    "A request that matches no described operation gets 404; in an alternative, it gets 405 and an Allow header if "
    "its path has operations with other methods.",
    ("404", "501", "405"),
)
UNMATCHED_BEARER = AUTHENTICATION.assumed(
    "api.unmatched-bearer",
    "A call of the resource API or the file storage that matches no described operation is refused for its bearer "
    "token first if that is missing or not valid, like a call of a described operation; the alternative does not check "
    "it.",
    ("checked", "not-checked"),
)

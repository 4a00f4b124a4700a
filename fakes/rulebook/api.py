"""Rules of the resource API as a whole."""

from fakes.rulebook.rules import assumed, documented

BEARER = documented(
    "api.bearer", "Authentication", "Resource API calls carry Authorization: Bearer <ACCESS_TOKEN>."
)
UNAUTHORIZED = assumed(
    "api.unauthorized",
    "Errors › Other operations",
    "A call without a valid access token is answered 401.",
    "401",
    "403",
)
BEARER_FORM = assumed(
    "api.bearer-form",
    "Authentication",
    "The word Bearer may be written in capitals or small letters and be followed by several spaces, as HTTP allows; "
    "the alternative accepts only Bearer and one space.",
    "any-case",
    "exact",
)
BEARER_ORDER = assumed(
    "api.bearer-order",
    "Authentication",
    "A call that is not an operation, has ended, is not described, is too large or exceeds a rate is refused for that "
    "without a look at its bearer; the alternative refuses it for a missing or wrong bearer first.",
    "bearer-last",
    "bearer-first",
)
SCOPE = assumed(
    "api.scope",
    "Authentication",
    "No operation needs a scope; the alternative answers 403 where a file operation is called without the scope file, "
    "or one of the directory without the scope user.",
    "not-needed",
    "file-and-user",
)
PERMISSION = assumed(
    "api.permission",
    "Endpoints › Directory",
    "A signed-in user may change and read what belongs to any user of the domain, and read its logs; in the "
    "alternative only administrators may do so for others and read the logs, and anybody else gets 403.",
    "anyone",
    "self-or-administrator",
)
ERROR_BODY = assumed(
    "api.error-body",
    "Errors › Other operations",
    'Errors of the resource API are JSON: {"code": "<UPPER_SNAKE>", "description": "…"}.',
    "code-description",
    "oauth2",
)
INVALID = assumed(
    "api.invalid",
    "Errors › Other operations",
    "A request that lacks a required field or breaks a limit is refused whole with 400, all problems together.",
    "400",
    "422",
)
NOT_FOUND = assumed(
    "api.not-found",
    "Errors › Other operations",
    "A user, bot, container or address that is not there is answered 404 also where no answer is listed for it.",
    "404",
    "400",
)
CONTENT_TYPE = assumed(
    "api.content-type",
    "Endpoints",
    "A JSON body whose Content-Type is not application/json is refused.",
    "refused",
    "not-checked",
)
BODY_LIMIT = assumed(
    "api.body-limit",
    "Limits",
    "A JSON body may have up to 16 MiB, and a form 64 KiB and 1000 fields; a larger one is refused with 413, before "
    "anything else is looked at.",
    "413",
    "400",
)
TEXT_LIMIT = assumed(
    "api.text-limit",
    "Resources and their fields",
    "A text for which no maximum is described may have up to 100,000 characters, in any JSON body; a longer one is "
    "invalid.",
    "refused",
    "unlimited",
)
EXTRA_FIELDS = assumed(
    "api.extra-fields",
    "Resources and their fields",
    "Fields of a request that are unknown or read-only are ignored.",
    "ignored",
    "refused",
)
DUPLICATE_KEY = assumed(
    "api.duplicate-key",
    "Endpoints",
    "Of a key that stands twice in one JSON object the last value counts.",
    "last-wins",
    "refused",
)
NULL = assumed(
    "api.null",
    "Endpoints",
    "A null is refused in a field of a notification, an upload request or a profile status that is not marked "
    "nullable; in the alternative such a field counts as absent.",
    "refused",
    "as-absent",
)
QUERY = assumed(
    "api.query",
    "Endpoints",
    "Query parameters of an operation for which none are described are ignored.",
    "ignored",
    "refused",
)
RATE_LIMIT = assumed(
    "api.rate-limit",
    "Limits",
    "Calls of the resource API are not held to a rate; the alternative answers 429 beyond 6000 of them in a minute, or "
    "as many as the setting api_calls_per_minute of the fake says.",
    "none",
    "per-minute",
)
UNMATCHED = assumed(
    "api.unmatched",
    "Endpoints",
    "A request that is no operation of the description is answered 404; in an alternative it gets 405 and an Allow "
    "header where its path has operations with other methods.",
    "404",
    "501",
    "405",
)

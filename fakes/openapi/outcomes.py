"""The possible outcomes of each operation, and the rules behind them."""

from collections.abc import Iterator
from dataclasses import replace

from fakes.handlers.routing import Body, Route
from fakes.openapi.cases import ANY, JSON, OCTETS, Outcome, RefusalCase, Success, refuse_under
from fakes.openapi.recorded import name_family, read_rules
from fakes.openapi.sign_in_outcomes import SIGN_IN
from fakes.parts.logs import LOGGED
from fakes.rulebook import api, directory, drive, files, lifecycle, notifications, statuses
from fakes.rulebook.rule import RULEBOOK, Rule
from fakes.rulebook.rules import Rules
from svckit.models.notification import RATE_HEADERS

__all__ = ["list_outcomes", "list_rules_of"]

UNAUTHORIZED = RefusalCase(
    "unauthorized", "The access token is missing or invalid.", (api.BEARER, api.BEARER_FORM)
)
NO_SCOPE = refuse_under(
    "file-and-user", api.SCOPE, "forbidden", "The scope of the access token is not enough."
)
NOT_PERMITTED = refuse_under(
    "self-or-administrator",
    api.PERMISSION,
    "forbidden",
    "The user may not do this for another, or for the domain.",
)
TOO_MANY = refuse_under("per-minute", api.RATE_LIMIT, "too_many", "The calls of this minute are used up.")
NO_SUCH_THING = RefusalCase("not_found", "The user, bot or URL does not exist.")
NO_CONTAINER = refuse_under("refused", files.CONTAINERS, "not_found", "The container does not exist.")
NAMED = ("{userId}", "{botId}", "{address}")  # what must exist
TOO_LARGE = tuple(
    refuse_under(status, files.SIZE_LIMIT, "too_large", "The file is too large.") for status in ("413", "400")
)
RETIRED: tuple[Outcome, ...] = (
    RefusalCase(
        "not_described",
        "The operation still works, but is not described.",
        (lifecycle.RETIRED, lifecycle.HEADERS),
    ),
    RefusalCase(
        "ended", "The operation is retired.", (lifecycle.RETIRED, lifecycle.READING, lifecycle.HEADERS)
    ),
    replace(UNAUTHORIZED, when=(api.BEARER_ORDER, "bearer-first")),
)
BODY = (api.CONTENT_TYPE, api.TEXT_LIMIT, api.DUPLICATE_KEY, api.EXTRA_FIELDS, api.QUERY)
UPLOAD: tuple[Outcome, ...] = (
    Success(
        files.UPLOAD_STATUS, "The URL to send the content to.", (files.UPLOAD_URL,), JSON, "UploadTicket"
    ),
    RefusalCase(
        "invalid",
        "The body is not an upload request.",
        (files.REQUEST, *BODY, api.NULL, api.NULL_OPTIONAL, files.MODIFIED_TIME, files.EMPTY_NAME),
    ),
    refuse_under("refused", files.PARENT, "no_file", "The folder or file does not exist."),
    *TOO_LARGE,
)
DOWNLOAD: tuple[Outcome, ...] = (
    Success(302, "The URL to fetch the content from.", (files.LOCATION,), headers=("Location",)),
    RefusalCase("no_file", "The file does not exist.", (files.PLACE, files.REVISION_IDS)),
    refuse_under("refused", files.QUERY, "invalid", "Query parameters are not allowed."),
)
RESULT = (
    files.STORED, files.NAME, files.SIZE, files.SAME_NAME, files.PHOTO, files.OVERWRITE, files.OVERWRITE_TARGET,
    files.REVISION_NAME, files.DEFAULT_TYPE,
    files.DRIVE_FIELDS, drive.ROOT, drive.PATH, drive.PERMISSION, drive.LOCATION, drive.TIMES, drive.TYPE,
    drive.STATUSES,
)  # fmt: skip
NO_UPLOAD = RefusalCase(
    "no_file",
    "The URL is unknown or used up.",
    (files.UPLOAD_LIFETIME, files.UPLOAD_REUSE, files.UPLOAD_USER),
)
SAME_NAME = refuse_under("refused", files.SAME_NAME, "conflict", "A file with this name exists.")
SECOND_PHOTO = refuse_under("refused", files.PHOTO, "conflict", "There is already a photo.")

STEPS: dict[str, tuple[Outcome, ...]] = {"upload": UPLOAD, "download": DOWNLOAD}

OUTCOMES: dict[str, tuple[Outcome, ...]] = {
    **SIGN_IN,
    "users.update": (
        Success(
            200,
            "The changed user.",
            (directory.PARTIAL, directory.MESSENGER, directory.READ_ONLY),
            JSON,
            "User",
        ),
        RefusalCase(
            "invalid",
            "A field breaks a limit; all problems are reported together.",
            (
                directory.LIMITS,
                api.NULL_OPTIONAL,
                *BODY,
                directory.EMAIL_FORM,
                directory.EMAIL_CASE,
                directory.ALIAS_DUPLICATE,
                directory.ARRAY_LIMIT,
                directory.TELEPHONE,
                directory.TIME_ZONE,
                directory.KATAKANA,
                directory.BIRTHDAY,
                directory.CUSTOM_PROPERTIES,
                directory.DOMAIN_CHANGE,
                directory.OLD_MESSENGER,
                directory.REFERENCES,
                directory.CONTRADICTIONS,
                directory.ADVANCED_ALIAS,
            ),
        ),
        RefusalCase(
            "forbidden",
            "The management settings do not allow a property to be set.",
            (directory.RESTRICTIONS, directory.NOT_SETTABLE),
            when=(directory.NOT_SETTABLE, "403"),
        ),
        RefusalCase(
            "no_user",
            "The user does not exist.",
            (
                directory.NOT_FOUND,
                directory.ADDRESSING,
                directory.EMAIL_CASE,
                directory.EXTERNAL_KEY_CASE,
            ),
        ),
        RefusalCase(
            "conflict",
            "The e-mail or external key is another user's, or another update of the user is in progress.",
            (
                directory.CONFLICT_CONDITION,
                directory.ALIAS_CONFLICT,
                directory.EMAIL_CASE,
                directory.EXTERNAL_KEY_CASE,
                directory.NOT_CONCURRENT,
                directory.CONCURRENT,
            ),
        ),
    ),
    "users.set_status": (
        Success(
            200,
            "The registered status.",
            (
                statuses.REGISTERED,
                statuses.ONE_EACH,
                statuses.RESERVED,
                statuses.REPLACED,
                statuses.OPEN_END,
                statuses.NAME,
                statuses.ICON,
            ),
            JSON,
            "UserProfileStatus",
        ),
        RefusalCase("invalid", "The status is invalid.", (statuses.NOT_USED,), "Not used status."),
        RefusalCase(
            "invalid",
            "The domain's status setting is off.",
            (statuses.MUST_BE_ENABLED,),
            "The status must be enable.",
        ),
        RefusalCase(
            "invalid",
            "A field breaks a limit, or the times contradict each other.",
            (
                statuses.LIMITS,
                statuses.ORDER,
                statuses.PAST,
                statuses.PRECEDENCE,
                statuses.OPEN_END,
                api.NULL,
                api.NULL_OPTIONAL,
                *BODY,
            ),
        ),
        refuse_under("refused", statuses.REPLACED, "conflict", "Such a status already exists."),
    ),
    "storage.receive": (
        Success(201, "The content is stored.", RESULT, JSON, "UploadResult"),
        Success(files.INCOMPLETE, "More ranges are expected.", (files.RESUMABLE,), JSON, "UploadOffset"),
        RefusalCase(
            "invalid",
            "The form does not contain exactly one file of the announced size.",
            (files.MULTIPART, files.PART_NAME, files.CONTENT_FIELD, files.SIZE, api.QUERY),
        ),
        RefusalCase(
            "wrong_range",
            "The range cannot be read or does not continue the upload.",
            (files.RESUMABLE, files.RANGE_UNIT, files.RESUME_OFFSET),
        ),
        RefusalCase("form_limit", "The form has too many parts or fields."),
        NO_UPLOAD,
        SAME_NAME,
        SECOND_PHOTO,
        *TOO_LARGE,
    ),
    "storage.receive_raw": (
        Success(
            201,
            "The content is stored.",
            (files.RAW, *RESULT),
            JSON,
            "UploadResult",
            when=(files.RAW, "accepted"),
        ),
        Success(
            files.INCOMPLETE,
            "More ranges are expected.",
            (files.RAW,),
            JSON,
            "UploadOffset",
            when=(files.RAW, "accepted"),
        ),
        RefusalCase("invalid", "Content must be sent with POST, as a form.", (files.RAW, api.QUERY)),
        RefusalCase(
            "wrong_range",
            "The range cannot be read or does not continue the upload.",
            (files.RANGE_UNIT, files.RESUME_OFFSET),
            when=(files.RAW, "accepted"),
        ),
        NO_UPLOAD,
        SAME_NAME,
        SECOND_PHOTO,
        *TOO_LARGE,
    ),
    "storage.send": (
        Success(
            200,
            "The content.",
            (files.CONTENT, files.BEARER),
            (OCTETS, ANY),
            "Content",
            ("Content-Type", "Content-Length"),
        ),
        refuse_under("refused", api.QUERY, "invalid", "Query parameters are not allowed."),
        RefusalCase(
            "no_file",
            "The URL is unknown, or the file no longer exists.",
            (files.DOWNLOAD_REUSE, files.DOWNLOAD_VALIDITY),
        ),
    ),
    "notifications.post": (
        Success(
            200,
            "The message is in the room.",
            (
                notifications.SUCCESS,
                notifications.NO_TOKEN,
                notifications.TITLE_DEFAULT,
                notifications.RATE,
            ),
            JSON,
            "NotificationReply",
            tuple(RATE_HEADERS),
        ),
        RefusalCase("missing", "A required parameter is missing."),
        RefusalCase(
            "invalid",
            "A parameter is invalid.",
            (
                notifications.OTHER_FIELDS,
                notifications.EMPTY_TEXT,
                notifications.EMPTY_LABEL,
                api.TEXT_LIMIT,
                notifications.BUTTON_URL,
                notifications.ERROR_ORDER,
                api.NULL,
                api.CONTENT_TYPE,
                api.DUPLICATE_KEY,
                api.QUERY,
            ),
        ),
        RefusalCase("unmatched", "The webhook URL is not valid."),
        RefusalCase("too_many", "The rate limit is exceeded.", (notifications.RATE,), "too many request"),
        RefusalCase(
            "too_many",
            "The rate limit is exceeded, and the URL or the body is wrong too.",
            (notifications.RATE, notifications.ERROR_ORDER),
            "too many request",
        ),
    ),
}
"""The outcomes of an operation, apart from those that all operations of its area have."""
TOO_LONG: dict[Body, RefusalCase] = {
    "json": RefusalCase("body_too_large", "The body is larger than 16 MiB.", (api.BODY_LIMIT,)),
    "form": RefusalCase(
        "body_too_large", "The form is larger than 64 KiB, or has more than 1000 fields.", (api.BODY_LIMIT,)
    ),
}


def list_outcomes(route: Route, rules: Rules) -> Iterator[Outcome]:
    """Yield the possible outcomes of an operation under the chosen alternatives."""
    for outcome in _list_outcomes(route):
        if outcome.when is None or rules[outcome.when[0].id].chosen == outcome.when[1]:
            yield outcome


def list_rules_of(route: Route) -> list[Rule]:
    """Return the rules that any response of an operation may rest on; its cases list those that decide for a status."""
    used = set(read_rules()[name_family(route.operation)])
    for outcome in _list_outcomes(route):
        used.update(rule.id for rule in outcome.rules)
        if isinstance(outcome, Success) and isinstance(outcome.status, Rule):
            used.add(outcome.status.id)  # a default that fits the description, which no response names
    if route.operation == "storage.send":
        used.update(rule.id for rule in LOGGED)  # a log shows what earlier calls rested on
    return [rule for rule in RULEBOOK.values() if rule.id in used]


def _list_outcomes(route: Route) -> Iterator[Outcome]:
    family = route.operation.partition(".")[0]
    if route.area == "api":
        yield TOO_MANY
    if route.body in TOO_LONG and route.method not in ("GET", "DELETE"):
        too_long = TOO_LONG[route.body]
        yield (
            replace(too_long, rules=(*too_long.rules, api.BEARER_ORDER)) if route.area == "api" else too_long
        )
    if family == "retired":
        yield from RETIRED
        return
    yield from OUTCOMES.get(route.operation) or STEPS[family]
    if route.area in ("api", "storage"):
        yield UNAUTHORIZED
        yield NO_SCOPE
    if route.area in ("api", "storage") and route.operation != "users.update":  # it has its own
        yield NO_SUCH_THING if any(name in route.template for name in NAMED) else NO_CONTAINER
    if "{userId}" in route.template or (family == "download" and "{" not in route.template):
        yield NOT_PERMITTED

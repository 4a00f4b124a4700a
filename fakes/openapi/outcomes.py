"""What each operation can answer, and by which rules."""

from collections.abc import Iterator
from dataclasses import dataclass

from fakes.refusals import Kind
from fakes.routing import Route
from fakes.rulebook import api, auth, directory, drive, files, lifecycle, notifications, statuses, tokens
from fakes.rules import Rule, Rules

__all__ = ["HTML", "JSON", "RATE_HEADERS", "Refusal", "Success", "outcomes"]

JSON = "application/json"
HTML = "text/html"
ANY = "*/*"
OCTETS = "application/octet-stream"

RATE_HEADERS = ("RateLimit-Used", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")

Condition = tuple[Rule, str]


@dataclass(frozen=True, slots=True)
class Success:
    """An answer that is no refusal.

    Attributes:
        status: the HTTP status, or the assumption that decides it.
        words: what the answer means.
        rules: what it rests on.
        media: the media type of its body, or several; None where it has none.
        schema: the name of the body's schema.
        headers: what it always carries.
        when: an assumption and the alternative under which alone it is given.
    """

    status: int | Rule
    words: str
    rules: tuple[Rule, ...]
    media: str | tuple[str, ...] | None = None
    schema: str | None = None
    headers: tuple[str, ...] = ()
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal, which the dialect of the route turns into an answer.

    Attributes:
        kind: the sort of refusal.
        words: when it is given.
        rules: what it rests on, besides what its dialect adds.
        verbatim: the text that the service's description gives for it.
        when: an assumption and the alternative under which alone it is given.
    """

    kind: Kind
    words: str
    rules: tuple[Rule, ...] = ()
    verbatim: str | None = None
    when: Condition | None = None


Outcome = Success | Refusal

UNAUTHORIZED = Refusal("unauthorized", "There is no valid access token.", (api.BEARER,))
NO_SCOPE = Refusal(
    "forbidden",
    "The scope of the access token is not enough.",
    (api.SCOPE,),
    when=(api.SCOPE, "file-and-user"),
)
NOT_PERMITTED = Refusal(
    "forbidden",
    "The user may not do this for another.",
    (api.PERMISSION,),
    when=(api.PERMISSION, "self-or-administrator"),
)
TOO_MANY = Refusal(
    "too_many",
    "The calls of this minute were made.",
    (api.RATE_LIMIT,),
    when=(api.RATE_LIMIT, "per-minute"),
)
NO_SUCH_THING = Refusal("not_found", "The user, bot or address is not there.")
NO_CONTAINER = Refusal(
    "not_found", "There is no such container.", (files.CONTAINERS,), when=(files.CONTAINERS, "refused")
)
NAMED = ("{userId}", "{botId}", "{address}")
"""What has to be there, of what a path names."""
TOO_LARGE = tuple(
    Refusal("too_large", "The file is too large.", (files.SIZE_LIMIT,), when=(files.SIZE_LIMIT, status))
    for status in ("413", "400")
)
RETIRED: tuple[Outcome, ...] = (
    Refusal(
        "not_described",
        "The operation works as yet, and is not described.",
        (lifecycle.RETIRED, lifecycle.HEADERS),
    ),
    Refusal("ended", "The operation has ended.", (lifecycle.RETIRED, lifecycle.READING, lifecycle.HEADERS)),
)
BODY = (api.CONTENT_TYPE, api.DUPLICATE_KEY, api.EXTRA_FIELDS, api.QUERY)
UPLOAD: tuple[Outcome, ...] = (
    Success(
        files.UPLOAD_STATUS, "The address to send the content to.", (files.UPLOAD_URL,), JSON, "UploadTicket"
    ),
    Refusal(
        "invalid",
        "The body is no upload request.",
        (files.REQUEST, *BODY, files.MODIFIED_TIME, files.EMPTY_NAME),
    ),
    Refusal("no_file", "There is no such folder or file.", (files.PARENT,), when=(files.PARENT, "refused")),
    *TOO_LARGE,
)
DOWNLOAD: tuple[Outcome, ...] = (
    Success(302, "The address to fetch the content from.", (files.LOCATION,), headers=("Location",)),
    Refusal("no_file", "There is no such file.", (files.PLACE, files.REVISION_IDS)),
    Refusal("invalid", "There are no query parameters.", (files.QUERY,), when=(files.QUERY, "refused")),
)
RESULT = (
    files.STORED, files.NAME, files.SIZE, files.SAME_NAME, files.OVERWRITE, files.REVISION_NAME, files.DEFAULT_TYPE,
    files.DRIVE_FIELDS, drive.ROOT, drive.PATH, drive.PERMISSION, drive.LOCATION, drive.TIMES, drive.TYPE,
    drive.STATUSES,
)  # fmt: skip
NO_UPLOAD = Refusal(
    "no_file",
    "The address is unknown or used up.",
    (files.UPLOAD_LIFETIME, files.UPLOAD_REUSE, files.UPLOAD_USER),
)
SAME_NAME = Refusal(
    "conflict", "There is a file of this name.", (files.SAME_NAME,), when=(files.SAME_NAME, "refused")
)

STEPS: dict[str, tuple[Outcome, ...]] = {"upload": UPLOAD, "download": DOWNLOAD}

OUTCOMES: dict[str, tuple[Outcome, ...]] = {
    "auth.authorize": (
        Success(200, "The login screen.", (auth.LOGIN_SCREEN,), HTML, "Screen"),
        Refusal(
            "invalid",
            "A parameter is missing or wrong.",
            (auth.PARAMETERS, auth.DOMAIN_UNDER_SSO, auth.DOMAIN_NAME, auth.REPEATED_PARAMETER),
        ),
    ),
    "auth.login": (
        Success(
            302, "The way back to the application, with a code.", (auth.REDIRECT,), headers=("Location",)
        ),
        Refusal("unauthorized", "The login failed.", (auth.LOGIN_ID_CASE, auth.INACTIVE_USER)),
        Refusal("invalid", "The form belongs to no authorization request.", (auth.REPEATED_PARAMETER,)),
    ),
    "auth.token": (
        Success(200, "A token set.", (tokens.PARAMETERS, tokens.ISSUED, tokens.REFRESHED), JSON, "TokenSet"),
        Refusal(
            "invalid",
            "A parameter is missing or wrong.",
            (
                tokens.PARAMETERS,
                tokens.CONTENT_TYPE,
                api.QUERY,
                auth.REPEATED_PARAMETER,
                auth.DOMAIN_UNDER_SSO,
            ),
        ),
        Refusal("bad_client", "The client ID or secret is wrong.", (tokens.WRONG_SECRET_KEEPS_CODE,)),
        Refusal(
            "bad_grant",
            "The code or refresh token is unknown, used, ended, or another client's.",
            (
                tokens.CODE_SINGLE_USE,
                tokens.CODE_LIFETIME,
                tokens.REFRESH_LIFETIME,
                tokens.REFRESH_REUSE,
                tokens.CLIENT_BOUND,
                tokens.REDIRECT_URI,
            ),
        ),
        Refusal("unsupported_grant", "There is no such grant type.", (tokens.CLIENT_CREDENTIALS,)),
    ),
    "users.update": (
        Success(200, "The user, changed.", (directory.PARTIAL, directory.MESSENGER), JSON, "User"),
        Refusal(
            "invalid",
            "A field breaks a limit; all problems are reported together.",
            (
                directory.LIMITS,
                *BODY,
                directory.EMAIL_FORM,
                directory.ALIAS_DUPLICATE,
                directory.TELEPHONE,
                directory.BIRTHDAY,
                directory.CUSTOM_PROPERTIES,
                directory.DOMAIN_CHANGE,
                directory.OLD_MESSENGER,
                directory.REFERENCES,
                directory.ADVANCED_ALIAS,
            ),
        ),
        Refusal("no_user", "There is no such user.", (directory.NOT_FOUND, directory.ADDRESSING)),
        Refusal(
            "conflict",
            "The e-mail or external key is another user's, or another update of the user is under way.",
            (
                directory.CONFLICT_CONDITION,
                directory.ALIAS_CONFLICT,
                directory.NOT_CONCURRENT,
                directory.CONCURRENT,
            ),
        ),
    ),
    "users.set_status": (
        Success(
            200,
            "The status, registered.",
            (
                statuses.REGISTERED,
                statuses.ONE_EACH,
                statuses.RESERVED,
                statuses.REPLACED,
                statuses.NAME,
                statuses.ICON,
            ),
            JSON,
            "UserProfileStatus",
        ),
        Refusal("invalid", "The status is invalid.", (statuses.NOT_USED,), "Not used status."),
        Refusal(
            "invalid",
            "The domain's status setting is off.",
            (statuses.MUST_BE_ENABLED,),
            "The status must be enable.",
        ),
        Refusal(
            "invalid",
            "A field breaks a limit, or the times contradict each other.",
            (statuses.LIMITS, statuses.ORDER, statuses.PAST, statuses.PRECEDENCE, *BODY),
        ),
        Refusal(
            "conflict",
            "There is such a status already.",
            (statuses.REPLACED,),
            when=(statuses.REPLACED, "refused"),
        ),
    ),
    "storage.receive": (
        Success(201, "The content is stored.", RESULT, JSON, "UploadResult"),
        Success(files.INCOMPLETE, "More ranges are to come.", (files.RESUMABLE,), JSON, "UploadOffset"),
        Refusal(
            "invalid",
            "The form has not one file, or not of the size announced.",
            (files.MULTIPART, files.PART_NAME, files.CONTENT_FIELD, files.SIZE, api.QUERY),
        ),
        Refusal(
            "wrong_range", "The range does not continue the upload.", (files.RESUMABLE, files.RANGE_UNIT)
        ),
        Refusal("form_limit", "The form has too many parts or fields."),
        NO_UPLOAD,
        SAME_NAME,
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
            "More ranges are to come.",
            (files.RAW,),
            JSON,
            "UploadOffset",
            when=(files.RAW, "accepted"),
        ),
        Refusal("invalid", "Content is sent with POST, as a form.", (files.RAW, api.QUERY)),
        Refusal(
            "wrong_range",
            "The range does not continue the upload.",
            (files.RANGE_UNIT,),
            when=(files.RAW, "accepted"),
        ),
        NO_UPLOAD,
        SAME_NAME,
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
        Refusal("invalid", "There are no query parameters.", (api.QUERY,), when=(api.QUERY, "refused")),
        Refusal("no_file", "The address is unknown, or the file is gone.", (files.DOWNLOAD_REUSE,)),
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
            RATE_HEADERS,
        ),
        Refusal("missing", "A required parameter is missing."),
        Refusal(
            "invalid",
            "A parameter is invalid.",
            (
                notifications.OTHER_FIELDS,
                notifications.EMPTY_TEXT,
                notifications.BUTTON_URL,
                api.CONTENT_TYPE,
                api.DUPLICATE_KEY,
                api.QUERY,
            ),
        ),
        Refusal("unmatched", "The webhook URL is not valid."),
        Refusal(
            "too_many",
            "The rate limit is exceeded.",
            (notifications.RATE,),
            "too many request",
        ),
    ),
}
"""What an operation answers, apart from what all operations of its area do."""


def outcomes(route: Route, rules: Rules) -> Iterator[Outcome]:
    """What an operation can answer under the alternatives that are chosen."""
    for outcome in _outcomes(route):
        if outcome.when is None or rules[outcome.when[0].id].chosen == outcome.when[1]:
            yield outcome


def _outcomes(route: Route) -> Iterator[Outcome]:
    family = route.operation.partition(".")[0]
    if route.area == "api":
        yield TOO_MANY
    if family == "retired":
        yield from RETIRED
        return
    yield from OUTCOMES.get(route.operation) or STEPS[family]
    if route.area in ("api", "storage"):
        yield UNAUTHORIZED
        yield NO_SCOPE
        yield NO_SUCH_THING if any(name in route.template for name in NAMED) else NO_CONTAINER
    if "{userId}" in route.template:
        yield NOT_PERMITTED

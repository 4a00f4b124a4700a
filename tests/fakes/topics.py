"""What the service's description leaves open, topic by topic, and the rules that decide it in this fake."""

from typing import NamedTuple


class Topic(NamedTuple):
    """Something left open: in words, the section that leaves it open, and the rules, or why there is none."""

    words: str
    section: str
    rules: tuple[str, ...] = ()
    reason: str = ""


TOKENS = "Endpoints › Token endpoints"
TRANSFER = "Endpoints › File transfer"
DIRECTORY = "Endpoints › Directory"
NOTIFICATION = "Endpoints › Incoming notification endpoint"
OTHER_ERRORS = "Errors › Other operations"
USER = "Resources and their fields › User"

NOT_SHOWN = (
    Topic(
        "further values of suspendedReason",
        USER,
        ("user.suspended-reason",),
    ),
    Topic("what the length of a text counts", "Resources and their fields", ("text.length",)),
    Topic(
        "whether composed and decomposed text is the same",
        "Resources and their fields",
        ("text.normalization",),
    ),
    Topic(
        "fields of bots, boards, drives, contacts and so on",
        "Resources and their fields › Message events and notification messages",
        ("file.containers", "file.drive-fields", "api.not-found"),
    ),
    Topic(
        "transitions between the states of a user", "States and transitions › User", ("auth.inactive-user",)
    ),
    Topic("what can be done to a user in such a state", "States and transitions › User", ("user.inactive",)),
    Topic(
        "how a reserved status becomes current",
        "States and transitions › User profile status",
        ("status.transition",),
    ),
    Topic(
        "what becomes of a status when another is registered",
        "States and transitions › User profile status",
        ("status.replaced",),
    ),
    Topic("query parameters of the download operations", TRANSFER, ("file.query",)),
    Topic(
        "other operations of the directory and the sub-services",
        DIRECTORY,
        ("api.unmatched", "api.ready-stubs"),
    ),
    Topic(
        "names of the scopes, and which operation needs which",
        "Authentication",
        ("api.scope",),
    ),
    Topic(
        "authentication of a server without a user",
        "Authentication",
        (
            "token.client-credentials",
            "token.jwt-bearer",
            "token.assertion-issuer",
            "token.assertion-subject",
            "token.assertion-issued-at",
            "token.assertion-expiry",
            "token.assertion-not-before",
            "token.assertion-audience",
            "token.assertion-base64",
            "token.delegated-user",
        ),
    ),
    Topic("how a callback address is registered", "Events", ("callback.address",)),
    Topic("how the signature is computed", "Events › Headers sent", ("callback.signature", "callback.body")),
    Topic("capitals of the bot ID header", "Events › Headers sent", ("callback.bot-id-header",)),
    Topic("event types other than message", "Events › Response and delivery", ("callback.other-events",)),
    Topic(
        "events of the notification and token endpoints",
        "Events › Response and delivery",
        ("callback.other-events",),
    ),
    Topic("conditions of 404 of the partial update", OTHER_ERRORS, ("user.not-found", "user.inactive")),
    Topic("conditions of 409", OTHER_ERRORS, ("user.conflict-condition", "user.concurrent")),
    Topic("error bodies of the resource API", OTHER_ERRORS, ("api.error-body",)),
    Topic("error bodies of the token endpoint", OTHER_ERRORS, ("token.error-body",)),
    Topic(
        "error responses of the file operations",
        OTHER_ERRORS,
        (
            "file.not-found",
            "file.wrong-range",
            "file.size",
            "file.size-limit",
            "file.form-limit",
            "api.invalid",
            "api.not-found",
        ),
    ),
    Topic(
        "rate limits of the resource API",
        "Limits",
        ("api.rate-limit",),
    ),
    Topic(
        "the largest file, and limits of its size",
        "Limits",
        ("file.size-limit", "file.form-limit"),
    ),
    Topic(
        "the largest body, and the longest text",
        "Limits",
        ("api.body-limit", "api.text-limit"),
    ),
    Topic("versioning of the resource API's paths", "Versioning", ("api.unmatched",)),
)
"""Each "not shown" of the description."""

STARTING_POINTS = (
    Topic("wrong authorization requests get an error screen", OTHER_ERRORS, ("auth.request-refused",)),
    Topic("a wrong client secret leaves the code alone", TOKENS, ("token.wrong-secret",)),
    Topic("a refresh token can be used again", TOKENS, ("token.refresh-reuse",)),
    Topic("a refresh keeps the scope", TOKENS, ("token.refresh-scope",)),
    Topic("a refresh leaves earlier access tokens alone", TOKENS, ("token.earlier-access",)),
    Topic("any scope name is accepted", TOKENS, ("api.scope", "auth.scope-names")),
    Topic("the first step of an upload answers 200", TRANSFER, ("file.upload-status",)),
    Topic(
        "issuedTime is UTC with a literal Z",
        "Events › Message event, common fields",
        ("callback.issued-time",),
    ),
    Topic("only 200 counts as delivered", "Events › Response and delivery", ("callback.delivered",)),
    Topic(
        "what the sample domain holds",
        "What the service does",
        reason="sample data of this fake, no behavior of the service",
    ),
    Topic("references of users are not checked", USER, ("user.references",)),
    Topic("mentioned users are not checked", NOTIFICATION, ("notification.mentions",)),
    Topic(
        "custom field IDs are not checked",
        USER,
        ("user.references",),
    ),
    Topic("file IDs in messages are not checked", "Events › Message types", ("callback.file-id",)),
    Topic("a file is found only where it was stored", TRANSFER, ("file.place",)),
    Topic("custom properties are checked against definitions", USER, ("user.custom-properties",)),
    Topic("a duplicate e-mail or external key is a conflict", OTHER_ERRORS, ("user.conflict-condition",)),
    Topic("a status must end after it starts", DIRECTORY, ("status.order",)),
    Topic(
        "retiring operations that are not described",
        "Versioning",
        ("lifecycle.not-described", "lifecycle.ended", "lifecycle.headers"),
    ),
    Topic("base64 of HMAC-SHA256 over the exact body", "Events › Headers sent", ("callback.signature",)),
    Topic("compact JSON in raw UTF-8", "Events", ("callback.body",)),
    Topic(
        "statuses and codes of resource errors",
        OTHER_ERRORS,
        ("api.error-body", "api.unauthorized", "api.not-found", "api.invalid", "user.conflict-condition"),
    ),
    Topic("token errors as in OAuth 2.0", OTHER_ERRORS, ("token.error-body", "token.error-status")),
    Topic("scopes separated by comma or space", TOKENS, ("auth.scope-separator",)),
    Topic("redirect_uri at the token endpoint", TOKENS, ("token.redirect-uri",)),
    Topic("expires_in is a string", TOKENS, ("token.issued",)),
    Topic("a file part of any name", TRANSFER, ("file.part-name",)),
    Topic("Content-Range with or without a unit", TRANSFER, ("file.range-unit",)),
    Topic(
        "answers to pieces of a resumable upload",
        TRANSFER,
        ("file.incomplete", "file.wrong-range", "file.resume-offset"),
    ),
    Topic("raw content sent with PUT", TRANSFER, ("file.raw",)),
    Topic(
        "whom an upload address serves, how often and how long",
        TRANSFER,
        ("file.upload-reuse", "file.upload-user", "file.upload-lifetime"),
    ),
    Topic("how the minute of the rate is counted", "Limits", ("notification.window",)),
    Topic("refused calls do not count", "Limits", ("notification.refused-calls",)),
    Topic("rate headers of refused calls", "Limits", ("notification.refused-headers",)),
    Topic("answers of what has ended", "Versioning", ("lifecycle.ended",)),
    Topic("early, mid and late in a month", "Versioning", ("lifecycle.dates", "user.old-messenger")),
    Topic("containers that are not described", TRANSFER, ("file.containers",)),
    Topic("what the fileId of an upload path is", TRANSFER, ("file.parent", "file.overwrite")),
    Topic("overwriting, and files of the same name", TRANSFER, ("file.overwrite", "file.same-name")),
    Topic("revisions are 1, 2, and so on", TRANSFER, ("file.revision-ids",)),
    Topic("the end of the telephone pattern", USER, ("user.telephone",)),
    Topic("nested values are replaced whole", DIRECTORY, ("user.merge",)),
    Topic("unknown and read-only fields are ignored", "Resources and their fields", ("api.extra-fields",)),
    Topic(
        "users are also found by e-mail and external key, and the caller as me",
        DIRECTORY,
        ("user.addressing",),
    ),
    Topic(
        "statuses replace one another and move by the clock",
        "States and transitions › User profile status",
        ("status.replaced", "status.transition"),
    ),
)
"""What the fake started out from."""

TOPICS = NOT_SHOWN + STARTING_POINTS

SECTIONS = frozenset(
    """
    What the service does
    Resources and their fields
    Resources and their fields › Token set
    Resources and their fields › User
    Resources and their fields › User profile status
    Resources and their fields › File resources
    Resources and their fields › Message events and notification messages
    States and transitions › Credentials
    States and transitions › User
    States and transitions › User profile status
    Endpoints
    Endpoints › Token endpoints
    Endpoints › File transfer
    Endpoints › Directory
    Endpoints › Incoming notification endpoint
    Authentication
    Events
    Events › Headers sent
    Events › Message event, common fields
    Events › Message types
    Events › Response and delivery
    Errors › Notification endpoint
    Errors › Other operations
    Limits
    Versioning
    """.strip()
    .replace("    ", "")
    .split("\n")
)
"""The headings of the description."""

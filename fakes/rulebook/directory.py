"""Rules of the user directory."""

from fakes.rules import assumed, documented

PARTIAL = documented("user.partial", "Endpoints › Directory", "Only the fields that are sent are changed.")
LIMITS = documented("user.limits", "Resources and their fields › User", "Fields are held to their limits.")
NOT_FOUND = documented("user.not-found", "Errors", "PATCH /users/{userId} lists 404 Not Found.")
NOT_FOUND_CONDITION = assumed(
    "user.not-found-condition",
    "Errors",
    "404 is answered for a user that does not exist.",
    "unknown-user",
    "never",
)
CONFLICT_CONDITION = assumed(
    "user.conflict-condition",
    "Errors",
    "409 is answered for an e-mail or external key that another user has.",
    "duplicate",
    "never",
)
MERGE = assumed(
    "user.merge",
    "Endpoints › Directory",
    "A nested object or array that is sent replaces the stored one whole.",
    "top-level",
    "deep",
)
READ_ONLY = assumed(
    "user.read-only",
    "Resources and their fields › User",
    "Unknown and read-only fields of a request are ignored.",
    "ignored",
    "refused",
)
ADDRESSING = assumed(
    "user.addressing",
    "Endpoints › Directory",
    "A user can also be addressed by login e-mail or by externalKey:<key>.",
    "id-email-key",
    "id-only",
)
DOMAIN_CHANGE = assumed(
    "user.domain-change",
    "Endpoints › Directory",
    "A domainId other than the user's own is refused; moving a user is another operation.",
    "refused",
    "stored",
)
CUSTOM_PROPERTIES = assumed(
    "user.custom-properties",
    "Resources and their fields › User",
    "Custom properties are checked against their definitions; a name without one is refused.",
    "checked",
    "accepted",
)

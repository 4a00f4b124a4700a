"""Rules of the user profile statuses."""

from fakes.rulebook.rule import assumed, documented

REGISTERED = documented(
    "status.registered",
    "Endpoints › Directory",
    "A registration gets 200 with the status. The description does not say whether nullable fields that were not sent "
    "are in it; the fake returns them as null, and no response counts as resting on this.",
)
NOT_USED = documented(
    "status.not-used", "Errors › Other operations", "An invalid status gets 400 'Not used status.'"
)
MUST_BE_ENABLED = documented(
    "status.must-be-enabled",
    "Errors › Other operations",
    "While the domain's status setting is off, a registration gets 400 'The status must be enable.'",
)
LIMITS = documented(
    "status.limits", "Limits", "A status message has at most 50 characters, an automatic reply at most 300."
)
ONE_EACH = documented(
    "status.one-each",
    "States and transitions › User profile status",
    "A user has at most one current and one reserved status.",
)
RESERVED = documented(
    "status.reserved",
    "States and transitions › User profile status",
    "A reserved status is registered by a startTime and endTime in the future.",
)
OPEN_END = assumed(
    "status.open-end",
    "States and transitions › User profile status",
    "A status that starts in the future is refused without an endTime. In the alternatives it is reserved without an "
    "end, or becomes the current status at once.",
    ("refused", "reserved", "current"),
)
REPLACED = assumed(
    "status.replaced",
    "States and transitions › User profile status",
    "A second status of the same schedule type replaces the first.",
    ("replaced", "refused"),
)
TRANSITION = assumed(
    "status.transition",
    "States and transitions › User profile status",
    "A reserved status becomes the current one at its start; a status ends at its end.",
    ("by-the-clock", "never"),
)
ORDER = assumed(
    "status.order",
    "Endpoints › Directory",
    "A status that ends before it starts, or at that very instant, is refused.",
    ("refused", "accepted"),
)
PRECEDENCE = assumed(
    "status.precedence",
    "Errors › Other operations",
    "While the domain's status setting is off, a registration that is itself invalid is refused for that.",
    ("body-first", "setting-first"),
)
PAST = assumed(
    "status.past",
    "Endpoints › Directory",
    "A status whose endTime has passed is refused.",
    ("refused", "accepted"),
)
NAME = assumed(
    "status.name",
    "Resources and their fields › User profile status",
    "profileStatusName is the ID in English words, such as Busy and Custom status 01; the names are made up here.",
    ("words", "id", "absent"),
)
ICON = assumed(
    "status.icon",
    "Resources and their fields › User profile status",
    "iconUrl is an https URL that is made up here, without an icon.",
    ("address", "absent"),
)

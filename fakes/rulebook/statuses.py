"""Rules of the user profile statuses."""

from fakes.rulebook.sections import DESCRIBED_LIMITS, DIRECTORY, OTHER_ERRORS, STATUS_FIELDS, STATUS_STATES

REGISTERED = DIRECTORY.documented(
    "status.registered",
    "A registration gets 200 with the status. The description does not say whether nullable fields that were not sent "
    "are in it; the fake returns them as null, and no response counts as resting on this.",
)
NOT_USED = OTHER_ERRORS.documented("status.not-used", "An invalid status gets 400 'Not used status.'")
MUST_BE_ENABLED = OTHER_ERRORS.documented(
    "status.must-be-enabled",
    "While the domain's status setting is off, a registration gets 400 'The status must be enable.'",
)
LIMITS = DESCRIBED_LIMITS.documented(
    "status.limits", "A status message has at most 50 characters, an automatic reply at most 300."
)
ONE_EACH = STATUS_STATES.documented(
    "status.one-each",
    "A user has at most one current and one reserved status.",
)
RESERVED = STATUS_STATES.documented(
    "status.reserved",
    "A reserved status is registered by a startTime and endTime in the future.",
)
OPEN_END = STATUS_STATES.assumed(
    "status.open-end",
    "A status that starts in the future is refused without an endTime. In the alternatives it is reserved without an "
    "end, or becomes the current status at once.",
    ("refused", "reserved", "current"),
)
REPLACED = STATUS_STATES.assumed(
    "status.replaced",
    "A second status of the same schedule type replaces the first.",
    ("replaced", "refused"),
)
TRANSITION = STATUS_STATES.assumed(
    "status.transition",
    "A reserved status becomes the current one at its start; a status ends at its end.",
    ("by-the-clock", "never"),
)
ORDER = DIRECTORY.assumed(
    "status.order",
    "A status that ends before it starts, or at that very instant, is refused.",
    ("refused", "accepted"),
)
PRECEDENCE = OTHER_ERRORS.assumed(
    "status.precedence",
    "While the domain's status setting is off, a registration that is itself invalid is refused for that.",
    ("body-first", "setting-first"),
)
PAST = DIRECTORY.assumed(
    "status.past",
    "A status whose endTime has passed is refused.",
    ("refused", "accepted"),
)
NAME = STATUS_FIELDS.assumed(
    "status.name",
    "profileStatusName is the ID in English words, such as Busy and Custom status 01; the names are made up here.",
    ("words", "id", "absent"),
)
ICON = STATUS_FIELDS.assumed(
    "status.icon",
    "iconUrl is an https URL that is made up here, without an icon.",
    ("address", "absent"),
)

"""What the cases rest on that is no assumed rule, and the documented rules by which operations are taken."""

from typing import NamedTuple


class Reading(NamedTuple):
    """How a documented rule is read here: the fake offers no other."""

    rule_id: str
    text: str


READINGS = {
    "expires_in": Reading("token.issued", "`expires_in` is a string."),
    "empty update": Reading("user.partial", "The empty update returns the record."),
    "alias in use": Reading(
        "user.advanced-alias",
        "On the advanced plan, an update that drops the alias in use as the link ID is refused.",
    ),
    "login form": Reading(
        "auth.login-screen", "The login screen is a form with the inputs `login_id` and `password`."
    ),
}

OF_THE_SAMPLE = "sample tenant"
"""What is no behaviour of a service, but of the sample that a fake begins with."""


def rule_of(assumption):
    """The ID of the rule that an assumption of a case is about."""
    return READINGS[assumption].rule_id if assumption in READINGS else assumption


PROMISED = {
    "PATCH /users/{userId}": "user.partial",
    "POST /users/{userId}/user-profile-statuses": "status.registered",
    "POST /uploads/{address}": "file.stored",
    "GET /downloads/{address}": "file.content",
    "POST /message/{webhookId}": "notification.success",
    "POST /oauth2/v2.0/token": "token.refreshed",
    "GET /oauth2/v2.0/authorize": "auth.login-screen",
}
"""The documented rules by which an operation is taken; a service that never takes it breaks these alone."""


def promised_by(operation):
    """The ID of the documented rule by which an operation is taken: its method and the template of its path."""
    other = "file.location" if operation.startswith("GET ") else "file.upload-url"
    return PROMISED.get(operation, other)

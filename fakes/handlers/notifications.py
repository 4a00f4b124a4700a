"""The operation of the notification endpoint."""

from collections.abc import Sequence
from functools import partial
from urllib.parse import urlsplit

from pydantic_core import to_json

from fakes import rulebook
from fakes.handlers import error_formats
from fakes.handlers.context import CallContext
from fakes.handlers.error_formats import JSON
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse
from svckit.models.notification import Notification

__all__ = ["notify"]

ERROR_ORDER = rulebook.notifications.ERROR_ORDER
SUCCESS = to_json({"code": 200, "description": "success"})


def notify(call: CallContext) -> FakeResponse:
    """Post a message into a webhook's room."""
    webhooks = call.state.webhooks
    try:
        webhook = webhooks.find(call.params["webhookId"])
    except Refusal:
        if webhooks.limiter.is_exhausted() and call.state.rules.choice(ERROR_ORDER) == "rate-first":
            webhooks.admit()
        webhooks.limiter.note_refusal()  # the fake has one domain, so the call counts for it
        raise
    try:
        webhooks.admit()
    except Refusal:
        if not _is_wrong(call) or call.state.rules.choice(ERROR_ORDER) != "body-before-rate":
            raise
    try:
        (notification, call.ignored), _ = call.state.rules.weigh(
            partial(_judge, call), partial(_render, call)
        )
    except Refusal:
        webhooks.limiter.note_refusal()
        raise
    rate = webhooks.post(webhook, notification)
    headers = [
        JSON,
        ("RateLimit-Used", str(rate.used)),
        ("RateLimit-Limit", str(rate.limit)),
        ("RateLimit-Remaining", str(rate.remaining)),
        ("RateLimit-Reset", str(rate.reset)),
    ]
    return FakeResponse(200, headers, SUCCESS)


def _is_wrong(call: CallContext) -> bool:
    """Return whether the body of a call would be refused; no response rests on that yet."""
    return isinstance(call.state.rules.peek(partial(_read_notification, call)), Refusal)


def _judge(call: CallContext) -> tuple[Notification, Sequence[str]]:
    """Return the notification and its ignored fields."""
    call.ignored = ()
    return _read_notification(call), call.ignored


def _render(call: CallContext, outcome: object) -> object:
    """Return the outcome as the response shows it: of a refusal, only missing or invalid parameter."""
    if isinstance(outcome, Refusal):
        return error_formats.format_notification_error(outcome, call.state.rules.copy_unrecorded()).body
    return outcome


def _read_notification(call: CallContext) -> Notification:
    """Return the body of a call, validated by its fields and by the assumptions about them."""
    notification = call.json(
        Notification,
        rulebook.notifications.PARAMETERS,
        extra_fields=rulebook.notifications.OTHER_FIELDS,
        null=rulebook.api.NULL,
    )
    rules, text, button = call.state.rules, notification.body.text, notification.button
    if not text and rules.choice(rulebook.notifications.EMPTY_TEXT) == "refused":
        raise Refusal("invalid", "body.text must not be empty")
    unknown = [user for user in call.state.webhooks.mentions(text) if user not in call.state.directory]
    if unknown and rules.choice(rulebook.notifications.MENTIONS) == "checked":
        raise Refusal("invalid", f"body.text mentions users that are not in the domain: {', '.join(unknown)}")
    other_scheme = button is not None and urlsplit(button.url).scheme not in ("http", "https")
    if other_scheme and rules.choice(rulebook.notifications.BUTTON_URL) == "http-only":
        raise Refusal("invalid", "button.url must be an http or https URL")
    return notification

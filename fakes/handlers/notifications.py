"""The operation of the notification endpoint."""

from urllib.parse import urlsplit

from pydantic_core import to_json

from fakes import rulebook
from fakes.call import Call
from fakes.dialects import JSON
from fakes.exchange import Response
from fakes.refusals import Refused
from svckit.models.notification import Notification

__all__ = ["notify"]

SUCCESS = to_json({"code": 200, "description": "success"})


def notify(call: Call) -> Response:
    """Post a message into a webhook's room."""
    webhooks = call.state.webhooks
    webhook = webhooks.find(call.params["webhookId"])
    webhooks.admit()
    try:
        notification = _notification(call)
    except Refused:
        webhooks.limiter.note_refused()
        raise
    rate = webhooks.post(webhook, notification)
    headers = [
        JSON,
        ("RateLimit-Used", str(rate.used)),
        ("RateLimit-Limit", str(rate.limit)),
        ("RateLimit-Remaining", str(rate.remaining)),
        ("RateLimit-Reset", str(rate.reset)),
    ]
    return Response(200, headers, SUCCESS)


def _notification(call: Call) -> Notification:
    """The body of the call, held to its fields and to what the assumptions add to them."""
    notification = call.json(
        Notification, rulebook.notifications.PARAMETERS, extra_fields=rulebook.notifications.OTHER_FIELDS
    )
    rules, text, button = call.state.rules, notification.body.text, notification.button
    if not text and rules.choice(rulebook.notifications.EMPTY_TEXT) == "refused":
        raise Refused("invalid", "body.text is empty")
    unknown = [user for user in call.state.webhooks.mentions(text) if user not in call.state.directory]
    if unknown and rules.choice(rulebook.notifications.MENTIONS) == "checked":
        raise Refused("invalid", f"body.text mentions users the domain does not have: {', '.join(unknown)}")
    odd = button is not None and urlsplit(button.url).scheme not in ("http", "https")
    if odd and rules.choice(rulebook.notifications.BUTTON_URL) == "http-only":
        raise Refused("invalid", "button.url is an http or https address")
    return notification

"""The operation of the notification endpoint."""

from pydantic_core import to_json

from fakes import rulebook
from fakes.call import Call
from fakes.dialects import JSON
from fakes.exchange import Response
from svckit.models.notification import Notification

__all__ = ["notify"]

SUCCESS = to_json({"code": 200, "description": "success"})


def notify(call: Call) -> Response:
    """Post a message into a webhook's room."""
    webhooks = call.state.webhooks
    webhook = webhooks.find(call.params["webhookId"])
    webhooks.admit()
    rate = webhooks.post(webhook, call.json(Notification, rulebook.notifications.OTHER_FIELDS))
    headers = [
        JSON,
        ("RateLimit-Used", str(rate.used)),
        ("RateLimit-Limit", str(rate.limit)),
        ("RateLimit-Remaining", str(rate.remaining)),
        ("RateLimit-Reset", str(rate.reset)),
    ]
    return Response(200, headers, SUCCESS)

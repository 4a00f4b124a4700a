"""Admin calls that describe the service."""

from fakes.handlers.admin import answered
from fakes.handlers.context import Call
from fakes.http.messages import Response

__all__ = ["asyncapi", "openapi"]


def openapi(call: Call) -> Response:
    """The service as an OpenAPI document, at the addresses of the door it was asked through."""
    return answered(call.whole.openapi(call.addresses))


def asyncapi(call: Call) -> Response:
    """The events as an AsyncAPI document."""
    return answered(call.whole.asyncapi())

"""Admin calls that describe the service."""

from fakes.handlers.admin import respond
from fakes.handlers.context import CallContext
from fakes.http.messages import FakeResponse

__all__ = ["asyncapi", "openapi"]


def openapi(call: CallContext) -> FakeResponse:
    """The service as an OpenAPI document, at the addresses of the door it was asked through."""
    return respond(call.whole.openapi(call.addresses))


def asyncapi(call: CallContext) -> FakeResponse:
    """The events as an AsyncAPI document."""
    return respond(call.whole.asyncapi())

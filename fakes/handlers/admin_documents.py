"""Admin calls that describe the service."""

from fakes.handlers.admin import respond
from fakes.handlers.context import CallContext
from fakes.http.messages import FakeResponse

__all__ = ["asyncapi", "openapi"]


def openapi(call: CallContext) -> FakeResponse:
    """Return the service as an OpenAPI document, with the URLs of this door."""
    return respond(call.whole.openapi(call.base_urls))


def asyncapi(call: CallContext) -> FakeResponse:
    """Return the events as an AsyncAPI document."""
    return respond(call.whole.asyncapi())

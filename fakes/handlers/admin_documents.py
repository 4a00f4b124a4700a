"""Admin calls that describe the service and themselves."""

from fakes.handlers.admin import respond
from fakes.handlers.context import CallContext
from fakes.http.messages import FakeResponse

__all__ = ["admin_openapi", "asyncapi", "openapi"]


def openapi(call: CallContext) -> FakeResponse:
    """Return the service as an OpenAPI document, with the URLs of this door."""
    return respond(call.whole.openapi(call.base_urls))


def asyncapi(call: CallContext) -> FakeResponse:
    """Return the events as an AsyncAPI document."""
    return respond(call.whole.asyncapi())


def admin_openapi(call: CallContext) -> FakeResponse:
    """Return the admin calls as an OpenAPI document, with the URL of this door."""
    return respond(call.whole.admin_openapi(call.base_urls))

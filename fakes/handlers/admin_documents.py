"""Admin calls that describe the service and themselves.

The documents are made from the tables of routes, so they are imported when called.
"""

from fakes.handlers.admin import respond
from fakes.handlers.context import CallContext
from fakes.http.messages import FakeResponse

__all__ = ["admin_openapi", "asyncapi", "openapi"]


def openapi(call: CallContext) -> FakeResponse:
    """Return the service as an OpenAPI document, with the URLs of this door."""
    from fakes.openapi import openapi

    return respond(openapi(call.state.rules, call.base_urls))


def asyncapi(call: CallContext) -> FakeResponse:
    """Return the events as an AsyncAPI document."""
    from fakes.openapi import asyncapi

    return respond(asyncapi(call.state.rules))


def admin_openapi(call: CallContext) -> FakeResponse:
    """Return the admin calls as an OpenAPI document, with the URL of this door."""
    from fakes.openapi import admin_openapi

    return respond(admin_openapi(call.base_urls))

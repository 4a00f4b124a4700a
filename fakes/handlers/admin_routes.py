"""The calls of the admin interface as a table, and those about the interface itself."""

from typing import Any

from fakes.handlers import (
    admin_class,
    admin_data,
    admin_domain,
    admin_records,
    admin_rooms,
    admin_stubs,
    admin_worlds,
)
from fakes.handlers.admin_calls import AdminCalls
from fakes.handlers.admin_schemas import ANY_OBJECT, FLAG, TEXT, make_list, make_object
from fakes.handlers.context import CallContext

__all__ = ["ADMIN_ROUTES"]

index: AdminCalls = AdminCalls()
documents: AdminCalls = AdminCalls()


@index(
    "GET",
    "/",
    "index",
    returns=make_object(calls=make_list(make_object(method=TEXT, path=TEXT, does=TEXT, key=FLAG))),
    keyless=True,
)
def list_calls(_: CallContext) -> dict[str, Any]:
    """List the admin calls."""
    return {"calls": [route.describe() for route in ADMIN_ROUTES]}


@documents("GET", "/openapi.json", "openapi", returns=ANY_OBJECT, keyless=True)
def read_openapi(call: CallContext) -> dict[str, Any]:
    """Return the service as an OpenAPI document, with the URLs of this door."""
    return call.domain.openapi(call.base_urls)


@documents("GET", "/admin-openapi.json", "admin_openapi", returns=ANY_OBJECT, keyless=True)
def read_admin_openapi(call: CallContext) -> dict[str, Any]:
    """Return the admin calls as an OpenAPI document, with the URL of this door."""
    return call.domain.admin_openapi(call.base_urls)


ADMIN_ROUTES = (
    *index,
    *admin_domain.admin,
    *admin_data.admin,
    *admin_rooms.admin,
    *admin_records.admin,
    *admin_stubs.admin,
    *admin_worlds.admin,
    *admin_class.admin,
    *documents,
)
"""In the order in which the index and the OpenAPI document list them."""

"""The OpenAPI document of the admin calls, by which other programs control a fake."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from fakes.handlers.admin_routes import ADMIN_ROUTES, describe_route
from fakes.handlers.routing import Route
from fakes.http.addresses import BaseURLs
from fakes.openapi.admin_calls import CALLS, make_schemas
from fakes.openapi.admin_words import PATH_PARAMETERS
from fakes.openapi.document import VERSION
from fakes.openapi.provenance import Described
from fakes.openapi.schemas import refer_to_schema

__all__ = ["admin_openapi"]

DESCRIPTION = """\
The calls by which programs control a fake. They are not part of the service: the journal does not record them, faults \
do not apply to them, and they rest on no rules. A call that is refused changes nothing.\
"""
ERRORS = {
    400: "The call is invalid; the description says what was wrong.",
    401: "The admin key is missing or wrong.",
    404: "The call names something that does not exist.",
    409: "The call contradicts what there is, such as a sixth webhook, or stubs a described operation.",
    421: "Another process uses the world.",
}
KEY = {
    "type": "http",
    "scheme": "bearer",
    "description": "The admin_key of the facts, or of the ready line.",
}
JOURNAL_PARAMETERS: Mapping[str, tuple[str, Described]] = {
    "bodies": (
        "Whether to include the bodies of requests and responses, cut at 64 KiB.",
        {"type": "string", "enum": ["true", "false"]},
    ),
    "operation": ("Only requests of this operation, or of those that match a pattern.", {"type": "string"}),
    "status": ("Only requests whose response has this status.", {"type": "integer", "minimum": 0}),
    "since": ("Only requests after the one with this number.", {"type": "integer", "minimum": 0}),
}
"""The query parameters of the journal, with their descriptions and schemas."""


def admin_openapi(base_urls: BaseURLs | None = None) -> dict[str, Any]:
    """Return the admin calls as an OpenAPI 3.1 document: plain JSON data, the same in every run.

    Args:
        base_urls: the URLs of the fake; by default, those of the in-process fake.

    Examples:
        >>> admin_openapi()["paths"]["/clock"]["post"]["operationId"]
        'admin.clock.move'
    """
    paths: Described = {}
    for route in ADMIN_ROUTES:
        paths.setdefault(route.template, {})[route.method.lower()] = describe_call(route)
    return {
        "openapi": VERSION,
        "info": {
            "title": "Admin calls of a faked workplace-chat service",
            "version": version("svckit"),
            "description": DESCRIPTION,
        },
        "servers": [{"url": (base_urls or BaseURLs()).admin, "description": "admin interface"}],
        "paths": paths,
        "components": {"schemas": make_schemas(), "securitySchemes": {"adminKey": KEY}},
    }


def describe_call(route: Route) -> Described:
    """Return the operation of an admin call."""
    call = CALLS[route.operation.removeprefix("admin.")]
    described: Described = {
        "operationId": route.operation,
        "summary": str(describe_route(route)["does"]).removesuffix("."),
        "security": [] if route.keyless else [{"adminKey": []}],
    }
    names = [segment[1:-1] for segment in route.template.split("/") if segment[:1] == "{"]
    parameters: list[Described] = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": PATH_PARAMETERS[name],
            "schema": {"type": "string", "minLength": 1},
        }
        for name in names
    ]
    if route.queried:
        parameters += (
            {"name": name, "in": "query", "required": False, "description": description, "schema": schema}
            for name, (description, schema) in JOURNAL_PARAMETERS.items()
        )
    if parameters:
        described["parameters"] = parameters
    if call.body:
        described["requestBody"] = {"required": True, "content": make_content(refer_to_schema(call.body))}
    success: Described = {"description": "Done." if call.response is None else "Success."}
    if call.response is not None:
        success["content"] = make_content(call.response)
    refused = {400, *call.errors} | (set() if route.keyless else {401})
    statuses = [call.status] if call.replaced is None else [call.replaced, call.status]
    responses = {str(status): success for status in statuses} | {
        str(status): {"description": ERRORS[status], "content": make_content(refer_to_schema("AdminError"))}
        for status in sorted(refused)
    }
    return described | {"responses": responses}


def make_content(schema: Described) -> Described:
    """Return a body of JSON."""
    return {"application/json": {"schema": schema}}

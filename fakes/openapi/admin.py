"""The OpenAPI document of the admin calls, by which other programs control a fake."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from pydantic import BaseModel

from fakes.faults.kinds import AnyFault
from fakes.handlers.admin_calls import AdminRoute
from fakes.handlers.admin_routes import ADMIN_ROUTES
from fakes.handlers.admin_schemas import (
    COUNT,
    COUNT_OR_NULL,
    FLAG,
    NAMED,
    TEXT,
    add_named,
    describe,
    make_object,
    refer_to_schema,
)
from fakes.handlers.routing import Content
from fakes.http.addresses import BaseURLs
from fakes.openapi.document import VERSION
from fakes.openapi.provenance import Described
from fakes.openapi.schemas import model_schemas
from svckit import __version__
from svckit.models.custom_properties import PropertyDefinition

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
ERROR = add_named(
    "AdminError",
    make_object(code=describe(TEXT, "The kind of error."), description=describe(TEXT, "What was wrong.")),
)
KEY = {
    "type": "http",
    "scheme": "bearer",
    "description": "The admin_key of the facts, or of the ready line.",
}
PATH_PARAMETERS: Mapping[str, str] = {
    "userId": "ID of a user; to read one, also what else addresses users in paths.",
    "channelId": "ID of a room.",
    "botId": "ID of a bot.",
    "clientId": "ID of an application.",
    "worldName": "Name of a world.",
    "faultNumber": "Number of a fault, as the list of faults has it.",
}


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
            "version": __version__,
            "description": DESCRIPTION,
        },
        "servers": [{"url": (base_urls or BaseURLs()).admin, "description": "admin interface"}],
        "paths": paths,
        "components": {"schemas": make_schemas(), "securitySchemes": {"adminKey": KEY}},
    }


def describe_call(route: AdminRoute) -> Described:
    """Return the operation of an admin call."""
    described: Described = {
        "operationId": route.operation,
        "summary": route.does.removesuffix("."),
        "security": [] if route.keyless else [{"adminKey": []}],
    }
    parameters: list[Described] = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": PATH_PARAMETERS[name],
            "schema": {"type": "string", "minLength": 1},
        }
        for segment in route.template.split("/")
        if segment[:1] == "{" and (name := segment[1:-1])
    ]
    for name, schema in route.query.items():
        of_value = dict(schema)
        words = of_value.pop("description")
        parameters.append(
            {"name": name, "in": "query", "required": False, "description": words, "schema": of_value}
        )
    if parameters:
        described["parameters"] = parameters
    if route.takes is not None:
        described["requestBody"] = {"required": True, "content": make_content(route.takes)}
    success: Described = {"description": "Done." if route.returns is None else "Success."}
    if route.returns is not None:
        success["content"] = make_content(route.returns)
    refused = {400, *route.errors} | (set() if route.keyless else {401})
    statuses = [route.status] if route.replaced is None else [route.replaced, route.status]
    responses = {str(status): success for status in statuses} | {
        str(status): {"description": ERRORS[status], "content": make_content(ERROR)}
        for status in sorted(refused)
    }
    return described | {"responses": responses}


def make_content(body: Content) -> Described:
    """Return a body of JSON."""
    schema = refer_to_schema(body.__name__) if isinstance(body, type) else body
    return {"application/json": {"schema": schema}}


def make_schemas() -> Described:
    """Return the schemas of all bodies by name."""
    found = write_schemas(
        dict.fromkeys(route.takes for route in ADMIN_ROUTES if isinstance(route.takes, type))
    )
    del found["JsonValue"]  # has no fields
    found["StubRecord"]["properties"]["function"] = FLAG | {
        "readOnly": True,
        "description": "Whether a function in Python makes a response.",
    }
    faults = get_args(AnyFault)
    kinds = write_schemas(faults)
    for fault in faults:
        describe_fault(kinds[fault.__name__], fault)
    named = {f"{name}Fault": schema for name, schema in kinds.items()}
    any_fault: Described = {"oneOf": [refer_to_schema(name) for name in named]}
    return dict(sorted({**found, **named, **NAMED, "Fault": any_fault}.items()))


def write_schemas(models: Iterable[type[BaseModel]]) -> Described:
    """Return the schemas of models by name; in those of the fake, what a field is for comes last."""
    found = model_schemas([(model, "validation") for model in models], "The default is")
    for name, schema in found.items():
        if name != PropertyDefinition.__name__:  # the service's, as in its own document
            for described in schema.get("properties", {}).values():
                described["description"] = described.pop("description")
    return found


def describe_fault(schema: Described, fault: type[AnyFault]) -> None:
    """Change the schema of a saved fault to that of an admin call: wire names, and only its kind is required."""
    names = {"after_bytes": "afterBytes", "retry_after": "retryAfter"}
    properties = {names.get(name, name): value for name, value in schema["properties"].items()}
    del properties["kind"]
    schema["properties"] = {
        "kind": describe({"const": fault.model_fields["kind"].default}, "The kind of fault."),
        **properties,
        "left": COUNT_OR_NULL
        | {"readOnly": True, "description": "Number of times it still applies; null for always."},
        "label": TEXT | {"readOnly": True, "description": "The fault in words."},
        "number": COUNT
        | {
            "readOnly": True,
            "description": "Number by which it is read and removed; no other fault gets it.",
        },
    }
    schema["required"] = ["kind", *(["seconds"] if fault.__name__ == "Delay" else [])]

"""Admin calls for stubs: responses to calls that the service's description does not have."""

from collections.abc import Mapping
from typing import Any

from fakes.handlers.admin import read_object, validate
from fakes.handlers.admin_calls import AdminCalls
from fakes.handlers.admin_schemas import TEXT, describe, make_list, make_object, refer_to_schema
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from fakes.stubs.records import StubRecord
from fakes.stubs.registry import CannotBeStubbed
from fakes.stubs.stub import Stub
from svckit.models.problems import shorten

__all__ = ["admin"]

admin: AdminCalls = AdminCalls()

DERIVED = "function"
"""The field of a listed stub that says whether a function makes its response."""


@admin("GET", "/stubs", "stubs.list", returns=make_object(stubs=make_list(refer_to_schema("StubRecord"))))
def list_stubs(call: CallContext) -> dict[str, Any]:
    """Return the stubs, oldest first."""
    return {"stubs": [_describe(stub) for stub in call.state.stubs]}


@admin("POST", "/stubs", "stubs.add", body=StubRecord, returns=StubRecord, status=201, errors=(409,))
def add_stub(call: CallContext) -> dict[str, Any]:
    """Stub calls that are not described: ``{"method", "path"}``, and ``status``, ``headers`` and ``json`` as needed."""
    given = read_object(
        call, 'a stub is a JSON object, such as {"method": "GET", "path": "/groups", "json": {}}'
    )
    if given.get(DERIVED, False) is not False:
        raise Refusal("invalid", "a function cannot be sent; send json, or use fake.stub in Python")
    record = validate({name: given[name] for name in given if name != DERIVED}, StubRecord)
    try:
        stub = call.state.stubs.put(record)
    except CannotBeStubbed as refused:
        raise Refusal("conflict", str(refused)) from None
    return _describe(stub)


@admin(
    "DELETE",
    "/stubs",
    "stubs.clear",
    query={
        "method": describe(TEXT, "Only the stub with this method and path."),
        "path": describe(TEXT, "The path of that stub, as it was added."),
        "area": describe(
            {"type": "string", "enum": ["api", "auth"]}, "The area of that stub; api without it."
        ),
    },
    errors=(404,),
)
def clear_stubs(call: CallContext, query: Mapping[str, Any]) -> None:
    """Remove all stubs, or with ``?method=GET&path=/groups`` that one; ``area=auth`` for one of that area."""
    if not query:
        call.state.stubs.clear()
        return
    if not {"method", "path"} <= query.keys():
        raise Refusal(
            "invalid",
            "to remove one stub, name its method and path, and its area unless that is api; to remove all, send no "
            f"query; given {shorten(call.query)!r}",
        )
    wanted = (query.get("area", "api"), query["method"].upper(), query["path"])
    with call.domain.lock:
        found = next((stub for stub in call.state.stubs if (*stub.place[:2], stub.path) == wanted), None)
        if found is None:
            raise Refusal(
                "not_found", f"there is no stub for {shorten(' '.join(wanted[1:]))} in {shorten(wanted[0])}"
            )
        call.state.stubs.remove(found)


def _describe(stub: Stub) -> dict[str, Any]:
    return {**stub.to_wire(), DERIVED: stub.has_function}

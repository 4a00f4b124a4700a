"""Admin calls for stubs: responses to calls that the service's description does not have."""

from typing import Any

from fakes.handlers.admin import read_object, validate
from fakes.handlers.admin_calls import AdminCalls
from fakes.handlers.admin_schemas import make_list, make_object, refer_to_schema
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from fakes.stubs.records import StubRecord
from fakes.stubs.registry import DescribedOperation
from fakes.stubs.stub import Stub

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
    except DescribedOperation as described:
        raise Refusal("conflict", str(described)) from None
    return _describe(stub)


@admin("DELETE", "/stubs", "stubs.clear")
def clear_stubs(call: CallContext) -> None:
    """Remove all stubs."""
    call.state.stubs.clear()


def _describe(stub: Stub) -> dict[str, Any]:
    return {**stub.to_wire(), DERIVED: stub.has_function}

"""Admin calls for stubs: responses to calls that the service's description does not have."""

from collections.abc import Mapping
from typing import Any

from fakes.handlers.admin import read_json, respond, respond_no_content, validate
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse
from fakes.stubs.records import StubRecord
from fakes.stubs.registry import DescribedOperation
from fakes.stubs.stub import Stub

__all__ = ["add_stub", "clear_stubs", "list_stubs"]

DERIVED = "function"
"""The field of a listed stub that says whether a function makes its response."""


def list_stubs(call: CallContext) -> FakeResponse:
    """Return the stubs, oldest first."""
    return respond({"stubs": [_describe(stub) for stub in call.state.stubs]})


def add_stub(call: CallContext) -> FakeResponse:
    """Stub calls that are not described: ``{"method", "path"}``, and ``status``, ``headers`` and ``json`` as needed."""
    given = read_json(call)
    if not isinstance(given, dict):
        raise Refusal(
            "invalid", 'a stub is a JSON object, such as {"method": "GET", "path": "/groups", "json": {}}'
        )
    if given.get(DERIVED, False) is not False:
        raise Refusal("invalid", "a function cannot be sent; send json, or use fake.stub in Python")
    record = validate({name: given[name] for name in given if name != DERIVED}, StubRecord)
    try:
        stub = call.state.stubs.put(record)
    except DescribedOperation as described:
        raise Refusal("conflict", str(described)) from None
    return respond(_describe(stub), 201)


def clear_stubs(call: CallContext) -> FakeResponse:
    """Remove all stubs."""
    call.state.stubs.clear()
    return respond_no_content()


def _describe(stub: Stub) -> Mapping[str, Any]:
    return {**stub.to_wire(), DERIVED: stub.has_function}

"""Stubbed calls: their route, and their handler."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from urllib.parse import parse_qsl

from fakes import rulebook
from fakes.handlers.context import CallContext
from fakes.handlers.error_formats import (
    escape_text,
    format_resource_error,
    format_token_error,
    make_own_error,
)
from fakes.handlers.routes import refuse
from fakes.handlers.routing import Match, Route
from fakes.handlers.views import OPENID, show
from fakes.http import json_text
from fakes.http.addresses import Located
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse
from fakes.http.own_headers import NOTE_HEADER, STUBBED_HEADER
from fakes.parts.state import State
from fakes.rulebook import deviations
from fakes.rulebook.rules import AssumptionRefused
from fakes.stubs.registry import read_ready_stubs
from fakes.stubs.stub import Stub, StubCall
from svckit.models.lifecycle import Retirement

__all__ = ["STUBBED", "match_stub"]

STUBBED = "stubbed"
"""The name of their operation in the journal."""
NOTE = (NOTE_HEADER, "Not part of the service's description: a ready stub")


def match_stub(state: State, located: Located, method: str, match: Match | None) -> Match | None:
    """Return a route to the stub of a request.

    Args:
        state: the state of the fake.
        located: the area and the path of the request.
        method: its method.
        match: the route of an operation that the description only lists as retiring, or None; returned if there is no
            stub. Once the operation has retired, it refuses the call, and says that the stub is not used.
    """
    found = state.stubs.find(located.area, method, located.path) or _find_openid(state, located, method)
    if found is None:
        return match
    stub, params = found
    retirement = None if match is None else match.route.retirement
    if match and retirement and state.lifecycle.has_reached(retirement, state.rules.look_up):
        return match._replace(route=replace(match.route, handler=partial(refuse, retirement, stub=stub.name)))
    dialect = format_resource_error if located.area == "api" else format_token_error
    handler = partial(_respond, stub, located.path, retirement)
    route = Route(located.area, dialect, method, stub.path, operation=STUBBED, handler=handler)
    return Match(route, params)


def _find_openid(state: State, located: Located, method: str) -> tuple[Stub, Mapping[str, str]] | None:
    """Return the ready stub of a call that clients need for an ``id_token``, if a deviation issues those."""
    if located.area != "auth" or state.rules.deviations.get(deviations.ID_TOKEN) is None:
        return None
    found = read_ready_stubs()["common"].find(located.area, method, located.path)
    return found if found and found[0].view in OPENID else None


def _respond(stub: Stub, path: str, retirement: Retirement | None, call: CallContext) -> FakeResponse:
    """Respond to a call of a stub, after checking its bearer credential if it needs one."""
    rules = call.state.rules
    if retirement is not None and call.state.lifecycle.depends_on_reading(retirement):
        # Noted, but never refused: a stub is the user's own word.
        rules.follow(rulebook.lifecycle.READING)
    view = None if stub.view is None else show(stub.view, call)
    if stub.needs_bearer:
        call.authenticate()
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in call.head.headers}
    sent = StubCall(
        method=call.head.method,
        path=path,
        params=call.params,
        query=dict(reversed(parse_qsl(call.query, keep_blank_values=True))),
        headers=headers,
        json=json_text.read_or_none(call.body),
        user_id=call.user_id,
    )
    try:
        # A function's own calls do not count for this response; what a view rests on does.
        with nullcontext() if view else rules.recording():
            response = stub.respond(sent, view)
    except (Refusal, AssumptionRefused):  # of what the function asked the fake
        raise
    except Exception as error:
        call.failure = _explain_failure(stub, error)
        raise
    response.headers.append((STUBBED_HEADER, stub.name))
    if view:
        response.headers.append(NOTE)
    return response


def _explain_failure(stub: Stub, error: Exception) -> FakeResponse:
    reason = escape_text(f"the stub {stub.name} failed: {type(error).__name__}: {error}")
    response = make_own_error(500, "STUB_FAILED", reason)
    response.headers.append((STUBBED_HEADER, stub.name))
    return response

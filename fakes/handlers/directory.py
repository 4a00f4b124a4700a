"""Operations of the directory."""

import re
from typing import Annotated

from pydantic import Field
from pydantic_core import to_json

from fakes import json_text, rulebook
from fakes.call import Call
from fakes.dialects import JSON
from fakes.exchange import Response
from fakes.refusals import Refused
from svckit.models.custom_properties import without_extras
from svckit.models.status import StatusRegistration
from svckit.models.user import UserChange

__all__ = ["register_status", "update_user"]

SCOPE = "user"
TELEPHONE = rulebook.directory.TELEPHONE

# What the pattern of the description asks for when nothing anchors its end: a digit, anywhere in the first line.
Telephone = Annotated[str, Field(max_length=100, pattern="^(?=.*[0-9])")]


class LooseUserChange(UserChange):
    """An update whose telephone numbers are read as if the pattern had no end."""

    telephone: Telephone | None = None
    cell_phone: Telephone | None = None


def update_user(call: Call) -> Response:
    """Partially update a user."""
    caller, directory = call.caller(SCOPE), call.state.directory
    try:
        user_id = directory.find(call.params["userId"])
    except Refused as refusal:
        call.state.rules.follow(rulebook.directory.NOT_FOUND)
        refusal.kind = "no_user"
        raise
    call.permit(caller, user_id)
    try:
        change = _change(call)
        if change.custom_properties:
            _clean_links(call, change)
    except Refused as refusal:
        raise _with_domain_problems(call, user_id, refusal) from None
    return Response(200, [JSON], directory.update(user_id, change))


def _clean_links(call: Call, change: UserChange) -> None:
    """Leave out what links in custom properties do not have as fields; only definitions tell which are links."""
    sent = change.custom_properties or {}
    known = without_extras(sent, call.state.settings.custom_properties)
    if known != sent and call.state.rules.choice(rulebook.directory.CUSTOM_PROPERTIES) == "checked":
        call.ignore(sent, known, rulebook.api.EXTRA_FIELDS, "customProperties")
        change.custom_properties = known


def _with_domain_problems(call: Call, user_id: str, refusal: Refused) -> Refused:
    """A refusal of some fields, with what the domain's rules and settings have against the others."""
    broken = {re.split(r"[.\[]", problem.path, maxsplit=1)[0] for problem in refusal.problems}
    if not broken:  # no JSON object at all, or fields that are not of this request
        return refusal
    fields = {name: value for name, value in json_text.read(call.body).items() if name not in broken}
    further = call.state.directory.problems(user_id, LooseUserChange.from_wire(fields))
    problems = [*refusal.problems, *further]
    return Refused(refusal.kind, "; ".join(map(str, problems)), problems=problems)


def _change(call: Call) -> UserChange:
    """The body of an update."""
    try:
        return call.json(UserChange, rulebook.directory.LIMITS)
    except Refused as strict:
        try:
            loose = call.json(LooseUserChange, rulebook.directory.LIMITS)
        except Refused as also:
            if also.problems == strict.problems or call.state.rules.choice(TELEPHONE) == "whole-text":
                raise strict from None
            raise
        if call.state.rules.choice(TELEPHONE) == "whole-text":
            raise
        return loose


def register_status(call: Call) -> Response:
    """Register a profile status for a user."""
    caller, user_id = call.caller(SCOPE), call.state.directory.find(call.params["userId"])
    call.permit(caller, user_id)
    try:
        registration = call.json(StatusRegistration, rulebook.statuses.LIMITS)
    except Refused as refusal:
        off = not call.state.settings.profile_status_enabled
        if off and call.state.rules.choice(rulebook.statuses.PRECEDENCE) == "setting-first":
            call.state.statuses.hold_to_setting()
        if any(problem.path == "profileStatusId" and problem.given for problem in refusal.problems):
            call.state.rules.follow(rulebook.statuses.NOT_USED)
            refusal.verbatim = "Not used status."
        raise
    status = call.state.statuses.register(user_id, registration)
    return Response(200, [JSON], to_json(status))

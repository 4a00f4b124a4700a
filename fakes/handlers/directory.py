"""Operations of the directory."""

from typing import Annotated

from pydantic import Field
from pydantic_core import to_json

from fakes import rulebook
from fakes.call import Call
from fakes.dialects import JSON
from fakes.exchange import Response
from fakes.refusals import Refused
from svckit.models.problems import Problem
from svckit.models.status import StatusRegistration
from svckit.models.user import UserChange

__all__ = ["register_status", "update_user"]

Telephone = Annotated[str, Field(max_length=100)]


class LooseUserChange(UserChange):
    """An update whose telephone numbers may end in anything."""

    telephone: Telephone | None = None
    cell_phone: Telephone | None = None


def update_user(call: Call) -> Response:
    """Partially update a user."""
    caller, directory = call.caller(), call.state.directory
    try:
        user_id = directory.find(call.params["userId"])
    except Refused as refusal:
        call.state.rules.follow(rulebook.directory.NOT_FOUND)
        refusal.kind = "no_user"
        raise
    call.permit(caller, user_id)
    return Response(200, [JSON], directory.update(user_id, _change(call)))


def _change(call: Call) -> UserChange:
    """The body of an update."""
    try:
        return call.json(UserChange, rulebook.directory.LIMITS)
    except Refused as refusal:
        if not any(map(_only_its_end_is_wrong, refusal.problems)):
            raise
        if call.state.rules.choice(rulebook.directory.TELEPHONE) == "whole-text":
            raise
        return call.json(LooseUserChange, rulebook.directory.LIMITS)


def _only_its_end_is_wrong(problem: Problem) -> bool:
    """Whether a telephone number fits the pattern but for the end anchor, which the pattern does not have."""
    telephone = problem.path in ("telephone", "cellPhone") and isinstance(problem.limit, str)
    return telephone and any(character in "0123456789" for character in problem.given or "")


def register_status(call: Call) -> Response:
    """Register a profile status for a user."""
    caller, user_id = call.caller(), call.state.directory.find(call.params["userId"])
    call.permit(caller, user_id)
    try:
        registration = call.json(StatusRegistration, rulebook.statuses.LIMITS)
    except Refused as refusal:
        if any(problem.path == "profileStatusId" and problem.given for problem in refusal.problems):
            call.state.rules.follow(rulebook.statuses.NOT_USED)
            refusal.verbatim = "Not used status."
        raise
    status = call.state.statuses.register(user_id, registration)
    return Response(200, [JSON], to_json(status))

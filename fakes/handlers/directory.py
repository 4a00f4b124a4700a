"""Operations of the directory."""

from pydantic_core import to_json

from fakes import rulebook
from fakes.call import Call
from fakes.dialects import JSON
from fakes.exchange import Response
from fakes.refusals import Refused
from svckit.models.status import StatusRegistration
from svckit.models.user import UserChange

__all__ = ["register_status", "update_user"]


def update_user(call: Call) -> Response:
    """Partially update a user."""
    call.caller()
    directory = call.state.directory
    user_id = directory.find(call.params["userId"])
    return Response(200, [JSON], directory.update(user_id, call.json(UserChange)))


def register_status(call: Call) -> Response:
    """Register a profile status for a user."""
    call.caller()
    user_id = call.state.directory.find(call.params["userId"])
    try:
        registration = call.json(StatusRegistration)
    except Refused as refusal:
        if any(problem.path == "profileStatusId" and problem.given for problem in refusal.problems):
            call.state.rules.follow(rulebook.statuses.NOT_USED)
            refusal.verbatim = "Not used status."
        raise
    status = call.state.statuses.register(user_id, registration)
    return Response(200, [JSON], to_json(status))

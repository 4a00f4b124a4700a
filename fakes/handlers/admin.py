"""The admin interface: who may call it, how it reads a body, and how it answers.

It does over HTTP what a program that holds the fake does in Python, so it is no part of the service: its calls are
not in the journal, meet no faults and rest on no rules. They run outside the fake's lock; a handler takes it where it
reads or changes more than one thing.
"""

from hmac import compare_digest
from typing import Any, TypeVar

from pydantic import ConfigDict, ValidationError
from pydantic_core import to_json

from fakes import json_text
from fakes.call import Call
from fakes.dialects import JSON
from fakes.exchange import Response
from fakes.refusals import Refused
from fakes.routing import Route
from svckit.models.base import WireModel
from svckit.models.problems import problems_of

__all__ = [
    "AdminBody",
    "answered",
    "bodiless",
    "body",
    "complaints",
    "done",
    "hold_to_key",
    "hold_to_query",
    "sent",
]


class AdminBody(WireModel):
    """The body of an admin call. A field it does not have is refused, for it is a slip."""

    model_config = ConfigDict(extra="forbid")


Body = TypeVar("Body", bound=AdminBody)


def hold_to_key(call: Call) -> None:
    """Hold a call to the admin key.

    Raises:
        Refused: it has none, or a wrong one.
    """
    scheme, _, given = call.head.header("Authorization").partition(" ")
    right = compare_digest(given.strip().encode("latin-1"), call.state.admin_key.encode())
    if scheme.lower() != "bearer" or not right:
        what = "another was given" if given else "there was none"
        raise Refused(
            "unauthorized",
            f"an admin call needs the header Authorization: Bearer <admin_key>, with the admin_key of the facts or "
            f"of the ready line; {what}",
        )


def hold_to_query(call: Call, route: Route) -> None:
    """Hold a call to a query only where it takes one.

    Raises:
        Refused: it has a query, and takes none.
    """
    if call.query and not route.queried:
        raise Refused(
            "invalid", f"{route.method} {route.template} takes no query; leave out what follows the ?"
        )


def bodiless(call: Call) -> None:
    """Hold a call that changes something to no body, or an empty object.

    Raises:
        Refused: it has another one.
    """
    if call.body.strip() and sent(call) != {}:
        raise Refused("invalid", "this call takes no body; leave it out, or send {}")


def sent(call: Call) -> Any:
    """The JSON of a call, whatever its Content-Type.

    Raises:
        Refused: it is none.
    """
    try:
        return json_text.read(call.body)
    except ValueError as broken:
        raise Refused("invalid", f"the body must be JSON: {broken}") from None


def body(call: Call, model: type[Body]) -> Body:
    """The body of a call, held to a model.

    Raises:
        Refused: it does not fit; all problems are told together.
    """
    given = sent(call)
    if not isinstance(given, dict):
        raise Refused("invalid", "the body must be a JSON object")
    try:
        return model.from_wire(given)
    except ValidationError as invalid:
        raise complaints(invalid, model) from None


def complaints(invalid: ValidationError, model: type[WireModel]) -> Refused:
    """All that is wrong with a body, as one refusal."""
    unknown = [
        f"{error['loc'][0]} is no field of this call; its fields are {', '.join(sorted(model.wire_names()))}"
        for error in invalid.errors(include_url=False)
        if error["type"] == "extra_forbidden" and len(error["loc"]) == 1
    ]
    wrong = [
        str(problem)
        for problem in problems_of(invalid)
        if "Extra inputs" not in problem.message or "." in problem.path
    ]
    return Refused("invalid", "; ".join([*wrong, *unknown]))


def answered(content: object, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(status, [JSON], to_json(content))


def done() -> Response:
    """An answer that says only that it is done."""
    return Response(204)

"""The admin interface: who may call it, how it reads a body, and how it answers.

It does over HTTP what a program that holds the fake does in Python, so it is no part of the service: its calls are
not in the journal, meet no faults and rest on no rules. They run outside the fake's lock; a handler takes it where it
reads or changes more than one thing.
"""

from collections.abc import Mapping
from hmac import compare_digest
from typing import Any, TypeVar

from pydantic import ConfigDict, ValidationError
from pydantic_core import to_json

from fakes.handlers.context import CallContext
from fakes.handlers.error_formats import JSON
from fakes.handlers.routing import Route
from fakes.http import json_text
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse
from svckit.models.base import WireModel
from svckit.models.long_arrays import ENOUGH
from svckit.models.problems import Problem, join_problems, list_problems, shorten

__all__ = [
    "AdminBody",
    "check_query",
    "hold",
    "read_body",
    "read_json",
    "refuse_body",
    "require_key",
    "respond",
    "respond_no_content",
]


class AdminBody(WireModel):
    """The body of an admin call. A field it does not have is refused, for it is a slip."""

    model_config = ConfigDict(extra="forbid")


Body = TypeVar("Body", bound=AdminBody)
Model = TypeVar("Model", bound=WireModel)


def require_key(call: CallContext) -> None:
    """Hold a call to the admin key.

    Raises:
        Refused: it has none, or a wrong one.
    """
    scheme, _, given = call.head.header("Authorization").partition(" ")
    right = compare_digest(given.strip().encode("latin-1"), call.state.admin_key.encode())
    if scheme.lower() != "bearer" or not right:
        what = "another was given" if given else "there was none"
        raise Refusal(
            "unauthorized",
            f"an admin call needs the header Authorization: Bearer <admin_key>, with the admin_key of the facts or "
            f"of the ready line; {what}",
        )


def check_query(call: CallContext, route: Route) -> None:
    """Hold a call to a query only where it takes one.

    Raises:
        Refused: it has a query, and takes none.
    """
    if call.query and not route.queried:
        raise Refusal(
            "invalid", f"{route.method} {route.template} takes no query; leave out what follows the ?"
        )


def refuse_body(call: CallContext) -> None:
    """Hold a call that changes something to no body, or an empty object.

    Raises:
        Refused: it has another one.
    """
    if call.body.strip() and read_json(call) != {}:
        raise Refusal("invalid", "this call takes no body; leave it out, or send {}")


def read_json(call: CallContext) -> Any:
    """The JSON of a call, whatever its Content-Type.

    Raises:
        Refused: it is none.
    """
    try:
        return json_text.read(call.body)
    except ValueError as broken:
        raise Refusal("invalid", f"the body must be JSON: {broken}") from None


def read_body(call: CallContext, model: type[Body]) -> Body:
    """The body of a call, held to a model.

    Raises:
        Refused: it does not fit; the problems are told together.
    """
    given = read_json(call)
    if not isinstance(given, dict):
        raise Refusal("invalid", "the body must be a JSON object")
    return hold(given, model)


def hold(given: Mapping[str, Any], model: type[Model]) -> Model:
    """Hold an object to a model that has no other fields.

    Raises:
        Refused: it does not fit; the problems are told together.
    """
    fields = model.wire_names()
    unknown = [name for name in given if name not in fields]
    problems: list[Problem] = []
    try:
        read = model.from_wire({name: value for name, value in given.items() if name in fields})
    except ValidationError as invalid:
        problems += list_problems(invalid)
    known = ", ".join(sorted(fields))
    problems += [
        Problem(name, f"{shorten(name)} is no field of this call; its fields are {known}")
        for name in unknown[:ENOUGH]
    ]
    if len(unknown) > ENOUGH:
        more = len(unknown) - ENOUGH
        problems.append(Problem("", f"and {more} more", count=more))
    if problems:
        raise Refusal("invalid", join_problems(problems))
    return read


def respond(content: object, status: int = 200) -> FakeResponse:
    """An answer in JSON."""
    return FakeResponse(status, [JSON], to_json(content))


def respond_no_content() -> FakeResponse:
    """An answer that says only that it is done."""
    return FakeResponse(204)

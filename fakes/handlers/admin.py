"""The admin interface: its key, its request bodies and its responses.

It does over HTTP what a program does with the fake in Python. It is not part of the service: its calls are not in the
journal, trigger no faults and rest on no rules. They run outside the fake's lock; a handler takes the lock to read or
change more than one thing.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hmac import compare_digest
from typing import Any, ClassVar, TypeVar

from pydantic import ConfigDict, ValidationError
from pydantic_core import to_json

from fakes.handlers.admin_schemas import Schema
from fakes.handlers.context import CallContext
from fakes.handlers.error_formats import JSON
from fakes.http import json_text
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse, RequestHead
from fakes.parts.state import State
from svckit.models.base import WireModel
from svckit.models.long_arrays import ENOUGH
from svckit.models.problems import Problem, join_problems, list_problems, shorten

__all__ = [
    "AdminBody",
    "has_key",
    "is_number",
    "read_body",
    "read_json",
    "read_object",
    "read_query",
    "refuse_body",
    "refusing_invalid",
    "require_key",
    "respond",
    "validate",
]


class AdminBody(WireModel):
    """The body of an admin call. Unknown fields are refused, as they are mistakes."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


Body = TypeVar("Body", bound=AdminBody)
Model = TypeVar("Model", bound=WireModel)
NUMBER = re.compile(r"[0-9]{1,9}")


def is_number(text: str) -> bool:
    """Return whether a text of a query is a whole number, of up to nine digits."""
    return NUMBER.fullmatch(text) is not None


def has_key(head: RequestHead, state: State) -> bool:
    """Return whether a request has the admin key."""
    scheme, _, given = head.header("Authorization").partition(" ")
    right = compare_digest(given.strip().encode("latin-1"), state.admin_key.encode())
    return scheme.lower() == "bearer" and right


def require_key(call: CallContext) -> None:
    """Require the admin key.

    Raises:
        Refusal: the key is missing or wrong.
    """
    if not has_key(call.head, call.state):
        given = call.head.header("Authorization").partition(" ")[2]
        what = "the key sent is wrong" if given else "no key was sent"
        raise Refusal(
            "unauthorized",
            f"an admin call needs the header Authorization: Bearer <admin_key>, with the admin_key from the facts or "
            f"the ready line; {what}",
        )


def read_query(call: CallContext, schemas: Mapping[str, Schema]) -> dict[str, Any]:
    """Return the query parameters of a call that were sent, numbers as such.

    Args:
        call: the call.
        schemas: the schemas of those that it takes.

    Raises:
        Refusal: the call does not take one of them, or not with this value.
    """
    given: dict[str, Any] = call.query_parameters()
    if not all(name in schemas and _fits(value, schemas[name]) for name, value in given.items()):
        known = ", ".join(f"{name}={_describe_values(schema)}" for name, schema in schemas.items())
        parameters = "parameter" if len(schemas) == 1 else "parameters"
        raise Refusal(
            "invalid", f"this call takes the query {parameters} {known}; given {shorten(call.query)!r}"
        )
    return {
        name: int(value) if schemas[name]["type"] == "integer" else value for name, value in given.items()
    }


def _fits(value: str, schema: Schema) -> bool:
    return is_number(value) if schema["type"] == "integer" else value in schema.get("enum", [value])


def _describe_values(schema: Schema) -> str:
    return " or ".join(schema.get("enum", ["<a whole number>" if schema["type"] == "integer" else "<text>"]))


def refuse_body(call: CallContext) -> None:
    """Check that a call has no body, or an empty object as its body.

    Raises:
        Refusal: the call has another body.
    """
    if call.body.strip() and read_json(call) != {}:
        raise Refusal("invalid", "this call takes no body; send none, or {}")


def read_json(call: CallContext) -> Any:
    """Return the JSON of a call, whatever its Content-Type.

    Raises:
        Refusal: the body is not JSON.
    """
    try:
        return json_text.read(call.body)
    except ValueError as broken:
        problem = broken if call.body else "it is empty; send an object, such as {}"
        raise Refusal("invalid", f"the body must be JSON: {problem}") from None


def read_object(call: CallContext, wrong: str = "the body must be a JSON object") -> dict[str, Any]:
    """Return the JSON object of a call.

    Raises:
        Refusal: the body is not a JSON object; ``wrong`` says so.
    """
    given = read_json(call)
    if not isinstance(given, dict):
        raise Refusal("invalid", wrong)
    return given


def read_body(call: CallContext, model: type[Body]) -> Body:
    """Return the body of a call, validated by a model.

    Raises:
        Refusal: the model does not allow it; all problems are reported together.
    """
    return validate(read_object(call), model)


def validate(given: Mapping[str, Any], model: type[Model]) -> Model:
    """Validate an object by a model, and refuse other fields.

    Raises:
        Refusal: the model does not allow it; all problems are reported together.
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
        Problem(name, f"{shorten(name)} is not a field of this call; its fields are {known}")
        for name in unknown[:ENOUGH]
    ]
    if len(unknown) > ENOUGH:
        more = len(unknown) - ENOUGH
        problems.append(Problem("", f"and {more} more", count=more))
    if problems:
        raise Refusal("invalid", join_problems(problems))
    return read


@contextmanager
def refusing_invalid(before: str = "") -> Iterator[None]:
    """Refuse the call if a value is wrong inside, or needs a package that is missing, in its words after these."""
    try:
        yield
    except (OverflowError, ValueError, ModuleNotFoundError) as wrong:
        raise Refusal("invalid", f"{before}{wrong}") from None


def respond(content: object, status: int = 200) -> FakeResponse:
    """Return a JSON response."""
    return FakeResponse(status, [JSON], to_json(content))

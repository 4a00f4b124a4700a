"""Input checked before it is sent, answers checked when they are read, by the same models."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError, to_json

from svckit.addresses import quote_segment
from svckit.errors import ForeignOrigin, InvalidInput, ServiceError
from svckit.http.messages import Response
from svckit.models.base import WireModel, python_name
from svckit.models.phrases import name_type
from svckit.models.problems import Problem, join_problems, limit_problems, list_problems
from svckit.models.secret import Secret

__all__ = ["check_absolute", "make_response_error", "quote_id", "read", "validate"]

M = TypeVar("M", bound=WireModel)


def validate(
    model: type[M],
    values: Mapping[str, Any],
    *,
    operation: str,
    problems: Sequence[Problem] = (),
    arguments: Mapping[str, str] = MappingProxyType({}),
) -> M:
    """Build a model from Python names, or list everything that is wrong at once.

    Args:
        model: what to build.
        values: its fields by Python name.
        operation: for the message.
        problems: what is known to be wrong already.
        arguments: what fields are called where the operation's arguments have other names, by field.

    Raises:
        InvalidInput: with all problems, in the names that the caller types; nothing has been sent.
    """

    def to_argument(path: str) -> str:
        own, mark, properties = path.partition("customProperties.")  # whose names stand as they are
        own = python_name(own + mark)
        name = next((name for name in arguments if own == name or own.startswith(f"{name}.")), "")
        return f"{arguments.get(name, '')}{own.removeprefix(name)}{properties}"

    found = list(problems)
    try:
        built = model.model_validate(values)
    except ValidationError as error:
        found += list_problems(error, spelled=to_argument)
    else:
        found += [
            Problem(to_argument(name), f"{to_argument(name)} holds half of a character, which cannot be sent")
            for name, value in built.to_wire().items()
            if not _is_unicode(value)
        ]
    if found:
        raise InvalidInput(f"{operation} was not sent: {join_problems(found)}", limit_problems(found))
    return built


def _is_unicode(value: Any) -> bool:
    try:
        to_json(value)
    except PydanticSerializationError:
        return False
    return True


def quote_id(name: str, value: str) -> str:
    """An ID as a segment of a path.

    Raises:
        InvalidInput: it cannot be one.
    """
    if not isinstance(value, str):
        raise InvalidInput(f"{name} is text; given {name_type(value)}")
    try:
        return quote_segment(value)
    except ValueError as error:
        raise InvalidInput(f"{name}: {error}") from None


def read(model: type[M], reply: Response) -> M:
    """Read an answer; values beyond a described limit are kept as they are.

    Raises:
        ServiceError: its fields are not of the types that the service's description shows.
    """
    try:
        return model.from_response(reply.content)
    except ValidationError as error:
        why = join_problems(list_problems(error))
    raise make_response_error(
        reply, why
    )  # here, where it has no context: the frames of the other hold the body


def check_absolute(address: str, reply: Response) -> Secret:
    """An address that an answer gives; where it lies is judged when it is called.

    Raises:
        ForeignOrigin: it is relative, so by RFC 3986 it lies where the answer came from, not at the file storage.
    """
    if address.startswith(("/", "\\")):
        problem = (
            "the address to call next is relative, so it is one of the resource API (RFC 3986, section 5), while the "
            "content goes by the file storage"
        )
        raise ForeignOrigin(
            f"{reply.operation} was stopped: {problem} ({reply.status}; {reply.request}). {ForeignOrigin.advice}",
            description=problem,
            status=reply.status,
            operation=reply.operation,
            request=reply.request,
        )
    return Secret(address)


def make_response_error(reply: Response, why: str) -> ServiceError:
    """The error for an answer that is a success by its status and makes no sense."""
    return ServiceError(
        f"{reply.operation}: the answer is not as the service's description shows it: {why} "
        f"({reply.status}; {reply.request})",
        status=reply.status,
        operation=reply.operation,
        request=reply.request,
    )

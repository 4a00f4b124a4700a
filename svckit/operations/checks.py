"""Check input before it is sent and responses when they are read, with the same models."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import repeat
from types import MappingProxyType
from typing import Any, Final, TypeVar

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError, from_json, to_json

from svckit.addresses import quote_segment
from svckit.errors import ForeignOrigin, InvalidInput, ServiceError
from svckit.http.error_responses import read_error_body
from svckit.http.messages import Response
from svckit.models.base import WireModel, python_name
from svckit.models.long_arrays import ENOUGH
from svckit.models.phrases import describe_given
from svckit.models.problems import (
    Problem,
    describe_rules,
    join_problems,
    limit_problems,
    list_problems,
    shorten,
)
from svckit.models.secret import Secret

__all__ = [
    "check_absolute",
    "check_flags",
    "list_differences",
    "make_reported_error",
    "make_response_error",
    "quote_id",
    "read",
    "validate",
]

M = TypeVar("M", bound=WireModel)
_INDEX: Final = re.compile(r"\[\d+\]")
_NESTED: Final = frozenset({dict, list})
_LONGEST: Final = 40  # characters of a text that is shown


def validate(
    model: type[WireModel],
    values: Mapping[str, Any],
    *,
    operation: str,
    problems: Sequence[Problem] = (),
    arguments: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return the JSON to send for values by Python name, or list everything that is wrong at once.

    Args:
        model: the model of the body.
        values: its fields by Python name; only these are sent.
        operation: the name of the operation, for the message.
        problems: problems that are known already.
        arguments: the names of the operation's arguments, by field, if they differ.

    Raises:
        InvalidInput: with all problems, in the names that the caller types; nothing was sent.
    """

    def to_argument(path: str) -> str:
        own, mark, properties = path.partition("customProperties.")  # whose names stay as they are
        own = python_name(own + mark)
        name = next((name for name in arguments if own == name or own.startswith(f"{name}.")), "")
        return f"{arguments.get(name, '')}{own.removeprefix(name)}{properties}"

    found = list(problems)
    try:
        body = model.model_validate(values).to_wire()
    except ValidationError as error:
        found += list_problems(error, spelled=to_argument)
    else:
        if not _is_unicode(body):
            found += [
                Problem(
                    to_argument(name), f"{to_argument(name)} holds half of a character, which cannot be sent"
                )
                for name, value in body.items()
                if not _is_unicode(value)
            ]
    if found:
        raise InvalidInput(f"{operation} was not sent: {join_problems(found)}", limit_problems(found))
    return body


def _is_unicode(value: Any) -> bool:
    try:
        to_json(value)
    except PydanticSerializationError:
        return False
    return True


def quote_id(name: str, value: str) -> str:
    """Quote an ID as a segment of a path.

    Raises:
        InvalidInput: the value cannot be a segment.
    """
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a string; given {describe_given(value)}")
    try:
        return quote_segment(value)
    except ValueError as error:
        raise InvalidInput(f"{name}: {error}") from None


def read(model: type[M], response: Response) -> M:
    """Read a response; what differs from its description and can be read is reported and kept.

    Raises:
        ServiceError: its fields do not have the types that the service's description shows, or it reports an error.
    """
    errors: list[ValidationError] = []
    content = response.content
    if model.fills_missing and not content.strip():
        response.report("the body is empty")
        content = b"{}"
    try:
        record = model.from_response(content, errors.append)
    except ValidationError as error:
        why = join_problems(list_problems(error))
    else:
        # A body without any known field may be that of an error.
        reported = None if record.model_fields_set else _find_reported_error(response)
        if reported is not None:
            raise reported
        for difference in list_differences(record, content, errors):
            response.report(difference)
        return record
    # Raised here, without context: the frames of the original error hold the body.
    raise _find_reported_error(response) or make_response_error(response, why)


def list_differences(record: WireModel, body: bytes, errors: Sequence[ValidationError]) -> list[str]:
    """Return how the fields of a response differ from those that are described, in words without any value, each once.

    Args:
        record: what was read from the response.
        body: its body, a JSON object.
        errors: what a strict reading would have raised.

    Examples:
        >>> from svckit.models import TokenSet
        >>> body = b'{"access_token":"a","scope":"user","expires_in":86400,"token_type":"bearer","id":7}'
        >>> errors = []
        >>> list_differences(TokenSet.from_response(body, errors.append), body, errors)
        ['expires_in must be a string', "token_type must be 'Bearer'", 'id is not described']
    """
    unknown = _list_unknown_names(record, from_json(body))
    if not errors and not unknown:  # as nearly always
        return []
    found = [rule for error in errors for rule in describe_rules(error)]
    found += [f"{name} is not described" for name in unknown]
    return list(dict.fromkeys(_INDEX.sub("[]", difference) for difference in found))


def _list_unknown_names(record: WireModel, wire: Mapping[str, Any]) -> list[str]:
    """Return the paths of the names that no model describes, the first ones; `wire` is what `record` was read from."""
    found: list[str] = []
    waiting: list[tuple[Any, Any, str]] = [(record, wire, "")]  # what is left to search, the next part last
    while waiting and len(found) < ENOUGH:
        part, given, at = waiting.pop()
        if isinstance(part, list):
            waiting += reversed([*zip(part, given, repeat(f"{at}[]"))])
        elif isinstance(part, WireModel) and part.model_config["extra"] == "ignore":
            names, start, nested = _map_names(type(part)), f"{at}." if at else "", []
            for name, value in given.items():
                if name in names:
                    if type(value) in _NESTED:
                        nested.append((getattr(part, names[name]), value, f"{start}{name}"))
                elif len(found) < ENOUGH:
                    found.append(f"{start}{shorten(name)}")
            waiting += reversed(nested)
    return found


@cache
def _map_names(model: type[WireModel]) -> Mapping[str, str]:
    """Return the Python names of a model's fields by their wire names."""
    return {field.alias or name: name for name, field in model.model_fields.items()}


def check_absolute(url: str, response: Response) -> Secret:
    """Check that a URL in a response is absolute; its origin is checked when it is used.

    Raises:
        ForeignOrigin: it is relative, so by RFC 3986 it belongs to the responding origin, not to the file storage.
    """
    if url.startswith(("/", "\\")):
        problem = (
            "the next URL is relative, so it belongs to the resource API (RFC 3986, section 5), while the content is "
            "on the file storage"
        )
        why = f"{problem} ({response.status}; {response.request})"
        raise ForeignOrigin(
            f"{response.operation} was stopped: {why}. {ForeignOrigin.advice}",
            description=problem,
            **response.context,
        )
    return Secret(url)


def _find_reported_error(response: Response) -> ServiceError | None:
    """Build the error for a success status whose body is that of an error; None if it is not."""
    code, description = read_error_body(response.content)
    return make_reported_error(response, code, description, "check before you repeat it") if code else None


def make_reported_error(response: Response, code: str, description: str | None, advice: str) -> ServiceError:
    """Build the error for a success status whose body reports an error with a code."""
    return ServiceError(
        f"{response.operation}: the response has the status {response.status}, a success, but its body has the code "
        f"{code}: {description or 'no description'} ({response.request}). It is unknown whether it took effect: "
        f"{advice}.",
        code=code,
        description=description,
        **response.context,
    )


def make_response_error(response: Response, why: str) -> ServiceError:
    """Build the error for a response that has a success status and makes no sense."""
    return ServiceError(
        f"{response.operation}: the response is not as the service's description shows it: {why} "
        f"({response.status}; {response.request})",
        **response.context,
    )


def check_flags(outcome: str, **flags: object) -> None:
    """Check that flags are ``True`` or ``False``, or ``None`` for their default.

    Args:
        outcome: the beginning of the message, such as ``notify was not sent``.
        flags: the arguments by name.

    Raises:
        InvalidInput: one of them is something else, such as text, which Python would take for true.

    Examples:
        >>> check_flags("notify was not sent", wait="no")
        Traceback (most recent call last):
        ...
        svckit.errors.InvalidInput: notify was not sent: wait must be True or False; given 'no' ...
    """
    for name, value in flags.items():
        if value is None or isinstance(value, bool):
            continue
        given = describe_given(value)
        if isinstance(value, str):
            given = f"{value[:_LONGEST]!r} (any text is true to Python)" if value else "''"
        raise InvalidInput(f"{outcome}: {name} must be True or False; given {given}")

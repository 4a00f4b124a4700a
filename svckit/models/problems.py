"""What is wrong with a body, field by field and all at once, in words that teach."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from svckit.models.base import wire_name
from svckit.models.patterns import MEANINGS
from svckit.models.secret import MASK, is_secret_name, mask
from svckit.models.token import TokenSet

__all__ = ["Problem", "problems_of"]

_SHOWN = 60  # characters of a text that are echoed
_SHOWN_BITS = 128  # of a number; Python refuses to write out endless ones
_SNAKE_ON_THE_WIRE = frozenset(TokenSet.model_fields)
_TAG = "type="  # how a content's type is marked in a location; see svckit.models.event


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a body.

    Attributes:
        path: where, in wire names unless others were asked for: ``organizations[0].orgUnits[2].orgUnitId``;
            empty for the body as a whole.
        message: a sentence that names the field, the limit and what was given.
        given: what was given, shortened, as JSON writes it; ``None`` where nothing was. Secrets are masked.
        limit: what the limit is, where there is one.
    """

    path: str
    message: str
    given: str | None = None
    limit: str | int | None = None

    def __str__(self) -> str:
        return self.message


def problems_of(
    error: ValidationError, *, at: str = "", spelled: Callable[[str], str] = str
) -> list[Problem]:
    """List everything a validation found wrong, in the order of the fields.

    Args:
        error: what pydantic raised.
        at: path of the value that was validated, where it is a part of a larger body.
        spelled: writes a path in other names than those of the wire, where something else was given.

    Examples:
        >>> from svckit.models.user import UserChange
        >>> try:
        ...     UserChange.from_wire('{"nickName": 7, "organizations": [{"domainId": 1}]}')
        ... except ValidationError as error:
        ...     for problem in problems_of(error):
        ...         print(problem)
        nickName must be text; given 7
        organizations[0].primary is required
    """
    return [
        _problem(details, spelled(_path(details["loc"], at))) for details in error.errors(include_url=False)
    ]


def _problem(details: ErrorDetails, path: str) -> Problem:
    field = path or "the body"
    kind = details["type"]
    if kind == "missing":
        return Problem(path, f"{field} is required")
    if kind == "json_invalid":
        return Problem(path, f"{field} is not valid JSON: {details['ctx']['error']}")
    rule, limit = _rule(details)
    given = MASK if _holds_secret(details["loc"]) else _shown(details)
    if kind == "value_error":  # raised by our own types, which echo what was given
        return Problem(path, mask(f"{field} {rule}"), given, limit)
    if details["input"] is None:
        return Problem(path, f"{field} {rule} and cannot be null", given, limit)
    return Problem(path, f"{field} {rule}; given {given}", given, limit)


def _rule(details: ErrorDetails) -> tuple[str, Any]:
    """What the field must be, and the limit in it where there is one."""
    context = details.get("ctx", {})
    if details["type"] == "string_pattern_mismatch":
        meaning = MEANINGS.get(context["pattern"], f"text that matches {context['pattern']}")
        return f"must be {meaning}", meaning
    if details["type"] not in _RULES:
        return f"does not fit: {details['msg']}", None
    rule, limit = _RULES[details["type"]]
    return rule.format_map(context), context.get(limit)


_RULES = {
    "string_too_long": ("must have at most {max_length} characters", "max_length"),
    "string_too_short": ("must have a length of at least {min_length}", "min_length"),
    "too_long": ("must have at most {max_length} items", "max_length"),
    "greater_than_equal": ("must be at least {ge}", "ge"),
    "less_than_equal": ("must be at most {le}", "le"),
    "literal_error": ("must be {expected}", "expected"),
    "value_error": ("{error}", ""),
    "string_type": ("must be text", ""),
    "int_type": ("must be a whole number", ""),
    "float_type": ("must be a number", ""),
    "bool_type": ("must be true or false", ""),
    "list_type": ("must be an array", ""),
    "dict_type": ("must be an object", ""),
    "model_type": ("must be an object", ""),
}


def _path(location: Sequence[int | str], at: str) -> str:
    """Write a location with wire names; the names of custom properties stand as they are."""
    path, in_properties = at, False
    for part in location:
        if isinstance(part, int):
            path += f"[{part}]"
        elif in_properties or not part.startswith(_TAG):
            name = part if in_properties or part in _SNAKE_ON_THE_WIRE else wire_name(part)
            path += f".{name}" if path else name
            in_properties = in_properties or name == "customProperties"
    return path


def _holds_secret(location: Sequence[int | str]) -> bool:
    return any(isinstance(part, str) and is_secret_name(part) for part in location)


def _shown(details: ErrorDetails) -> str:
    value = details["input"]
    match value:
        case str():
            text = mask(value)
            shown = json.dumps(text[:_SHOWN] + "…" if len(text) > _SHOWN else text, ensure_ascii=False)
            shown = shown.encode("utf-8", "backslashreplace").decode()  # half a character cannot be printed
            return f"{len(value)} characters, {shown}" if details["type"] == "string_too_long" else shown
        case list() | tuple():
            return f"an array of {len(value)}"
        case dict():
            return "an object"
        case None | bool() | float():
            return json.dumps(value)
        case int() if value.bit_length() <= _SHOWN_BITS:
            return str(value)
        case _:
            return f"a value of type {type(value).__name__}"

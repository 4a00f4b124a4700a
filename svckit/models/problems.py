"""The problems of a body, field by field and all at once, in words that teach."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from svckit.display.masking import MASK, is_secret_name, mask_beginning
from svckit.display.normal_form import describe_form
from svckit.display.terminal import escape_controls
from svckit.errors import Problem
from svckit.models.base import wire_name
from svckit.models.long_arrays import ENOUGH, UNREAD
from svckit.models.patterns import MEANINGS
from svckit.models.phrases import describe_given
from svckit.models.spelling import with_meant
from svckit.models.text_lengths import count_graphemes
from svckit.models.token import TokenSet

__all__ = [
    "HALF_CHARACTER",
    "Problem",
    "describe_rules",
    "explain_json_error",
    "join_problems",
    "limit_problems",
    "list_problems",
    "shorten",
]

HALF_CHARACTER = r"half a character, a \uD800 to \uDFFF without its other half,"
"""What UTF-8 cannot encode, in words."""
_SHOWN = 60  # characters of a text, and of a name in a path, that are echoed
_MOST_SENTENCE = 500  # characters of a sentence that a validator of ours wrote
_AT_LEAST = ", at least"
_SNAKE_CASE_NAMES = frozenset(TokenSet.model_fields)
_HALF = re.compile("unexpected end of hex escape|lone leading surrogate in hex escape")
_TAG = "type="  # how a content's type is marked in a location; see svckit.models.event


def limit_problems(problems: Iterable[Problem]) -> list[Problem]:
    """Keep the first 50 problems, and say in a last one how many more there are.

    Examples:
        >>> found = limit_problems(Problem(f"names[{n}]", f"names[{n}] must be a string; given {n}") for n in range(70))
        >>> len(found), str(found[-1])
        (51, 'and 20 more')
    """
    found = list(problems)
    rest = found[ENOUGH:]
    if not rest:
        return found
    uncertain = any(problem.message.endswith(_AT_LEAST) for problem in rest)
    return [*found[:ENOUGH], _count_rest(sum(problem.count for problem in rest), uncertain)]


def _count_rest(count: int, uncertain: bool) -> Problem:
    """Return a problem that counts the unlisted ones; `uncertain` if there may be more."""
    return Problem("", f"and {count} more{_AT_LEAST if uncertain else ''}", count=count)


def join_problems(problems: Sequence[Problem]) -> str:
    """Join the first 50 problems with semicolons, and say how many more there are.

    Examples:
        >>> join_problems([Problem("", "title is required"), Problem("", "text is required")])
        'title is required; text is required'
        >>> join_problems([Problem("", "no such field: titel; did you mean title?"), Problem("", "text is required")])
        'no such field: titel; did you mean title? text is required'
    """
    shown = [problem.message for problem in limit_problems(problems)]
    ended = [message if message.endswith("?") else f"{message};" for message in shown]
    return escape_controls(" ".join(ended).removesuffix(";"))


def list_problems(
    error: ValidationError, *, at: str = "", spelled: Callable[[str], str] = str
) -> list[Problem]:
    """Return the problems of a validation in field order: at most 50, and how many more there are.

    Args:
        error: what pydantic raised.
        at: path of the validated value, if it is a part of a larger body.
        spelled: writes a path in the names that were given, if those are not the wire names.

    Examples:
        >>> from svckit.models.user import UserChange
        >>> try:
        ...     UserChange.from_wire('{"nickName": 7, "organizations": [{"domainId": 1}]}')
        ... except ValidationError as error:
        ...     for problem in list_problems(error):
        ...         print(problem)
        nickName must be a string; given 7
        organizations[0].primary is required
    """
    errors = error.errors(include_url=False)
    found = [details for details in errors if details["type"] != UNREAD]
    problems = [
        _make_problem(details, spelled(_format_path(details["loc"], at))) for details in found[:ENOUGH]
    ]
    rest = len(found) - len(problems)
    return [*problems, _count_rest(rest, len(found) < len(errors))] if rest else problems


def describe_rules(error: ValidationError) -> list[str]:
    """Return the rules that the first 50 problems of a validation break, without what was given.

    Examples:
        >>> from svckit.models.user import UserChange
        >>> try:
        ...     UserChange.from_wire('{"nickName": "%s"}' % ("x" * 101))
        ... except ValidationError as error:
        ...     print(describe_rules(error))
        ['nickName must have at most 100 characters']
    """
    own = {"missing": "is required", "value_error": "is not as described", UNREAD: "has more such items"}
    return [
        f"{_format_path(details['loc'], '') or 'the body'} {own.get(details['type']) or _describe_rule(details)[0]}"
        for details in error.errors(include_url=False)[:ENOUGH]
    ]


def explain_json_error(message: str) -> str:
    r"""Reword the message of a JSON parser so that it teaches.

    Examples:
        >>> explain_json_error("lone leading surrogate in hex escape at line 1 column 12")
        'half a character, a \\uD800 to \\uDFFF without its other half, at line 1 column 12'
    """
    return _HALF.sub(lambda _: HALF_CHARACTER, message)


def _make_problem(details: ErrorDetails, path: str) -> Problem:
    field = path or "the body"
    kind = details["type"]
    if kind == "missing":
        return Problem(path, f"{field} is required")
    if kind == "json_invalid":
        return Problem(path, f"{field} is not valid JSON: {explain_json_error(details['ctx']['error'])}")
    if kind == "extra_forbidden":
        return Problem(path, f"{field} is not a known field")
    rule, limit = _describe_rule(details)
    given = MASK if _holds_secret(details["loc"]) else _format_given(details)
    if kind == "value_error":  # raised by our own types, which echo what was given
        return Problem(path, mask_beginning(f"{field} {rule}", _MOST_SENTENCE), given, limit)
    if details["input"] is None:
        return Problem(path, f"{field} {rule} and cannot be null", given, limit)
    hint = _suggest_value(details)
    return Problem(path, f"{field} {rule}; given {given}{hint}", given, limit)


def _suggest_value(details: ErrorDetails) -> str:
    """Suggest the value of an enumeration in another case, or a text in the form that its pattern takes."""
    given = details["input"]
    if details["type"] == "string_pattern_mismatch" and len(given) <= _SHOWN:
        return with_meant(given, details["ctx"]["pattern"])
    if details["type"] != "literal_error":
        return ""
    known = re.findall("'([^']*)'", details["ctx"]["expected"])
    meant = next((name for name in known if isinstance(given, str) and name.lower() == given.lower()), None)
    return f"; did you mean {meant}?" if meant else ""


def _describe_rule(details: ErrorDetails) -> tuple[str, Any]:
    """Return what the field must be, and its limit if there is one."""
    context, given = details.get("ctx", {}), details["input"]
    if details["type"] == "int_type" and isinstance(given, float) and given.is_integer():
        return "must be written without a decimal point or exponent", None
    if details["type"] == "string_pattern_mismatch":
        meaning = MEANINGS.get(context["pattern"], f"text that matches {context['pattern']}")
        return f"must be {meaning}", meaning
    if details["type"] not in _RULES:
        return f"is invalid: {details['msg']}", None
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
    "string_type": ("must be a string", ""),
    "int_type": ("must be a whole number", ""),
    "float_type": ("must be a number", ""),
    "bool_type": ("must be true or false", ""),
    "list_type": ("must be an array", ""),
    "dict_type": ("must be an object", ""),
    "frozen_field": ("cannot be changed", ""),
    "model_type": ("must be an object", ""),
}


def _format_path(location: Sequence[int | str], at: str) -> str:
    """Format a location with wire names; names of custom properties stay as they are, long ones shortened."""
    path, in_properties = at, False
    for part in location:
        if isinstance(part, int):
            path += f"[{part}]"
        elif in_properties or not part.startswith(_TAG):
            name = shorten(part)
            name = name if in_properties or name in _SNAKE_CASE_NAMES else wire_name(name)
            path += f".{name}" if path else name
            in_properties = in_properties or name == "customProperties"
    return path


def shorten(name: str) -> str:
    """Shorten a name from a request so that it can be shown in a path.

    Examples:
        >>> shorten("nickName"), len(shorten("x" * 1_000_000))
        ('nickName', 61)
    """
    return name if len(name) <= _SHOWN else f"{mask_beginning(name, _SHOWN)}…"


def _holds_secret(location: Sequence[int | str]) -> bool:
    return any(isinstance(part, str) and is_secret_name(part) for part in location)


def _count(text: str, details: ErrorDetails) -> str:
    """Return how long a text is: as its limit counts it, and in code points where they differ."""
    seen = count_graphemes(text, details["ctx"]["max_length"])
    return f"{seen} characters" if seen == len(text) else f"{seen} characters of {len(text)} code points"


def _format_given(details: ErrorDetails) -> str:
    value = details["input"]
    match value:
        case str():
            text = mask_beginning(value, _SHOWN + 1)
            shown = json.dumps(text[:_SHOWN] + "…" if len(text) > _SHOWN else text, ensure_ascii=False)
            shown = shown.encode("utf-8", "backslashreplace").decode()  # half a character cannot be printed
            shown += describe_form(value)
            return f"{_count(value, details)}, {shown}" if details["type"] == "string_too_long" else shown
        case list() | tuple():
            return f"an array of {len(value)}"
        case dict():
            return "an object"
        case None | bool() | float():
            return json.dumps(value)
        case _:
            return describe_given(value)

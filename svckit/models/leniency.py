"""Lenient reading of responses: a value beyond a described limit is kept as it is.

A record may be older than the limits that the service's description states today, and lists of values may grow (the
description says so itself about ``suspendedReason``). One such value must not make a whole response unreadable.
A null in a field that may be left out but not be null reads as absent. Digits for a number and a number for text are
read as what is described. What a change has led to comes back as a record, so there a missing field is None; in other
objects it is an error, and a value of another type is one in all.
"""

from functools import partial
from typing import Any, Final

from pydantic import BaseModel
from pydantic_core import CoreSchema
from pydantic_core.core_schema import (
    no_info_after_validator_function,
    no_info_before_validator_function,
    nullable_schema,
    with_default_schema,
)

from svckit.models.long_arrays import unwrap

__all__ = ["remove_limits"]

LONGEST_NUMBER = 19
"""The digits of the largest 64-bit integer."""
_LIMITS: Final = {
    "str": {"max_length", "min_length", "pattern"},
    "int": {"ge", "le"},
    "list": {"max_length", "min_length"},
}


def remove_limits(schema: CoreSchema, *, fills_missing: bool = False) -> CoreSchema:
    """Return a schema of the same types without limits of length, pattern, range or listed values.

    A single allowed value, such as the type of an event, identifies the object, and stays.

    Args:
        schema: the schema of a model.
        fills_missing: whether required fields that are missing are None.
    """
    loosened: CoreSchema = _loosen(schema, fills_missing)
    return loosened


def _loosen(part: Any, fills: bool) -> Any:
    if isinstance(part, list):
        return [_loosen(item, fills) for item in part]
    if not isinstance(part, dict):
        return part
    part = unwrap(part)
    part = part["steps"][-1] if part.get("type") == "chain" else part  # svckit.models.text_lengths
    kind = part.get("type")
    if (
        kind == "literal"
        and len(part["expected"]) > 1
        and all(isinstance(value, str) for value in part["expected"])
    ):
        return {"type": "str"}
    limits = _LIMITS.get(kind, ()) if isinstance(kind, str) else ()
    loosened = {name: _loosen(value, fills) for name, value in part.items() if name not in limits}
    if kind == "str":
        loosened["coerce_numbers_to_str"] = True
    if kind == "int":
        return no_info_before_validator_function(_read_digits, loosened)
    if kind == "model":
        # A class brings its own validator, limits and all, so only its fields are validated here.
        fields = loosened["schema"] | {
            "extra_behavior": part["config"].get("extra_fields_behavior", "ignore")
        }
        build = partial(_build, part["cls"], _take_nulls(fields["fields"], fills))
        return no_info_after_validator_function(build, fields, ref=part.get("ref"))
    return loosened


def _read_digits(value: Any) -> Any:
    is_digits = (
        isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= LONGEST_NUMBER
    )
    return int(value) if is_digits else value


def _take_nulls(fields: dict[str, Any], fills: bool) -> frozenset[str]:
    """Let fields that may be left out but not be null take a null, and return their names."""
    names = set()
    for name, field in fields.items():
        schema = field["schema"]
        if fills and schema["type"] != "default":
            field["schema"] = schema = with_default_schema(schema, default=None)
        is_optional = schema["type"] == "default" and schema.get("default", ...) is None
        if is_optional and schema["schema"]["type"] != "nullable":
            schema["schema"] = nullable_schema(schema["schema"])
            names.add(name)
    return frozenset(names)


def _build(
    model: type[BaseModel],
    never_null: frozenset[str],
    fields: tuple[dict[str, Any], dict[str, Any] | None, set[str]],
) -> BaseModel:
    values, extra, given = fields
    given -= {name for name in never_null if values[name] is None}
    return model.model_construct(given, **values, **(extra or {}))

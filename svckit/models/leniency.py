"""Lenient reading of responses: a value beyond a described limit is kept as it is.

A record may be older than the limits that the service's description states today, and lists of values may grow (the
description says so itself about ``suspendedReason``). One such value must not make a whole response unreadable.
A null in a field that may be left out but not be null reads as absent. A value of another type than described, or a
missing required field, is an error in responses too.
"""

from functools import partial
from typing import Any, Final

from pydantic import BaseModel
from pydantic_core import CoreSchema
from pydantic_core.core_schema import no_info_after_validator_function, nullable_schema

from svckit.models.long_arrays import unwrap

__all__ = ["remove_limits"]

_LIMITS: Final = {
    "str": {"max_length", "min_length", "pattern"},
    "int": {"ge", "le"},
    "list": {"max_length", "min_length"},
}


def remove_limits(schema: CoreSchema) -> CoreSchema:
    """Return a schema of the same types without limits of length, pattern, range or listed values.

    A single allowed value, such as the type of an event, identifies the object, and stays.
    """
    loosened: CoreSchema = _loosen(schema)
    return loosened


def _loosen(part: Any) -> Any:
    if isinstance(part, list):
        return [_loosen(each) for each in part]
    if not isinstance(part, dict):
        return part
    part = unwrap(part)
    kind = part.get("type")
    if (
        kind == "literal"
        and len(part["expected"]) > 1
        and all(isinstance(each, str) for each in part["expected"])
    ):
        return {"type": "str"}
    limits = _LIMITS.get(kind, ()) if isinstance(kind, str) else ()
    loosened = {name: _loosen(value) for name, value in part.items() if name not in limits}
    if (
        kind == "model"
    ):  # a class brings its own validator, limits and all, so only its fields are validated here
        fields = loosened["schema"] | {
            "extra_behavior": part["config"].get("extra_fields_behavior", "ignore")
        }
        build = partial(_build, part["cls"], _take_nulls(fields["fields"]))
        return no_info_after_validator_function(build, fields, ref=part.get("ref"))
    return loosened


def _take_nulls(fields: dict[str, Any]) -> frozenset[str]:
    """Let fields that may be left out but not be null take a null, and return their names."""
    names = set()
    for name, field in fields.items():
        schema = field["schema"]
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

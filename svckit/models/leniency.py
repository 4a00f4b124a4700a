"""Answers are read more leniently than requests are written: a value beyond a described limit is kept as it is.

A record may be older than the limits the service's description states today, and lists of values may grow (the
description says so itself of ``suspendedReason``). One such value must not make a whole answer unreadable.
What has another type than described, or is missing though required, is an error in answers too.
"""

from functools import partial
from typing import Any, Final

from pydantic import BaseModel
from pydantic_core import CoreSchema
from pydantic_core.core_schema import no_info_after_validator_function

__all__ = ["without_limits"]

_LIMITS: Final = {
    "str": {"max_length", "min_length", "pattern"},
    "int": {"ge", "le"},
    "list": {"max_length", "min_length"},
}


def without_limits(schema: CoreSchema) -> CoreSchema:
    """A schema that takes the same types, whatever their lengths, patterns, ranges and lists of values.

    A single value that is always the same, such as the type of an event, says what something is, and stays.
    """
    loosened: CoreSchema = _loosened(schema)
    return loosened


def _loosened(part: Any) -> Any:
    if isinstance(part, list):
        return [_loosened(each) for each in part]
    if not isinstance(part, dict):
        return part
    kind = part.get("type")
    if (
        kind == "literal"
        and len(part["expected"]) > 1
        and all(isinstance(each, str) for each in part["expected"])
    ):
        return {"type": "str"}
    limits = _LIMITS.get(kind, ()) if isinstance(kind, str) else ()
    loosened = {name: _loosened(value) for name, value in part.items() if name not in limits}
    if (
        kind == "model"
    ):  # a class brings its own validator, limits and all, so only its fields are validated here
        fields = loosened["schema"] | {
            "extra_behavior": part["config"].get("extra_fields_behavior", "ignore")
        }
        return no_info_after_validator_function(partial(_made, part["cls"]), fields, ref=part.get("ref"))
    return loosened


def _made(
    model: type[BaseModel], fields: tuple[dict[str, Any], dict[str, Any] | None, set[str]]
) -> BaseModel:
    values, further, given = fields
    return model.model_construct(given, **values, **(further or {}))

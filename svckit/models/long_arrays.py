"""Validation of long arrays with bounded work.

The length is checked before the items, and only the errors of the first wrong items are kept. By itself, pydantic
checks every item of an array that is too long, and keeps an error for each wrong one: hundreds of bytes, and
microseconds, for two bytes of input.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from pydantic import GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError, PydanticKnownError
from pydantic_core.core_schema import ValidatorFunctionWrapHandler, no_info_wrap_validator_function

__all__ = ["ENOUGH", "UNREAD", "InSteps", "make_stepwise", "unwrap"]

ENOUGH: Final = 50
"""The number of problems that are listed; the items of an array after them are not checked."""
UNREAD: Final = "items_unread"
"""The type of the error that stands for the unchecked items."""

_STEP = 50


class InSteps:
    """An annotation that validates an array outside wire models in steps: ``Annotated[list[…], InSteps()]``."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return make_stepwise(handler(source))


def make_stepwise(schema: CoreSchema) -> CoreSchema:
    """Return a schema that validates its arrays in steps, except in nested models, which do so themselves."""
    stepwise: CoreSchema = _make_stepwise(schema)
    return stepwise


def unwrap(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an array without its steps; any other schema as it is."""
    array: dict[str, Any] = schema["schema"] if _is_stepwise(schema) else schema
    return array


def _is_stepwise(schema: dict[str, Any]) -> bool:
    function = schema.get("function")
    called = function.get("function") if isinstance(function, dict) else None
    return isinstance(called, partial) and called.func is _validate


def _make_stepwise(part: Any, *, inner: bool = False) -> Any:
    if isinstance(part, list):
        return [_make_stepwise(item, inner=inner) for item in part]
    if not isinstance(part, dict) or _is_stepwise(part) or (inner and part.get("type") == "model"):
        return part
    stepwise: Any = {name: _make_stepwise(value, inner=True) for name, value in part.items()}
    if part.get("type") != "list":
        return stepwise
    return no_info_wrap_validator_function(partial(_validate, part.get("max_length")), stepwise)


def _validate(most: int | None, value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    if not isinstance(value, list | tuple):
        return validate(value)
    if most is not None and len(value) > most:
        limits = {"field_type": "List", "max_length": most, "actual_length": len(value)}
        raise PydanticKnownError("too_long", limits)
    if len(value) <= _STEP:
        return validate(value)
    items: list[Any] = []
    wrong: list[InitErrorDetails] = []
    for start in range(0, len(value), _STEP):
        try:
            items += validate(value[start : start + _STEP])
        except ValidationError as error:
            wrong += _shift_errors(error, start)
        if len(wrong) > ENOUGH:
            left = len(value) - start - _STEP
            if left > 0:
                unread = PydanticCustomError(UNREAD, "{left} more items were not checked", {"left": left})
                wrong.append({"type": unread, "loc": (), "input": value})
            break
    if wrong:
        raise ValidationError.from_exception_data("array", wrong)
    return items


def _shift_errors(error: ValidationError, start: int) -> Iterator[InitErrorDetails]:
    """Yield the errors of a step, with the indexes of the items in the whole array."""
    for details in error.errors(include_url=False):
        (at, *within), context = details["loc"], details.get("ctx", {})
        place = (start + at if isinstance(at, int) else at, *within)
        kind: Any = details["type"]
        if kind == UNREAD:  # from an array within an item; pydantic only knows its own types by name
            kind = PydanticCustomError(UNREAD, details["msg"], context)
        yield {"type": kind, "loc": place, "input": details["input"], "ctx": context}

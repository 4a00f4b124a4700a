"""The JSON format in which the parts of a fake are saved: strict models, base64 content, errors without secrets.

`NotSaved` is what a door is told if that fails.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from datetime import datetime
from operator import attrgetter
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    PlainSerializer,
    PlainValidator,
    ValidationError,
)
from pydantic_core import CoreSchema, core_schema

from fakes.http.content import StoredContent
from fakes.http.messages import check_field_value
from svckit.models.base import WireModel
from svckit.models.times import parse_iso_time

__all__ = [
    "AsList",
    "FieldValue",
    "Instant",
    "Names",
    "NotSaved",
    "Saved",
    "SavedContent",
    "SavedWire",
    "describe_errors",
    "dump_wire",
    "in_order",
    "in_turn",
    "key_by",
    "mask_secrets",
]

ENCODED_CHUNK = 64 * 1024  # a multiple of 4, so each piece of base64 decodes by itself
MAX_SHOWN = 5
SECRET = re.compile(r"_[0-9a-f]{20,}")  # as `Ids` generates them; they occur as keys

Wire = TypeVar("Wire", bound=WireModel)


class NotSaved(OSError):
    """Changes could not be saved to the state file; clients get 507, and the next request saves them too.

    Args:
        why: what went wrong.
        what: the consequence for the changes, and what to do.

    Attributes:
        why: what went wrong.
    """

    def __init__(self, why: str, what: str) -> None:
        super().__init__(f"{why}, so {what}")
        self.why = why


class Saved(BaseModel):
    """The saved data of a part. Nothing is coerced, optional or ignored, so a damaged snapshot is rejected."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", strict=True, hide_input_in_errors=True, defer_build=True
    )

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        return ()  # secrets are among the fields and their keys


FieldValue = Annotated[str, AfterValidator(check_field_value)]
"""A text that a response header can carry unchanged."""


def _parse_instant(value: Any) -> datetime:
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str):
        raise ValueError("must be the text of an instant")
    read = parse_iso_time(value)
    if read.tzinfo is None:
        raise ValueError("must have an offset")
    return read


Instant = Annotated[datetime, PlainValidator(_parse_instant), PlainSerializer(datetime.isoformat)]
"""A time with its offset."""


def _encode(content: StoredContent) -> str:
    return b64encode(content.read()).decode()


def _decode(text: Any) -> StoredContent:
    if isinstance(text, StoredContent):
        return text
    if not isinstance(text, str):
        raise ValueError("must be base64 text")
    content = StoredContent()
    for start in range(0, len(text), ENCODED_CHUNK):
        content.write(b64decode(text[start : start + ENCODED_CHUNK], validate=True))
    return content


SavedContent = Annotated[StoredContent, PlainValidator(_decode), PlainSerializer(_encode)]
"""Content of a file, as base64."""


class AsList(NamedTuple):
    """An annotation to save a dict as a list, and read it as a dict again.

    Attributes:
        to_list: converts the dict to the list.
        to_dict: converts the list to the dict.
        names: whether the list has the keys; otherwise it has the values.

    Examples:
        >>> class Saves(Saved):
        ...     files: Annotated[dict[str, int], in_order]
        >>> Saves.model_validate_json('{"files": [7, 8]}').files
        {0: 7, 1: 8}
    """

    to_list: Callable[[dict[Any, Any]], list[Any]]
    to_dict: Callable[[list[Any]], dict[Any, Any]]
    names: bool = False

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        key, value = get_args(source)
        inner = handler.generate_schema(list[key if self.names else value])  # type: ignore[misc]
        written = core_schema.wrap_serializer_function_ser_schema(
            lambda kept, write: write(self.to_list(kept)), schema=inner
        )
        return core_schema.no_info_after_validator_function(self.to_dict, inner, serialization=written)


def _values(kept: dict[Any, Any]) -> list[Any]:
    return list(kept.values())


def key_by(name: str) -> AsList:
    """Save a dict as the list of its values, keyed by one of their attributes."""
    key = attrgetter(name)
    return AsList(_values, lambda entries: {key(entry): entry for entry in entries})


in_order: AsList = AsList(_values, lambda entries: dict(enumerate(entries)))
"""Saves entries with consecutive numbers, as a log has them, in their order."""
in_turn: AsList = AsList(list, dict.fromkeys, names=True)
"""Saves an ordered set of names in its order."""
Names = Annotated[dict[str, None], AsList(sorted, dict.fromkeys, names=True)]
"""An ordered set of names, in memory a dict without values."""


def dump_wire(value: WireModel) -> dict[str, Any]:
    """Return an object of the service as JSON data, without absent fields."""
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


SavedWire = Annotated[Wire, PlainSerializer(dump_wire)]
"""An object of the service, saved as on the wire, without absent fields."""


def describe_errors(invalid: ValidationError) -> str:
    """Describe errors in saved data by path, without the data, which may be secret or about people.

    Examples:
        >>> class Point(Saved):
        ...     x: int
        >>> try:
        ...     Point.model_validate({"x": "1", "y": 2})
        ... except ValidationError as invalid:
        ...     describe_errors(invalid)
        'x: Input should be a valid integer; y: Extra inputs are not permitted'
    """
    errors = invalid.errors(include_url=False, include_context=False, include_input=False)
    lines = [
        f"{mask_secrets('.'.join(map(str, error['loc'])))}: {error['msg'].partition('; given ')[0]}"
        for error in errors[:MAX_SHOWN]
    ]
    if len(errors) > MAX_SHOWN:
        lines.append(f"and {len(errors) - MAX_SHOWN} more")
    return "; ".join(line.removeprefix(": ") for line in lines)  # an error of the whole has no path


def mask_secrets(text: str) -> str:
    """Mask the secrets of a fake in a text, such as the keys of entries.

    Examples:
        >>> mask_secrets("at_0123456789abcdef0123")
        'at_***'
    """
    return SECRET.sub("_***", text)

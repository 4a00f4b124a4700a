"""The JSON form in which the parts of a fake are saved: strict models, files as base64, errors without secrets."""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, PlainSerializer, PlainValidator, ValidationError
from pydantic_core import from_json, to_json

from fakes.content import Content
from svckit.models.base import WireModel

__all__ = ["Instant", "Saved", "SavedContent", "SavedJson", "SavedWire", "complaint", "on_the_wire"]

ENCODED_CHUNK = 64 * 1024  # a multiple of 4, so that each piece of base64 stands for itself
SHOWN = 5
SECRET = re.compile(r"_[0-9a-f]{20,}")  # as `Ids` makes them; they occur as keys

Wire = TypeVar("Wire", bound=WireModel)


class Saved(BaseModel):
    """What a part saves. Nothing is coerced, left out or ignored, so a damaged snapshot does not pass."""

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        return ()  # secrets are among the fields and their keys


def _instant(value: Any) -> datetime:
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str):
        raise ValueError("must be the text of an instant")
    read = datetime.fromisoformat(value)
    if read.tzinfo is None:
        raise ValueError("must have an offset")
    return read


Instant = Annotated[datetime, PlainValidator(_instant), PlainSerializer(datetime.isoformat)]
"""A time with its offset."""


def _encoded(content: Content) -> str:
    return b64encode(content.read()).decode()


def _decoded(text: Any) -> Content:
    if isinstance(text, Content):
        return text
    if not isinstance(text, str):
        raise ValueError("must be base64 text")
    content = Content()
    for start in range(0, len(text), ENCODED_CHUNK):
        content.write(b64decode(text[start : start + ENCODED_CHUNK], validate=True))
    return content


SavedContent = Annotated[Content, PlainValidator(_decoded), PlainSerializer(_encoded)]
"""Content of a file, as base64."""


def _as_json(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if not isinstance(value, dict):
        raise ValueError("must be an object")
    return to_json(value)


SavedJson = Annotated[bytes, PlainValidator(_as_json), PlainSerializer(from_json)]
"""An object that a part keeps as JSON text, saved as the object it is."""


def on_the_wire(value: WireModel) -> dict[str, Any]:
    """An object of the service as it is saved: without what is absent."""
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


SavedWire = Annotated[Wire, PlainSerializer(on_the_wire)]
"""An object of the service, saved as it goes over the wire; what is absent is left out."""


def complaint(invalid: ValidationError) -> str:
    """What is wrong with saved data, by path; never the data themselves, which may be secret.

    Examples:
        >>> class Point(Saved):
        ...     x: int
        >>> try:
        ...     Point.model_validate({"x": "1", "y": 2})
        ... except ValidationError as invalid:
        ...     complaint(invalid)
        'x: Input should be a valid integer; y: Extra inputs are not permitted'
    """
    errors = invalid.errors(include_url=False, include_context=False, include_input=False)
    lines = [
        f"{SECRET.sub('_***', '.'.join(map(str, e['loc'])))}: {e['msg']}".removeprefix(": ")
        for e in errors[:SHOWN]
    ]
    if len(errors) > SHOWN:
        lines.append(f"and {len(errors) - SHOWN} more")
    return "; ".join(lines)

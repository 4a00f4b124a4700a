"""Message events, which the service sends to a bot's server when a member writes to the bot."""

from collections.abc import Mapping
from math import isfinite
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import ConfigDict, Discriminator, Field, PlainValidator, Tag, WithJsonSchema

from svckit.models.base import Number, OrAbsent, WireModel, absent
from svckit.models.times import EventTime

__all__ = [
    "MINIMUM_CLIENT_VERSION",
    "Content",
    "Event",
    "FileContent",
    "ImageContent",
    "LocationContent",
    "MessageEvent",
    "Source",
    "StickerContent",
    "TextContent",
    "UnknownContent",
    "UnknownEvent",
]

MINIMUM_CLIENT_VERSION: Final[Mapping[str, str | None]] = MappingProxyType(
    {"text": None, "location": None, "sticker": "2.3", "image": "2.3", "file": "2.9"}
)
"""First client version that sends each type of content; ``None`` if all do (section "Message types")."""


class TextContent(WireModel):
    """Text that a member wrote, or that a button or menu wrote for them."""

    type: Literal["text"] = Field(description="Type of the content.")
    text: str = Field(description="The text itself.")
    postback: OrAbsent[str] = absent("Data of the message action or of the start button that sent the text.")


class LocationContent(WireModel):
    """A place on the map."""

    type: Literal["location"] = Field(description="Type of the content.")
    address: str = Field(description="Address of the place in words.")
    latitude: Number = Field(description="Latitude in degrees.")
    longitude: Number = Field(description="Longitude in degrees.")


class StickerContent(WireModel):
    """A sticker."""

    type: Literal["sticker"] = Field(description="Type of the content.")
    package_id: str = Field(description="ID of the package the sticker is in.")
    sticker_id: str = Field(description="ID of the sticker in its package.")


class ImageContent(WireModel):
    """An image."""

    type: Literal["image"] = Field(description="Type of the content.")
    file_id: str = Field(description="ID for downloading the image from the bot's content.")


class FileContent(WireModel):
    """A file."""

    type: Literal["file"] = Field(description="Type of the content.")
    file_id: str = Field(description="ID for downloading the file from the bot's content.")


class UnknownContent(WireModel):
    """Content of a type that the service's description does not name; its other fields are kept.

    Examples:
        >>> UnknownContent.from_wire('{"type": "poll", "question": "Lunch?"}').to_wire()
        {'type': 'poll', 'question': 'Lunch?'}
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")

    type: str = Field(description="Type of the content.")


def _get_tag(content: Any) -> str:
    kind = content.get("type") if isinstance(content, Mapping) else getattr(content, "type", None)
    return f"type={kind}" if isinstance(kind, str) and kind in MINIMUM_CLIENT_VERSION else "type=other"


Content = Annotated[
    Annotated[TextContent, Tag("type=text")]
    | Annotated[LocationContent, Tag("type=location")]
    | Annotated[StickerContent, Tag("type=sticker")]
    | Annotated[ImageContent, Tag("type=image")]
    | Annotated[FileContent, Tag("type=file")]
    | Annotated[UnknownContent, Tag("type=other")],
    Discriminator(_get_tag),
]
"""The content of a message, distinguished by its ``type``."""


def _parse_number(value: Any) -> int | float:
    """Read a number of any size; a whole one becomes an integer, however it is written."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and isfinite(value):
        return int(value) if value.is_integer() else value
    raise ValueError(f"must be a number; given {str(value)[:40]!r}")


DomainId = Annotated[int | float, PlainValidator(_parse_number), WithJsonSchema({"type": "number"})]
"""A domain ID in an event, which the description shows as a number; a whole one is an ``int``."""


class Source(WireModel):
    """The sender of a message, and the room."""

    user_id: str = Field(description="ID of the member who sent the message.")
    channel_id: OrAbsent[str] = absent("ID of the chat room; left out in a one-to-one room.")
    domain_id: DomainId = Field(description="ID of the member's domain.")


class MessageEvent(WireModel):
    """A message to a bot (the service's description, section "Events").

    Read a received one with `from_response`: it takes a null ``source.channelId`` or ``content.postback`` as absent.

    Examples:
        >>> event = MessageEvent.from_wire('''{
        ...     "type": "message", "source": {"userId": "u-001", "domainId": 10000001},
        ...     "issuedTime": "2026-06-01T00:00:00.000Z", "content": {"type": "text", "text": "hello"}}''')
        >>> event.content
        TextContent(type='text', text='hello')
        >>> event.to_wire()["issuedTime"]
        '2026-06-01T00:00:00.000Z'
    """

    type: Literal["message"] = Field(description="Type of the event.")
    source: Source = Field(description="Sender of the message, and the room.")
    issued_time: EventTime = Field(description="When the event was issued, in UTC.")
    content: Content = Field(description="Content of the message.")


class UnknownEvent(WireModel):
    """An event of a type that the service's description does not show; its other fields are kept.

    Only events of the type ``message`` are described; a postback event is only mentioned (section "Events",
    "Response and delivery").

    Examples:
        >>> event = UnknownEvent.from_wire('{"type": "postback", "data": "start"}')
        >>> event.type, event.to_wire()["data"]
        ('postback', 'start')
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")

    type: str = Field(description="Type of the event.")


Event = MessageEvent | UnknownEvent
"""The body of a callback request."""

"""A member's message to a bot, as form fields and as event content."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from svckit.models.base import WireModel, wire_name
from svckit.models.event import FileContent, ImageContent, LocationContent, StickerContent, TextContent
from svckit.models.fields import FieldSpec, list_fields
from svckit.models.problems import list_problems
from svckit.widgets.base.labels import in_words

__all__ = ["FIELDS", "MESSAGES", "build_field_views", "find_problems", "make_content"]

MESSAGES: Final[Mapping[str, type[WireModel]]] = {
    "text": TextContent,
    "location": LocationContent,
    "sticker": StickerContent,
    "image": ImageContent,
    "file": FileContent,
}


def _list_specs(kind: str) -> tuple[FieldSpec, ...]:
    return tuple(spec for spec in list_fields(MESSAGES[kind]) if spec.name != "type")


FIELDS: Final = frozenset(spec.name for kind in MESSAGES for spec in _list_specs(kind))
"""The fields of all messages, by their Python names."""


def make_content(kind: str, typed: Mapping[str, str]) -> dict[str, Any]:
    """Return the content of a message with wire names, without empty fields.

    Examples:
        >>> make_content("location", {"address": "Tower", "latitude": "35.5", "longitude": "x", "text": "hello"})
        {'type': 'location', 'address': 'Tower', 'latitude': 35.5, 'longitude': 'x'}
    """
    given = {spec: typed.get(spec.name, "") for spec in _list_specs(kind)}
    return {"type": kind} | {
        wire_name(spec.name): _parse_number(text) if spec.kind == "number" else text
        for spec, text in given.items()
        if text
    }


def find_problems(content: Mapping[str, Any]) -> list[str]:
    """Return the problems that the model's validation finds in a content, with the labels of `build_field_views`.

    Examples:
        >>> find_problems({"type": "sticker", "packageId": "1"})
        ['Sticker ID is required']
    """
    try:
        MESSAGES[content["type"]].from_wire(dict(content))
    except ValidationError as error:
        return [
            in_words(problem.path) + problem.message.removeprefix(problem.path)
            for problem in list_problems(error)
        ]
    return []


def build_field_views(kind: str, typed: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the fields of a message for a view."""
    return [
        {
            "name": spec.name,
            "label": in_words(spec.name) + ("" if spec.required else " (optional)"),
            "help": spec.help,
            "value": typed.get(spec.name, ""),
        }
        for spec in _list_specs(kind)
    ]


def _parse_number(text: str) -> float | str:
    """Return a typed number, or the text itself for validation to reject."""
    try:
        return float(text)
    except ValueError:
        return text

"""One field of a form: the text typed into it, and the value to send."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

from svckit.models.base import wire_name
from svckit.models.fields import FieldSpec

__all__ = ["STATES", "FormField", "State", "list_values"]

State = Literal["leave", "set", "clear"]
"""How a field is sent: left out, set to a value, or cleared to null."""

STATES: tuple[State, ...] = get_args(State)
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_FLAGS = {"yes": True, "no": False}


class FormField:
    """A field of a form, filled from a record; clearing it keeps its text for when it is set again.

    Args:
        spec: the field's specification.
        item: whether it is an item of a list, which cannot be left or cleared.

    Attributes:
        state: left, set or cleared.
        text: the text typed, for a field that is neither an object nor a list; a flag is ``yes`` or ``no``.
        parts: the fields of an object by name.
        items: the items of a list.
    """

    def __init__(self, spec: FieldSpec, *, item: bool = False) -> None:
        self.spec = spec
        self.is_item = item
        self.text: str = ""
        self.parts: dict[str, FormField] = {field.name: FormField(field) for field in spec.fields}
        self.items: list[FormField] = []
        self.state: State = "set" if item or spec.required else "leave"
        self._filled: tuple[State, str] = (self.state, "")

    @property
    def states(self) -> tuple[State, ...]:
        """The states that the field can have."""
        if self.is_item or self.spec.required:
            return ("set", "clear") if self.spec.nullable and not self.is_item else ("set",)
        return STATES if self.spec.nullable else ("leave", "set")

    @property
    def is_typed(self) -> bool:
        """True if the field holds text, and not further fields."""
        return self.spec.kind not in ("object", "list")

    @property
    def is_edited(self) -> bool:
        """True if a field that holds text is not as it was filled."""
        return self.is_typed and (self.state, self.text) != self._filled

    @property
    def has_content(self) -> bool:
        """True if it has text or items, or a part of it has."""
        return bool(self.text or self.items) or any(part.has_content for part in self.parts.values())

    def enter(self, text: str) -> None:
        """Type a text, which sets the field; text as it was filled restores it, and emptied text clears it."""
        state, filled = self._filled
        emptied = bool(filled) and not text and "clear" in self.states
        self.state = state if text == filled else "clear" if emptied else "set"
        self.text = text

    def add(self) -> "FormField":
        """Append an item to the list."""
        if self.spec.item is None:
            raise ValueError(f"{self.spec.name} is not a list; type into it")
        item = FormField(self.spec.item, item=True)
        self.items.append(item)
        return item

    def value(self) -> Any:
        """Return the value to send if the field is set: its text, converted to the field's type if possible.

        Text that cannot be converted stays text, and the check reports it.
        """
        match self.spec.kind:
            case "object":
                return list_values(self.parts)
            case "list":
                return [item.value() for item in self.items]
            case "integer":
                return int(self.text) if _WHOLE.fullmatch(self.text.strip()) else self.text
            case "flag":
                return _FLAGS.get(self.text, self.text)
            case "json" | "number":
                return _json(self.text)
            case _:
                return self.text

    @property
    def is_blank(self) -> bool:
        """True if the field cannot be empty and has no text yet."""
        return self.spec.kind in ("flag", "choice", "integer", "number") and not self.text

    def fill(self, value: Any) -> None:
        """Fill the field from a record's value, with wire names; for an object, only from its writable fields."""
        match self.spec.kind:
            case "object":
                given = value if isinstance(value, Mapping) else {}
                for name, part in self.parts.items():
                    part.fill_from(given, wire_name(name))
            case "list":
                self.items.clear()
                for item in value if isinstance(value, list) else ():
                    self.add().fill(item)
            case "flag":
                self.text = "yes" if value is True else "no" if value is False else ""
            case "json":
                self.text = json.dumps(value, ensure_ascii=False)
            case _:
                self.text = str(value)
        self._filled = (self.state, self.text)

    def fill_from(self, record: Mapping[str, Any], name: str) -> None:
        """Fill the field from a record's field, which may be null or absent."""
        self.state = self.states[0]
        if record.get(name) is not None:
            self.fill(record[name])
            self.state = "set"
        elif name in record and "clear" in self.states:
            self.state = "clear"
        self._filled = (self.state, self.text)

    def walk(self, path: str, depth: int = 0) -> Iterator[tuple[str, int, "FormField"]]:
        """Yield this field and the visible fields in it, with their paths and nesting depths."""
        yield path, depth, self
        if self.state != "clear":
            for name, part in self.parts.items():
                yield from part.walk(f"{path}.{name}", depth + 1)
            for number, item in enumerate(self.items):
                yield from item.walk(f"{path}[{number}]", depth + 1)


def list_values(fields: Mapping[str, FormField]) -> dict[str, Any]:
    """Return the fields that are set or cleared, with their values; required ones only once they are filled in."""
    return {
        name: None if field.state == "clear" else field.value()
        for name, field in fields.items()
        if field.state != "leave" and not (field.spec.required and field.is_blank)
    }


def _json(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=lambda _: text)
    except (ValueError, RecursionError):
        return text

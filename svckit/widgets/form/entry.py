"""One field of a form: what was typed into it, and what of that is to be sent."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

from svckit.models.base import wire_name
from svckit.models.fields import FieldSpec

__all__ = ["STATES", "FormField", "State"]

State = Literal["leave", "set", "clear"]
"""Whether a field is left out of what is sent, sent with a value, or sent as null."""

STATES: tuple[State, ...] = get_args(State)
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_FLAGS = {"yes": True, "no": False}


class FormField:
    """A field of a form. What was typed stays when the field is left or cleared, and comes back when it is set.

    Args:
        spec: what the field is.
        item: whether it is one of the items of a list, which are there or are not.

    Attributes:
        state: left, set or cleared.
        text: what was typed, of a field that is neither object nor list; a flag is ``yes`` or ``no``.
        parts: the fields of an object by name.
        items: the items of a list.
    """

    def __init__(self, spec: FieldSpec, *, item: bool = False) -> None:
        self.spec = spec
        self.is_item = item
        self.text = ""
        self.parts = {field.name: FormField(field) for field in spec.fields}
        self.items: list[FormField] = []
        self.state: State = "set" if item or spec.required else "leave"

    @property
    def states(self) -> tuple[State, ...]:
        """The states it can be in."""
        if self.is_item or self.spec.required:
            return ("set", "clear") if self.spec.nullable and not self.is_item else ("set",)
        return STATES if self.spec.nullable else ("leave", "set")

    @property
    def is_typed(self) -> bool:
        """Whether it holds text, and not further entries."""
        return self.spec.kind not in ("object", "list")

    def add(self) -> "FormField":
        """Put a further item at the end of the list."""
        if self.spec.item is None:
            raise ValueError(f"{self.spec.name} is no list; type into it")
        item = FormField(self.spec.item, item=True)
        self.items.append(item)
        return item

    def value(self) -> Any:
        """What is sent where it is set: what was typed, as the field's type where it looks like that.

        What does not is given on as text, for the check to say what is wrong with it.
        """
        match self.spec.kind:
            case "object":
                return {
                    name: None if part.state == "clear" else part.value()
                    for name, part in self.parts.items()
                    if part.state != "leave" and not (part.spec.required and part.is_unanswered)
                }
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
    def is_unanswered(self) -> bool:
        """Whether a question whose answer cannot be empty has none yet."""
        return self.spec.kind in ("flag", "choice", "integer", "number") and not self.text

    def fill(self, value: Any) -> None:
        """Take over a value of a record, with wire names; of an object only what can be written."""
        match self.spec.kind:
            case "object":
                given = value if isinstance(value, Mapping) else {}
                for name, part in self.parts.items():
                    part.fill_from(given, wire_name(name))
            case "list":
                self.items.clear()
                for each in value if isinstance(value, list) else ():
                    self.add().fill(each)
            case "flag":
                self.text = "yes" if value is True else "no" if value is False else ""
            case "json":
                self.text = json.dumps(value, ensure_ascii=False)
            case _:
                self.text = str(value)

    def fill_from(self, record: Mapping[str, Any], name: str) -> None:
        """Take over the value that a record has by a name, null and absent as well."""
        self.state = self.states[0]
        if record.get(name) is not None:
            self.fill(record[name])
            self.state = "set"
        elif name in record and "clear" in self.states:
            self.state = "clear"

    def walk(self, path: str, depth: int = 0) -> Iterator[tuple[str, int, "FormField"]]:
        """This entry and those in it that are to be seen, with their paths and how deeply they are nested."""
        yield path, depth, self
        if self.state == "set":
            for name, part in self.parts.items():
                yield from part.walk(f"{path}.{name}", depth + 1)
            for number, item in enumerate(self.items):
                yield from item.walk(f"{path}[{number}]", depth + 1)


def _json(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=lambda _: text)
    except (ValueError, RecursionError):
        return text
